"""Print how much there is to read, and exit with 1 if it is more than was decided.

python scripts/count_docs.py
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
REFERENCE = ("reference/options.md", "command/check-codes.md")
"""Pages to look things up in, which nobody reads to the end."""
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
    read = [path for path in pages if path.relative_to(docs).as_posix() not in REFERENCE]
    longest = max(read, key=words)
    figures = [
        ("pages", len(pages), 32),
        ("words beside the reference", sum(map(words, read)), 20_000),
        ("words in the docs", sum(map(words, pages)), 25_500),
        (f"words in {longest.relative_to(docs)}", words(longest), 2_500),
        ("words in the README", words(ROOT / "README.md"), 400),
    ]
    for what, number, limit in figures:
        print(f"{what}: {number:,} of {limit:,}{'' if number <= limit else '  TOO MANY'}")
    return int(any(number > limit for _, number, limit in figures))


if __name__ == "__main__":
    sys.exit(main())
