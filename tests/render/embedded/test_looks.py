"""What older and newer pages do to their looks, and the engine does not do by itself."""

from __future__ import annotations

from base64 import b64encode

import pytest

from pagesight.page import Display, Page, Visibility
from pagesight.render import AnyRenderer
from pagesight.sources import load


def see(embedded: AnyRenderer, html: str) -> Page:
    return embedded.render(load(("<!doctype html>" + html).encode()))


def text_of(page: Page, tag: str) -> Visibility:
    return page.find(tag)[0].children[0].visibility


@pytest.mark.parametrize(
    "gradient",
    [
        "linear-gradient(#000, #333)",
        "-webkit-linear-gradient(top, rgba(0,0,0,.5) 0%, rgb(10,10,10) 100%)",
        "repeating-radial-gradient(circle at calc(50% + (2px)), navy, black)",
    ],
)
def test_a_gradient_is_a_picture_behind_the_text(embedded: AnyRenderer, gradient: str) -> None:
    page = see(embedded, f"<p style='color:#fff;background:{gradient}'>light")

    assert text_of(page, "p") is Visibility.VISIBLE
    assert page.find("p")[0].style.has_background_image


def test_a_background_that_is_not_to_be_had_is_still_a_picture(embedded: AnyRenderer) -> None:
    page = see(embedded, "<p style='color:#fff;background:url(https://x.example/a.jpg)'>light")

    assert text_of(page, "p") is Visibility.VISIBLE
    assert [note.kind for note in page.info.notes] == ["blocked"]


def test_white_text_without_a_picture_is_hidden(embedded: AnyRenderer) -> None:
    page = see(embedded, "<p style='color:#fff'>light")

    assert text_of(page, "p") is Visibility.SAME_COLOR


def test_pictures_within_addresses_have_their_size(embedded: AnyRenderer) -> None:
    gif = b64encode(b"GIF89a" + bytes((40, 0, 30, 0)) + bytes(20)).decode()
    page = see(embedded, f"<img src='data:image/gif;base64,{gif}'>")

    box = page.find("img")[0].box
    assert (box.width, box.height) == (40, 30)


def test_colours_of_old_belong_to_their_cells(embedded: AnyRenderer) -> None:
    page = see(
        embedded,
        "<table><tr bgcolor=#cc0000><td><font color=#ffffff>one</font><td bgcolor=navy>two</table>",
    )
    first, second = page.find("td")

    assert first.style.background == "#cc0000"
    assert second.style.background == "#000080"
    assert all(node.visible for node in page.find("font")[0].children)


def test_tables_of_old_stand_in_the_middle(embedded: AnyRenderer) -> None:
    page = see(
        embedded,
        "<table align=center width=400><tr><td>a</table>"
        "<center><table width=400><tr><td>b</table></center>",
    )
    for table in page.find("table"):
        assert table.box.x == pytest.approx(440, abs=1)


def test_inline_elements_set_apart_are_blocks(embedded: AnyRenderer) -> None:
    page = see(
        embedded,
        "<div style='display:flex;justify-content:space-between'><a>left</a><a>right</a></div>"
        "<div><b style='display:block'>over</b><b style='display:block'>under</b></div>"
        "<p><i>one</i> <i>line</i></p>",
    )

    assert page.root.text.splitlines() == ["left", "right", "over", "under", "one line"]
    assert [node.style.display for node in page.find("i")] == [Display.INLINE] * 2


def test_an_inline_element_that_goes_on_in_the_next_line_is_no_block(embedded: AnyRenderer) -> None:
    names = "".join(f"<span><a>Anna Bertha Carla{n}</a><sup>{n}</sup></span> " for n in range(9))
    page = see(embedded, f"<div style='width:300px'>{names}</div>")

    assert {node.style.display for node in page.find("span")} == {Display.INLINE}
    assert {node.style.display for node in page.find("a")} == {Display.INLINE}
