"""The sitemap protocol, and nothing but the protocol."""
