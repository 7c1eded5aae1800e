"""The settings of the git engine that tests try: all of them, or enough to have each value."""

from quantity import LONG

from mkdocs_sitemap_plus.options import GitChange, GitDate, GitSettings

ALL = [GitSettings(date=date, change=change) for date in GitDate for change in GitChange]
TRIED = ALL if LONG else [ALL[number] for number in (1, 5, 6)]
"""Without ``LONG`` each date once, and each kind of change once; the first are the defaults."""


def name(settings):
    """The name of a case."""
    return f"{settings.date}-{settings.change}"
