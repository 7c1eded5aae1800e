#!/bin/sh
# `filterUrls` of LangChain's SitemapLoader in JavaScript is documented as "only URLs that match one of the filter URLs will
# be loaded". With one pattern, all the others are loaded; with two, all but those that match both.
. "$(dirname "$0")/begin.sh"
from_npm @langchain/community@1.1.29 @langchain/core@1.1.48 cheerio@1.2.0 --legacy-peer-deps

cat >read.js <<'JS'
import { createServer } from 'http'
import { SitemapLoader } from '@langchain/community/document_loaders/web/sitemap'
const urls = ['guide/', 'blog/', 'about/'].map(path => `<url><loc>https://example.com/${path}</loc></url>`)
const xml = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`
const server = createServer((_, response) => response.end(xml)).listen(0, '127.0.0.1', async () => {
  const address = `http://127.0.0.1:${server.address().port}/sitemap.xml`
  for (const filterUrls of [undefined, ['/guide/'], ['/guide/', '/blog/']]) {
    const entries = await new SitemapLoader(address, { filterUrls }).parseSitemap()
    console.log(filterUrls, 'loads', entries.map(entry => entry.loc.slice(20)).join(' '))
  }
  server.close()
})
JS
node read.js >out
shows out "[ '/guide/' ] loads blog/ about/"
shows out "[ '/guide/', '/blog/' ] loads guide/ blog/ about/" >log
