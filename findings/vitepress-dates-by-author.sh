#!/bin/sh
# VitePress takes the date at which an author wrote a commit. A page that waited for a year and a half in a pull request,
# and was published by a rebase, is called a year and a half old in the sitemap on the day on which it appears.
. "$(dirname "$0")/begin.sh"
from_npm vitepress@1.6.4

mkdir .vitepress
printf 'export default { lastUpdated: true, sitemap: { hostname: "https://example.com/" } }\n' >.vitepress/config.js
printf 'node_modules\n.vitepress/dist\n.vitepress/cache\n' >.gitignore
echo "# Home" >index.md
git init -q -b main .
git add .
GIT_AUTHOR_DATE=2023-01-02T12:00:00Z GIT_COMMITTER_DATE=2024-06-01T12:00:00Z git commit -qm "Begin"
git log --format="written %as, committed %cs"
npx vitepress build . >log 2>&1 || { cat log; exit 1; }
shows .vitepress/dist/sitemap.xml "<lastmod>2023-01-02T12:00:00.000Z</lastmod>"
