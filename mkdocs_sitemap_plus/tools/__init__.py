"""Tools for any sitemap: check, compare, submit, list, and report."""
