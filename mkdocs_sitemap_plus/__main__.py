"""``python -m mkdocs_sitemap_plus``."""

from mkdocs_sitemap_plus.command.cli.main import main

if __name__ == "__main__":
    main()
