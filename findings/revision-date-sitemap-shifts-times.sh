#!/bin/sh
# The documentation of git-revision-date-localized has a template for sitemaps, which appends "+00:00" to the plugin's time.
# But that is one of `timezone`: with Asia/Tokyo, each page is dated nine hours too late, and a new one in the future.
. "$(dirname "$0")/begin.sh"
from_pypi mkdocs==1.6.1 mkdocs-git-revision-date-localized-plugin==1.6.3

mkdir docs overrides
echo "# Home" >docs/index.md
cat >mkdocs.yml <<YAML
site_name: A
site_url: https://example.com/
theme: {name: mkdocs, custom_dir: overrides}
plugins:
  - git-revision-date-localized: {timezone: Asia/Tokyo}
YAML
cat >overrides/sitemap.xml <<'XML'
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{%- for file in pages %}
  <url>
    <loc>{{ file.page.canonical_url }}</loc>
    <lastmod>{{ (file.page.meta.git_revision_date_localized_raw_iso_datetime + "+00:00") | replace(" ", "T") }}</lastmod>
  </url>
{%- endfor %}
</urlset>
XML
git init -q .
git add docs
on 2026-03-14 git commit -qm "Begin"
git log --format="committed %cI"
mkdocs build -q
shows site/sitemap.xml "<lastmod>2026-03-14T21:00:00+00:00</lastmod>"
