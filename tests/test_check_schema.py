"""What the official schemas reject, a check finds."""

import copy

import pytest
from broken_sitemaps import CORPUS, findings
from hypothesis import assume, given
from hypothesis import strategies as st
from lxml import etree
from sites import OFFICIAL_SCHEMA, schema

RIGHT = etree.parse(CORPUS / "right.xml")
TEXTS = ["", "x", "2026", "2026-11-20", "2026-11-20T10:00:00Z", "2026-11-20T24:00:00Z"]
TEXTS += ["yes", "true", "+1", "-1", ".", "1.", " 0.5 ", "1e1", "29999", "https://example.com/x"]
ATTRIBUTES = st.tuples(st.sampled_from(["relationship", "info", "foo"]), st.sampled_from(TEXTS))

pytestmark = pytest.mark.skipif(
    not OFFICIAL_SCHEMA.exists(),
    reason="the official schemas are in ../shared/xsd/, which is not beside this checkout",
)


def elements(tree):
    return [each for each in tree.iter() if isinstance(each.tag, str)][1:]


@st.composite
def spoiled(draw):
    """A sitemap with everything in it, with one thing or two changed."""
    tree = copy.deepcopy(RIGHT)
    for _ in range(draw(st.integers(1, 2))):
        element = draw(st.sampled_from(elements(tree)))
        parent = element.getparent()
        match draw(st.sampled_from(["remove", "double", "say", "move", "mark", "strip", "rename"])):
            case "remove":
                parent.remove(element)
            case "double":
                parent.append(copy.deepcopy(element))
            case "say":
                element.text = draw(st.sampled_from(TEXTS))
            case "move":
                parent.insert(0, element)
            case "mark":
                element.set(*draw(ATTRIBUTES))
            case "strip":
                element.attrib.clear()
            case "rename":
                element.tag = draw(st.sampled_from(elements(tree))).tag
        assume(elements(tree))
    return etree.tostring(tree, encoding="utf-8", xml_declaration=True)


def test_what_is_right_is_right_for_the_schemas():
    """The sitemap that is spoiled below has every element that there is to spoil."""
    schema(OFFICIAL_SCHEMA).assertValid(RIGHT)


@given(spoiled())
def test_whatever_the_schemas_reject_is_found(tmp_path_factory, data):
    """In some words. White space in an empty element is all that only the schemas mind."""
    assume(not schema(OFFICIAL_SCHEMA).validate(etree.fromstring(data)))
    path = tmp_path_factory.getbasetemp() / "spoiled.xml"
    path.write_bytes(data)
    assert findings(path) != []
