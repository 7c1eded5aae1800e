"""Views of what a build decided: as JSON, as one HTML file, and as the lines of ``explain``."""
