"""``python -m mkdocs_sitemap_plus``."""

from mkdocs_sitemap_plus.command.cli import main

if __name__ == "__main__":
    main()
