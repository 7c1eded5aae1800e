"""What a built page says of itself: to search engines, of its languages, of its last change."""
