"""When files last changed, read from git: one walk a repository, whatever the number of files."""
