"""What the options of the theme, and of other plugins, say about a site."""

import posixpath
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from mkdocs_sitemap_plus.generator.pages import I18N
from mkdocs_sitemap_plus.problems import Origin, Place

THEMES_WITH_SCRIPT = frozenset(("material", "materialx"))
"""The themes whose script reads ``sitemap.xml`` in the browser, such as for instant navigation."""

_T = TypeVar("_T")

_LINKS = Place(origin=Origin.BUILT_PAGE, key="hreflang links")


def option_of(options: Mapping[str, Any], key: str, default: _T) -> _T:
    """Return an option of another plugin; the default if it is missing, or of another type.

    The plugin itself reports an option of a wrong type.
    """
    value = options.get(key)
    return value if isinstance(value, type(default)) else default


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


def plain_name(plugin: str) -> str:
    """Return the name of a plugin without that of its theme: ``blog`` for ``materialx/blog``.

    MkDocs finds the plugin of a theme by both names. A slash at the start is no part of the name.
    """
    theme, slash, name = plugin.partition("/")
    return name if slash and theme in ("", *THEMES_WITH_SCRIPT) else plugin
