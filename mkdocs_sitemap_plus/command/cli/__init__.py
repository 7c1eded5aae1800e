"""The subcommands, and what they share."""
