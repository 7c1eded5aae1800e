"""What there is: pages, their front matter, their built HTML."""
