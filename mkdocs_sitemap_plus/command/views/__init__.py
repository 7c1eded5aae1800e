"""What people read of the report that a build keeps."""
