"""What the owner can set: options, rules and front matter, read and checked."""
