"""One page of a PDF: its lines of text, pictures, coloured shapes and links."""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import compress, islice, repeat

import numpy as np
from pypdfium2 import PdfDocument, PdfiumError

from pagesight.render.geometry import IDENTITY, Matrix, Rect, multiply
from pagesight.render.pdf.characters import PALE, Characters, Ints, read_characters
from pagesight.render.pdf.geometry import Frame, all_placed, tame_number
from pagesight.render.pdf.handles import Answers, Handle, pdfium, prototype, read_utf8, reference
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
_BOUNDS, _COLORS = Answers(ctypes.c_float, 4, 4), Answers(ctypes.c_uint, 4, 4)
_MODES = Answers(ctypes.c_int, 2, 2)  # of filling and of stroking
_bounds = prototype(pdfium.FPDFPageObj_GetBounds, ctypes.c_int, ctypes.c_void_p)
_draw_mode = prototype(pdfium.FPDFPath_GetDrawMode, ctypes.c_int, ctypes.c_void_p)
_fill_color = prototype(pdfium.FPDFPageObj_GetFillColor, ctypes.c_int, ctypes.c_void_p)
_object = prototype(pdfium.FPDFPage_GetObject, ctypes.c_size_t)
_part = prototype(pdfium.FPDFFormObj_GetObject, ctypes.c_size_t)
_type = prototype(pdfium.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)


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
    """The pictures and filled shapes of a page; shapes only if `panels` are asked for.

    What is not asked for does not count towards the most objects that are looked at.
    """
    pictures: list[tuple[int, Matrix]] = []
    paths: list[tuple[int, Matrix]] = []
    shadings: list[tuple[int, Matrix]] = []
    kept = {_IMAGE: pictures} | ({_PATH: paths, _SHADING: shadings} if panels else {})
    for item, kind, matrix in islice(_objects(page, kept), _MOST_OBJECTS):
        if kind in kept:
            kept[kind].append((item, matrix))
    return _extents_of(pictures, frame), _extents_of([*_filled(paths), *shadings], frame)


def _extents_of(objects: Sequence[tuple[int, Matrix]], frame: Frame) -> list[Rect]:
    """Where on its sheet objects are, those that are large enough to be seen."""
    if not objects:
        return []
    bounds = _BOUNDS.ask(_bounds, [item for item, _ in objects]).astype(np.float64)
    matrices = {matrix: multiply(matrix, frame.matrix) for _, matrix in objects}
    extents = all_placed(bounds, np.array([matrices[matrix] for _, matrix in objects]))
    extents = frame.visible(extents)
    sizes = extents[:, 2:] - extents[:, :2]
    return list(map(tuple, extents[sizes.min(axis=1) >= _SMALLEST].tolist()))


def _objects(page: Handle, wanted: Collection[int]) -> Iterator[tuple[int, int, Matrix]]:
    """The objects of a page that are wanted, and all in forms, with their types and placements."""
    count = min(pdfium.FPDFPage_CountObjects(page), _MOST_OBJECTS)
    items = list(map(_object, repeat(reference(page)), range(count)))
    for item, kind in zip(items, map(_type, items), strict=True):
        if kind == _FORM:
            yield from _unfold(item, IDENTITY, 0)
        elif kind in wanted:
            yield item, kind, IDENTITY


def _unfold(item: int, matrix: Matrix, depth: int) -> Iterator[tuple[int, int, Matrix]]:
    kind = _type(item)
    if kind != _FORM:
        yield item, kind, matrix
    elif depth < _DEEPEST:
        form = ctypes.cast(item, pdfium.FPDF_PAGEOBJECT)
        inner = multiply(_matrix(form), matrix)
        for index in range(max(0, pdfium.FPDFFormObj_CountObjects(form))):
            yield from _unfold(_part(reference(form), index), inner, depth + 1)


def _matrix(item: Handle) -> Matrix:
    raw = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(item, raw):
        return IDENTITY
    a, b, c, d, e, f = map(tame_number, (raw.a, raw.b, raw.c, raw.d, raw.e, raw.f))
    return a, b, c, d, e, f


def _filled(paths: Sequence[tuple[int, Matrix]]) -> Iterator[tuple[int, Matrix]]:
    """The paths that are filled, and not in white.

    Many pages begin with a white rectangle, which does not make white text visible.
    """
    items = [item for item, _ in paths]
    modes = _MODES.ask(_draw_mode, items)[:, 0]
    paths = [path for path, mode in zip(paths, modes.tolist(), strict=True) if mode != _NO_FILL]
    colors = _COLORS.ask(_fill_color, [item for item, _ in paths], missing=(0, 0, 0, 1))
    pale = (colors[:, 3] == 0) | (colors[:, :3].min(axis=1) >= PALE)
    return compress(paths, ~pale)
