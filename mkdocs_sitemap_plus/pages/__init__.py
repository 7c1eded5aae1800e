"""The pages of a site: their front matter, their built HTML, the files that they include."""
