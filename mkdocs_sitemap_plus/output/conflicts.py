"""Messages about files of the sitemap that others write as well."""

from pathlib import Path

from mkdocs_sitemap_plus.output import fingerprint, repack
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem


def replaced_file(file: str) -> Problem:
    """Return the note that the sitemap replaces this file or template of the site's owner."""
    return Problem(
        code=Code.REPLACED,
        place=Place(origin=Origin.PLUGIN, file=file),
        found="this file is not published, because the plugin writes the sitemap",
        fix="Delete it. Set values such as changefreq and priority as options of sitemap-plus.",
        level=Level.INFO,
    )


def repack_file(folder: Path, name: str, written: bytes | None) -> Problem | None:
    """Write or remove a file's ``.gz`` if it does not match the file.

    Return a note if a hook or a later plugin changed one of the two; otherwise None. `folder` is
    that of the built site. `written` is the `fingerprint` that the file had when this plugin wrote
    it. Raises SitemapError if the ``.gz`` can't be written.
    """
    repacked, current = repack(folder, name), fingerprint(folder, name)
    if current == written:
        if not repacked:
            return None
        found, done = f"changed {name}.gz", "It is written again"
    elif current is None:
        found, done = f"removed {name}", "It stays removed"
        done += f", and {name}.gz is removed as well" if repacked else ""
    else:
        found, done = f"changed {name}", "The change is kept"
        done += f", and {name}.gz is written again" if repacked else ""
    return Problem(
        code=Code.CHANGED,
        found=f"a hook or another plugin {found} after this plugin wrote it",
        done=f"{done}.",
        level=Level.INFO,
    )
