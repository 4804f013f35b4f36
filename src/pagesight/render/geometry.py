"""Points, rectangles and matrices of what is painted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
Rect = tuple[float, float, float, float]  # left, top, right, bottom
EVERYWHERE: Rect = (-1e9, -1e9, 1e9, 1e9)


def multiply(one: Matrix, other: Matrix) -> Matrix:
    """The matrix that applies `one`, and then `other`."""
    if other == IDENTITY:
        return one
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (
        a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j,
        e * g + f * i + k, e * h + f * j + m,
    )  # fmt: skip


def apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Where a matrix moves a point to."""
    if matrix is IDENTITY:
        return x, y
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def moved(matrix: Matrix, left: float, top: float, right: float, bottom: float) -> Rect:
    """The rectangle around a rectangle that a matrix moves."""
    one, two = apply(matrix, left, top), apply(matrix, right, top)
    three, four = apply(matrix, left, bottom), apply(matrix, right, bottom)
    xs, ys = (one[0], two[0], three[0], four[0]), (one[1], two[1], three[1], four[1])
    return min(xs), min(ys), max(xs), max(ys)


def hull(boxes: Iterable[Sequence[float]]) -> Rect:
    """The rectangle around rectangles."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def intersect(one: Rect, other: Rect) -> Rect:
    """What two rectangles have in common; turned inside out where that is nothing."""
    return (
        max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])
    )  # fmt: skip
