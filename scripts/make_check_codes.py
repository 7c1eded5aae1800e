"""Write the page of the codes of ``check``, from their rules and the cases of the tests.

python scripts/make_check_codes.py
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "command" / "check-codes.md"
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "helpers")]

from small_sitemaps import SPACES, read_cases  # noqa: E402 - the path is set above

from mkdocs_sitemap_plus.command.checks import git_rules, page_rules, protocol_rules  # noqa: E402
from mkdocs_sitemap_plus.command.checks.check_sitemap import all_rules  # noqa: E402

START = """\
---
search:
  boost: 0.5
---

# Codes of check

Every finding of [`check`](check.md) has a code, which `mkdocs-sitemap-plus check --explain CODE`
explains offline. An *error* makes search engines ignore the file, an entry or a date. Everything
else is a *warning*. To accept a finding, name its code in the call: `--ignore CODE`.

Examples of single entries leave out the root element.
"""
SECTIONS = {
    protocol_rules: "The sitemap",
    git_rules: "The history in git",
    page_rules: "Pages and robots.txt",
}
LONGEST = 300  # characters of an example


def examples() -> dict[str, str]:
    """For each code, the first sitemap of the cases that has this fault alone."""
    found: dict[str, str] = {}
    for case in read_cases():
        if len(case.codes) == 1 and case.mark != "+" and len(case.text) <= LONGEST + len(case.root):
            found.setdefault(case.codes[0], case.text.removeprefix(case.root))
    return found


def as_block(text: str) -> str:
    """An example as a block, with each element of an entry on a line of its own."""
    text = re.sub(r"\n</(?:urlset|sitemapindex)>\n\Z", "", text)
    text = re.sub(r"(?<=>)(?=<(?:[a-z]+:)?(?!url|sitemap)[a-z])", "\n  ", text)
    text = re.sub(r"(?<=>)(?=</(?:url|sitemap)>)", "\n", text)
    language = "xml" if is_well_formed(text) else "text"
    return f"```{language}\n{text.strip()}\n```\n"


def is_well_formed(text: str) -> bool:
    """Whether a text is a file of XML, or entries of one."""
    for written in (text, f"<urlset{SPACES}>{text}</urlset>"):
        try:
            ET.fromstring(written)  # noqa: S314 - our own
        except ET.ParseError:
            continue
        return True
    return False


def lines() -> Iterator[str]:
    """The page, piece by piece."""
    yield START
    of_code = examples()
    for module, title in SECTIONS.items():
        yield f"## {title}\n"
        for rule in all_rules().values():
            if rule in vars(module).values():
                yield f"### {rule.code}\n\n{rule.meaning}\n"
                if rule.code in of_code:
                    yield as_block(of_code[rule.code])
                yield f"{rule.fix}\n\n*{rule.level.capitalize()}, {rule.source}.*\n"


def page() -> str:
    """The whole page."""
    return "\n".join(lines())


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
