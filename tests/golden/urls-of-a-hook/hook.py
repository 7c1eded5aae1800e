"""Give pages the URL that their front matter names."""


def on_page_markdown(markdown, page, config, files):
    """Set the canonical URL, as plugins do."""
    page.canonical_url = page.meta.get("url", page.canonical_url)


def on_post_page(output, page, config):
    """Let one page not be built."""
    return "" if page.file.src_uri == "unbuilt.md" else output


def on_files(files, config):
    """Add a page that has no file of its own."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - a hook of two lines

    files.append(File.generated(config, "made.md", content="---\npriority: 0.2\n---\n# Made\n"))
