"""When pages changed: the sources of dates, and why a page has none."""
