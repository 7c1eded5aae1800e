#!/bin/sh
# A post of Docusaurus that was first published elsewhere names that page as canonical, in a <head> as the docs show it. If
# it stands before the cut, the list of posts takes it over: the blog says to be a copy of that page, and so do its tags.
. "$(dirname "$0")/begin.sh"
from_npm @docusaurus/core@3.10.2 @docusaurus/preset-classic@3.10.2 react@19.2.0 react-dom@19.2.0

echo '{}' >package.json
mkdir blog
cat >docusaurus.config.js <<'JS'
export default {
  title: "T",
  url: "https://example.com",
  baseUrl: "/",
  presets: [["@docusaurus/preset-classic", { docs: false, blog: { routeBasePath: "/" } }]],
};
JS
cat >blog/2026-02-01-own.mdx <<'MDX'
Our own text.

{/* truncate */}

More.
MDX
cat >blog/2026-03-01-guest.mdx <<'MDX'
<head>
  <link rel="canonical" href="https://elsewhere.example/post" />
</head>

A text of somebody else.

{/* truncate */}

More.
MDX
npx docusaurus build >log 2>&1 || { cat log; exit 1; }
grep -o '<link[^>]*rel="canonical"[^>]*>' build/index.html >out
shows out 'href="https://elsewhere.example/post"'
