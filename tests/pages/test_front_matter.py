"""Our reader of front matter reads what MkDocs reads, and also knows the lines."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mkdocs.utils.meta import get_data

from mkdocs_sitemap_plus.generator.pages.front_matter import read_front_matter_text

TEXTS = {
    "nothing": "",
    "no-front-matter": "# Title\n\nText: with a colon\n",
    "short": "---\nchangefreq: daily\npriority: .5\n---\n# A\n",
    "dots-at-the-end": "---\na: 1\n...\nText\n",
    "blanks-behind-dashes": "--- \t\na: 1\n---  \nText\n",
    "no-newline-at-the-end": "---\na: 1\n---",
    "empty-block": "---\n---\nText\n",
    "blank-block": "---\n\n---\nText\n",
    "comment-block": "---\n# a: 1\n---\nText\n",
    "scalar": "---\njust text\n---\nText\n",
    "list": "---\n- a\n- b\n---\nText\n",
    "nested": (
        "---\nsitemap:\n  lastmod: 2024-01-02\n  priority: 0.5\n"
        "date:\n  updated: 2024-01-03\n---\n"
    ),
    "flow": "---\nsitemap: {priority: 0.5, exclude: false}\n---\n",
    "norway": "---\nsitemap: no\nno: 1\n---\n",
    "numbers-as-keys": "---\n1: a\n1.5: b\n2024-01-01: c\n~: d\n---\n",
    "anchors": "---\na: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2\n---\n",
    "itself": "---\na: &x\n  b: *x\n---\nText\n",
    "twice-the-same-key": "---\na: 1\na: 2\n---\n",
    "block-scalar-with-dashes": "---\na: |\n  x\n---\nText\n---\n",
    "two-documents": "---\na: 1\n--- \n---\nb: 2\n---\n",
    "windows": "---\r\na: 1\r\n---\r\nText\r\n",
    "byte-order-mark": "\ufeff---\na: 1\n---\n",
    "leading-newline": "\n---\na: 1\n---\n",
    "four-dashes": "----\na: 1\n----\n",
    "broken-dashes": "---\na: 1\n---x\nb: 2\n---\n",
    "open": "---\na: 1\n",
    "broken-colon": "---\ntitle: a: b\n---\nText\n",
    "broken-tab": "---\na:\n\t- b\n---\nText\n",
    "broken-quote": "---\na: 'b\n---\nText\n",
    "broken-date": "---\nlastmod: 2024-02-30\n---\nText\n",
    "broken-key": "---\n{a: 1}: 2\n---\nText\n",
    "broken-tag": "---\na: !ENV X\n---\nText\n",
    "broken-int": '---\na: !!int ""\n---\nText\n',
    "broken-timestamp": "---\na: !!timestamp soon\n---\nText\n",
    "broken-control": "---\na: \x08\n---\nText\n",
    "broken-surrogate": "---\na: \ud800\n---\nText\n",
    "deep": "---\na: " + 300 * "[" + 300 * "]" + "\n---\nText\n",
    "multimarkdown": "Priority: 0.8\nSitemap: false\nChangefreq:   Weekly\n\nText\n",
    "multimarkdown-more": "Title: A\n    and more\n\tand a tab\nPriority: 1\n# Text\n",
    "multimarkdown-twice": "Lastmod: 2024-01-02\nlastmod: again\n\nText\n",
    "multimarkdown-ended-by-text": "Priority: 0.8\nText that is none\nTitle: A\n",
    "multimarkdown-link": "https://web.example/\n\nText\n",
    "multimarkdown-more-first": "    code: x\n\nText\n",
    "multimarkdown-empty-value": "Title:\nPriority:\n    0.8\n\nText\n",
    "multimarkdown-other-breaks": "Title: a\x0bb\x85c\u2028Priority: 1\n\nText\n",
    "multimarkdown-indented": "   Priority: 0.8\n\nText\n",
}  # fmt: skip


NOT_SEEN = {
    "open": (1, "a line --- must end it"),
    "no-newline-at-the-end": (1, "a line --- must end it"),
    "leading-newline": (1, "it must begin in the first line"),
}


@pytest.mark.parametrize("name", NOT_SEEN)
def test_front_matter_that_mkdocs_does_not_see_is_known_with_a_reason(name):
    """MkDocs shows it as text. Its keys are known, since the owner may need to hear of it."""
    broken = read_front_matter_text(TEXTS[name]).broken
    assert (broken.line, broken.reason, broken.keys) == (*NOT_SEEN[name], {"a"})


@pytest.mark.parametrize("name", TEXTS)
def test_the_mapping_is_the_one_that_mkdocs_reads(name):
    """What MkDocs drops in silence is known with a reason, and nothing else is called broken."""
    read = read_front_matter_text(TEXTS[name])
    assert repr(read.meta) == repr(get_data(TEXTS[name])[1])
    assert bool(read.broken) is (name.startswith("broken-") or name in NOT_SEEN)
    if name.startswith("broken-"):
        assert len(read.broken.reason.splitlines()) == 1
        assert read.meta == {}


@pytest.mark.parametrize(
    ("name", "reason", "key"),
    [
        ("broken-colon", "mapping values are not allowed in this context", None),
        ("broken-date", "there is no such date", "lastmod"),
        ("broken-tag", "could not determine a constructor for the tag '!ENV'", None),
    ],
)
def test_the_reason_comes_with_line_and_key_if_they_are_known(name, reason, key):
    """Counted in the page's own file, whose first line is ``---``."""
    broken = read_front_matter_text(TEXTS[name]).broken
    assert (broken.reason, broken.line, broken.key) == (reason, 2, key)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("short", {"changefreq": 2, "priority": 3}),
        (
            "nested",
            {
                "sitemap": 2,
                "sitemap.lastmod": 3,
                "sitemap.priority": 4,
                "date": 5,
                "date.updated": 6,
            },
        ),
        ("flow", {"sitemap": 2, "sitemap.priority": 2, "sitemap.exclude": 2}),
        ("multimarkdown", {"priority": 1, "sitemap": 2, "changefreq": 3}),
        ("multimarkdown-twice", {"lastmod": 1}),
        ("no-front-matter", {}),
    ],
)
def test_each_key_has_the_line_on_which_it_stands(name, lines):
    """So that a warning can name it."""
    assert read_front_matter_text(TEXTS[name]).lines == lines


def test_what_aliases_name_is_looked_at_once():
    """Ten lines of YAML can stand for a thousand keys; each line has its own three."""
    lines = ["a0: &a0 {k: 1, l: 2}"]
    lines += [f"a{i}: &a{i} {{k: *a{i - 1}, l: *a{i - 1}}}" for i in range(1, 10)]
    read = read_front_matter_text("---\n" + "\n".join(lines) + "\npriority: 1\n---\n")
    names = [f"a{i}{key}" for i in range(10) for key in ("", ".k", ".l")]
    assert read.lines == {name: int(name[1]) + 2 for name in names} | {"priority": 12}


PIECES = st.sampled_from(
    ["---", "...", "--- ", "\n", "\r\n", ": ", ":", "- ", "  ", "    ", "\t", "a", "Key", "0.5",
     "no",
     "'", '"', "[", "]", "{", "}", ",", "|", ">", "#", "&x ", "*x", "<<", "!!int ", "!!bool ",
     "2024-02-29", "2024-02-30", "12:30", "0x1f", "~", "?", "é", "\ufeff", "\x85", "%", "@", "`"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join) | st.text())
@example("---\na: !!int \n---\n")
@example("---\na: !!bool a\n---\n")
def test_any_text_at_all_is_read_as_mkdocs_reads_it(text):
    """Also what only a fuzzer writes: the build goes on, with the same mapping."""
    assert repr(read_front_matter_text(text).meta) == repr(get_data(text)[1])


@given(st.lists(PIECES, max_size=30).map("".join))
@example("a: !!float ''")
def test_any_block_of_yaml_is_read_as_mkdocs_reads_it(text):
    """The same, with dashes around it."""
    text = f"---\n{text}\n---\nText\n"
    read = read_front_matter_text(text)
    rest, meta = get_data(text)
    assert repr(read.meta) == repr(meta)
    if read.broken is not None:
        assert rest == text
