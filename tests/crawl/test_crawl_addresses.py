from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from pagesight.crawl.addresses import cleaned, file_of, key_of, links, site_of

BASE = "http://tea.example/green/"


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("HTTP://Tea.Example", "http://tea.example/"),
        ("https://tea.example:443/a#top", "https://tea.example/a"),
        (" http://tea.example:8080/a b ", "http://tea.example:8080/a%20b"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("ftp://tea.example/", None),
        ("javascript:alert(1)", None),
        ("mailto:tea@example.com", None),
        ("http://", None),
        ("http://[", None),
        ("http://tea.example:port/", None),
        ("tea.example", None),
        ("http://tea.example/" + "a" * 3000, None),
    ],
)
def test_addresses_of_the_web(given: str, wanted: str | None) -> None:
    assert cleaned(given) == wanted


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://a.example/b", "http://a.example/b/", True),
        ("http://a.example", "http://a.example/", True),
        ("http://a.example/b", "https://a.example/b", True),
        ("http://a.example/?x=1&y=2", "http://a.example/?y=2&x=1", True),
        ("http://a.example/%7Eb", "http://a.example/~b", True),
        ("http://a.example/b", "http://a.example/B", False),
        ("http://a.example/?x=1", "http://a.example/?x=2", False),
        ("http://a.example:81/", "http://a.example/", False),
    ],
)
def test_addresses_of_one_page(one: str, other: str, same: bool) -> None:
    assert (key_of(one) == key_of(other)) == same


def test_links_in_their_order_each_once() -> None:
    html = """<a href="b">1</a> <a href="/c#x">2</a> <a href="b#y">1</a> <a href="mailto:x">-</a>
    <a href="">self</a> <a href="picture.png">-</a> <a href="//other.example">3</a>
    <a href="d" rel=nofollow>-</a> <a href="e.pdf">-</a> <a href="f.html">4</a>
    <a href="g.php">5</a> <a href="http://[">-</a>"""
    found = links(LexborHTMLParser(html), BASE, 10)
    assert found == (
        BASE + "b",
        "http://tea.example/c",
        "http://other.example/",
        BASE + "f.html",
        BASE + "g.php",
    )
    assert links(LexborHTMLParser(html), BASE, 2) == found[:2]
    assert links(LexborHTMLParser(html), BASE, 0) == ()


def test_links_are_relative_to_the_base() -> None:
    html = '<base href="http://other.example/x/"><a href="y">1</a>'
    assert links(LexborHTMLParser(html), BASE, 10) == ("http://other.example/x/y",)


def test_pages_that_want_no_links_followed() -> None:
    html = '<meta name="Robots" content="noindex, NoFollow"><a href="y">1</a>'
    assert links(LexborHTMLParser(html), BASE, 10) == ()


def test_sites() -> None:
    assert site_of("http://www.tea.example/a") == site_of("https://tea.example/b") == "tea.example"
    assert site_of("http://shop.tea.example/") != "tea.example"


def test_files_stay_in_their_folder() -> None:
    file = file_of("http://tea.example:81/../../etc/passwd?a=1", ".html")
    assert file.startswith("tea.example_81/etc-passwd-")
    assert file.endswith(".html")
    assert file != file_of("http://tea.example:81/../../etc/passwd?a=2", ".html")
