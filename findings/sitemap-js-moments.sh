#!/bin/sh
# Docusaurus, Astro, VitePress and others write their sitemaps by the npm package `sitemap`. It makes a moment of a day:
# who knows that a page changed on March 14 says that it changed at midnight in Greenwich, which in America is March 13.
. "$(dirname "$0")/begin.sh"
from_npm sitemap@9.0.1

cat >write.js <<'JS'
import { SitemapStream, streamToPromise } from 'sitemap'
const stream = new SitemapStream({ hostname: 'https://example.com/' })
stream.write({ url: 'a/', lastmod: '2026-03-14' })
stream.end()
console.log(String(await streamToPromise(stream)))
JS
node write.js >out
shows out "<lastmod>2026-03-14T00:00:00.000Z</lastmod>"
