"""Sitemaps as texts, for tests of what reads them."""

SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
PAGE = b"<!-- x -->\n<!DOCTYPE html>\n<html><head><title>Home</title></head></html>\n"
HOME = "<url><loc>https://example.com/</loc></url>"


def urlset(*entries, more="", root="urlset"):
    text = "\n".join(entries)
    return f'<?xml version="1.0"?>\n<{root} xmlns="{SPACE}"{more}>{text}</{root}>'.encode()


def images(count):
    space = ' xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"'
    all_of_them = "".join(
        f"<i:image><i:loc>https://example.com/{number}.png</i:loc></i:image>"
        for number in range(count)
    )
    return urlset(HOME.replace("</url>", all_of_them + "</url>"), more=space)


def articles(count):
    space = ' xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"'
    news = (
        "<n:news><n:publication><n:name>L</n:name><n:language>en</n:language></n:publication>"
        "<n:publication_date>2026-11-20</n:publication_date><n:title>T</n:title></n:news></url>"
    )
    entries = (url(number).replace("</url>", news) for number in range(count))
    return urlset(*entries, more=space)


def url(number, lastmod=None):
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    return f"<url><loc>https://example.com/{number}/</loc>{date}</url>"


def part(number):
    return f"<sitemap><loc>https://example.com/{number}.xml</loc></sitemap>"


RIGHT = urlset(HOME)


def sitemap_of(*locs):
    urls = "".join(f"<url><loc>{loc}</loc></url>\n" for loc in locs)
    return f'<urlset xmlns="{SPACE}">\n{urls}</urlset>\n'.encode()


def index_of(*locs):
    parts = "".join(f"<sitemap><loc>{loc}</loc></sitemap>\n" for loc in locs)
    return f'<sitemapindex xmlns="{SPACE}">\n{parts}</sitemapindex>\n'.encode()


def robots(*urls):
    return "".join(f"Sitemap: {url}\n" for url in urls).encode()
