"""Texts on one line, XML, tables of contents, Markdown and tables for notebooks."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import replace
from html.parser import HTMLParser
from io import BytesIO
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from PIL import Image

from pagesight.output.contents import table_of_contents
from pagesight.output.markdown import escaped, markdown
from pagesight.output.notebook import HEIGHT, WIDTH, table
from pagesight.output.text import in_journal, one_line, text_of
from pagesight.output.xml import XML_ID, add, add_text, clean, document
from pagesight.readers.article import ArticleReading, ArticleValue, Author
from pagesight.readers.article.reading import Affiliation
from pagesight.readers.outline import OutlineReading
from pagesight.readers.outline.heading import Heading
from pagesight.render import Picture

EMPTY = ArticleReading(is_article=True, confidence=1.0)


def value(text: str) -> ArticleValue:
    return ArticleValue(text=text, confidence=0.9)


def outline(*levels: int) -> OutlineReading:
    """Headings that are called by their numbers."""
    return OutlineReading(
        tuple(
            Heading(text=f"No. {number}", confidence=0.9, level=level)
            for number, level in enumerate(levels)
        )
    )


def test_white_space_of_all_kinds_is_a_space() -> None:
    assert one_line(" green\n\ttea \u2028 and\xa0biscuits\r\n") == "green tea and biscuits"
    assert one_line(" \n ") == ""


@given(st.text())
def test_a_line_has_no_controls_and_is_the_same_when_made_again(text: str) -> None:
    line = one_line(text)
    assert not re.search("[\x00-\x1f\x7f-\x9f]", line)
    assert line == line.strip() == one_line(line)


def test_a_terminal_is_not_controlled() -> None:
    assert one_line("a\x1b[31mb\x07\x9b1m") == "a[31mb1m"


def test_a_value_that_is_missing_has_no_text() -> None:
    assert (text_of(None), text_of(value("tea"))) == ("", "tea")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (("journal", "volume", "issue", "pages", "year"), "journal volume (issue), pages, year"),
        (("journal", "issue"), "journal (issue)"),
        (("journal", "year"), "journal, year"),
        (("journal",), "journal"),
        (("volume", "issue", "pages", "year"), ""),
        ((), ""),
    ],
)
def test_where_an_article_appeared(fields: tuple[str, ...], expected: str) -> None:
    values: dict[str, Any] = {name: value(name) for name in fields}
    assert in_journal(replace(EMPTY, **values)) == expected


def test_xml_is_indented_where_there_is_no_text() -> None:
    root = ET.Element("shelf")
    tea = add(root, "tea", colour="green")
    add(tea, "name", "Sencha")
    add_text(tea, "price", "")
    add_text(tea, "origin", None)
    add_text(root, "note", "a < b", **{XML_ID: "n1"})
    assert document(root) == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<shelf>\n"
        '  <tea colour="green">\n'
        "    <name>Sencha</name>\n"
        "  </tea>\n"
        '  <note xml:id="n1">a &lt; b</note>\n'
        "</shelf>\n"
    )


def test_mixed_content_is_not_indented() -> None:
    root = ET.Element("p")
    root.text = "green "
    add(root, "b", "tea").tail = " leaves"
    assert document(root).splitlines()[1] == "<p>green <b>tea</b> leaves</p>"


@given(st.text(), st.text())
def test_any_text_is_read_back_from_xml_as_it_was_cleaned(text: str, attribute: str) -> None:
    root = ET.Element("root")
    add(root, "child", text, name=attribute)
    (child,) = ET.fromstring(document(root).encode())
    newlines = clean(text).replace("\r\n", "\n").replace("\r", "\n")  # as every parser has it
    assert (child.text or "") == newlines
    assert child.get("name") == clean(attribute)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a\x00b\x0bc", "abc"), ("\ud800x\ufffe", "x"), ("\t\n茶🍵", "\t\n茶🍵"), ("\x85", "")],
)
def test_characters_that_xml_forbids_are_left_out(text: str, expected: str) -> None:
    assert clean(text) == expected


def test_contents_are_a_nested_list_without_gaps() -> None:
    lines = table_of_contents(outline(2, 4, 4, 2, 3, 1)).splitlines()
    assert lines == ["- No. 0", "  - No. 1", "  - No. 2", "- No. 3", "  - No. 4", "- No. 5"]


def test_a_page_without_headings_has_no_contents() -> None:
    assert table_of_contents(OutlineReading(())) == ""


@given(st.lists(st.integers(1, 6), min_size=1, max_size=12))
def test_contents_are_read_as_one_item_for_each_heading(levels: list[int]) -> None:
    tokens = MarkdownIt().parse(table_of_contents(outline(*levels)))
    texts = [token.content for token in tokens if token.type == "inline"]
    assert texts == [f"No. {number}" for number in range(len(levels))]
    assert sum(token.type == "list_item_open" for token in tokens) == len(levels)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. Tea", "1\\. Tea"),
        ("12) Tea", "12\\) Tea"),
        ("1.5 cups", "1.5 cups"),
        ("- Tea", "\\- Tea"),
        ("+1", "\\+1"),
        ("# Tea *and* [milk]", "\\# Tea \\*and\\* \\[milk\\]"),
        ("tea\n\n# milk", "tea \\# milk"),
        ("", ""),
    ],
)
def test_what_markdown_would_change_is_escaped(text: str, expected: str) -> None:
    assert escaped(text) == expected


def test_authors_point_to_the_numbers_of_their_affiliations() -> None:
    reading = replace(
        EMPTY,
        authors=(
            Author(text="A. Leaf", confidence=0.9, affiliations=("b", "a")),
            Author(text="B. Bud", confidence=0.9, affiliations=("gone",)),
        ),
        affiliations=(
            Affiliation(id="a", text="Kyoto", confidence=0.9),
            Affiliation(id="b", text="Uji", confidence=0.9),
        ),
    )
    assert markdown(reading) == "A. Leaf (2,1), B. Bud\n\n1. Kyoto\n2. Uji\n"


class Cells(HTMLParser):
    """The tags and the texts of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.source = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.source = dict(attrs).get("src") or self.source

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_notebook_shows_names_and_texts_and_no_markup_of_the_page() -> None:
    shown = Cells(table("Tea <b>", {"title": "<script>alert('1')</script>", "a & b": "c"}))
    assert shown.tags == ["table", "caption", "tr", "th", "td", "tr", "th", "td"]
    assert shown.texts == ["Tea <b>", "title", "<script>alert('1')</script>", "a & b", "c"]


@pytest.mark.parametrize(
    ("size", "small"),
    [
        ((480, 3600), (WIDTH, HEIGHT)),  # the top of it
        ((480, 120), (WIDTH, 60)),
        ((60, 20), (60, 20)),  # never larger than it is
    ],
)
def test_a_notebook_shows_the_top_of_the_picture(
    size: tuple[int, int], small: tuple[int, int]
) -> None:
    image = Image.new("RGB", size, "#00f")
    image.paste("#f00", (0, 0, size[0], size[1] // 10))
    file = BytesIO()
    image.save(file, "PNG")
    source = Cells(table("Tea", {}, Picture(file.getvalue(), *size))).source
    kind, _, data = source.partition(",")
    thumbnail = Image.open(BytesIO(b64decode(data)))
    assert (kind, thumbnail.size) == ("data:image/png;base64", small)
    assert thumbnail.getpixel((small[0] // 2, 0)) == (255, 0, 0)
