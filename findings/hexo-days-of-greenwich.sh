#!/bin/sh
# Hexo's sitemap cuts the day off a time in UTC. A post that was updated on an evening in New York is dated the next day
# there, as is told without a zone.
. "$(dirname "$0")/begin.sh"
from_npm hexo@7.3.0 hexo-generator-sitemap@3.0.1 hexo-renderer-marked@7.0.1

cat >package.json <<JSON
{"name": "a", "hexo": {"version": "7.3.0"},
 "dependencies": {"hexo": "*", "hexo-generator-sitemap": "*", "hexo-renderer-marked": "*"}}
JSON
printf 'title: A\nurl: https://example.com\npermalink: :title/\ntimezone: America/New_York\n' >_config.yml
mkdir -p source/_posts themes
printf -- '---\ntitle: Lamp\ndate: 2026-03-14 10:00:00\nupdated: 2026-03-15 23:30:00\n---\nText\n' >source/_posts/lamp.md
npx hexo generate >log 2>&1 || { cat log; exit 1; }
grep -A 2 "lamp" public/sitemap.xml >out
shows out "<lastmod>2026-03-16</lastmod>"
