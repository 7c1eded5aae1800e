"""Find and read the sitemaps of others: on disk, and on servers."""
