"""A lamp."""
