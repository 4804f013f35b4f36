"""One page of a PDF: its lines of text, pictures, coloured shapes and links."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import islice

import numpy as np
from pypdfium2 import PdfDocument, PdfiumError

from pagesight.render.geometry import IDENTITY, Matrix, Rect, multiply
from pagesight.render.pdf.characters import PALE, Characters, Ints, read_characters
from pagesight.render.pdf.geometry import Frame, bounds_of, placed, tame_number
from pagesight.render.pdf.handles import Handle, pdfium, prototype, read_color, read_utf8
from pagesight.render.pdf.lines import TextLine, lines_of

_SCAN = 0.5  # of a sheet that a scan covers at least
_LETTER = (816.0, 1056.0)  # px; assumed where the size of a sheet is unknown
_MOST_LINKS = 10_000  # on a page
_DEEPEST = 6  # forms within forms
_MOST_OBJECTS = 200_000  # that are examined; vector graphics can have millions
_SMALLEST = 4.0  # px; anything smaller is a rule or a dot
_NO_FILL = 0
_PATH, _IMAGE = pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE
_SHADING, _FORM = pdfium.FPDF_PAGEOBJ_SHADING, pdfium.FPDF_PAGEOBJ_FORM
_MODES = ctypes.c_int * 2
_draw_mode = prototype(pdfium.FPDFPath_GetDrawMode, ctypes.c_int, *[ctypes.c_void_p] * 3)
_fill_color = prototype(pdfium.FPDFPageObj_GetFillColor, ctypes.c_int, *[ctypes.c_void_p] * 5)


@dataclass(frozen=True, slots=True)
class Link:
    """An address and one of the areas of a sheet that lead to it."""

    href: str
    extent: Rect


@dataclass(frozen=True, slots=True)
class PdfSheet:
    """What a page shows, in CSS pixels on the sheet."""

    size: tuple[float, float]
    lines: list[TextLine]
    pictures: list[Rect]
    panels: list[Rect]  # coloured shapes; only collected where some text may need one
    links: list[Link]
    damaged: bool = False

    @property
    def is_picture(self) -> bool:
        """Whether it shows a picture, and no text: a scan."""
        whole = self.size[0] * self.size[1]
        areas = ((right - left) * (bottom - top) for left, top, right, bottom in self.pictures)
        return not self.lines and any(area > _SCAN * whole for area in areas)


DAMAGED = PdfSheet(_LETTER, [], [], [], [], damaged=True)


def read_sheet(document: PdfDocument, index: int) -> PdfSheet:
    """Read a page; one that cannot be loaded is an empty sheet."""
    with ExitStack() as opened:
        try:
            page = opened.enter_context(closing(document[index]))
            text = opened.enter_context(closing(page.get_textpage()))
        except PdfiumError:
            return DAMAGED
        return _read(document.raw, page.raw, text.raw)


def _read(document: Handle, page: Handle, text: Handle) -> PdfSheet:
    frame = Frame.of(page)
    characters = read_characters(text, frame)
    links = _links_of(document, page, frame)
    needs_panels = any(look.needs_ground for look in characters.looks)
    pictures, panels = _survey(page, frame, panels=needs_panels)
    return PdfSheet(
        size=(frame.width, frame.height),
        lines=lines_of(characters, _linked(characters, links)),
        pictures=pictures,
        panels=panels,
        links=links,
    )


# Links


def _links_of(document: Handle, page: Handle, frame: Frame) -> list[Link]:
    """The links of a page; one that is broken over lines has an area on each."""
    return [
        Link(href, extent)
        for annotation in _annotations(page)
        if (href := _address(document, annotation))
        for extent in _extents(annotation, frame)
    ]


def _linked(characters: Characters, links: list[Link]) -> Ints:
    """The number of the link that each character is in, -1 for none."""
    numbers = np.full(len(characters), -1, dtype=np.int64)
    if not links:
        return numbers
    x, y = characters.middles()
    for number, link in enumerate(links):
        left, top, right, bottom = link.extent
        numbers[(left <= x) & (x <= right) & (top <= y) & (y <= bottom)] = number
    return numbers


def _annotations(page: Handle) -> Iterator[Handle]:
    position, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    for _ in range(_MOST_LINKS):
        if not pdfium.FPDFLink_Enumerate(page, position, link):
            return
        yield link


def _address(document: Handle, link: Handle) -> str:
    action = pdfium.FPDFLink_GetAction(link)
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    return read_utf8(pdfium.FPDFAction_GetURIPath, document, action).strip()


def _extents(link: Handle, frame: Frame) -> list[Rect]:
    quads = [_quad(link, index, frame) for index in range(pdfium.FPDFLink_CountQuadPoints(link))]
    if extents := [quad for quad in quads if quad]:
        return extents
    box = pdfium.FS_RECTF()
    if not pdfium.FPDFLink_GetAnnotRect(link, box):
        return []
    return [frame.extent(box.left, box.bottom, box.right, box.top)]


def _quad(link: Handle, index: int, frame: Frame) -> Rect | None:
    quad = pdfium.FS_QUADPOINTSF()
    if not pdfium.FPDFLink_GetQuadPoints(link, index, quad):
        return None
    x = (quad.x1, quad.x2, quad.x3, quad.x4)
    y = (quad.y1, quad.y2, quad.y3, quad.y4)
    return frame.extent(min(x), min(y), max(x), max(y))


# Pictures, and the coloured shapes that text may be on


def _survey(page: Handle, frame: Frame, *, panels: bool) -> tuple[list[Rect], list[Rect]]:
    """The pictures and filled shapes of a page; shapes only if `panels` are asked for."""
    pictures: list[Rect] = []
    shapes: list[Rect] = []
    for item, kind, matrix in islice(_objects(page), _MOST_OBJECTS):
        if kind != _IMAGE and not (panels and _is_filled(item, kind)):
            continue
        extent = frame.visible(placed(bounds_of(item), multiply(matrix, frame.matrix)))
        if min(extent[2] - extent[0], extent[3] - extent[1]) >= _SMALLEST:
            (pictures if kind == _IMAGE else shapes).append(extent)
    return pictures, shapes


def _objects(page: Handle) -> Iterator[tuple[Handle, int, Matrix]]:
    """The objects of a page and of the forms on it, with their types and placements."""
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        item = pdfium.FPDFPage_GetObject(page, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind != _FORM:
            yield item, kind, IDENTITY
        else:
            yield from _unfold(item, IDENTITY, 0)


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
    modes = _MODES()
    at = ctypes.addressof(modes)
    _draw_mode(item, at, at + ctypes.sizeof(ctypes.c_int))
    return bool(modes[0] != _NO_FILL and not _is_white(item))


def _is_white(item: Handle) -> bool:
    """Many pages begin with a white rectangle, which does not make white text visible."""
    *channels, alpha = read_color(_fill_color, item) or (0, 0, 0, 1)
    return alpha == 0 or min(channels) >= PALE
