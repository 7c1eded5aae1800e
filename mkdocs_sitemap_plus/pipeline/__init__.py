"""What is said of each page, and why."""
