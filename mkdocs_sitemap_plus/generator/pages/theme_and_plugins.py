"""What the options of the theme, and of other plugins, say about a site and its languages."""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.files import is_folder
from mkdocs_sitemap_plus.generator.pages.project_file import option_of
from mkdocs_sitemap_plus.generator.pages.site import I18N, SourcePage, built_paths
from mkdocs_sitemap_plus.problems import Origin, Place

THEMES_WITH_SCRIPT = frozenset(("material", "materialx"))
"""The themes whose script reads ``sitemap.xml`` in the browser, such as for instant navigation."""


_LINKS = Place(Origin.BUILT_PAGE, key="hreflang links")


def default_locale(i18n: Mapping[str, Any]) -> str | None:
    """Return the default language by the options of the plugin ``i18n``; None if they name none.

    It is the first one in zensical-i18n; mkdocs-static-i18n demands that one is named.
    """
    languages = option_of(i18n, "languages", list[Any]())
    rows = [each for each in languages if isinstance(each, Mapping)]
    rows.sort(key=lambda each: not each.get("default"))
    locales = [option_of(i18n, "build_only_locale", "")]
    locales += [option_of(each, "locale", "") for each in rows]
    return next(filter(None, locales), None)


def theme_language(theme: Mapping[str, Any]) -> str | None:
    """Return the language that the options of a theme name; None without one."""
    return option_of(theme, "language", "") or option_of(theme, "locale", "") or None


def site_facts(
    theme: Mapping[str, Any], plugins: Mapping[str, Mapping[str, Any]], extra: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of a `Site` that follow from the options of its theme and plugins."""
    return {
        "reads_sitemap": option_of(theme, "name", "") in THEMES_WITH_SCRIPT,
        "has_selectors": bool(extra.get("version") or extra.get("alternate") or "i18n" in plugins),
        "instant": "navigation.instant" in option_of(theme, "features", list[Any]()),
        "default_locale": default_locale(plugins.get("i18n", {})) or theme_language(theme),
        "languages_place": I18N if "i18n" in plugins else _LINKS,
        "print_page": option_of(plugins["print-site"], "print_page_basename", "print_page")
        if "print-site" in plugins
        else None,
        "edited_by": tuple(name for name in _OF_OTHER_SITEMAP if name in plugins),
    }


_OF_OTHER_SITEMAP = ("mkdocs-sitemap-exclusion", "no-sitemap")
"""Plugins that edit or remove the sitemap of MkDocs, and so not this one."""


def posts_by_date(blogs: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the folders, under the docs folder, of posts that wait for their date to be published.

    `blogs` are the options of each blog plugin of Material. A folder ends with a slash.
    """
    folders = []
    for options in blogs:
        if options.get("draft_if_future_date") is True and options.get("draft") is not True:
            blog = option_of(options, "blog_dir", "blog")
            posts = option_of(options, "post_dir", "{blog}/posts").replace("{blog}", blog)
            folders.append(f"{posixpath.normpath(posts)}/".removeprefix("./"))
    return tuple(folders)


INCLUDERS = frozenset((
    "pymdownx.snippets", "markdown_include.include", "mdx_include", "markdown_include_variants",
    "include-markdown", "macros", "mkdocstrings",
))  # fmt: skip
"""The plugins and Markdown extensions that `pages.includes` knows."""


class Languages(NamedTuple):
    """How the sources of a site name their language, with mkdocs-static-i18n or zensical-i18n.

    Both build the default language at the root, and each other one in a folder with the name of its
    locale. A page that is not translated may show the text of the default language there.
    """

    locales: Sequence[str]
    default: str
    in_folders: bool  # de/a.md is a page in German; otherwise a.de.md is
    fallback: bool  # whether the text of the default language fills a page without translation
    by_zensical: bool

    @classmethod
    def from_options(
        cls, options: Mapping[str, Any], docs_dir: Path, *, by_zensical: bool
    ) -> "Languages | None":
        """Return the languages by the options of the plugin ``i18n``; None if they name none."""
        rows = option_of(options, "languages", list[Any]())
        locales = [option_of(row, "locale", "") for row in rows if isinstance(row, Mapping)]
        default = default_locale(options)
        if default is None:
            return None
        structure = option_of(options, "docs_structure", "")
        # zensical-i18n 0.3: "Projects with a folder named after the default locale, and without
        # docs_structure keep using it".
        is_old = by_zensical and not structure and is_folder(docs_dir / default)
        return cls(
            [*filter(None, locales)],
            default,
            in_folders=is_old or structure == "folder",
            fallback=option_of(options, "fallback_to_default", default=True),
            by_zensical=by_zensical,
        )

    def places(self, path: str) -> Sequence[str]:
        """Return the paths that the source of a built page may have, the best first.

        All paths are without their ending: ``de/a`` may be made from ``a.de``, ``a.en`` or ``a``.
        Paths of one folder have equally many.
        """
        first, _, rest = path.partition("/")
        locale, rest = (first, rest) if first in self.locales else (self.default, path)
        has_text = self.fallback or locale == self.default
        if self.in_folders:
            own, others = f"{locale}/{rest}", [f"{self.default}/{rest}"] if has_text else []
            others += [rest] if has_text or self.by_zensical else []
        else:
            own, others = f"{rest}.{locale}", [f"{rest}.{self.default}", rest] if has_text else []
        return own, *others, path  # the last: of the default language, in a folder of this name

    def with_version(self, page: SourcePage) -> SourcePage:
        """Return a page with the language in which it is shown, and what its translations share.

        They share the path of their sources without the language. A page whose text is in another
        language than the one in which it is shown is no translation.
        """
        written_in, name = self.of_source(page.src_uri)
        first = page.dest_uri.partition("/")[0]
        is_default = first not in self.locales or page.dest_uri in built_paths(name)
        locale = self.default if is_default else first
        # To zensical-i18n, a file outside of the folders of languages is in all of them.
        is_shared = self.by_zensical and self.in_folders and written_in is None
        is_fallback = not is_shared and (written_in or self.default) != locale
        # It joins translations by their URLs: a README.md may be that of an index.md.
        name_of_all = built_paths(name)[0] if self.by_zensical else name
        name_of_all = "" if is_fallback else name_of_all
        return page._replace(
            locale=locale, translation_of=name_of_all or None, is_fallback=is_fallback
        )

    def of_source(self, src_uri: str) -> tuple[str | None, str]:
        """Return the language that the path of a source names, if it does, and the path without."""
        if self.in_folders:
            code, _, name = src_uri.partition("/")
        else:
            stem, ending = posixpath.splitext(src_uri)
            stem, code = posixpath.splitext(stem)
            code, name = code.removeprefix("."), f"{stem}{ending}"
        return (code, name) if code in self.locales and name else (None, src_uri)
