"""Decide which pages the sitemap lists, and what it says about each of them."""
