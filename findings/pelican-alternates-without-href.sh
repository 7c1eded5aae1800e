#!/bin/sh
# The links to translations in Pelican's sitemap have the attribute `ref` in place of `href`, so they lead nowhere.
. "$(dirname "$0")/begin.sh"
from_pypi pelican==4.12.0 pelican-sitemap==1.2.2 markdown==3.10

mkdir content
printf 'Title: A lamp\nDate: 2026-01-02\nSlug: lamp\nLang: en\n\nText\n' >content/en.md
printf 'Title: Une lampe\nDate: 2026-01-02\nSlug: lamp\nLang: fr\n\nTexte\n' >content/fr.md
cat >conf.py <<PYTHON
PATH = "content"
SITEURL = "https://example.com"
DEFAULT_LANG = "en"
PLUGINS = ["pelican.plugins.sitemap"]
SITEMAP = {"format": "xml"}
PYTHON
pelican -q -s conf.py
grep -B5 hreflang output/sitemap.xml >out
shows out '<xhtml:link rel="alternate" hreflang="fr" ref="https://example.com/lamp-fr.html"/>'
