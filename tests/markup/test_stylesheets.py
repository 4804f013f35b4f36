"""The stylesheets of a document."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from pagesight.markup.stylesheets import DEEPEST_IMPORT, stylesheets

BASE = "http://tea.example/leaves/page.html"


def held(html: str, **files: str) -> list[str]:
    """The stylesheets of a document, with files that are beside it by their names."""

    def load(url: str) -> bytes | None:
        name = url.removeprefix("http://tea.example/leaves/").removesuffix(".css")
        return files[name].encode() if name in files else None

    return list(stylesheets(LexborHTMLParser(html), BASE, load))


def test_they_hold_in_their_order() -> None:
    html = "<style>one</style><link rel=stylesheet href=two.css><p><style>three</style>"
    assert held(html, two="2") == ["one", "2", "three"]


def test_without_files_there_are_those_of_the_document() -> None:
    html = "<style>@import 'two.css'; one</style><link rel=stylesheet href=two.css>"
    assert list(stylesheets(LexborHTMLParser(html))) == ["@import 'two.css'; one"]


@pytest.mark.parametrize(
    "attributes",
    [
        "rel=icon href=a.css",
        "href=a.css",
        "rel=stylesheet",
        "rel=stylesheet href=a.css media=print",
        "rel=stylesheet href=a.css disabled",
        "rel='alternate stylesheet' title=Dark href=a.css",
        "rel=stylesheet href=gone.css",
        "rel=stylesheet href='http://['",
    ],
)
def test_some_links_do_not_hold(attributes: str) -> None:
    assert held(f"<link {attributes}>", a="p{}") == []


@pytest.mark.parametrize(
    "attributes", ["", "media=all", "media='screen and (min-width: 600px)'", "title=Light"]
)
def test_others_do(attributes: str) -> None:
    assert held(f"<link rel='StyleSheet' href=a.css {attributes}>", a="p{}") == ["p{}"]


def test_imports_come_before_the_sheet_that_names_them() -> None:
    sheet = "@import 'a.css';@import url(b.css) print;@import 'c.css' layer(x) screen;p{}"
    html = f"<style>{sheet}</style>"
    found = held(html, a="A", b="B", c="@import 'd.css';C", d="D")
    assert found == ["A", "D", "@import 'd.css';C", sheet]


def test_a_circle_of_imports_comes_to_an_end() -> None:
    found = held("<link rel=stylesheet href=a.css>", a="@import 'a.css';")
    assert found == ["@import 'a.css';"] * (DEEPEST_IMPORT + 1)


def test_a_byte_order_mark_is_not_part_of_a_sheet() -> None:
    assert held("<link rel=stylesheet href=a.css>", a="\ufeffp{}") == ["p{}"]
