"""What a sheet shows besides lines, and where: pictures, coloured shapes, links, rotation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_pdfs import PX, assemble, link, pdf, stream, text

from pagesight.page import Box, Node, Page, Visibility
from pagesight.render.geometry import IDENTITY, Matrix, multiply
from pagesight.render.pdf import page_from_pdf
from pagesight.render.pdf.document import picture_of_pdf
from pagesight.render.pdf.geometry import Frame, placed, tame, tame_number, turned
from pagesight.render.renderer import Picture

WHITE_TEXT = "1 1 1 rg " + text(72, 700, "pale") + " 0 0 0 rg "
NUMBERS = st.floats(-1000, 1000)
MATRICES = st.tuples(*[NUMBERS] * 6)


def near(box: Box, *sides: float) -> bool:
    return all(math.isclose(a, b, abs_tol=0.01) for a, b in zip(box, sides, strict=True))


def only(page: Page, tag: str) -> Node:
    (node,) = page.find(tag)
    return node


def picture(x: float, y: float, width: float, height: float) -> str:
    """The operators that draw the one picture of `pdf`, in points from the lower left corner."""
    return f"q {width} 0 0 {height} {x} {y} cm /P Do Q "


def with_form(content: str, form: str, matrix: str = "1 0 0 1 0 0") -> bytes:
    """A PDF of one page that may show a form, `/G Do`, with a picture, `/P Do`, and a font."""
    image = stream("\0", "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 "
                   "/ColorSpace /DeviceGray")  # fmt: skip
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    entries = f"/Type /XObject /Subtype /Form /BBox [0 0 1000 1000] /Matrix [{matrix}] "
    resources = "/Resources << /XObject << /P 4 0 R /G 5 0 R >> /Font << /F 6 0 R >> >>"
    return assemble(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [7 0 R] /Count 1 >>",
            "<< >>",
            image,
            stream(form, f"{entries} {resources}"),
            font,
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] {resources} /Contents 8 0 R >>",
            stream(content),
        ]
    )


# Pictures and shapes


def test_a_picture_is_where_it_is_drawn() -> None:
    page = page_from_pdf(pdf(picture(72, 700, 100, 50)))
    box = only(page, "img").box
    assert near(box, 72 * PX, (842 - 750) * PX, 100 * PX, 50 * PX)


def test_a_picture_is_cut_at_the_edge_of_the_sheet() -> None:
    page = page_from_pdf(pdf(picture(545, 700, 100, 50)))
    assert near(only(page, "img").box, 545 * PX, (842 - 750) * PX, 50 * PX, 50 * PX)


def test_a_picture_beside_the_sheet_is_left_out() -> None:
    assert not page_from_pdf(pdf(picture(-200, 700, 100, 50))).find("img")


def test_a_picture_in_a_form_is_moved_with_it() -> None:
    data = with_form("q 2 0 0 2 10 20 cm /G Do Q", picture(5, 10, 50, 40), "1 0 0 1 100 0")
    # The form moves by (100, 0), and is then doubled and moved by (10, 20).
    box = only(page_from_pdf(data), "img").box
    assert near(box, (2 * 105 + 10) * PX, (800 - (2 * 50 + 20)) * PX, 100 * PX, 80 * PX)


def test_a_form_that_shows_itself_comes_to_an_end() -> None:
    page = page_from_pdf(with_form("/G Do", picture(0, 0, 50, 50) + "/G Do"))
    assert 1 <= len(page.find("img")) <= 7


def test_white_text_is_seen_on_a_coloured_shape_only() -> None:
    def visibility(shape: str) -> Visibility:
        page = page_from_pdf(pdf(shape + WHITE_TEXT))
        return next(node for node in page if node.own_text == "pale").visibility

    assert visibility("") is Visibility.SAME_COLOR
    assert visibility("0 0 1 rg 60 680 200 60 re f ") is Visibility.VISIBLE
    assert visibility("0 0 1 rg 60 680 200 60 re S ") is Visibility.SAME_COLOR  # an outline
    assert visibility("1 1 1 rg 60 680 200 60 re f ") is Visibility.SAME_COLOR  # a white one
    assert visibility("0 0 1 rg 300 680 200 60 re f ") is Visibility.SAME_COLOR  # elsewhere


@pytest.mark.parametrize(
    ("content", "is_scan"),
    [
        (picture(0, 0, 595, 842), True),
        (picture(0, 0, 595, 400), False),  # less than half of the sheet
        (picture(0, 0, 595, 842) + text(72, 700, "tea"), False),
        ("", False),
    ],
)
def test_a_scan_is_a_large_picture_without_text(content: str, is_scan: bool) -> None:
    """Beside a sheet of text, so that the note counts the scans."""
    page = page_from_pdf(pdf(text(72, 700, "cover"), content))
    details = [note.detail for note in page.info.notes]
    assert details == (["1 of 2 sheets are pictures"] if is_scan else [])


# Links


def test_a_link_holds_the_characters_under_it() -> None:
    content = text(72, 700, "green tea and more")
    page = page_from_pdf(pdf(content, annotations=[link("https://tea.example/", "72 695 112 712")]))
    anchor = only(page, "a")
    assert anchor.text == "green tea"
    assert anchor.target == "https://tea.example/"


def test_a_link_over_nothing_is_an_empty_box() -> None:
    page = page_from_pdf(pdf(text(72, 700, "tea"), annotations=[link("x:y", "200 200 250 220")]))
    anchor = only(page, "a")
    assert anchor.text == ""
    assert near(anchor.box, 200 * PX, (842 - 220) * PX, 50 * PX, 20 * PX)


@pytest.mark.parametrize(
    "annotation",
    [
        "<< /Type /Annot /Subtype /Link /Rect [72 695 112 712] /Dest [1 0 R /Fit] >>",
        "<< /Type /Annot /Subtype /Link /Rect [72 695 112 712] >>",
        "<< /Type /Annot /Subtype /Text /Rect [72 695 112 712] /Contents (note) >>",
        link("", "72 695 112 712"),
        link("https://tea.example/", "-200 -200 -100 -100"),
    ],
)
def test_what_leads_to_no_address_or_is_not_on_the_sheet_is_not_a_link(annotation: str) -> None:
    assert not page_from_pdf(pdf(text(72, 700, "green tea"), annotations=[annotation])).find("a")


def test_a_link_over_two_lines_has_an_area_on_each() -> None:
    quads = "/QuadPoints [72 712 112 712 72 695 112 695 72 692 92 692 72 676 92 676]"
    annotation = link("https://tea.example/", "72 676 112 712").replace(
        "/Subtype", f"{quads} /Subtype"
    )
    content = text(72, 700, "green tea and") + text(72, 680, "cake or more")
    page = page_from_pdf(pdf(content, annotations=[annotation]))
    assert [node.text for node in page.find("a")] == ["green tea", "cake"]


# Pictures of the whole


def test_the_picture_has_the_size_of_the_page() -> None:
    data = pdf(text(72, 700, "one"), text(72, 700, "two"))
    taken, page = Picture.of_png(picture_of_pdf(data)), page_from_pdf(data)
    assert abs(taken.width - page.info.size[0]) <= 1
    assert abs(taken.height - page.info.size[1]) <= 1


# Geometry


@given(MATRICES, MATRICES, MATRICES)
def test_multiplication_is_one_after_the_other(one: Matrix, two: Matrix, three: Matrix) -> None:
    def moved(point: tuple[float, float], matrix: Matrix) -> tuple[float, float]:
        a, b, c, d, e, f = matrix
        return a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f

    once = moved((3.0, 4.0), multiply(multiply(one, two), three))
    in_turn = moved(moved(moved((3.0, 4.0), one), two), three)
    assert once == pytest.approx(in_turn, rel=1e-6, abs=1e-3)
    assert multiply(IDENTITY, one) == pytest.approx(one)
    assert multiply(one, IDENTITY) == one


@given(MATRICES, st.tuples(*[NUMBERS] * 4))
def test_a_placed_rectangle_is_the_box_around_its_corners(
    matrix: Matrix, rectangle: tuple[float, float, float, float]
) -> None:
    a, b, c, d, e, f = matrix
    x0, y0, x1, y1 = rectangle
    corners = [(x, y) for x in (x0, x1) for y in (y0, y1)]
    x = [min(max(a * px + c * py + e, -1e6), 1e6) for px, py in corners]
    y = [min(max(b * px + d * py + f, -1e6), 1e6) for px, py in corners]
    assert placed(rectangle, matrix) == pytest.approx((min(x), min(y), max(x), max(y)), abs=1e-3)


@given(st.lists(st.floats(), max_size=20))
def test_tame_numbers_are_finite(numbers: list[float]) -> None:
    tamed = tame(np.array(numbers, dtype=np.float64))
    assert np.isfinite(tamed).all()
    assert (np.abs(tamed) <= 1e6).all()
    assert tamed.tolist() == [tame_number(number) for number in numbers]


@given(st.integers(0, 359), NUMBERS, NUMBERS)
def test_turning_keeps_distances(turn: int, along: float, across: float) -> None:
    x, y = turned(np.array([along]), np.array([across]), np.array([turn]))
    assert math.hypot(x[0], y[0]) == pytest.approx(math.hypot(along, across), abs=1e-6)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_what_is_on_the_sheet_stays_on_it_when_the_page_is_rotated(rotation: int) -> None:
    page = page_from_pdf(pdf(picture(100, 200, 50, 30), page=f"/Rotate {rotation}"))
    size, box = page.info.size, only(page, "img").box
    wide = rotation % 180 == 0
    assert size == pytest.approx((595 * PX, 842 * PX) if wide else (842 * PX, 595 * PX), abs=0.1)
    assert (box.width > box.height) is wide
    assert 0 <= box.x < box.right <= size[0] + 0.1
    assert 0 <= box.y < box.bottom <= size[1] + 0.1


def test_a_rectangle_is_cut_to_the_sheet() -> None:
    frame = Frame(IDENTITY, 100.0, 50.0)
    extents = np.array([(-10, -10, 20, 20), (90, 40, 200, 200), (200, 0, 300, 20)], dtype=float)
    assert frame.visible(extents).tolist() == [[0, 0, 20, 20], [90, 40, 100, 50], [100, 0, 100, 20]]
