"""What works on any sitemap, whoever wrote it."""
