from __future__ import annotations

import pytest

from pagesight.page import Display
from small_pages import El, document, el, make_page


def meta(content: str | None, **names: str) -> El:
    attributes = {name.replace("_", "-"): value for name, value in names.items()}
    return el(
        "meta", attributes=attributes if content is None else {**attributes, "content": content}
    )


def linked_data(text: str, kind: str = "application/ld+json") -> El:
    return el("script", text, attributes={"type": kind})


def test_a_page_that_says_nothing() -> None:
    head = make_page(el("html", el("body"))).head

    assert (head.title, head.language, head.canonical) == (None, None, None)
    assert (head.meta, head.linked_data) == ((), ())
    assert head.base == "https://tea.example/shop/green.html"
    assert head.get("description") is None


def test_title_and_language() -> None:
    page = make_page(
        el(
            "html",
            el("head", el("title", "  Green\n tea "), el("title", "Second")),
            attributes={"lang": "en-GB"},
        )
    )
    assert page.head.title == "Green tea"
    assert page.head.language == "en-GB"


def test_the_title_of_a_picture_is_not_the_page_s() -> None:
    page = make_page(el("svg", el("title", "Icon")), el("title", "Tea"))
    assert page.head.title == "Tea"
    assert make_page(el("svg", el("title", "Icon"))).head.title is None


def test_html_inside_of_a_picture_is_html() -> None:
    page = make_page(el("svg", el("foreignObject", el("title", "Odd"))))
    assert page.head.title == "Odd"


def test_a_frame_says_nothing_about_the_page() -> None:
    inner = el(
        "html",
        el("title", "Advertisement"),
        meta("Buy!", name="description"),
        el("link", attributes={"rel": "canonical", "href": "/ad"}),
        linked_data("{}"),
        attributes={"lang": "fr"},
    )
    page = make_page(
        el("html", el("iframe", document(inner)), meta("Tea", name="description"), el("title", "T"))
    )
    head = page.head

    assert (head.title, head.language, head.canonical) == ("T", None, None)
    assert head.meta == (("description", "Tea"),)
    assert head.linked_data == ()


def test_meta() -> None:
    head = make_page(
        meta(" first ", name=" Description "),
        meta("second", name="description"),
        meta("", property="og:title"),
        meta("Tea", property="og:title"),
        meta("both", name="author", property="og:author"),
        meta("5", itemprop="price"),
        meta("text/html", http_equiv="Content-Type"),
        meta(None, name="empty"),
        meta("nameless"),
    ).head

    assert head.meta == (
        ("description", "first"),
        ("description", "second"),
        ("og:title", ""),
        ("og:title", "Tea"),
        ("author", "both"),
        ("price", "5"),
        ("content-type", "text/html"),
        ("empty", ""),
    )
    assert head.get("description") == "first"
    assert head.get("Description") == "first"
    assert head.get("og:title") == "Tea"
    assert head.get("twitter:title", "og:title", "description") == "Tea"
    assert head.get("description", "og:title") == "first"
    assert head.get("empty") is None


@pytest.mark.parametrize(
    ("attributes", "canonical"),
    [
        ({"rel": "canonical", "href": "/tea"}, "https://tea.example/tea"),
        ({"rel": "nofollow Canonical", "href": " tea "}, "https://tea.example/shop/tea"),
        ({"rel": "canonical"}, None),
        ({"rel": "canonical", "href": ""}, None),
        ({"rel": "canonical", "href": "http://["}, None),
        ({"rel": "alternate", "href": "/tea"}, None),
        ({"href": "/tea"}, None),
    ],
)
def test_canonical(attributes: dict[str, str], canonical: str | None) -> None:
    assert make_page(el("link", attributes=attributes)).head.canonical == canonical


def test_linked_data() -> None:
    head = make_page(
        linked_data('{"@type": "Product", "offers": [{"price": 5}]}'),
        linked_data('["a", "b"]', " Application/LD+JSON "),
        linked_data('{"broken": '),
        linked_data(""),
        linked_data("[" * 100_000),
        linked_data('{"line\nbreak": 1}'),
        linked_data('{"no": 1}', "application/json"),
        el("script", "{}"),
        el("p", linked_data('{"deep": 1}'), display=Display.BLOCK),
    ).head

    assert head.linked_data == (
        {"@type": "Product", "offers": [{"price": 5}]},
        ["a", "b"],
        {"line\nbreak": 1},
        {"deep": 1},
    )
