"""Giving the page back: right headings, nothing else touched, and the same to the eye."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from pagesight.output.html import document_with_headings, with_headings
from pagesight.page import Page
from pagesight.readers.outline.heading import Heading
from pagesight.render import open_renderer
from pagesight.sources import load

Html = Callable[[str], Page]


def emitted(see: Html, html: str, levels: Mapping[str, int]) -> str:
    """The document with headings of these texts."""
    page = see(html)
    headings = []
    for text, level in levels.items():
        found = [n for n in page if n.kind.name == "ELEMENT" and n.text == text]
        headings.append(Heading.of(found[-1], text, level=level, confidence=1.0))
    return with_headings(html, page, headings)


@pytest.fixture(scope="module")
def seen() -> Iterator[Html]:
    """Render a piece of HTML without a browser: where only the tree of the page counts."""
    with open_renderer("embedded") as renderer:
        yield lambda html: renderer.render(load(html.encode()))


def looks(page: Page) -> list[object]:
    texts = (node for node in page if node.tag == "#text" and node.visible)
    return [(node.own_text, node.box, node.style) for node in texts]


CASES: list[tuple[str, dict[str, int], str]] = [
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
]


@pytest.mark.parametrize(("html", "levels", "wanted"), CASES)
def test_documents_come_back(seen: Html, html: str, levels: dict[str, int], wanted: str) -> None:
    result = emitted(seen, html, levels)
    assert re.sub(r' style="[^"]*"', " style=...", result) == wanted


@pytest.mark.browser
@pytest.mark.parametrize(("html", "levels", "wanted"), CASES)
def test_documents_look_as_before(
    see: Html, html: str, levels: dict[str, int], wanted: str
) -> None:
    assert looks(see(emitted(see, html, levels))) == looks(see(html))


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
    after = see(result)
    assert looks(after) == looks(see("<!doctype html>" + SHEET + html))
    found = {node.text: int(node.tag[1]) for node in after.find("h1", "h2", "h3", "h4")}
    assert found == levels


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
    assert looks(see(emitted(see, html, {"Tea": 3}))) == looks(see(html))


def test_what_cannot_be_given_back_is_stated(seen: Html) -> None:
    emission = emitted(seen, "<p>Hot <b>Tea</b> is good.</p>", {"Tea": 1})
    assert emission == "<p>Hot <b>Tea</b> is good.</p>"


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252", "utf-16"])
def test_bytes_outside_of_tags_survive(seen: Html, encoding: str) -> None:
    html = "<meta charset=windows-1252><p>Th\u00e9</p>Chaud \u2013 br\u00fblant".encode(encoding)
    source = load(html if encoding != "utf-8" else b"\xef\xbb\xbf" + html)
    page = seen(source.text)
    heading = Heading.of(page.find("p")[0], "Th\u00e9", level=1, confidence=1.0)
    result = document_with_headings(source, page, [heading])
    assert "<h1" in result.decode(encoding)
    assert result.endswith(
        "</h1>Chaud \u2013 br\u00fblant".encode(encoding).removeprefix(b"\xff\xfe")
    )


@pytest.mark.parametrize(
    ("attribute", "wanted"),
    [
        ("style='color: red'", "style='STYLE;color: red'"),
        ('style="color: red"', 'style="STYLE;color: red"'),
        ("style=color:red", 'style="STYLE;color:red"'),
        ("title='style=x' style=''", "title='style=x' style='STYLE;'"),
        ("data-style=x", 'style="STYLE" data-style=x'),
    ],
)
def test_what_is_kept_comes_before_the_style_of_the_element(
    seen: Html, attribute: str, wanted: str
) -> None:
    result = emitted(seen, f"<!doctype html><p {attribute}>Tea</p>Hot.", {"Tea": 2})
    plain = emitted(seen, "<!doctype html><p>Tea</p>Hot.", {"Tea": 2})
    style = plain.partition('style="')[2].partition('"')[0]
    assert result == f"<!doctype html><h2 {wanted.replace('STYLE', style)}>Tea</h2>Hot."


def test_quotes_in_stylesheets_do_not_end_the_attribute(seen: Html) -> None:
    html = "<style>p { font-family: \"A B\" }</style><p style='x: y'>Tea</p><p>Hot</p>"
    result = emitted(seen, html, {"Tea": 1, "Hot": 2})
    first, second = re.findall("<h. style=(.*?)>(?:Tea|Hot)", result)
    assert first.startswith("'")
    assert 'font-family:"A B";' in first
    assert second.startswith('"')
    assert "font-family:&quot;A B&quot;;" in second


def test_quotes_in_an_unquoted_style_do_not_end_the_attribute(seen: Html) -> None:
    html = '<h3 style=font-family:"Foo";color:red>Tea</h3><p>Green'
    emission = emitted(seen, html, {"Tea": 1})
    heading = LexborHTMLParser(emission).css_first("h1")
    assert heading is not None
    assert set(heading.attributes) == {"style"}
    assert (heading.attributes["style"] or "").endswith('font-family:"Foo";color:red')


def test_stylesheets_beside_the_document_count(seen: Html, tmp_path: Path) -> None:
    (tmp_path / "tea.css").write_text("@import 'more.css'; p { color: red }")
    (tmp_path / "more.css").write_text("p { letter-spacing: 3px }")
    path = tmp_path / "page.html"
    path.write_text("<!doctype html><link rel=stylesheet href=tea.css><p>Tea</p>Hot.")
    source = load(path)
    page = seen(source.text)
    heading = Heading.of(page.find("p")[0], "Tea", level=1, confidence=1.0)
    result = document_with_headings(source, page, [heading]).decode()
    assert "letter-spacing:3px" in result
    assert "color:red" in result


def test_where_nothing_changes_no_stylesheet_is_read(seen: Html) -> None:
    def sheets() -> Iterator[str]:
        raise AssertionError
        yield

    html = "<h1>Tea</h1>Hot."
    page = seen(html)
    heading = Heading.of(page.find("h1")[0], "Tea", level=1, confidence=1.0)
    assert with_headings(html, page, [heading], sheets=sheets()) == html


def test_a_heading_that_is_not_in_the_source_is_left_alone(seen: Html) -> None:
    page = seen("<div><div><p>Tea</p></div></div>")
    heading = Heading.of(page.find("p")[0], "Tea", level=1, confidence=1.0)
    assert with_headings("<p>Coffee</p>", page, [heading]) == "<p>Coffee</p>"


def test_what_the_parser_would_undo_is_not_done_and_the_rest_is(seen: Html) -> None:
    html = "<h2>Tea</h2><table><tr><h2>Milk</h2><td>Hot.</table>"
    emission = emitted(seen, html, {"Tea": 1, "Milk": 3})
    assert "<h1" in emission
    assert [node.text() for node in LexborHTMLParser(emission).css("h1")] == ["Tea"]


TEXTS = ("Tea", "Milk", "Hot")


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from(["<p>{}</p>", "<h2>{}</h2>", "<div>{}</div>", "<li>{}</li>"]),
             min_size=3, max_size=3),
    st.lists(st.integers(1, 6), min_size=3, max_size=3),
)  # fmt: skip
def test_headings_come_back_on_their_levels(
    seen: Html, elements: list[str], levels: list[int]
) -> None:
    html = "".join(part.format(text) for part, text in zip(elements, TEXTS, strict=True))
    emission = emitted(seen, html, dict(zip(TEXTS, levels, strict=True)))
    found = LexborHTMLParser(emission).css("h1, h2, h3, h4, h5, h6")
    assert [(node.text(), int(str(node.tag)[1])) for node in found] == [
        *zip(TEXTS, levels, strict=True)
    ]
