"""Where tags, attributes and elements are in the source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from pagesight.markup.tags import SourceTag, attributes_of, doctype_of, spans, tags
from pagesight.markup.tree import elements

PIECES = st.lists(
    st.sampled_from(
        "<p> </p> <h1> </h2> <b> </b> <a> </a> <table> <td> </table> <li> <ul> </ul> <div> </div> "
        "<br> <svg> </svg> <!--<p>--> <script><p></script> <select> <option> text <p/> </br> < <3 "
        "<title> <textarea> </textarea> <i> </i> <i> <pre> <body> <html> <x-y> </x-y> <tr> <form>"
        .split(" ")
    ),
    max_size=14,
).map("".join)  # fmt: skip


def only_tag(html: str) -> SourceTag:
    (tag,) = tags(html)
    return tag


def test_tags_are_those_of_the_tokenizer() -> None:
    html = """<!doctype html><!--><p>--><a href="x>y" b='>' c=d/e /><?p <b>?></><I\n>x</i x="</b>">
    < p><style><p></style><title><p></title ><!--<p>--!><plaintext><p>"""
    assert [("/" if t.is_end else "") + t.name for t in tags(html)] == [
        "p", "a", "i", "/i", "style", "/style", "title", "/title", "plaintext",
    ]  # fmt: skip


@given(PIECES)
def test_a_tag_is_where_it_says(html: str) -> None:
    for tag in tags(html):
        opening = "</" if tag.is_end else "<"
        assert html[tag.start : tag.name_stop].lower() == opening + tag.name
        assert html[tag.stop - 1] == ">"


@given(PIECES)
def test_spans_are_those_of_the_parser(html: str) -> None:
    """An element that is renamed at its place is renamed in the tree, and nothing else is."""
    tree = elements(LexborHTMLParser(html))
    for number, span in spans(html).items():
        assert html[span.start.start : span.start.name_stop].lower() == f"<{tree[number].name}"
        assert span.start.stop <= span.end_at <= len(html)
        if span.end:
            assert span.end.is_end
            assert html[span.end.start : span.end.start + 2] == "</"


@given(PIECES)
def test_elements_are_where_they_would_be_renamed(html: str) -> None:
    """What is renamed by its span has another name, in the same place of the same tree."""
    tree = elements(LexborHTMLParser(html))
    for number, span in spans(html).items():
        if tree[number].name not in ("x-y", "i"):
            continue
        named = html[: span.start.start + 1] + "q-r" + html[span.start.name_stop :]
        if span.end:
            moved = len(named) - len(html)
            start, stop = span.end.start + 2 + moved, span.end.name_stop + moved
            named = named[:start] + "q-r" + named[stop:]
        if tree[number].name == "x-y":
            after = elements(LexborHTMLParser(named))
            assert [e.name for e in after].count("q-r") >= 1
            assert after[number].name == "q-r"


def test_an_element_ends_where_the_parser_ends_it() -> None:
    html = "<ul><li>One<li>Two</ul><p>Three"
    found = {span.start.name: html[span.start.start : span.end_at] for span in spans(html).values()}
    assert found == {"ul": "<ul><li>One<li>Two", "li": "<li>Two", "p": "<p>Three"}


def test_what_the_parser_makes_up_has_no_place() -> None:
    html = "<table><td>x</table>"
    names = {elements(LexborHTMLParser(html))[number].name for number in spans(html)}
    assert names == {"table", "td"}  # and not html, body, tbody, tr


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href=x>", {"href": "x"}),
        ("<a HREF = 'x y' b>", {"href": "x y"}),
        ('<a href="x>y" c=d/e />', {"href": "x>y", "c": "d/e"}),
        ("<a href='a&amp;b' href=c>", {"href": "a&b"}),  # the first one holds
        ("<a title='href=b' href=''>", {"title": "href=b", "href": ""}),
        ("<a =x=y>", {"=x": "y"}),
        ("<a>", {}),
    ],
)
def test_attributes_have_their_values(html: str, expected: dict[str, str]) -> None:
    found = attributes_of(html, only_tag(html))
    assert {name: attribute.value for name, attribute in found.items()} == expected


@given(
    st.dictionaries(
        st.text("abc-", min_size=1, max_size=4).map("x".__add__),
        st.text("a b&<>'=/\n", max_size=6).map(lambda text: text.replace("&", "&amp;")),
        max_size=4,
    )
)
def test_attributes_are_those_of_the_parser(attributes: dict[str, str]) -> None:
    written = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    html = f"<b {written}>"
    (node,) = LexborHTMLParser(html).css("b")
    found = attributes_of(html, only_tag(html))
    assert {name: a.value for name, a in found.items()} == {
        name: value or "" for name, value in node.attributes.items()
    }
    for name, attribute in found.items():
        assert html[attribute.start : attribute.stop] == f'{name}="{attributes[name]}"'
        assert html[attribute.value_start : attribute.stop] == f'"{attributes[name]}"'


@pytest.mark.parametrize(
    ("html", "doctype"),
    [
        ("<!doctype html><p>", "<!doctype html>"),
        ("\ufeff <!-- <!doctype x> --> <?xml?> <!DOCTYPE HTML>", "<!DOCTYPE HTML>"),
        ("<p><!doctype html>", ""),
        ("", ""),
    ],
)
def test_a_doctype_is_what_comes_first(html: str, doctype: str) -> None:
    assert doctype_of(html) == doctype
