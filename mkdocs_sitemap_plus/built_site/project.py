"""What a project file says of its site, as plain values."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mkdocs_sitemap_plus.built_site.project_file import read_project_file
from mkdocs_sitemap_plus.options.patterns import Patterns, read_patterns
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError, invalid
from mkdocs_sitemap_plus.wording import format_key

_NEVER = ".*\n/templates/"
"""What no builder publishes, unless ``exclude_docs`` brings it back."""

_LANGUAGES = {"material": "en", "mkdocs": "en", "readthedocs": "en"}
"""The language of themes that say so themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A site that is to be built, or is.

    Attributes:
        file: the absolute path of the project file.
        url: the site's URL with its last slash; None if it has none.
        url_key: whether the file has the key ``site_url``, be it empty.
        docs_dir: the absolute folder of the sources.
        site_dir: the absolute folder of the built site, unless somebody says otherwise.
        directory_urls: whether ``a.md`` becomes ``a/index.html``; else it becomes ``a.html``.
        excluded: patterns on the paths of sources that are no part of the site.
        drafts: patterns on the paths of sources that are not to be published yet.
        theme: the theme's name; None for a theme of the site's own.
        custom_dir: the absolute folder of the theme's changes; None if there is none.
        features: the theme's features.
        language: the language of the theme; None if nobody says.
        titles: what the navigation calls pages, by the path of the source.
        in_sections: the paths of sources that the navigation has in a section.
        plugins: their options, by name, without ``material/``.
        extensions: the options of Markdown extensions, by name.
    """

    file: Path
    url: str | None
    url_key: bool
    docs_dir: Path
    site_dir: Path
    directory_urls: bool
    excluded: Patterns
    drafts: Patterns
    theme: str | None
    custom_dir: Path | None
    features: tuple[str, ...]
    language: str | None
    titles: Mapping[str, object]
    in_sections: frozenset[str]
    plugins: Mapping[str, Mapping[str, Any]]
    extensions: Mapping[str, Mapping[str, Any]]

    @property
    def root(self) -> Path:
        """The folder of the project file."""
        return self.file.parent

    @property
    def zensical(self) -> bool:
        """Whether it is Zensical's own file: its theme is then the default."""
        return self.file.suffix.lower() == ".toml"


def read_project(path: Path) -> Project:
    """Read a project file.

    Raises:
        SitemapError: it can't be read, or a value that is needed here is of the wrong kind.
    """
    file = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() follows links
    said = _Said(read_project_file(file), file)
    theme = said.theme()
    name = theme.get("name", "material" if file.suffix.lower() == ".toml" else "mkdocs")
    custom_dir = theme.get("custom_dir")
    features = theme.get("features")
    language = (
        theme.get("language")
        or theme.get("locale")
        or _LANGUAGES.get(name if isinstance(name, str) else "")
    )
    url = said.text("site_url")
    places = {place.src_uri: place for place in reversed([*_places(said.config.get("nav"))])}
    return Project(
        file=file,
        url=url if not url or url.endswith("/") else f"{url}/",
        url_key="site_url" in said.config,
        docs_dir=said.folder("docs_dir", "docs"),
        site_dir=said.folder("site_dir", "site"),
        directory_urls=said.switch("use_directory_urls"),
        excluded=said.patterns("exclude_docs", _NEVER),
        drafts=said.patterns("draft_docs"),
        theme=name if isinstance(name, str) else None,
        custom_dir=file.parent / custom_dir if isinstance(custom_dir, str) else None,
        features=tuple(each for each in features if isinstance(each, str))
        if isinstance(features, list)
        else (),
        language=language if isinstance(language, str) and language else None,
        titles={src: place.title for src, place in places.items() if place.title is not None},
        in_sections=frozenset(src for src, place in places.items() if place.in_section),
        plugins={
            each.removeprefix("material/"): options
            for each, options in said.named("plugins").items()
        },
        extensions=said.extensions(),
    )


@dataclass(frozen=True, slots=True)
class _Said:
    """The settings of a project file, each read with a check of its kind."""

    config: Mapping[str, Any]
    file: Path

    def text(self, key: str) -> str | None:
        value = self.config.get(key)
        if value is None or isinstance(value, str):
            return value
        raise self._wrong(key, value, "a text")

    def folder(self, key: str, default: str) -> Path:
        value = self.text(key) or default
        if "\0" in value:
            raise self._wrong(key, value, "a path")
        return Path(os.path.abspath(self.file.parent / value))  # noqa: PTH100

    def switch(self, key: str) -> bool:
        value = self.config.get(key, True)
        if isinstance(value, bool):
            return value
        raise self._wrong(key, value, "true or false")

    def theme(self) -> Mapping[str, Any]:
        value = self.config.get("theme")
        if isinstance(value, Mapping):
            return value
        if value is None or isinstance(value, str):
            return {"name": value} if value else {}
        raise self._wrong("theme", value, "a name or a mapping")

    def patterns(self, key: str, *before: str) -> Patterns:
        place = Place(origin=Origin.OPTION, file=self.file.name, key=key)
        spec = read_patterns([*before, self.text(key) or ""], place)
        if isinstance(spec, Problem):
            raise SitemapError(replace(spec, done=None))
        return spec

    def extensions(self) -> Mapping[str, Mapping[str, Any]]:
        """Those of pymdownx also by their table in TOML, without its name."""
        named = self.named("markdown_extensions")
        inner = named.get("pymdownx", {})
        known = {f"pymdownx.{name}": _options(value) for name, value in inner.items()}
        return {**named, **known}

    def named(self, key: str) -> Mapping[str, Mapping[str, Any]]:
        """A list of names, or of names with their options; or a mapping of names to options."""
        value = self.config.get(key)
        if value is None:
            return {}
        parts = value if isinstance(value, list) else [value]
        named: dict[str, Mapping[str, Any]] = {}
        for part in parts:
            if isinstance(part, str) and isinstance(value, list):
                named.setdefault(part, {})
            elif isinstance(part, Mapping):
                for name, options in part.items():
                    named.setdefault(format_key(name), _options(options))
            else:
                raise self._wrong(key, part, "names, each with its options or without")
        return named

    def _wrong(self, key: str, value: object, expected: str) -> SitemapError:
        place = Place(origin=Origin.OPTION, file=self.file.name, key=key)
        return SitemapError(replace(invalid("project-file", place, value, expected), done=None))


@dataclass(frozen=True, slots=True)
class _InNavigation:
    """One place of a page in the navigation; of several, the first gives it its title."""

    src_uri: str
    title: object
    in_section: bool


def _places(nav: object, *, in_section: bool = False) -> Iterator[_InNavigation]:
    for item in nav if isinstance(nav, list) else ():
        for title, value in item.items() if isinstance(item, Mapping) else [(None, item)]:
            if isinstance(value, str):
                yield _InNavigation(value, title, in_section)
            else:
                yield from _places(value, in_section=True)


def _options(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
