"""What hypothesis draws for the fields of an entry, and YAML that unfolds."""

from datetime import datetime, timedelta, timezone
from decimal import Decimal
from itertools import pairwise
from urllib.parse import quote

from hypothesis import strategies as st

from mkdocs_sitemap_plus.sitemap.urls import loc_fault

PATHS = st.text(
    st.characters(
        codec="utf-8",
        exclude_categories=["Cc", "Zs", "Zl", "Zp", "Cs", "Cn"],
        exclude_characters="[]",
    )
    | st.sampled_from("&'\"<>;%/?=+"),
    max_size=40,
)
LOCS = st.builds(
    lambda path, raw: (
        f"https://web.example/{path.replace('%', '%25').replace('#', '%23')}"
        if raw
        else f"https://web.example/{quote(path)}"
    ),
    PATHS,
    st.booleans(),
).filter(lambda loc: loc_fault(loc) is None)
OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.builds(
    lambda when, zone: when.replace(microsecond=0, tzinfo=zone),
    st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)),  # noqa: DTZ001 - gets its zone above
    OFFSETS,
)
PRIORITIES = st.decimals(0, 1, places=12) | st.sampled_from(
    [Decimal(1), Decimal(0), Decimal("1E-7"), Decimal("0.10"), Decimal("1.000")]
)


def alias_bomb(text=""):
    """Return YAML in which ``*e``, or BOMB in a text, unfolds to 59,049 items.

    That is too much for a message, and nothing that any reader could not take.
    """
    lines = ["_a: &a [x,x,x,x,x,x,x,x,x]"]
    lines += [
        f"_{letter}: &{letter} [{','.join([f'*{before}'] * 9)}]"
        for before, letter in pairwise("abcde")
    ]
    return "\n".join([*lines, text.replace("BOMB", "*e")])
