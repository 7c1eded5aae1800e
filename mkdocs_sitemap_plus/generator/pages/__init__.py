"""A site, and all that is read of its pages and its project file."""
