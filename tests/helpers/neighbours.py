"""Texts of mkdocs.yml for plugins beside which several modules test."""


def i18n(*locales, structure="suffix", fallback="true", unbuilt=()):
    """The plugin mkdocs-static-i18n; the first language is the default, and some are not built."""
    about = [f"locale: {locale}, name: {locale[0].upper()}" for locale in (*locales, *unbuilt)]
    about[0] += ", default: true"
    about[len(locales) :] = [f"{each}, build: false" for each in about[len(locales) :]]
    languages = "".join(f"        - {{{each}}}\n" for each in about)
    return (
        f"  - i18n:\n      docs_structure: {structure}\n      fallback_to_default: {fallback}\n"
        f"      languages:\n{languages}"
    )
