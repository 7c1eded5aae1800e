"""Whatever the HTML of a page is: the same tags count as html5lib finds."""

from heads import tags, tags_of_robots
from hypothesis import given, settings
from hypothesis import strategies as st
from quantity import tries

from mkdocs_sitemap_plus.html.page_says import read_page
from mkdocs_sitemap_plus.html.tags import find_links

NOINDEX = "<meta name=robots content=noindex>"
REFRESH = '<META http-equiv="refresh" content="0; url=/x/">'
EDIT = "//h.example/o/r/edit/main/a.md"
LINK = f"<link href={EDIT}>"
TAGS = st.sampled_from([NOINDEX, REFRESH, LINK])
# What may hide a tag, or end too early or too late.
AROUND = st.sampled_from(
    [
        "<p>{}</p>", "<div data-code='{}'></div>", "<p a=b title = '{}'>", "<p title='{}' / >",
        "</p title='{}'>", "<a href=/x/ title='{}'>a</a>", "<p {}>", "<p/title='{}'>",
        "<p ='{}'>", "<p a='b'title='{}'>", "<p a='b'='{}'>", "<p a'{}'>", "<p=a{}'>",
        "<!-- {} -->", "<!--{}--!>", "<!-->{}", "<!--->{}", "<!-- - {} -- >-->", "<!x {}>",
        "<?x {}>", "</ {}>", "</>{}", "<1 {}>", "< {}>", "<![CDATA[{}]]>", "<p title='>'>{}",
        "<script>'{}'</script>", "<SCRIPT src=a>{}</script >", "<style>{}</style>",
        "<title>{}</title>", "<textarea>{}</textarea>", "<textarea>{}</text></textarea/>",
        "<iframe srcdoc='{}'></iframe>", "<iframe>{}</iframe>", "<noscript>{}</noscript>",
        "<noembed>{}</noembed>", "<noframes>{}</noframes>", "<xmp>{}</xmp>", "<xmp>{}</xm></XMP>",
        '<span class="n">{}</span>', "<scripts>{}</scripts>", "<styled a='{}'>", "<titles>{}",
        "<metadata content='{}'>", "<nav>{}</nav>", "<tr title='{}'><td>{}", "<table>{}</table>",
        "<svg viewBox='0 0 1 1'><title/><style/><path d='{}'/></svg>", "<svg><g>{}</g></svg>",
        "<header>{}</header>", '<img alt="{}">', "<button type=submit>{}</button>", "&lt;{}",
        "<input value=a/>{}", "<ul><li>{}<li>", "<h1 id='{}'>a</h1>", "<details open>{}",
    ]
)  # fmt: skip
TEXT = st.sampled_from(
    ["", "a", "\n", "日本語", "é < ü", "'", "<p>", "</p>", "a=b", "\ufeff", "long " * 99, "/edit/"]
)
# html5lib does not know this element, and closes it only if nothing in it is open.
TEMPLATES = st.sampled_from(
    ["<template>{}</template>", "<template><template></template>{}</template>"]
)
PARTS = st.one_of(
    st.builds(
        lambda around, tag, text: around.replace("{}", tag) + text,
        AROUND,
        st.one_of(TAGS, TEXT.map(lambda text: text.replace("'", ""))),
        TEXT,
    ),
    st.builds(lambda template, tag: template.replace("{}", tag), TEMPLATES, TAGS),
)
OPEN = st.sampled_from(
    ["", "", "", "<!--", "<p title='", "<script>", "<textarea>", "<template>", "<p", "<meta"]
)
MORE = settings(max_examples=tries(few=100, many=500))


@MORE
@given(parts=st.lists(PARTS, max_size=8), start=OPEN, end=TAGS)
def test_the_tags_that_count_are_those_of_a_browser(parts, start, end):
    """The text may also end within a comment, a value or an element."""
    html = f"<!doctype html><head></head><body>{''.join(parts)}{start}{end}"
    found = tags_of_robots(html)
    page = read_page(html.encode())
    assert page.noindex_in_body == (page.noindex is not None)
    assert (page.noindex is not None) == any("name" in each for each in found)
    assert (page.redirect is not None) == any("http-equiv" in each for each in found)
    links = [link for link, _ in find_links(html.encode()) if link == f" href={EDIT}".encode()]
    assert len(links) == len([each for each in tags(html, "link") if each.get("href") == EDIT])


def test_a_link_to_a_file_is_found_behind_a_value_with_its_end():
    """A title may have a `>`, which ends no tag there."""
    link = b' title="a > b" href="https://h.example/o/r/edit/main/a.md"'
    assert [found for found, _ in find_links(b"<p><a" + link + b">a</a><a href=//x/>")] == [link]
