"""Pictures of pages: the whole page, one pixel for one CSS pixel."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from pagesight.page import Page
from pagesight.render import AnyRenderer, Picture, open_renderer
from pagesight.render.renderer import LONGEST_SIDE
from pagesight.sources import Source, load
from serving import website

TALL = b"""<!doctype html><style>body { margin: 0 } div { height: 1500px; background: #f00 }
p { margin: 0; height: 500px; background: #00f }</style><div></div><p></p>"""
Look = Callable[[Source], tuple[Page, Picture | None]]


@pytest.fixture(params=[pytest.param("chromium", marks=pytest.mark.browser), "embedded"])
def look(request: pytest.FixtureRequest) -> Iterator[Look]:
    with open_renderer(request.param) as renderer:
        yield renderer.render_with_picture


def opened(picture: Picture | None) -> Image.Image:
    assert picture is not None
    image = Image.open(io.BytesIO(picture.data)).convert("RGB")
    assert image.size == (picture.width, picture.height)
    return image


def test_the_whole_page_is_in_the_picture(look: Look) -> None:
    page, picture = look(load(TALL))
    image = opened(picture)

    assert image.size == page.info.size == (1280, 2000)
    assert image.getpixel((640, 1490)) == (255, 0, 0)
    assert image.getpixel((640, 1990)) == (0, 0, 255)


def test_pictures_within_the_page_are_in_the_picture(look: Look) -> None:
    drawing = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='40' height='40'"
    drawing += "%3E%3Crect width='40' height='40' fill='%23010203'/%3E%3C/svg%3E"
    html = (
        "<!doctype html><style>body { margin: 0 } img { display: block } div { height: 40px; "
        f'background: url("{drawing}") }}</style><img src="{drawing}"><div></div>'
    )
    image = opened(look(load(html.encode()))[1])

    assert image.getpixel((20, 20)) == (1, 2, 3)
    assert image.getpixel((20, 60)) == (1, 2, 3)


def test_the_page_is_the_same_with_a_picture_and_without() -> None:
    with open_renderer("embedded") as renderer:
        assert renderer.render(load(TALL)) == renderer.render_with_picture(load(TALL))[0]


def test_pictures_of_the_page_are_in_it(look: Look, tmp_path: Path) -> None:
    Image.new("RGB", (50, 50), "#0f0").save(tmp_path / "green.png")
    (tmp_path / "page.html").write_text("<body style='margin:0'><img src=green.png>")
    assert opened(look(load(tmp_path / "page.html"))[1]).getpixel((25, 25)) == (0, 255, 0)


def test_a_picture_has_a_longest_side(look: Look) -> None:
    page, picture = look(load(b"<div style='height: 30000px; background: #eee'></div>"))
    assert page.info.size[1] > LONGEST_SIDE
    assert opened(picture).height == LONGEST_SIDE


@pytest.mark.browser
@pytest.mark.parametrize(
    "more", ["", "height: 3000px", "width: 1500px", "width: 1500px; height: 3000px"]
)
def test_a_page_from_right_to_left(more: str, chromium: AnyRenderer) -> None:
    html = (
        "<!doctype html><html dir=rtl><body style='margin:0'><p style='margin:0;width:100px;"
        f"height:50px;background:#f00'></p><div style='{more}'></div>"
    )
    page, picture = chromium.render_with_picture(load(html.encode()))
    x, y, width, height = map(int, page.find("p")[0].box)
    image = opened(picture)
    for point in [(x, y), (x + width - 1, y + height - 1)]:
        assert image.getpixel(point) == (255, 0, 0)
    assert image.getpixel((x - 1, y)) == (255, 255, 255)


@pytest.mark.live
def test_a_page_at_its_address(chromium: AnyRenderer) -> None:
    with website({"/": TALL}) as server:
        _, picture = chromium.render_with_picture(load(server.address))
    assert opened(picture).getpixel((640, 1990)) == (0, 0, 255)


def test_sheets_of_a_pdf_are_stacked() -> None:
    sheets = [Image.new("RGB", (300, 200), color) for color in ("#f00", "#00f")]
    out = io.BytesIO()
    sheets[0].save(out, "PDF", save_all=True, append_images=sheets[1:], resolution=96)
    with open_renderer() as renderer:
        page, picture = renderer.render_with_picture(load(out.getvalue()))
    image = opened(picture)

    assert image.size == page.info.size == (300, 400)
    assert image.getpixel((150, 20)) == pytest.approx((255, 0, 0), abs=50)
    assert image.getpixel((150, 380)) == pytest.approx((0, 0, 255), abs=50)


def test_a_saved_page_has_no_picture(tmp_path: Path) -> None:
    with open_renderer("embedded") as renderer:
        renderer.render(load(TALL)).save(tmp_path / "page.pagesight")
        page, picture = renderer.render_with_picture(load(tmp_path / "page.pagesight"))
    assert picture is None
    assert page.info.size == (1280, 2000)
