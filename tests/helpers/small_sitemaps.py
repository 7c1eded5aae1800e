"""The sitemaps of ``check/cases.txt``, and what other validators say of these and others."""

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[1] / "check"
CASES, VERDICTS = FOLDER / "cases.txt", FOLDER / "verdicts.txt"
SPACES = "".join(
    f' xmlns:{prefix}="http://www.{space}"'
    for prefix, space in (
        ("xhtml", "w3.org/1999/xhtml"),
        ("image", "google.com/schemas/sitemap-image/1.1"),
        ("video", "google.com/schemas/sitemap-video/1.1"),
        ("news", "google.com/schemas/sitemap-news/0.9"),
    )
)
DECLARED = '<?xml version="1.0" encoding="UTF-8"?>\n'
SPACE = ' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
PART = f"{DECLARED}<urlset{SPACE}><url><loc>https://example.com/part/</loc>"
PART += "<lastmod>2026-11-01</lastmod></url></urlset>\n"
WRITTEN = {r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\_": " ", r"\ufeff": "\ufeff"}


class Case(NamedTuple):
    """A sitemap, and what is to be said of it."""

    name: str  # of its group, and its value
    mark: str  # "+" right, "-" harmful, "~" doubtful
    codes: list[str]  # that `check` finds, sorted
    text: str
    root: str  # what the text begins with, if it is that of entries alone

    def write(self, folder):
        """Write it, and the part that an index lists; return its path."""
        (folder / "part.xml").write_text(PART, "utf-8")
        path = folder / "sitemap.xml"
        path.write_bytes(self.text.encode())
        return path


def unescape(text):
    """Return a text of the file with its signs resolved."""
    text = re.sub(r"\{(.)\*(\d+)\}", lambda match: match[1] * int(match[2]), text)
    return re.sub(r"\\(?:ufeff|[nrt_])", lambda match: WRITTEN[match[0]], text)


def whole(text):
    """Return a text, or a file with the entries that it is; and then what that begins with."""
    for start, root in (("<url>", "urlset"), ("<sitemap>", "sitemapindex")):
        if text.startswith(start):
            begin = f"{DECLARED}<{root}{SPACE}{SPACES}>\n"
            return f"{begin}{text}\n</{root}>\n", begin
    return text, ""


def read_cases():
    """Return all cases, in their order."""
    cases, group, template = [], "", ""
    for line in CASES.read_text("utf-8").splitlines():
        if line.startswith("== "):
            group, template = line.removeprefix("== "), ""
        elif not template:
            template = "" if line.startswith("#") else line
        elif line:
            mark, codes, value = re.fullmatch(r"([-+~]) \|(.*?)\|(?: (.*))?", line).groups("")
            written = whole(unescape(template.replace("{}", value)))
            cases.append(Case(f"{group}: {value}", mark, sorted(codes.split()), *written))
    return cases


def real_files():
    """Return the sitemaps that generators wrote, and those of the corpus that are single files."""
    return [
        *sorted((FOLDER / "generators").rglob("*.xml")),
        *sorted((FOLDER / "corpus").glob("*.xml")),
    ]
