"""What is seen of a part: its items, its HTML, its picture."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from pagesight.page import Page
from pagesight.render import AnyRenderer
from pagesight.sources import load
from pagesight.watch.fragments import Fragments
from pagesight.watch.items import items_of
from pagesight.watch.observing import Shown, box_of
from pagesight.watch.values import Status

Render = Callable[[str], Page]


def titles(page: Page, tag: str = "section") -> list[str]:
    return [item.title for item in items_of(page, [node.id for node in page.find(tag)])]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>", "A B"),
        ("<h2>News</h2><ul><li><a href=/a>Alpha</a><li><a href=/b>Beta</a></ul>", "Alpha Beta"),
        # Cards: the link with the most words is the title, however many there are.
        (
            "<div><a href=/1><b>Green</b></a><p>by <a href=/x>X</a></p></div>"
            "<div><a href=/2><b>Black</b></a><p>by <a href=/y>Y</a></p></div>",
            "Green Black",
        ),
        (
            "<div><h3><a href=/1>Green</a></h3><a href=/x>Somebody Long</a></div>"
            "<div><a href=/2></a><h3>Black</h3><a href=/y>Somebody Else</a></div>",
            "Green Black",
        ),
        # Lists in sections: the entries, not the sections.
        (
            "<div><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></div>"
            "<div><ul><li><a href=/c>C</a><li><a href=/d>D</a></ul></div>",
            "A B C D",
        ),
        ("<p>One</p><p>Two</p><p>Three</p>", "One Two Three"),
        # What heads the items is not one of them.
        ("<div>News</div><div><a href=/a>A</a></div><div><a href=/b>B</a></div>", "A B"),
        (
            "<div><h2><a href=/all>News</a></h2></div><div><a href=/a>A</a></div>"
            "<div><a href=/b>B</a></div>",
            "A B",
        ),
        (
            "<div><h3>One</h3></div><div><h3>Two</h3></div><div><h3>Three</h3></div>",
            "One Two Three",
        ),
        ("<table><tr><td>1<td>2<tr><td>3<td>4</table>", "1 3"),  # rows, not cells
        ("<p>12 €</p>", ""),
        ("<ul><li><a href=/a>A</a><li style='display:none'><a href=/b>B</a></ul>", ""),
        ("<h2>Tea</h2><p>A long text that says a lot.</p><i>a</i> <i>b</i>", ""),  # hardly covered
    ],
)
def test_items(lay_out: Render, html: str, found: str) -> None:
    page = lay_out(f"<section>{html}</section>")
    assert " ".join(title.replace("\n", "") for title in titles(page)) == found


def test_the_first_cell_names_a_row(lay_out: Render) -> None:
    page = lay_out("<section><table><tr><td>1<td>2<tr><td>3<td>4</table></section>")
    (section,) = page.find("section")
    assert [item.text.split() for item in items_of(page, [section.id])] == [["1", "2"], ["3", "4"]]


def test_a_part_of_several_elements_has_them_as_items(lay_out: Render) -> None:
    page = lay_out("<div><section>One</section><p>x</p><section>Two</section></div>")
    assert titles(page) == ["One", "Two"]


def test_an_item_says_where_it_leads(lay_out: Render) -> None:
    page = lay_out("<ul><li><a href=/a>A</a><li><a href=b>B</a></ul>")
    (part,) = page.find("ul")
    urls = [item.url for item in items_of(page, [part.id], "https://tea.example/x/")]
    assert urls == ["https://tea.example/a", "https://tea.example/x/b"]


# HTML


def fragment(renderer: AnyRenderer, html: str, tag: str, url: str | None = None) -> str:
    source = load(html.encode(), url=url)
    page = renderer.render(source)
    return Fragments(page, source).html([node.id for node in page.find(tag)])


def test_the_html_is_that_of_the_source_with_absolute_addresses(embedded: AnyRenderer) -> None:
    html = (
        '<div><p data-x="1" onclick="x()">Tea &amp; <a href="a?b=1&amp;c">cake</a></p>'
        '<img srcset="s.png 1x, //cdn.example/l.png 2x" src="/s.png"><script>x()</script></div>'
    )
    assert fragment(embedded, html, "div", "https://tea.example/x/") == (
        '<div><p data-x="1">Tea &amp; <a href="https://tea.example/x/a?b=1&amp;c">cake</a></p>'
        '<img srcset="https://tea.example/x/s.png 1x, https://cdn.example/l.png 2x" '
        'src="https://tea.example/s.png"></div>'
    )


@pytest.mark.parametrize("is_shown", [True, False])
def test_what_could_run_is_left_out(embedded: AnyRenderer, *, is_shown: bool) -> None:
    html = (
        '<div onclick="x()"><a href="javascript:x()">Tea</a> '
        '<a href=" java&#10;Script:x()">cake</a>'
        '<iframe srcdoc="<script>x()</script>"></iframe>'
        '<a title="JavaScript: a book" href="https://tea.example/">book</a></div>'
    )
    page = embedded.render(load(html.encode()))
    (part,) = page.find("div")
    source = load(html.encode() if is_shown else b"<div>other</div>")
    written = Fragments(page, source).html([part.id])
    assert "<a>Tea</a> <a>cake</a>" in written
    assert not [name for name in ("onclick", "srcdoc", "x()") if name in written]
    assert 'title="JavaScript: a book"' in written
    assert 'href="https://tea.example/"' in written


def test_several_elements(embedded: AnyRenderer) -> None:
    assert fragment(embedded, "<p>A</p><i>-</i><p>B</p>", "p") == "<p>A</p>\n<p>B</p>"


def test_a_page_that_a_script_has_changed_is_written_from_what_is_seen(
    embedded: AnyRenderer,
) -> None:
    source = load(b"<div><p>Loading</p></div>")
    page = embedded.render(load(b'<div><p>Tea &lt; <a href="/a">cake</a><br>now</p></div>'))
    (part,) = page.find("div")
    assert Fragments(page, source).html([part.id]) == (
        '<div><p>Tea &lt; <a href="/a">cake</a><br>now</p></div>'
    )


def test_what_is_hidden_is_not_written_from_the_page(embedded: AnyRenderer) -> None:
    source = load(b"<div>other</div>")
    page = embedded.render(load(b"<div>Tea<b style='display:none'>no</b></div>"))
    (part,) = page.find("div")
    assert "no" not in Fragments(page, source).html([part.id])


def test_a_saved_page_has_html_too(embedded: AnyRenderer) -> None:
    page = embedded.render(load(b"<p class=x>Tea</p>"))
    (part,) = page.find("p")
    assert Fragments(page, load(page.to_bytes())).html([part.id]) == '<p class="x">Tea</p>'


def test_a_deep_part(embedded: AnyRenderer) -> None:
    page = embedded.render(load(b"<div>" * 480 + b"Tea"))
    top = page.find("div")[0]
    written = Fragments(page, load(b"<p>other")).html([top.id])
    assert written.count("<div>") == written.count("</div>") == 480
    assert Fragments(page, load(b"<div>" * 480 + b"Tea")).html([top.id]) == written


def test_addresses_in_a_file_are_those_of_files(embedded: AnyRenderer, tmp_path: Path) -> None:
    path = tmp_path / "tea.html"
    path.write_text('<p><a href="a.html">A</a></p>')
    source = load(path)
    page = embedded.render(source)
    (part,) = page.find("p")
    assert f'href="{(tmp_path / "a.html").as_uri()}"' in Fragments(page, source).html([part.id])


# The whole


def test_a_sight(embedded: AnyRenderer) -> None:
    source = load(b"<body style='margin:0'><p style='margin:0;width:200px;height:50px'>Tea</p>")
    page, picture = embedded.render_with_picture(source)
    (node,) = page.find("p")
    sight = Shown(page, source, picture).sight([node.id], Status.FOUND, confidence=0.9)
    assert (sight.text, sight.xpath, sight.css) == ("Tea", "/html/body/p", "html > body > p")
    assert sight.box == node.box
    assert sight.picture
    image = Image.open(BytesIO(sight.picture))
    assert (image.format, image.size) == ("PNG", (200, 50))
    assert Shown(page, source).sight([node.id], Status.FOUND).picture is None


def test_nothing_is_seen_of_what_is_missing(embedded: AnyRenderer) -> None:
    source = load(b"<p>Tea")
    page, picture = embedded.render_with_picture(source)
    sight = Shown(page, source, picture).sight([], Status.MISSING)
    assert (sight.text, sight.html, sight.items) == ("", "", ())
    assert (sight.box, sight.picture, sight.xpath) == (None, None, None)


def test_the_box_around_several(lay_out: Render) -> None:
    page = lay_out("<body style='margin:0'><p style='margin:0;height:20px'>A</p>"
                   "<p style='margin:0;height:20px'>B</p>")  # fmt: skip
    box = box_of(page, [node.id for node in page.find("p")])
    assert box
    assert (round(box.y), round(box.height)) == (0, 40)


@pytest.mark.browser
def test_the_browser_paints_the_part(chromium: AnyRenderer) -> None:
    style = "width:40px;height:30px;background:#f00"
    source = load(f"<body style='margin:0'><p>x</p><div style='{style}'>T</div>".encode())
    page, picture = chromium.render_with_picture(source)
    (node,) = page.find("div")
    seen = Shown(page, source, picture).sight([node.id], Status.FOUND)
    assert seen.picture
    image = Image.open(BytesIO(seen.picture))
    assert image.size == (40, 30)
    assert image.convert("RGB").getpixel((38, 28)) == (255, 0, 0)
