"""What a page shows besides text: pictures, and the coloured shapes that text may stand on."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from pagesight.render.matrix import IDENTITY, Matrix, multiply
from pagesight.render.pdf.characters import PALE
from pagesight.render.pdf.geometry import (
    Extent,
    Frame,
    bounds_of,
    placed,
    tame_number,
)
from pagesight.render.pdf.handles import Handle, pdfium

_DEEPEST = 6  # forms within forms
_MOST = 200_000  # objects looked at; vector graphics can have millions
_SMALLEST = 4.0  # px; what is smaller is a rule or a dot
_NO_FILL = 0
_PATH, _IMAGE = pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE
_SHADING, _FORM = pdfium.FPDF_PAGEOBJ_SHADING, pdfium.FPDF_PAGEOBJ_FORM


@dataclass(frozen=True, slots=True)
class Scenery:
    """Pictures and filled shapes, as they lie on the sheet."""

    pictures: list[Extent]
    panels: list[Extent]


def survey(page: Handle, frame: Frame, *, panels: bool) -> Scenery:
    """Look at all objects of a page; at filled shapes only if `panels` are asked for."""
    found = Scenery([], [])
    for item, kind, matrix in islice(_objects(page), _MOST):
        if kind != _IMAGE and not (panels and _is_filled(item, kind)):
            continue
        extent = frame.visible(placed(bounds_of(item), multiply(matrix, frame.matrix)))
        if min(extent[2] - extent[0], extent[3] - extent[1]) >= _SMALLEST:
            (found.pictures if kind == _IMAGE else found.panels).append(extent)
    return found


def _objects(page: Handle) -> Iterator[tuple[Handle, int, Matrix]]:
    """The objects of a page and of the forms on it, with their types and placements."""
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        yield from _unfold(pdfium.FPDFPage_GetObject(page, index), IDENTITY, 0)


def _unfold(item: Handle, matrix: Matrix, depth: int) -> Iterator[tuple[Handle, int, Matrix]]:
    kind = pdfium.FPDFPageObj_GetType(item)
    if kind != _FORM:
        yield item, kind, matrix
    elif depth < _DEEPEST:
        inner = multiply(_matrix(item), matrix)
        for index in range(max(0, pdfium.FPDFFormObj_CountObjects(item))):
            yield from _unfold(pdfium.FPDFFormObj_GetObject(item, index), inner, depth + 1)


def _matrix(item: Handle) -> Matrix:
    raw = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(item, raw):
        return IDENTITY
    a, b, c, d, e, f = map(tame_number, (raw.a, raw.b, raw.c, raw.d, raw.e, raw.f))
    return a, b, c, d, e, f


def _is_filled(item: Handle, kind: int) -> bool:
    if kind != _PATH:
        return kind == int(_SHADING)
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(item, fill, stroke)
    return int(fill.value) != _NO_FILL and not _is_white(item)


def _is_white(item: Handle) -> bool:
    """Many pages begin with a white rectangle, on which white text is no better seen."""
    channels = [ctypes.c_uint() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetFillColor(item, *channels):
        return False
    red, green, blue, alpha = (channel.value for channel in channels)
    return bool(alpha == 0 or min(red, green, blue) >= PALE)
