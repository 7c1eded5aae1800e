"""What the owner says, checked once, for both doors."""
