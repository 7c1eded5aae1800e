"""A built folder and its project file to a Site, for builds without MkDocs."""
