"""Giving the page back: right headings, nothing else touched, and the same to the eye."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from pagesight.markup.tags import spans, tags
from pagesight.markup.tree import elements
from pagesight.output.html import Emission, document_with_headings, with_headings
from pagesight.page import Page
from pagesight.readers.outline.heading import Heading
from pagesight.sources import load

Html = Callable[[str], Page]


def emitted(see: Html, html: str, levels: Mapping[str, int]) -> Emission:
    """The document with headings of these texts."""
    page = see(html)
    headings = []
    for text, level in levels.items():
        found = [n for n in page if n.kind.name == "ELEMENT" and n.text == text]
        headings.append(Heading(level, text, 1.0, found[-1]))
    return with_headings(html, page, headings)


def looks(page: Page) -> list[object]:
    texts = (node for node in page if node.tag == "#text" and node.visible)
    return [(node.own_text, node.box, node.style) for node in texts]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("html", "levels", "wanted"),
    [
        ("<h3 id=a>Tea</h3>Hot.", {"Tea": 1}, "<h1 style=... id=a>Tea</h1>Hot."),
        ("<H3\n>Tea</h4 >Hot.", {"Tea": 1}, "<h1 style=...\n>Tea</h1 >Hot."),
        ("<p>Tea<p>Hot.", {"Tea": 2}, "<h2 style=...>Tea</h2><p>Hot."),
        ("<p>Hot.<p>Tea", {"Tea": 2}, "<p>Hot.<h2 style=...>Tea</h2>"),
        ("<p>Tea<ul><li>Hot.</ul>", {"Tea": 2}, "<h2 style=...>Tea</h2><ul><li>Hot.</ul>"),
        ("<h2>Tea</h2>Hot.", {}, "<div style=...>Tea</div>Hot."),
        ("<h2>Tea</h2>Hot.", {"Tea": 2}, "<h2>Tea</h2>Hot."),
        (
            "<div class=x>Tea</div>Hot.",
            {"Tea": 2},
            "<div class=x><h2 style=...>Tea</h2></div>Hot.",
        ),
        (
            "<table><td>Tea<td>Hot.</table>",
            {"Tea": 2},
            "<table><td><h2 style=...>Tea</h2><td>Hot.</table>",
        ),
        ("<td><b>Tea</b><br>Hot.", {"Tea": 3}, "<td><h3 style=...><b>Tea</b></h3><br>Hot."),
        ("<p><b>Tea</b><br>Hot.</p>", {"Tea": 3}, "<p><b>Tea</b><br>Hot.</p>"),  # not in a p
        ("<button>Tea</button>Hot.", {"Tea": 3}, "<button>Tea</button>Hot."),  # would not be one
        # Headings by role are headings: one in them would be read out twice.
        *(
            (f"<div{before}>Tea</div>Hot.", {"Tea": 3}, f"<div{after}>Tea</div>Hot.")
            for before, after in [
                (" role=heading aria-level=3", " role=heading aria-level=3"),
                (" role=Heading Aria-Level='4' id=a", ' role=Heading aria-level="3" id=a'),
                (" role=heading", ' aria-level="3" role=heading'),
            ]
        ),
        ("<p role=heading>Tea<p>Hot.", {"Tea": 2}, "<p role=heading>Tea<p>Hot."),
        (
            "<div role=heading aria-level=5><b>Tea</b></div>Hot.",
            {"Tea": 2},
            '<div role=heading aria-level="2"><b>Tea</b></div>Hot.',
        ),
        (
            "<!-- <p>Tea --><script>'<p>Tea'</script><p title='<p>'>Tea</p><![CDATA[<p>]]>Hot.",
            {"Tea": 1},
            "<!-- <p>Tea --><script>'<p>Tea'</script><h1 style=... title='<p>'>Tea</h1>"
            "<![CDATA[<p>]]>Hot.",
        ),
    ],
)
def test_documents_come_back(see: Html, html: str, levels: Mapping[str, int], wanted: str) -> None:

    result = emitted(see, html, levels).text
    assert re.sub(r' style="[^"]*"', " style=...", result) == wanted
    assert looks(see(result)) == looks(see(html))


SHEET = """<style>
p { color: #333; margin: 4px 0 9px } p.lead { font: italic 20px/2 serif; text-transform: uppercase }
h2 { border-bottom: 2px solid red; padding: 8px; letter-spacing: 3px } .box p { text-indent: 2em }
h3 { font-size: 30px !important; background: #eee } body > h3 { margin-left: 40px }
@media print { p { display: none } } @media (max-width: 600px) { p { color: red } }
</style>"""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("html", "levels"),
    [
        ("<p class=lead>Tea</p><p>Hot.</p>", {"Tea": 2}),
        ("<div class=box><p style='color: blue'>Tea<p>Hot.</div>", {"Tea": 3}),
        ("<h3>Tea</h3><p>Hot.<h2 class=lead>Green</h2>Cold.", {"Tea": 1, "Green": 3}),
        ("<h2>Tea</h2><h3>Hot.</h3>And cold.", {"Tea": 3}),
        ("<div>Tea</div><ul><li>Green<li>Black</ul>", {"Tea": 2, "Green": 3, "Black": 3}),
    ],
)
def test_stylesheets_make_no_difference(see: Html, html: str, levels: Mapping[str, int]) -> None:
    result = emitted(see, "<!doctype html>" + SHEET + html, levels)
    after = see(result.text)
    assert looks(after) == looks(see("<!doctype html>" + SHEET + html))
    found = {node.text: int(node.tag[1]) for node in after.find("h1", "h2", "h3", "h4")}
    assert found == levels
    assert result.left_alone == ()


@pytest.mark.browser
@pytest.mark.parametrize(
    "rule",
    [
        "/* x */ @media amzn-kf8 { h1 { margin: 90px } @supports (x: y) { h1 { color: red } } }",
        "@media tty, print { h1 { margin: 90px } }",
        "@media tty, screen { h1 { margin: 90px } }",
        "@media only screen and (min-width: 40em) { h1 { margin: 90px } }",
        "@media (min-width: 40em) { h1 { margin: 90px } }",
        "@media{ h1 { margin: 90px } }",
    ],
)
def test_rules_hold_on_the_devices_that_they_are_for(see: Html, rule: str) -> None:
    sheet = f"<!doctype html><style>h1 {{ margin: 9px }} {rule} h1 {{ padding: 3px }}</style>"
    html = sheet + "Hot.<h1>Tea</h1>Cold."
    assert looks(see(emitted(see, html, {"Tea": 3}).text)) == looks(see(html))


@pytest.mark.browser
def test_what_cannot_be_given_back_is_said(see: Html) -> None:
    emission = emitted(see, "<p>Hot <b>Tea</b> is good.</p>", {"Tea": 1})
    assert emission.text == "<p>Hot <b>Tea</b> is good.</p>"
    assert [heading.text for heading in emission.left_alone] == ["Tea"]


@pytest.mark.browser
@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252", "utf-16"])
def test_bytes_outside_of_tags_survive(see: Html, encoding: str) -> None:
    html = "<meta charset=windows-1252><p>Th\u00e9</p>Chaud \u2013 br\u00fblant".encode(encoding)
    source = load(html if encoding != "utf-8" else b"\xef\xbb\xbf" + html)
    page = see(source.text)
    heading = Heading(1, "Th\u00e9", 1.0, page.find("p")[0])
    result = document_with_headings(source, page, [heading])
    assert "<h1" in result.decode(encoding)
    assert result.endswith(
        "</h1>Chaud \u2013 br\u00fblant".encode(encoding).removeprefix(b"\xff\xfe")
    )


PIECES = st.lists(
    st.sampled_from(
        "<p> </p> <h1> </h2> <b> </b> <a> </a> <table> <td> </table> <li> <ul> </ul> <div> </div> "
        "<br> <svg> </svg> <!--<p>--> <script><p></script> <select> <option> text <p/> </br> < <3 "
        "<title> <textarea> </textarea> <i> </i> <i> <pre> <body> <html> <x-y> </x-y> <tr> <form>"
        .split(" ")
    ),
    max_size=14,
)  # fmt: skip


@given(PIECES)
def test_places_are_those_of_the_parser(pieces: list[str]) -> None:
    """An element that is renamed at its place is renamed in the tree, and nothing else is."""
    html = "".join(pieces)
    tree = elements(LexborHTMLParser(html))
    for number, place in spans(html).items():
        assert html[place.start.start : place.start.name_stop].lower() == f"<{tree[number].name}"
        assert place.start.stop <= place.end_at <= len(html)
        if place.end:
            assert place.end.is_end
            assert html[place.end.start : place.end.start + 2] == "</"


def test_tags_are_those_of_the_tokenizer() -> None:
    html = """<!doctype html><!--><p>--><a href="x>y" b='>' c=d/e /><?p <b>?></><I\n>x</i x="</b>">
    < p><style><p></style><title><p></title ><!--<p>--!><plaintext><p>"""
    assert [("/" if t.is_end else "") + t.name for t in tags(html)] == [
        "p", "a", "i", "/i", "style", "/style", "title", "/title", "plaintext",
    ]  # fmt: skip
