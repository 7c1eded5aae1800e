#!/bin/sh
# By default, the sitemap of Rspress's own plugin lists /a, where the file and all links to it say /a.html. So each page has
# two URLs, and none of the pages has a canonical link that says which one counts.
. "$(dirname "$0")/begin.sh"
from_npm @rspress/core@2.0.22 @rspress/plugin-sitemap@2.0.22

mkdir docs
printf '# Home\n\n[A](./a.md)\n' >docs/index.md
echo "# A" >docs/a.md
cat >rspress.config.js <<'JS'
import { defineConfig } from '@rspress/core'
import { pluginSitemap } from '@rspress/plugin-sitemap'
export default defineConfig({ root: 'docs', title: 'T', plugins: [pluginSitemap({ siteUrl: 'https://example.com' })] })
JS
npx rspress build >log 2>&1 || { cat log; exit 1; }
ls doc_build/*.html
cat doc_build/*.html >pages
grep -o '<a [^>]*href="/a[^"]*"\|rel="canonical"' pages | sort -u >links
shows links 'href="/a.html"'
grep -o '<loc>[^<]*</loc>' doc_build/sitemap.xml >out
shows out "<loc>https://example.com/a</loc>"
grep -q canonical links && echo "This has changed: the pages have a canonical link." >&2 && exit 1
exit 0
