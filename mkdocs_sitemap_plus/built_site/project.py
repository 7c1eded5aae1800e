"""A project file as plain values: the folders of the site, its navigation, plugins and options."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.built_site.project_file import (
    find_project_file,
    read_option_lines,
    read_project_file,
)
from mkdocs_sitemap_plus.files import is_file, is_folder
from mkdocs_sitemap_plus.options.patterns import Patterns, read_patterns
from mkdocs_sitemap_plus.options.settings import Settings
from mkdocs_sitemap_plus.options.table import ReadOptions, read_options, settings_of
from mkdocs_sitemap_plus.options.transform import load_transform
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError, invalid, with_lines
from mkdocs_sitemap_plus.wording import format_key

_NEVER_PUBLISHED = ".*\n/templates/"
"""What no builder publishes, unless ``exclude_docs`` includes it again."""

_THEME_LANGUAGES = {"material": "en", "mkdocs": "en", "readthedocs": "en"}
"""The default language of themes that have one."""


class NavItem(NamedTuple):
    """A page in the navigation: its title there, None without one; and whether in a section."""

    title: object
    in_section: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A site that is to be built, or is built.

    Attributes:
        file: the absolute path of the project file.
        notes: what the owner should know about the choice of this file.
        url: the site's URL with its last slash; None if it has none.
        has_url_key: whether the file has the key ``site_url``, even if empty.
        docs_dir: the absolute folder of the sources.
        site_dir: the absolute folder of the built site.
        directory_urls: whether ``a.md`` becomes ``a/index.html``; else it becomes ``a.html``.
        excluded: patterns of sources that are not part of the site.
        drafts: patterns of sources that are not published yet.
        theme: the theme's name; None for a theme of the site's own.
        custom_dir: the absolute folder with changes of the theme; None if there is none.
        language: the language of the theme; None if it is not known.
        nav: the pages in the navigation, by the path of the source.
        plugins: their options, by name without ``material/``.
        extensions: the options of Markdown extensions, by name.
    """

    file: Path
    notes: tuple[Problem, ...]
    url: str | None
    has_url_key: bool
    docs_dir: Path
    site_dir: Path
    directory_urls: bool
    excluded: Patterns
    drafts: Patterns
    theme: str | None
    custom_dir: Path | None
    features: tuple[object, ...]
    language: str | None
    nav: Mapping[str, NavItem]
    plugins: Mapping[str, Mapping[str, Any]]
    extensions: Mapping[str, Mapping[str, Any]]

    @property
    def root(self) -> Path:
        """The folder of the project file."""
        return self.file.parent

    def place(self, key: str) -> Place:
        """Return the place of a key in the project file."""
        return Place(origin=Origin.OPTION, file=self.file.name, key=key)


def read_project(config_file: Path | None) -> Project:
    """Read a project file; None: the one of the current folder.

    Raises:
        SitemapError: there is none, it can't be read, or a value that is needed here has the wrong
            type.
    """
    note = None
    if config_file is None:
        config_file, note = find_project_file(Path.cwd())
    file = Path(os.path.abspath(config_file))  # noqa: PTH100 - resolve() follows links
    config = _Config(read_project_file(file), file)
    url = config.get("site_url", str, "a text", None)
    theme = config.get("theme", (str, Mapping), "a name or a mapping", "") or {}
    theme = {"name": theme} if isinstance(theme, str) else theme
    default_theme = "material" if file.suffix.lower() == ".toml" else "mkdocs"
    theme = {"name": default_theme, **theme}
    name = theme["name"] if isinstance(theme["name"], str) else None
    features, custom_dir = theme.get("features"), theme.get("custom_dir")
    language = theme.get("language") or theme.get("locale") or _THEME_LANGUAGES.get(name or "")
    plugins, extensions = config.named("plugins"), config.named("markdown_extensions")
    pymdownx = extensions.get("pymdownx", {})  # in TOML, its extensions may be a table
    return Project(
        file=file,
        notes=(note,) if note else (),
        url=url if not url or url.endswith("/") else f"{url}/",
        has_url_key="site_url" in config.values,
        docs_dir=config.folder("docs_dir", "docs"),
        site_dir=config.folder("site_dir", "site"),
        directory_urls=config.get("use_directory_urls", bool, "true or false", default=True),
        excluded=config.patterns("exclude_docs", _NEVER_PUBLISHED),
        drafts=config.patterns("draft_docs"),
        theme=name,
        custom_dir=file.parent / custom_dir if isinstance(custom_dir, str) else None,
        features=tuple(features) if isinstance(features, list) else (),
        language=language if isinstance(language, str) else None,
        # A page that is twice in the navigation has the title of its first place.
        nav=dict(reversed([*_nav_items(config.values.get("nav"))])),
        plugins={each.removeprefix("material/"): value for each, value in plugins.items()},
        extensions={
            **extensions,
            **{f"pymdownx.{key}": _mapping(pymdownx[key]) for key in pymdownx},
        },
    )


@dataclass(frozen=True, slots=True)
class _Config:
    """The values of a project file, each checked for its type when it is read."""

    values: Mapping[str, Any]
    file: Path

    def get(self, key: str, kind: type | tuple[type, ...], expected: str, default: object) -> Any:  # noqa: ANN401 - a value of this kind
        value = self.values.get(key)
        if value is None:
            return default
        if isinstance(value, kind):
            return value
        raise self._invalid(key, value, expected)

    def folder(self, key: str, default: str) -> Path:
        value = self.get(key, str, "a text", default) or default
        if "\0" in value:
            raise self._invalid(key, value, "a path")
        return Path(os.path.abspath(self.file.parent / value))  # noqa: PTH100 - as above

    def patterns(self, key: str, *before: str) -> Patterns:
        place = Place(origin=Origin.OPTION, file=self.file.name, key=key)
        patterns = read_patterns([*before, self.get(key, str, "a text", "")], place)
        if isinstance(patterns, Problem):
            raise SitemapError(replace(patterns, done=None))
        return patterns

    def named(self, key: str) -> Mapping[str, Mapping[str, Any]]:
        """Return options by name, of a mapping or of a list of names and mappings."""
        value = {} if self.values.get(key) is None else self.values[key]
        named: dict[str, Mapping[str, Any]] = {}
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, str) and isinstance(value, list):
                named.setdefault(part, {})
            elif isinstance(part, Mapping):
                for name, options in part.items():
                    named.setdefault(format_key(name), _mapping(options))
            else:
                raise self._invalid(key, part, "names, each with its options or without")
        return named

    def _invalid(self, key: str, value: object, expected: str) -> SitemapError:
        place = Place(origin=Origin.OPTION, file=self.file.name, key=key)
        return SitemapError(replace(invalid("project-file", place, value, expected), done=None))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _nav_items(nav: object, *, in_section: bool = False) -> Iterator[tuple[str, NavItem]]:
    for item in nav if isinstance(nav, list) else ():
        for title, value in item.items() if isinstance(item, Mapping) else [(None, item)]:
            if isinstance(value, str):
                yield value, NavItem(title, in_section)
            else:
                yield from _nav_items(value, in_section=True)


def is_enabled(project: Project) -> bool:
    """Return whether the plugin is on; MkDocs has the option ``enabled`` for every plugin."""
    value = project.plugins.get("sitemap-plus", {}).get("enabled", True)
    if isinstance(value, bool):
        return value
    problem = invalid("option", project.place("enabled"), value, "true or false")
    raise SitemapError(replace(problem, done=None))


def read_plugin_options(project: Project) -> ReadOptions:
    """Read the plugin's options in a project file; unknown keys are not an error.

    Raises:
        SitemapError: an option is invalid.
    """
    options = project.plugins.get("sitemap-plus", {})
    options = {key: value for key, value in options.items() if key != "enabled"}
    reading = read_options(options, project.file.name)
    if reading.errors or reading.unknown:
        lines = read_option_lines(project.file, "sitemap-plus")
        reading = replace(
            reading,
            errors=tuple(with_lines(reading.errors, lines)),
            unknown=tuple(with_lines(reading.unknown, lines)),
        )
    if reading.errors:
        raise SitemapError(*reading.errors)
    return reading


def settings_with_transform(project: Project, reading: ReadOptions) -> Settings:
    """Return the settings, with the owner's function for the option ``transform``.

    Raises:
        SitemapError: the function can't be imported.
    """
    settings = settings_of(reading.values, project.file.name)
    name = reading.values.get("transform")
    transform = load_transform(name, project.root, project.place("transform")) if name else None
    if isinstance(transform, Problem):
        raise SitemapError(transform)
    return replace(settings, transform=transform) if transform else settings


def built_folder(project: Project, site_dir: Path | None = None) -> Path:
    """Return the absolute folder of the built site: `site_dir`, or that of the project file.

    Raises:
        SitemapError: it does not exist.
    """
    folder = Path(os.path.abspath(site_dir or project.site_dir))  # noqa: PTH100 - as above
    if is_folder(folder):
        return folder
    found = f"there is no built site at {Path(os.path.relpath(folder)).as_posix()}"
    fix = "Build the site first, or name its folder."
    raise SitemapError(Problem(code="site-dir", found=found, fix=fix))


def own_sitemap(project: Project) -> str:
    """Return the built site's folder, or the sitemap in it if the option ``filename`` names it.

    Raises:
        SitemapError: the site is not built.
    """
    folder = Path(os.path.relpath(built_folder(project)))
    name = project.plugins.get("sitemap-plus", {}).get("filename")
    if isinstance(name, str) and is_file(folder / name):
        return (folder / name).as_posix()
    return folder.as_posix()
