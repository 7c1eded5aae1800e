"""Read the days that pages show, in the languages that Babel knows."""

import re
from contextlib import suppress
from datetime import date
from functools import lru_cache

_NUMBER = re.compile(r"\d{1,4}")
_YEARS = range(1991, 2200)
_MAX_TEXT = 200  # characters of a text in which a day is looked for
_MONTHS = 12
_NUMBERS_WITH_NAME, _NUMBERS_ALONE = 2, 3  # of a day whose month is a word, and of one without


@lru_cache(maxsize=4096)  # many pages show the same day
def read_day(text: str, language: str) -> date | None:
    """Return the only day in a text, in the long, middle or short form of a language.

    `language` is a code such as ``de`` or ``pt-BR``. The result is None if the text has further
    numbers, such as a time; if Babel is not installed, or does not know the language; and if only
    numbers are written whose order is not known.
    """
    text = text[:_MAX_TEXT]
    numbers = [int(number) for number in _NUMBER.findall(text)]
    years = [number for number in numbers if number in _YEARS]
    if len(years) != 1 or not _NUMBERS_WITH_NAME <= len(numbers) <= _NUMBERS_ALONE:
        return None
    others = [number for number in numbers if number not in years]
    months, day_first = _month_names(language)
    with suppress(ValueError):
        if len(numbers) == _NUMBERS_ALONE:
            month, day = others
            if numbers[0] not in years and month <= _MONTHS >= day and not day_first:
                return None  # in English, either may come first
            if numbers[0] not in years and (day_first or month > _MONTHS):
                month, day = day, month
            return date(years[0], month, day) if months else None
        text = text.lower()
        found = {name: re.search(rf"(?<!\w){re.escape(name)}(\b)?", text) for name in months}
        # A whole word is the month, rather than the start of the name of a week day.
        likely = {name: (match[1] is not None, len(name)) for name, match in found.items() if match}
        if likely:
            return date(years[0], months[max(likely, key=likely.__getitem__)], others[0])
    return None


@lru_cache(maxsize=64)
def _month_names(language: str) -> tuple[dict[str, int], bool]:
    """Return the numbers of the months by their names, and whether a day in numbers begins with it.

    Without Babel, or in a language that it does not know, there are no names.
    """
    with suppress(ImportError, ValueError):
        from babel import Locale  # noqa: PLC0415 - installed or not
        from babel.core import UnknownLocaleError  # noqa: PLC0415 - the same

        with suppress(UnknownLocaleError):
            locale = Locale.parse(language.replace("_", "-"), sep="-")
            found = {
                name.lower(): month
                for width in ("abbreviated", "wide")
                for context in locale.months.values()
                for month, name in context.get(width, {}).items()
            }
            pattern = locale.date_formats["short"].pattern
            return found, pattern.find("d") < pattern.find("M")
    return {}, False
