#!/bin/sh
# "Last updated on" of Docusaurus is the day of the page's own file. What the page imports, as the docs advise for partials,
# does not count, so a page whose whole text has changed shows the old day.
. "$(dirname "$0")/begin.sh"
from_npm @docusaurus/core@3.10.2 @docusaurus/preset-classic@3.10.2 react@19.2.0 react-dom@19.2.0

echo '{}' >package.json
mkdir docs
cat >docusaurus.config.js <<'JS'
export default {
  title: "T",
  url: "https://example.com",
  baseUrl: "/",
  presets: [
    ["@docusaurus/preset-classic", { docs: { routeBasePath: "/", showLastUpdateTime: true }, blog: false }],
  ],
};
JS
cat >docs/index.mdx <<'MDX'
import Part from "./_part.mdx";

# Page

<Part />
MDX
echo "The old text." >docs/_part.mdx
printf 'node_modules\nbuild\n.docusaurus\nlog\nout\n' >.gitignore
git init -q
git add .
on 2026-02-01 git commit -qm One
echo "The new text." >docs/_part.mdx
on 2026-03-01 git commit -qam Two
npx docusaurus build >log 2>&1 || { cat log; exit 1; }
grep -o '<p>The new text[^<]*\|<time[^>]*>' build/index.html >out
shows out "2026-02-01T12:00:00.000Z"
