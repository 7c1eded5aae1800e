"""What only a function of the option `transform` can add: videos, and language links by hand."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

from mkdocs_sitemap_plus import Alternate, Restriction, Video

LINKS = {
    "de": "https://de.example/film/?a=1&b=2",
    "en": "https://web.example/film/",
    "x-default": "https://web.example/film/",
}
FIRST = Video(
    thumbnail_loc="../img/lamp.png",
    title="A\bB & 'C' \"D\" <b>E</b> ]]>",
    description="Café 😀 \u2028 \u0085",
    content_loc="/img/lamp.png",
    player_loc="https://media.example/p?v=1&a=0",
    duration=28800,
    expiration_date=datetime(2099, 1, 2, 3, 4, 5, tzinfo=UTC),
    rating=Decimal(4),
    view_count=1000,
    publication_date=date(2024, 1, 2),
    tags=("lamp", "fog"),
    family_friendly=True,
    restriction=Restriction(allow=True, names=("DE", "AT")),
    requires_subscription=True,
    uploader="Ann & Bob",
    uploader_info="https://web.example/",
    platform=Restriction(allow=False, names=("tv",)),
    live=False,
)
SECOND = Video(
    thumbnail_loc="../img/lamp.png",
    title="Two",
    description="Short",
    player_loc="https://media.example/2",
)


def add_film(entry, page):
    if page is None or page.src_uri != "film.md":
        return entry
    links = tuple(Alternate(hreflang=code, href=url) for code, url in LINKS.items())
    return replace(entry, alternates=links, videos=(FIRST, SECOND))
