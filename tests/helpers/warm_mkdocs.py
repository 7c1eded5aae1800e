"""What MkDocs reads of installed packages at each build, kept from one build to the next."""

import atexit
import os
import shutil
import sys
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from tempfile import TemporaryDirectory

import mkdocs
import mkdocs.utils
from jinja2 import BytecodeCache, FileSystemLoader
from mkdocs.theme import Theme

from mkdocs_sitemap_plus.command.views.report_reader import read_kept
from mkdocs_sitemap_plus.generator.json_report import keep

INSTALLED = f"{Path(mkdocs.__file__).parents[1]}{os.sep}"


class CompiledTemplates(BytecodeCache):
    """Keeps what Jinja compiles from a template's text, which is most of the time of a build."""

    def __init__(self):
        """Nothing is compiled yet."""
        self.codes = {}

    def load_bytecode(self, bucket):
        """Fill the bucket with what is kept for this text."""
        bucket.code = self.codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket):
        """Keep what was compiled."""
        self.codes[bucket.key, bucket.checksum] = bucket.code


TEMPLATES = CompiledTemplates()


@cache
def _files_of_theme(folder):
    """The files of an installed theme but for hidden ones, such as the 14,000 icons of Material.

    MkDocs publishes no hidden file, no template for pages, and no module of Python.
    """
    found = set()
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name[0] != "."]
        below = os.path.relpath(path, folder).replace(os.sep, "/")
        shown = [name for name in names if not name.endswith((".html", ".py", ".pyc"))]
        found |= {name if below == "." else f"{below}/{name}" for name in shown}
    return frozenset(found)


class Loader(FileSystemLoader):
    """Lists the files of an installed theme once."""

    def list_templates(self):
        """All templates and files of the theme, in order."""
        found = (
            _files_of_theme(folder)
            if folder.startswith(INSTALLED)
            else FileSystemLoader(folder).list_templates()
            for folder in self.searchpath
        )
        return sorted(set().union(*found))


def environment(theme, get_env=Theme.get_env):
    """Return the theme's environment, which lists and compiles no installed file twice."""
    made = get_env(theme)
    made.loader = Loader(made.loader.searchpath)
    made.bytecode_cache = TEMPLATES
    return made


@cache
def _entry_points(path, group):
    return entry_points(group=group)


def known_entry_points(*, group):
    """Return the entry points of a group, looked for once on each path of modules."""
    return _entry_points(tuple(sys.path), group)


@cache
def _themes(path, get_themes=mkdocs.utils.get_themes):
    return getattr(get_themes, "__wrapped__", get_themes)()


def known_themes():
    """Return the entry points of the themes, looked for once on each path of modules."""
    return _themes(tuple(sys.path))


known_themes.cache_clear = lambda: None  # MkDocs does so, in case that a theme is installed now


@cache
def _own_copies():
    folder = TemporaryDirectory(prefix="theme-")
    atexit.register(folder.cleanup)
    return Path(folder.name)


@cache
def _own_copy(source, copy_file):
    path = _own_copies() / source.removeprefix(INSTALLED)
    copy_file(source, str(path))
    return path


def copy_file(source, output, copy_file=mkdocs.utils.copy_file):
    """Copy a file; one of an installed theme is a link to a copy that is made once."""
    if source.startswith(INSTALLED):
        try:
            os.link(_own_copy(source, copy_file), output)
        except OSError:  # it is there, its folder is not, or it is on another file system
            copy_file(source, output)
    else:
        copy_file(source, output)


def copy_of_site(folder, target):
    """Copy a built site and its sources; files of its theme and objects of git become links."""
    objects = os.path.join(folder, ".git", "objects")  # noqa: PTH118 - as below

    def copy(source, target):
        link = source.startswith(objects) or os.stat(source).st_nlink > 1  # noqa: PTH116 - thousands of times
        return os.link(source, target) if link else shutil.copy2(source, target)

    shutil.copytree(folder, target, symlinks=True, dirs_exist_ok=True, copy_function=copy)
    built = Path(folder) / "site"
    if report := read_kept(built):  # as if it was built there
        keep(Path(target) / "site", report)
