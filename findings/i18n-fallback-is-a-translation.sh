#!/bin/sh
# A page that nobody translated is built for each language by mkdocs-static-i18n. Its sitemap calls the copy with the
# English text the French translation, and the copy says `lang="fr"` of itself.
. "$(dirname "$0")/begin.sh"
from_pypi mkdocs==1.6.1 mkdocs-static-i18n==1.3.1

mkdir docs
echo "# Home" >docs/index.en.md
echo "# Accueil" >docs/index.fr.md
printf '# Prices\n\nOnly in English yet.\n' >docs/prices.en.md
cat >mkdocs.yml <<YAML
site_name: A
site_url: https://example.com/
plugins:
  - i18n:
      docs_structure: suffix
      languages:
        - {locale: en, name: English, default: true}
        - {locale: fr, name: Français}
YAML
mkdocs build -q --strict
grep -h -o '<html lang="[a-z]*"\|Only in English yet.' site/fr/prices/index.html >page
shows page '<html lang="fr"'
shows page "Only in English yet." >log
shows site/sitemap.xml '<xhtml:link rel="alternate" hreflang="fr" href="https://example.com/fr/prices/"/>'
