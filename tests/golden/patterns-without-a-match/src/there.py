"""A program that a page depends on."""
