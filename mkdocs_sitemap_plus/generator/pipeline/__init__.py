"""The steps from the pages of a site to the entries of its sitemap."""
