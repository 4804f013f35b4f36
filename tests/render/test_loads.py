"""What a page did not get, as it appears in the notes of a Page; columns under construction."""

from __future__ import annotations

from math import cos, sin
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pagesight.page import Note
from pagesight.page.columns import SCHEMA
from pagesight.page.head import join
from pagesight.render.columns import compact, default_columns, tree_columns
from pagesight.render.geometry import IDENTITY, Matrix, apply, hull, intersect, moved, multiply
from pagesight.render.resources import (
    BASE,
    DEPTH,
    Loads,
    Neighbourhood,
    numbered_base,
    readable,
    relative,
)

SMALL = st.floats(-100, 100).map(lambda number: round(number, 3))
POINTS = st.tuples(SMALL, SMALL)


@pytest.mark.parametrize("base", [BASE, numbered_base(0), numbered_base(17)])
@pytest.mark.parametrize(
    "address", ["a.css", "deep/a.css", "../a.css", "../../../x/a.css", "/a.css", "/x/y.css"]
)
def test_an_address_appears_as_the_page_has_it(base: str, address: str) -> None:
    url = join(base, address)
    assert url is not None
    assert relative(url) == readable(url) == address


def test_addresses_of_other_sites_stay_whole() -> None:
    assert relative("https://tea.example/a.css") == "https://tea.example/a.css"
    assert relative("http://page.invalid.example/a.css") == "http://page.invalid.example/a.css"


def test_long_addresses_are_cut_in_notes() -> None:
    assert len(readable("https://tea.example/" + "a" * 9999)) == 500


@pytest.mark.parametrize("address", ["http://[", "//[::1"])
def test_what_cannot_be_parsed_is_not_an_address(address: str) -> None:
    assert join(BASE, address) is None


@given(st.integers(0, DEPTH - 1), st.integers(0, 99))
def test_every_climb_within_the_site_is_counted(climbed: int, number: int) -> None:
    address = "../" * climbed + "a.css"
    assert relative(join(numbered_base(number), address) or "") == address


def test_notes_name_the_first_address_and_count_the_others() -> None:
    loads = Loads()
    assert loads.notes() == ()
    loads.missing |= {"b.png", "a.png"}
    assert loads.notes() == (Note("missing", "a.png", 2),)
    loads.blocked.add("z.css")
    assert loads.notes() == (Note("blocked", "z.css", 1), Note("missing", "a.png", 2))


def test_what_is_asked_for_twice_is_noted_once(tmp_path: Path) -> None:
    files, loads = Neighbourhood(tmp_path / "page.html", None), Loads()
    (tmp_path / "there.css").write_text("p {}")
    for address in ("gone.css", "gone.css", "https://tea.example/a.css", "there.css"):
        files.load(join(BASE, address) or "", document=False, loads=loads)
    assert loads.missing == {"gone.css"}
    assert loads.blocked == {"https://tea.example/a.css"}


@pytest.mark.parametrize(
    ("name", "media_type"),
    [("a.css", "text/css"), ("a.png", "image/png"), ("tea", "application/octet-stream")],
)
def test_the_type_of_a_file_is_that_of_its_name(name: str, media_type: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"tea")
    files = Neighbourhood(tmp_path / "page.html", None)
    resource = files.load(join(BASE, name) or "", document=False, loads=Loads())
    assert resource is not None
    assert (resource.data, resource.media_type) == (b"tea", media_type)


@st.composite
def turns(draw: st.DrawFn) -> tuple[Matrix, Matrix]:
    """A matrix that turns, scales and moves, and the one that undoes it."""
    angle, scale = draw(st.floats(0, 6.28)), draw(st.floats(0.1, 10))
    x, y = draw(POINTS)
    a, b = scale * cos(angle), scale * sin(angle)
    back_a, back_b = cos(angle) / scale, sin(angle) / scale
    there: Matrix = (a, b, -b, a, x, y)
    back: Matrix = (
        back_a, -back_b, back_b, back_a, -x * back_a - y * back_b, x * back_b - y * back_a,
    )  # fmt: skip
    return there, back


@given(turns(), POINTS)
def test_a_point_that_is_moved_there_and_back_is_where_it_was(
    matrices: tuple[Matrix, Matrix], point: tuple[float, float]
) -> None:
    there, back = matrices
    assert apply(back, *apply(there, *point)) == pytest.approx(point, abs=1e-6)
    assert multiply(there, back) == pytest.approx(IDENTITY, abs=1e-6)
    assert multiply(IDENTITY, there) == pytest.approx(there)
    assert multiply(there, IDENTITY) == there


@given(turns(), turns(), turns())
def test_matrices_may_be_multiplied_in_any_grouping(
    one: tuple[Matrix, Matrix], two: tuple[Matrix, Matrix], three: tuple[Matrix, Matrix]
) -> None:
    a, b, c = one[0], two[0], three[0]
    left, right = multiply(multiply(a, b), c), multiply(a, multiply(b, c))
    assert left == pytest.approx(right, rel=1e-6, abs=1e-3)


def test_a_rectangle_is_turned_by_a_right_angle() -> None:
    assert moved((0, 1, -1, 0, 0, 0), 0, 0, 10, 20) == (-20, 0, 0, 10)


@given(st.lists(st.tuples(SMALL, SMALL, SMALL, SMALL), min_size=1, max_size=5))
def test_what_is_common_to_a_rectangle_and_the_hull_around_it_is_the_rectangle(
    rects: list[tuple[float, float, float, float]],
) -> None:
    assume(all(left <= right and top <= bottom for left, top, right, bottom in rects[:1]))
    assert intersect(rects[0], hull(rects)) == rects[0]


def test_columns_by_default_are_as_long_as_there_are_nodes() -> None:
    columns = default_columns(["box", "color", "font_weight", "parent"], 3)
    assert columns["box"].tolist() == [[0, 0, 0, 0]] * 3
    assert columns["color"].tolist() == [0xFF] * 3
    assert columns["font_weight"].tolist() == [400] * 3
    assert columns["parent"].tolist() == [-1] * 3
    assert all(columns[name].dtype == np.dtype(SCHEMA[name].dtype) for name in columns)


def test_the_columns_of_a_tree_are_its_lists() -> None:
    tree = SimpleNamespace(
        parent=[-1, 0], kind=[9, 1], name=[0, 1], text=[-1, -1], attr_first=[0, 0, 1],
        attr_name=[2], attr_value=[3], more="not a column",
    )  # fmt: skip
    columns = tree_columns(tree)
    assert set(columns) == set(vars(tree)) - {"more"}
    assert columns["attr_first"].tolist() == [0, 0, 1]
    assert all(columns[name].dtype == np.dtype(SCHEMA[name].dtype) for name in columns)


def test_strings_that_nobody_uses_go_and_equal_ones_become_one() -> None:
    columns = {"name": np.array([3, 1, 3]), "text": np.array([-1, 4, -1])}
    strings = ["unused", "tea", "unused, too", "milk", "tea"]
    assert compact(columns, strings) == ["tea", "milk"]
    assert columns["name"].tolist() == [1, 0, 1]
    assert columns["text"].tolist() == [-1, 0, -1]
