"""What may go wrong with the content of files: more rows of ``tests/faults/faults.md``."""

import time
import tracemalloc

import pytest
from quantity import LONG, at_length, more_at_length
from sites import SiteMaker

from mkdocs_sitemap_plus.generator.options.settings import IncludeKind
from mkdocs_sitemap_plus.generator.pages.front_matter import read_front_matter_text
from mkdocs_sitemap_plus.generator.pages.include_syntax import IncludeOptions, includes_in
from mkdocs_sitemap_plus.generator.parts import PartFinder, Search


@at_length
@pytest.mark.fault("10 MB of front matter")
def test_10_mb_of_front_matter():
    """It is read, with the lines of its keys."""
    line = "  text of a block\n"
    many = 10_000_000 // len(line)
    text = f"---\ntitle: |\n{line * many}priority: 0.7\n---\n# A\n"
    start = time.process_time()
    read = read_front_matter_text(text)
    assert time.process_time() - start < 10
    assert (read.meta["priority"], read.lines["priority"]) == (0.7, many + 3)


def parts_of(folder, name, options):
    """The parts of a page by name, with the seconds and the bytes that the search took."""
    page = folder / name
    finder = PartFinder(options, frozenset(IncludeKind), Search([folder]))
    start = time.process_time()
    tracemalloc.start()
    try:
        found = finder.parts_of(page, includes_in(page.read_text("utf-8"), options))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return {path.name for path in found.files}, time.process_time() - start, peak


@more_at_length
@pytest.mark.fault("files that include each other, or 2,000 files that each include the next one")
def test_deep_includes_and_circles(tmp_path):
    """The page is as new as all of them, and the search ends."""
    names = [f"{number}.md" for number in range(2_000 if LONG else 1_100)]  # calls go 1,000 deep
    then = [*names[1:], "1.md"]
    texts = {one: f'--8<-- "{other}"\n' for one, other in zip(names, then, strict=True)}
    SiteMaker(tmp_path).write(texts)
    options = IncludeOptions(docs_dir=tmp_path, snippets=(tmp_path,))
    found, seconds, peak = parts_of(tmp_path, "0.md", options)
    assert found == set(names[1:])
    assert (seconds < 20, peak < 50_000_000) == (True, True)
