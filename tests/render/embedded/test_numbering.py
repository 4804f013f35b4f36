"""Whose a painted thing is, and that telling it changes nothing of how the page looks."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from pagesight.page import Decoration, Page, Visibility
from pagesight.render import AnyRenderer
from pagesight.render.embedded.numbering import lined
from pagesight.sources import Request, load


def see(embedded: AnyRenderer, html: str) -> Page:
    return embedded.render(load(("<!doctype html>" + html).encode()))


def decorations(page: Page) -> dict[str, Decoration]:
    return {
        node.own_text: Decoration(int(page.columns["decoration"][node.id]))
        for node in page
        if node.own_text.strip()
    }


@pytest.mark.parametrize(
    ("css", "engine"),
    [
        ("a{text-decoration:none}", "a{text-decoration-line:overline}"),
        ("a{text-decoration: underline dotted red}", "a{text-decoration-line:underline}"),
        ("a{TEXT-DECORATION-LINE:Line-Through !important}",
         "a{text-decoration-line:line-through!important}"),
        ("a{text-decoration:inherit;color:red}", "a{text-decoration-line:inherit;color:red}"),
        ("a{text-decoration-color:red}", "a{text-decoration-color:red}"),
        ("a{-webkit-text-decoration:none}", "a{-webkit-text-decoration:none}"),
        ("a{all:unset}", "a{all:unset;text-decoration-line:overline}"),
        ("a{transition:all .2s;overall:none}", "a{transition:all .2s;overall:none}"),
        ("a{background-color:transparent}", "a{background-color:transparent}"),
    ],
)  # fmt: skip
def test_stylesheets_get_a_line_along_all_texts(css: str, engine: str) -> None:
    assert lined(css) == engine


def test_the_lines_of_the_page_are_told_from_ours(embedded: AnyRenderer) -> None:
    page = see(
        embedded,
        "<style>.bare{text-decoration:none} .all{text-decoration:underline line-through}</style>"
        "<p>text <a href=x>link</a> <a href=x class=bare>bare</a> <a>anchor</a> <u>u</u> <s>s</s> "
        "<b class=all>both</b> <i style='text-decoration:underline'>own</i></p>",
    )

    found = decorations(page)
    assert found["text "] == found["bare"] == found["anchor"] == Decoration.NONE
    assert found["link"] == found["u"] == found["own"] == Decoration.UNDERLINE
    assert found["s"] == Decoration.LINE_THROUGH
    assert found["both"] == Decoration.UNDERLINE | Decoration.LINE_THROUGH


def test_a_line_goes_on_in_what_an_element_holds(embedded: AnyRenderer) -> None:
    page = see(embedded, "<p><a href=x>one <b>two</b></a>")

    assert decorations(page) == {"one ": Decoration.UNDERLINE, "two": Decoration.UNDERLINE}


@pytest.mark.parametrize(
    "style",
    [
        "all:unset", "all: initial", "text-decoration:initial", "text-decoration:none!important",
        "outline:none!important", "outline:3px dotted red!important;outline-offset:9px",
        "text-decoration:wavy underline 4px #5b0001", "transform:scale(.5)",
        "transform:rotate(30deg);margin:200px;width:150px", "direction:rtl",
        "letter-spacing:-1px", "letter-spacing:4px",
        "text-transform:uppercase", "font-variant:small-caps", "text-align:justify", "float:left",
        "display:inline-block", "position:absolute", "display:flex", "writing-mode:vertical-rl",
    ],
)  # fmt: skip
def test_no_style_takes_the_text_from_its_element(style: str, embedded: AnyRenderer) -> None:
    page = see(
        embedded,
        f"<p>before</p><div style='{style}'>two <i>three</i> 漢字 four</div><p>after</p>",
    )

    assert page.root.text.split() == "before two three 漢字 four after".split()
    assert all(node.visible for node in page if node.own_text.strip())


def test_frames_in_colours_like_numbers_are_borders(embedded: AnyRenderer) -> None:
    page = see(embedded, "<p style='border:2px solid #5b0002;width:100px'>a</p><p>b</p>")

    assert page.find("p")[0].style.border == (2, 2, 2, 2)
    assert page.find("p")[0].box.width == 104
    assert page.find("body")[0].box.width > 1000


def test_transparent_text_is_found_but_not_seen(embedded: AnyRenderer) -> None:
    page = see(embedded, "<p style='color:transparent'>unseen</p><p>seen")
    unseen = page.find("p")[0].children[0]

    assert unseen.box.width > 20
    assert unseen.visibility is Visibility.TRANSPARENT


def test_boxes_of_all_kinds_have_their_size(embedded: AnyRenderer) -> None:
    page = see(
        embedded,
        "<style>div{width:300px;height:20px}td{width:50px;height:30px;padding:0}"
        "table{border-spacing:0}</style>"
        "<div></div><table><tr><td><td></table>"
        "<div style='overflow:hidden'><div style='height:60px'>x</div></div>",
    )

    sizes = [(node.box.width, node.box.height) for node in page.find("div")]
    assert sizes == [(300, 20), (300, 20), (300, 60)]
    assert (page.find("tr")[0].box.width, page.find("tr")[0].box.height) == (100, 30)
    assert (page.find("table")[0].box.width, page.find("td")[0].box.width) == (100, 50)


@pytest.mark.parametrize(
    "css",
    [
        "a{color:blue; /* text-decoration: none */ display:inline} .h{display:none}",
        "a{text-decoration:none /* no line } */} .h{display:none}",
        "a{text-decoration:none} a[href*='text-decoration: x'] b, .h{display:none}",
        "a::after{content:'text-decoration: none'} .h{display:none}",
        "p{text-decoration/**/:none} .h{display:none}",
        "p{text-dec\\6fration:none} .h{display:none}",
    ],
)
def test_odd_styles_lose_neither_text_nor_rules(css: str, embedded: AnyRenderer) -> None:
    page = see(embedded, f"<style>{css}</style><p>one <a href=x>two</a></p><p class=h>hidden")

    assert page.root.text == "one two"


@pytest.mark.parametrize("name", ["style.css", "style.php", "css2"])
def test_stylesheets_of_any_name_leave_the_text(
    name: str, embedded: AnyRenderer, tmp_path: Path
) -> None:
    (tmp_path / name).write_text("p { text-decoration: none }")
    (tmp_path / "page.html").write_text(f"<link rel=stylesheet href={name}><p>text</p>")

    assert embedded.render(load(Request(source=tmp_path / "page.html"))).root.text == "text"


def test_stylesheets_in_addresses_leave_the_text(embedded: AnyRenderer) -> None:
    sheet = b64encode(b"p{text-decoration:none}").decode()
    page = see(embedded, f"<link rel=stylesheet href='data:text/css;base64,{sheet}'><p>text</p>")

    assert page.root.text == "text"


def test_pictures_for_people_have_no_lines_and_a_white_ground(embedded: AnyRenderer) -> None:
    _, picture = embedded.render_with_picture(load(b"<!doctype html><p>hello"))
    assert picture is not None
    with Image.open(BytesIO(picture.data)) as image:
        assert image.convert("RGB").getpixel((600, 400)) == (255, 255, 255)
