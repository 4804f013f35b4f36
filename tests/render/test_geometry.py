"""Rectangles and matrices, compared with their corners."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.render.geometry import (
    EVERYWHERE,
    IDENTITY,
    Matrix,
    Rect,
    apply,
    hull,
    intersect,
    moved,
    multiply,
)

NUMBERS = st.integers(-50, 50).map(float)
MATRICES = st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
SIDES = st.tuples(NUMBERS, NUMBERS).map(sorted)
RECTS = st.tuples(SIDES, SIDES).map(lambda sides: (*sides[0], *sides[1])).map(
    lambda edges: (edges[0], edges[2], edges[1], edges[3])
)  # fmt: skip


def contains(rect: Rect, x: float, y: float) -> bool:
    return rect[0] <= x <= rect[2] and rect[1] <= y <= rect[3]


@given(MATRICES, RECTS)
def test_a_moved_rectangle_is_as_large_as_its_moved_corners(matrix: Matrix, rect: Rect) -> None:
    around = moved(matrix, *rect)
    corners = [apply(matrix, x, y) for x, y in product(rect[::2], rect[1::2])]
    assert all(contains(around, x, y) for x, y in corners)
    assert set(around[::2]) <= {x for x, _ in corners}
    assert set(around[1::2]) <= {y for _, y in corners}


@given(RECTS)
def test_corners_in_another_order_are_the_same_rectangle(rect: Rect) -> None:
    left, top, right, bottom = rect
    assert moved(IDENTITY, right, bottom, left, top) == rect


@given(st.lists(RECTS, min_size=1))
def test_a_hull_is_the_smallest_rectangle_around_others(rects: list[Rect]) -> None:
    around = hull(rects)
    assert all(intersect(around, rect) == rect for rect in rects)
    for edge, value in enumerate(around):
        assert value in [rect[edge] for rect in rects]


@given(RECTS, RECTS, NUMBERS, NUMBERS)
def test_an_intersection_has_the_points_of_both(one: Rect, other: Rect, x: float, y: float) -> None:
    both = contains(one, x, y) and contains(other, x, y)
    assert contains(intersect(one, other), x, y) == both


@given(RECTS)
def test_everything_is_everywhere(rect: Rect) -> None:
    assert intersect(rect, EVERYWHERE) == rect


@given(MATRICES, MATRICES, NUMBERS, NUMBERS)
def test_a_product_applies_one_matrix_and_then_the_other(
    one: Matrix, other: Matrix, x: float, y: float
) -> None:
    assert apply(multiply(one, other), x, y) == apply(other, *apply(one, x, y))


@pytest.mark.parametrize(
    ("matrix", "point"),
    [(IDENTITY, (3, 4)), ((0, 1, -1, 0, 0, 0), (-4, 3)), ((2, 0, 0, 3, 10, 20), (16, 32))],
    ids=["identity", "quarter turn", "scale and move"],
)
def test_where_a_point_goes(matrix: Matrix, point: tuple[float, float]) -> None:
    assert apply(matrix, 3, 4) == point
