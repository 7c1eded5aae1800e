"""When a page last changed."""
