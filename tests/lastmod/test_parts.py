"""The files behind names, as those find them who put them into a page."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sites import SiteMaker

from mkdocs_sitemap_plus.generator.options.settings import IncludeKind
from mkdocs_sitemap_plus.generator.pages.include_syntax import (
    Include,
    IncludeMarkdownOptions,
    IncludeOptions,
    MacrosOptions,
    includes_in,
)
from mkdocs_sitemap_plus.generator.pages.site import Parts
from mkdocs_sitemap_plus.generator.parts import PartFinder, Search

ALL = frozenset(IncludeKind)


def found(text, include_options, source=None):
    """What a page with this text includes."""
    return finder_of(include_options).parts_of(source, includes_in(text, include_options))


def finder_of(include_options, kinds=ALL):
    """A finder of parts, which searches the folder above the docs folder."""
    return PartFinder(
        include_options=include_options,
        kinds=kinds,
        search=Search([include_options.docs_dir.parent]),
    )


def relative(result, folder):
    """The files by their path below a folder."""
    return sorted(path.relative_to(folder).as_posix() for path in result.files)


# Snippets: what pymdownx.snippets itself opens.


def _plain(path):
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() follows links


def opened(text, bases, *, restricted=True):
    """What pymdownx.snippets puts into a text; None if it breaks on it.

    Returns the files, and whether a snippet would be put into itself: then it is left out.
    """
    snippets = pytest.importorskip("pymdownx.snippets", reason="needs pymdown-extensions")
    markdown = pytest.importorskip("markdown").Markdown()
    config = snippets.SnippetExtension().getConfigs()
    config |= {"base_path": bases, "restrict_base_path": restricted}
    files, inner = set(), []

    class Recording(snippets.SnippetPreprocessor):
        def parse_snippets(self, lines, file_name=None, **options):
            files.update([_plain(file_name)] if file_name else [])
            return super().parse_snippets(lines, file_name, **options)

        def get_snippet_path(self, path):
            snippet = super().get_snippet_path(path)
            inner.extend([snippet] if snippet in self.seen else [])
            return snippet

    try:
        Recording(config, markdown).run(text.split("\n"))
    except ValueError:  # a lone minus where a number is meant
        return None
    return files, bool(inner)


FILES = ("a.md", "b.md", "sub/c.md", "d e.md", "f.txt")
TARGETS = st.builds(
    "{}{}".format,
    st.sampled_from([*FILES, "sub/../a.md", "./b.md", "none.md", "../out.md", "only.md", ";a.md"]),
    st.sampled_from(
        ["", "", ":1", ":2:3", ":-2", ":1:-2", ":x", ":y", ":X", ":1:1,4:", ":1,", ":"]
    ),
)
INLINE = st.builds(
    "{}{}{}{}{}{}".format,
    st.sampled_from(["", "", "", "  ", "\t", ";", ";;", "x", "x\x0c", "x\u2028"]),
    st.sampled_from(["--8<-- ", "-8<- ", "---8<-  ", "8<-- ", "--8<--\t", "--8<--"]),
    st.sampled_from('"""\''),
    TARGETS,
    st.sampled_from('"""\''),
    st.sampled_from(["", "", "", " ", "\r", "x"]),
)
MARKS = st.builds(
    "{}--8<-- [{}{}{}]{}".format,
    st.sampled_from(["", "# ", ";", "# ;", "--8<-- [start:y] "]),
    st.sampled_from(["start:", "end:", " start : ", "END:", "stop:"]),
    st.sampled_from("xyX"),
    st.sampled_from(["", " "]),
    st.sampled_from(["", " -->", "x"]),
)
NOISE = st.text(st.sampled_from("-8<;\"':[] ax\t\x0b\x0c\x1c\x85\u2028"), max_size=8)
TEXTS = st.lists(
    INLINE | MARKS | TARGETS | st.sampled_from(["--8<--", "-8<-", ";--8<--", ""]) | NOISE,
    max_size=10,
).map("\n".join)


@given(TEXTS, st.fixed_dictionaries(dict.fromkeys(FILES, TEXTS)), st.booleans())
def test_whatever_snippets_opens_is_a_part(text, files, restricted):
    """Random pages and snippets that include each other, also in circles."""
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder).resolve()
        maker = SiteMaker(top)
        maker.write({f"base/{name}": content for name, content in files.items()})
        maker.write({"out.md": "", "other/none.md": "", "one/only.md": "", "other/a.md": ""})
        bases = [top / "base", top / "missing", top / "other", top / "one" / "only.md"]
        expected = opened(text, bases, restricted=restricted)
        include_options = IncludeOptions(docs_dir=top, snippets=tuple(bases), restricted=restricted)
        if expected is None:
            return
        files, in_circle = expected
        result = found(text, include_options).files
        assert result >= files if in_circle else result == files


def test_a_snippet_around_itself_is_followed_once_more(tmp_path):
    """The extension leaves it out there, so readers do not see ``b.md``; here it is a part."""
    SiteMaker(tmp_path).write({"a.md": '--8<-- "a.md"\n--8<-- "b.md"\n', "b.md": ""})
    include_options = IncludeOptions(docs_dir=tmp_path, snippets=(tmp_path,))
    text = '--8<-- "a.md:1:1"'
    assert opened(text, [tmp_path]) == ({tmp_path / "a.md"}, True)
    assert found(text, include_options).files == {tmp_path / "a.md", tmp_path / "b.md"}


SPANS = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "0", "1", "2", "5", "-1", "-2", "-5", "-99"]),
    st.sampled_from(["", ":", ":", ":"]),
    st.sampled_from(["", "0", "1", "3", "6", "-1", "-3", "-6", "-99"]),
)
SECTIONS = st.sampled_from("xyX") | st.lists(SPANS, min_size=1, max_size=3).map(",".join)


@given(st.lists(st.none() | MARKS, max_size=10), SECTIONS, st.sampled_from(["", "\n"]))
def test_a_section_is_what_snippets_takes(lines, section, end):
    """Each line that is no mark includes a file of its own, which shows whether it was taken."""
    pymdownx = pytest.importorskip("pymdownx", reason="needs pymdown-extensions")
    escaped = any(";--8<-- [" in line for line in lines if line)
    assume(pymdownx.__version_info__.major > 12 or not escaped)  # it began a section before 13.0
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder).resolve()
        numbered = {number for number, line in enumerate(lines) if line is None}
        text = "\n".join(
            f'--8<-- "{n}.md"' if n in numbered else lines[n] for n in range(len(lines))
        )
        SiteMaker(top).write({f"{number}.md": "" for number in numbered} | {"f.txt": text + end})
        include_options = IncludeOptions(docs_dir=top, snippets=(top,))
        page = f'--8<-- "f.txt:{section}"'
        files, _ = opened(page, [top])
        assert found(page, include_options).files == files


def test_a_folder_whose_name_only_begins_like_the_base_is_outside(tmp_path):
    """``docs_other`` is not in ``docs``."""
    SiteMaker(tmp_path).write({"docs/a.md": "", "docs_other/a.md": ""})
    include_options = IncludeOptions(docs_dir=tmp_path, snippets=(tmp_path / "docs",))
    text = '--8<-- "../docs_other/a.md"'
    assert found(text, include_options) == Parts(missing=("../docs_other/a.md",))


def test_a_part_that_is_no_text_is_a_part(tmp_path):
    """Bytes that are not UTF-8 name nothing."""
    SiteMaker(tmp_path).write({"a.bin": b'\xff\xfe\n--8<-- "b.md"\n', "b.md": ""})
    include_options = IncludeOptions(docs_dir=tmp_path, snippets=(tmp_path,))
    assert relative(found('--8<-- "a.bin"', include_options), tmp_path) == ["a.bin", "b.md"]


def test_a_page_is_no_part_of_itself(tmp_path):
    """Also where it includes itself, or what it includes does."""
    SiteMaker(tmp_path).write({"a.md": '--8<-- "b.md"', "b.md": '--8<-- "a.md"\n--8<-- "b.md"'})
    include_options = IncludeOptions(docs_dir=tmp_path, snippets=(tmp_path,))
    result = found('--8<-- "b.md"', include_options, tmp_path / "a.md")
    assert result == Parts(files=frozenset([tmp_path / "b.md"]))


# The others.


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("a.md", ["docs/a.md"]),
        ("./a.md", ["docs/sub/a.md"]),
        ("../a.md", ["docs/a.md"]),
        ("*.md", ["docs/a.md", "docs/b.md"]),
        ("**/*.md", ["docs/a.md", "docs/b.md", "docs/sub/a.md"]),
        ("./*", ["docs/sub/a.md", "docs/sub/page.txt"]),
        ("none/*.md", []),
        ("sub", []),
        ("x[1].txt", ["docs/x[1].txt"]),
    ],
)
def test_where_include_markdown_looks(tmp_path, name, files):
    """From the docs folder; with a dot in front, from the text's own folder."""
    docs = tmp_path / "docs"
    SiteMaker(docs).write(
        {"a.md": "", "b.md": "", "sub/a.md": "", "sub/page.txt": "", "x[1].txt": ""}
    )
    include_options = IncludeOptions(docs_dir=docs, include_markdown=IncludeMarkdownOptions())
    result = found(f'{{% include "{name}" %}}', include_options, docs / "sub" / "p.md")
    assert relative(result, tmp_path) == files
    assert result.missing == (() if files else (name,))


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ('{% include "{b,c}.md" %}', ()),
        ("{!{b,c}.md!}", ("{b,c}.md",)),
        ('--8<-- "{b,c}.md"', ("{b,c}.md",)),
    ],
)
def test_only_include_markdown_has_patterns_with_braces(tmp_path, text, missing):
    """Which files its pattern stands for is not known here; others look for the name."""
    SiteMaker(tmp_path).write({"b.md": ""})
    options = IncludeOptions(
        docs_dir=tmp_path,
        markdown_include=tmp_path,
        include_markdown=IncludeMarkdownOptions(),
        snippets=(tmp_path,),
    )
    result = found(text, options, tmp_path / "a.md")
    assert (result.missing, result.unknown) == (missing, () if missing else ("{b,c}.md",))


def test_an_absolute_path(tmp_path):
    """Of include-markdown and of ``depends``; not of Jinja, which looks below its folder."""
    SiteMaker(tmp_path).write({"x/a.md": "", "t/x/a.md": ""})
    name = (tmp_path / "x" / "a.md").as_posix()
    docs = tmp_path / "docs"
    directives = IncludeOptions(docs_dir=docs, include_markdown=IncludeMarkdownOptions())
    assert relative(found(f'{{% include "{name}" %}}', directives), tmp_path) == ["x/a.md"]
    depends = [Include(kind=IncludeKind.DEPENDS, name=name)]
    finder = finder_of(IncludeOptions(docs_dir=docs))
    assert relative(finder.parts_of(None, depends), tmp_path) == ["x/a.md"]
    templates = IncludeOptions(docs_dir=docs, macros=MacrosOptions(folder=tmp_path / "t"))
    assert relative(found('{% include "/x/a.md" %}', templates), tmp_path) == ["t/x/a.md"]


def test_what_names_files_only_is_not_read(tmp_path):
    """A file that a page depends on includes nothing into it."""
    SiteMaker(tmp_path).write({"a.py": '--8<-- "b.md"', "b.md": ""})
    include_options = IncludeOptions(docs_dir=tmp_path, snippets=(tmp_path,))
    finder = finder_of(include_options)
    depends = [Include(kind=IncludeKind.DEPENDS, name="a.py")]
    assert relative(finder.parts_of(tmp_path / "page.md", depends), tmp_path) == ["a.py"]


def test_only_the_kinds_that_count_are_followed(tmp_path):
    """Neither at first nor further down."""
    SiteMaker(tmp_path).write({"a.md": '--8<-- "b.md"', "b.md": ""})
    include_options = IncludeOptions(
        docs_dir=tmp_path, snippets=(tmp_path,), include_markdown=IncludeMarkdownOptions()
    )
    text = '{% include "a.md" %}\n--8<-- "b.md"'
    finder = finder_of(include_options, frozenset([IncludeKind.INCLUDE_MARKDOWN]))
    assert relative(finder.parts_of(None, includes_in(text, include_options)), tmp_path) == ["a.md"]


@pytest.mark.parametrize(
    ("files", "name", "shown"),
    [
        (["a.py"], "a.py", ["a.py"]),
        (["a.py", "a_an.py", "a_an_py310.py", "a_py39.py", "ab.py", "a_py312.py"], "a_py39.py",
         ["a.py", "a_an.py", "a_an_py310.py", "a_py39.py"]),
        (["x/a.py", "x_an_py311/a.py", "x_an/b.py"], "x/a.py", ["x/a.py", "x_an_py311/a.py"]),
        (["x/a.py", "x/a_an.py", "x_an/a.py"], "x/a.py", ["x/a.py", "x/a_an.py"]),
        ([], "a.py", []),
    ],
)  # fmt: skip
def test_a_python_file_is_shown_with_its_variants(tmp_path, files, name, shown):
    """By markdown-include-variants: those of the file; if there are none, those of its folder."""
    site = SiteMaker(tmp_path)
    site.write(dict.fromkeys(files, "a = 1\n"))
    result = found(f"{{* {name} *}}", IncludeOptions(docs_dir=tmp_path / "docs", variants=tmp_path))
    assert relative(result, tmp_path) == shown
