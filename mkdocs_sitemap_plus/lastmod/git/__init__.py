"""When files last changed, read from git by one walk per repository for any number of files."""
