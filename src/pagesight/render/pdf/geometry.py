"""From the user space of a PDF page to CSS pixels on its sheet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.render.geometry import Matrix, Rect, moved
from pagesight.render.pdf.handles import Handle, pdfium

Floats = NDArray[np.float64]

PX_PER_POINT = 96 / 72
_FARTHEST = 1e6  # px; anything beyond comes from damage, and would spoil arithmetic


@dataclass(frozen=True, slots=True)
class Frame:
    """The visible part of a page: its place in user space, and its rotation."""

    matrix: Matrix
    width: float
    height: float

    @classmethod
    def of(cls, page: Handle) -> Frame:
        """The frame of a page, by its crop box and rotation."""
        box = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(page, box)
        rotation = int(pdfium.FPDFPage_GetRotation(page)) % 4
        turn, x, y = {
            0: ((1, 0, 0, -1), box.left, box.top),
            1: ((0, 1, 1, 0), box.left, box.bottom),
            2: ((-1, 0, 0, 1), box.right, box.bottom),
            3: ((0, -1, -1, 0), box.right, box.top),
        }[rotation]
        a, b, c, d = (PX_PER_POINT * factor for factor in turn)
        x, y = tame_number(x), tame_number(y)
        return cls(
            (a, b, c, d, -(a * x + c * y), -(b * x + d * y)),
            max(1.0, tame_number(PX_PER_POINT * pdfium.FPDF_GetPageWidthF(page))),
            max(1.0, tame_number(PX_PER_POINT * pdfium.FPDF_GetPageHeightF(page))),
        )

    @property
    def is_upright(self) -> bool:
        """Whether the page is shown as it was written, not rotated."""
        return self.matrix[0] > 0

    def across(self, x: Floats) -> Floats:
        """Places on an upright sheet, from left to right."""
        return tame(tame(x) * self.matrix[0] + self.matrix[4])

    def points(self, points: Floats) -> Floats:
        """Points (n x 2) on the sheet."""
        return tame(self.directions(points) + self.matrix[4:])

    def directions(self, directions: Floats) -> Floats:
        """Directions (n x 2) on the sheet."""
        on_sheet: Floats = tame(directions) @ np.array(self.matrix[:4]).reshape(2, 2)
        return on_sheet

    def extent(self, left: float, bottom: float, right: float, top: float) -> Rect:
        """A rectangle on the sheet."""
        return placed((left, bottom, right, top), self.matrix)

    def visible(self, extents: Floats) -> Floats:
        """The parts of rectangles (n x 4) that are on the sheet."""
        on_sheet: Floats = np.clip(extents, 0.0, np.array([self.width, self.height] * 2))
        return on_sheet


def placed(rectangle: Rect, matrix: Matrix) -> Rect:
    """The box around a rectangle that a matrix moves, scales or rotates."""
    tamed = map(tame_number, rectangle)
    left, top, right, bottom = map(tame_number, moved(matrix, *tamed))
    return left, top, right, bottom


def all_placed(rectangles: Floats, matrices: Floats) -> Floats:
    """As `placed`, for rectangles (n x 4) with a matrix each (n x 6)."""
    a, b, c, d, e, f = matrices.T
    left, top, right, bottom = tame(rectangles).T
    x = np.stack([a * side + c * edge + e for side in (left, right) for edge in (top, bottom)])
    y = np.stack([b * side + d * edge + f for side in (left, right) for edge in (top, bottom)])
    return tame(np.stack((x.min(axis=0), y.min(axis=0), x.max(axis=0), y.max(axis=0)), axis=1))


def tame_number(number: float) -> float:
    """As `tame`, for one number."""
    if -_FARTHEST <= number <= _FARTHEST:
        return number
    return min(max(number, -_FARTHEST), _FARTHEST) if number == number else 0.0


def tame(numbers: Floats) -> Floats:
    """Numbers that can be used in arithmetic: no infinities, nothing absurdly large."""
    tamed: Floats = np.minimum(np.maximum(numbers, -_FARTHEST), _FARTHEST)
    unknown = np.isnan(tamed)
    if unknown.any():
        tamed[unknown] = 0.0
    return tamed


def turned(along: Floats, across: Floats, turn: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Places along and across rotated lines (see `Characters`) as x and y on the sheet."""
    angle = np.radians(turn)
    cos, sin = np.cos(angle), np.sin(angle)
    return along * cos - across * sin, along * sin + across * cos
