"""Find and read a project: its site, and the options of its plugins; or do without one."""

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urljoin, urlsplit

from mkdocs_sitemap_plus.command.any_site.mkdocs_layout import MkDocsLayout
from mkdocs_sitemap_plus.files import (
    Unreadable,
    absolute_path,
    is_file,
    is_folder,
    read_start,
    repository_folder,
)
from mkdocs_sitemap_plus.generator.made_from import EditLinks
from mkdocs_sitemap_plus.generator.pages.inherited import read_inherited
from mkdocs_sitemap_plus.generator.pages.project_file import (
    option_of,
    read_project_file,
    with_option_lines,
)
from mkdocs_sitemap_plus.generator.pages.site import Parts, UncheckedSite
from mkdocs_sitemap_plus.generator.pages.theme_and_plugins import (
    INCLUDERS,
    THEMES_WITH_SCRIPT,
    Languages,
    posts_by_date,
    site_facts,
)
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem, SitemapError, invalid
from mkdocs_sitemap_plus.sitemap.urls import joined, quote_path
from mkdocs_sitemap_plus.wording import format_key

if TYPE_CHECKING:  # `explain` and `check` need no options of the plugin
    from mkdocs_sitemap_plus.generator.options.settings import Settings
    from mkdocs_sitemap_plus.generator.options.table import ReadOptions
    from mkdocs_sitemap_plus.generator.pages.include_syntax import IncludeOptions
_ENGLISH_THEMES = (*THEMES_WITH_SCRIPT, "mkdocs", "readthedocs")
"""Themes whose default language is English."""

_EDIT_URIS = {
    "bitbucket.org": "src/default/docs/",
    "github.com": "edit/master/docs/",
    "gitlab.com": "edit/master/docs/",
}
"""What MkDocs takes for ``edit_uri`` if that is not set, by the host of the repository."""

_PLUGIN = "sitemap-plus"
_NEARLY = ("sitemap_plus", "mkdocs-sitemap-plus", "mkdocs_sitemap_plus")
_START = 1 << 14  # bytes in which a page names what built it
_T = TypeVar("_T")


class Project(NamedTuple):
    """What the project file says about the site and its plugins."""

    file: Path  # absolute
    name: str  # of the site; empty if it is not known
    notes: tuple[Problem, ...]  # one, if the folder has several project files
    site: UncheckedSite  # without its pages
    has_sources: bool  # whether a folder with sources is known, and not only the built site
    directory_urls: bool  # whether guide/index.html has the URL guide/
    custom_dir: Path | None  # the folder with the owner's changes of the theme
    plugins: Mapping[str, Mapping[str, Any]]  # their options, by `plain_name`
    repo_url: str | None  # the URL of the repository
    edit_uri: str | None  # where its pages are edited: a URL, or a path below `repo_url`
    has_versions: bool  # whether mike builds it, each version for a folder below ``site_url``
    dropped: Problem | None = None  # that the inherited options of this plugin do not count

    @property
    def is_alone(self) -> bool:
        """Whether there is no project file, and the site may be that of any builder."""
        return not self.site.project_file

    def loc_of(self, dest_uri: str) -> str:
        """Return the URL of a built file; empty without a usable URL of the site."""
        if self.directory_urls and posixpath.basename(dest_uri) == "index.html":
            dest_uri = dest_uri.removesuffix("index.html")
        return (joined(self.site.url, quote_path(dest_uri)) or "") if self.site.url else ""

    def languages(self, site_dir: Path) -> "Languages | None":
        """Return the languages that the project file names for the site in this folder, if any."""
        if "i18n" not in self.plugins:
            return None
        by_zensical = is_by_zensical(self.site.project_file, site_dir)
        options, docs_dir = self.plugins["i18n"], self.site.docs_dir
        return Languages.from_options(options, docs_dir, by_zensical=by_zensical)

    def layout(self, languages: "Languages | None" = None) -> "MkDocsLayout":
        """Return where MkDocs, or Zensical, builds the page of each source."""
        return MkDocsLayout(self.site.docs_dir, self.directory_urls, languages)

    def edit_links(self) -> "EditLinks":
        """Return the links to edit pages, as the options make them."""
        host = urlsplit(self.repo_url or "").hostname or ""
        uri = self.edit_uri if self.edit_uri is not None else _EDIT_URIS.get(host)
        return EditLinks(os.fspath(self.site.docs_dir), self.repo_url, uri)

    def parts_of(self, src_uri: str, languages: "Languages | None" = None) -> Parts:
        """Return what else a plugin puts into the page of a source: into a blog, its posts."""
        if "blog" not in self.plugins:
            return Parts()
        folder = option_of(self.plugins["blog"], "blog_dir", "blog")
        index = posixpath.normpath(posixpath.join(folder, "index.md"))
        names = {src_uri, languages.of_source(src_uri)[1]} if languages else {src_uri}
        return Parts(unknown=("the posts of the blog",)) if index in names else Parts()

    @property
    def has_plugin(self) -> bool:
        """Whether this plugin is among those of the project file, or its options are."""
        return _PLUGIN in self.plugins

    @property
    def own_options(self) -> Mapping[str, Any]:
        """The options of this plugin, which are not checked."""
        return self.plugins.get(_PLUGIN, {})


def is_by_zensical(project_file: str, site_dir: Path) -> bool:
    """Return whether Zensical built the site. Zensical runs no plugins of MkDocs."""
    if project_file.lower().endswith(".toml"):
        return True
    with suppress(Unreadable):
        return b'content="zensical-' in read_start(site_dir / "index.html", _START)
    return False


def read_project(config_file: Path | None) -> Project:
    """Return the project of a file, or of the one in the current folder; raise SitemapError."""
    note = None
    if config_file is None:
        config_file, note = find_project_file(Path.cwd())
    elif not config_file.exists():  # as it was typed, since another folder may be meant
        place = Place(origin=Origin.OPTION, file=config_file.as_posix())
        found = "it can't be read (No such file or directory)"
        raise SitemapError(Problem(code=Code.PROJECT_FILE, place=place, found=found))
    file = absolute_path(config_file)
    return _project(_Config(read_project_file(file), file), note)


def _project(config: "_Config", note: Problem | None) -> Project:
    file, theme = config.file, config.theme()
    custom_dir = option_of(theme, "custom_dir", "")
    enabled = [
        (plain_name(name), options)
        for name, options in config.named_options("plugins")
        # This plugin stays, so that a command can say that it is turned off.
        if plain_name(name) == _PLUGIN or options.get("enabled") is not False
    ]
    # Of this plugin, the last entry counts, which writes the sitemap last in a build.
    plugins = {**_first_of_each(enabled), **dict(each for each in enabled if each[0] == _PLUGIN)}
    extra = config.get("extra", dict, "a mapping", {})
    directory_urls = config.get("use_directory_urls", bool, "true or false", default=True)
    docs_dir = config.folder("docs_dir", "docs")
    inherited = read_inherited(file)
    return Project(
        file=file,
        name=config.get("site_name", str, "a text", ""),
        notes=(note,) if note else (),
        site=UncheckedSite(
            url=_site_url(config, plugins),
            has_url_key="site_url" in config.values,
            project_file=file.name,
            root=file.parent,
            docs_dir=docs_dir,
            site_dir=config.folder("site_dir", "site"),
            serving=False,
            include_options=_include_options(plugins, config, docs_dir),
            pages=(),
            waiting=posts_by_date(options for name, options in enabled if name == "blog"),
            inherited=inherited.patterns,
            **site_facts(theme, plugins, extra),
        ),
        has_sources=True,
        # The plugin `offline` of Material and Zensical changes the option.
        directory_urls=directory_urls and "offline" not in plugins,
        custom_dir=file.parent / custom_dir if custom_dir else None,
        plugins=plugins,
        repo_url=config.get("repo_url", str, "a text", None),
        edit_uri=config.get("edit_uri", str, "a text", None),
        has_versions="mike" in plugins or _mapping(extra.get("version")).get("provider") == "mike",
        dropped=inherited.problem,
    )


class _Config(NamedTuple):
    """The values of a project file. Its methods check the type of each value that they return."""

    values: Mapping[str, Any]
    file: Path

    def get(self, key: str, kind: type | tuple[type, ...], expected: str, default: object) -> Any:  # noqa: ANN401 - a value of this kind
        """Return the value of a key; the default if the key is missing, or has no value."""
        value = self.values.get(key)
        if value is None:
            return default
        if isinstance(value, kind):
            return value
        raise self._invalid(key, value, expected)

    def theme(self) -> Mapping[str, Any]:
        """Return the options of the theme, with its ``name`` and, if it is known, ``locale``."""
        value = self.get("theme", (str, Mapping), "a name or a mapping", None) or {}
        options = {"name": value} if isinstance(value, str) else value
        default = "material" if self.file.suffix.lower() == ".toml" else "mkdocs"
        theme = {"name": default, **options}
        is_english = theme["name"] is None or theme["name"] in _ENGLISH_THEMES  # None: an own one
        return {"locale": "en", **theme} if is_english else theme

    def folder(self, key: str, default: str) -> Path:
        value = self.get(key, str, "a text", default) or default
        if "\0" in value:
            raise self._invalid(key, value, "a path")
        return absolute_path(self.file.parent / value)

    def named_options(self, key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the name and the options of each plugin or extension; one may come twice."""
        expected = "names, each with its options or without"
        value = self.get(key, (list, Mapping), expected, [])
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, str):
                yield part, {}
            elif isinstance(part, Mapping):
                for name, options in part.items():
                    yield format_key(name), _mapping(options)
            else:
                raise self._invalid(key, part, expected)

    def _invalid(self, key: str, value: object, expected: str) -> SitemapError:
        place = Place(origin=Origin.OPTION, file=self.file.name, key=key)
        return SitemapError(invalid(Code.PROJECT_FILE, place, value, expected))


def _site_url(config: _Config, plugins: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Return the option ``site_url`` with a slash at its end; for mike, the URL of the version."""
    url: str | None = config.get("site_url", str, "a text", None)
    if not url:
        return url
    version = os.environ.get("MIKE_DOCS_VERSION", "")
    if version:
        version = option_of(plugins.get("mike", {}), "canonical_version", version).rstrip("/")
    return urljoin(f"{url.removesuffix('/')}/", f"{version}/" if version else "")


def _include_options(
    plugins: Mapping[str, Mapping[str, Any]], config: _Config, docs_dir: Path
) -> "IncludeOptions | None":
    extensions = _first_of_each(config.named_options("markdown_extensions"))
    pymdownx = extensions.get("pymdownx", {})  # a table of extensions in TOML
    inner = {f"pymdownx.{key}": _mapping(pymdownx[key]) for key in pymdownx}

    def folder(path: object) -> Path:
        """Return the absolute path of a folder; ``Path()`` stands for the folder of each page."""
        if path == "!relative":
            return Path()
        text = str(path) if isinstance(path, (str, Path)) and path else "."
        start, slash, rest = text.partition("/")
        starts = {"!relative $config_dir": config.file.parent, "!relative $docs_dir": docs_dir}
        return absolute_path(f"{starts.get(start, start)}{slash}{rest}")

    extensions = {**extensions, **inner}
    if INCLUDERS.isdisjoint((*extensions, *plugins)):
        return None
    from mkdocs_sitemap_plus.generator.pages.include_syntax import IncludeOptions  # noqa: PLC0415 - 20 ms, with options

    return IncludeOptions.from_options(plugins, extensions, docs_dir, folder)


def _first_of_each(pairs: Iterable[tuple[str, _T]]) -> Mapping[str, _T]:
    """Return the first value of each name. MkDocs also takes the first nav item of a page."""
    return dict(reversed([*pairs]))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def is_enabled(project: Project) -> bool:
    """Return the option ``enabled``; raise SitemapError if it is not true or false."""
    value = project.own_options.get("enabled", True)
    if isinstance(value, bool):
        return value
    raise SitemapError(invalid(Code.OPTION, project.site.option("enabled"), value, "true or false"))


def read_plugin_options(project: Project) -> "ReadOptions":
    """Return the plugin's options, with unknown keys; raise SitemapError if a value is invalid."""
    from mkdocs_sitemap_plus.generator.options.table import read_options  # noqa: PLC0415 - 20 ms

    raw = {key: value for key, value in project.own_options.items() if key != "enabled"}
    options = read_options(raw, project.file.name, project.file.parent)
    if options.errors:
        raise SitemapError(*with_option_lines(options.errors, project.file))
    return options._replace(unknown=with_option_lines(options.unknown, project.file))


def read_settings(project: Project) -> "tuple[Settings, tuple[Problem, ...]]":
    """Return the settings, and the problems of unknown keys.

    Raises SitemapError if an option is invalid, or if the owner's function can't be imported.
    """
    from mkdocs_sitemap_plus.generator.options.table import import_transform  # noqa: PLC0415 - 20 ms

    options = read_plugin_options(project)
    settings, problems = import_transform(options.settings, project.file)
    if settings is None:
        raise SitemapError(*with_option_lines(problems, project.file))
    found = [Problem(
        Code.UNKNOWN_KEY,
        "is not the name of this plugin",
        Place(Origin.OPTION, project.file.name, f"plugins.{name}"),
        done="Its options do not count.",
        fix=f"Write `{_PLUGIN}`.",
    ) for name in project.plugins if name in _NEARLY]  # fmt: skip
    found += [project.dropped] if project.dropped else []
    return settings, (*with_option_lines(found, project.file), *options.unknown)


def built_folder(project: Project | None, site_dir: Path | None = None) -> Path:
    """Return the absolute path of a built folder, of the project by default; raise SitemapError."""
    folder = absolute_path(site_dir or (project.site.site_dir if project else Path()))
    if is_folder(folder):
        return folder
    found = f"there is no built site at {Path(os.path.relpath(folder)).as_posix()}"
    fix = "Build the site first, or name its folder."
    raise SitemapError(Problem(code=Code.SITE_DIR, found=found, fix=fix))


def own_sitemap(project: Project, site_dir: Path | None = None) -> str:
    """Return the path of the sitemap that ``filename`` names, or the folder of the built site.

    The folder is returned if the option is not set, or if there is no such file. Without
    `site_dir`, the built site is the folder that the project file names.
    """
    folder = site_dir or Path(os.path.relpath(built_folder(project)))
    file = folder / option_of(project.own_options, "filename", "")
    return (file if is_file(file) else folder).as_posix()


def find_project_of(site_dir: Path) -> Project | None:
    """Return the nearest project above a built site whose ``site_dir`` is this site, if any.

    It may also be built in another folder, as with ``mkdocs build -d public``: that of a project
    beside it whose own ``site_dir`` is not there.
    """
    folder, elsewhere = absolute_path(site_dir), None
    for above in folder.parents:
        with suppress(SitemapError):
            project = read_project(find_project_file(above)[0])
            if project.site.site_dir == folder:
                return project
            if above == folder.parent and not is_folder(project.site.site_dir):
                elsewhere = project
    return elsewhere


def project_of_url(site_dir: Path, url: str, docs_dir: Path | None = None) -> Project:
    """Return the project of a built site whose URL is given, whatever built it.

    The current folder is in its repository. A project file there may be that of another site; then
    the project has no options. `docs_dir` has sources under the same paths as the built pages.
    """
    with suppress(SitemapError):
        project = read_project(None)
        if project.site.site_dir == absolute_path(site_dir) and not docs_dir:
            return project
    root = Path.cwd()
    values = {
        "site_dir": absolute_path(site_dir).as_posix(),
        "site_url": url,
        "docs_dir": (docs_dir or repository_folder(root)).as_posix(),
        "theme": {"name": ""},
    }
    project = _project(_Config(values, root / "mkdocs.yml"), None)
    site = replace(project.site, project_file="")
    return project._replace(file=root, site=site, has_sources=docs_dir is not None)


PROJECT_FILES = ("zensical.toml", "properdocs.yml", "properdocs.yaml", "mkdocs.yml", "mkdocs.yaml")
"""The first of these that exists is read. Zensical and ProperDocs have the same order."""

NO_PROJECT_FILE = Problem(
    Code.PROJECT_FILE,
    "there is no project file (mkdocs.yml, zensical.toml …) in this folder",
    fix="Name it with -f.",
)


def project_files_in(folder: Path) -> list[str]:
    """Return which of `PROJECT_FILES` a folder has."""
    return [name for name in PROJECT_FILES if is_file(folder / name)]


def find_project_file(folder: Path) -> tuple[Path, Problem | None]:
    """Return the project file of a folder, and a note if the folder has several."""
    names = project_files_in(folder)
    if not names:
        raise SitemapError(NO_PROJECT_FILE)
    first, *others = names
    found = f"this project file is read, not {' or '.join(others)}"
    fix = "If the site is built from another file, name that file with -f."
    place = Place(Origin.OPTION, first)
    note = Problem(Code.PROJECT_FILE, found, place, fix=fix, level=Level.NOTE)
    return folder / first, note if others else None


def plain_name(plugin: str) -> str:
    """Return the name of a plugin without that of its theme: ``blog`` for ``materialx/blog``.

    MkDocs finds the plugin of a theme by both names. A slash at the start is no part of the name.
    """
    theme, slash, name = plugin.partition("/")
    return name if slash and theme in ("", *THEMES_WITH_SCRIPT) else plugin
