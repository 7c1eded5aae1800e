"""Read a built folder and its project file into a `Site`, without MkDocs."""
