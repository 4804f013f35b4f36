"""Points and rectangles of what is painted."""

from __future__ import annotations

from pagesight.render.matrix import IDENTITY, Matrix

Rect = tuple[float, float, float, float]  # left, top, right, bottom
EVERYWHERE: Rect = (-1e9, -1e9, 1e9, 1e9)


def apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Where a matrix moves a point to."""
    if matrix is IDENTITY:
        return x, y
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def bounds(points: list[tuple[float, float]]) -> Rect:
    """The rectangle around points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def hull(boxes: list[list[float]]) -> Rect:
    """The rectangle around rectangles."""
    left, top, right, bottom = boxes[0]
    for box in boxes[1:]:
        left, top = min(left, box[0]), min(top, box[1])
        right, bottom = max(right, box[2]), max(bottom, box[3])
    return left, top, right, bottom


def intersect(one: Rect, other: Rect) -> Rect:
    """What two rectangles have in common; turned inside out where that is nothing."""
    return (
        max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])
    )  # fmt: skip
