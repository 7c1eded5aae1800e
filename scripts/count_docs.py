"""Print how much there is to read, and exit with 1 if it is more than was decided.

python scripts/count_docs.py
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
CODES = "command/check-codes.md"
"""A page to look a code up in, which nobody reads to the end."""
TABLES = ("guide/readers.md", "help/comparison.md")
"""Pages whose tables do not count."""


def words(path: Path) -> int:
    """Return the number of words, with those of code."""
    lines = path.read_text("utf-8").splitlines()
    table = "|" if path.as_posix().endswith(TABLES) else "\0"
    return sum(len(line.split()) for line in lines if not line.startswith(table))


def main() -> int:
    """Print each figure with its limit."""
    docs = ROOT / "docs"
    pages = [path for path in sorted(docs.rglob("*.md")) if path.name != "changelog.md"]
    read = [path for path in pages if path.relative_to(docs).as_posix() != CODES]
    longest = max(read, key=words)
    figures = [
        ("pages", len(pages), 25),
        ("words beside the codes of check", sum(map(words, read)), 15_000),
        (f"words in {longest.relative_to(docs)}", words(longest), 1_900),
        ("words in the README", words(ROOT / "README.md"), 400),
    ]
    for what, number, limit in figures:
        print(f"{what}: {number:,} of {limit:,}{'' if number <= limit else '  TOO MANY'}")
    return int(any(number > limit for _, number, limit in figures))


if __name__ == "__main__":
    sys.exit(main())
