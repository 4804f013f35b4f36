"""Links to addresses, and the characters that they lie over."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pagesight.render.pdf.characters import Characters, Ints
from pagesight.render.pdf.geometry import Extent, Frame
from pagesight.render.pdf.handles import Handle, pdfium, read_utf8

_MOST = 10_000  # on a page


@dataclass(frozen=True, slots=True)
class Link:
    """An address and one of the places on a sheet that lead to it."""

    href: str
    extent: Extent


def links_of(document: Handle, page: Handle, frame: Frame) -> list[Link]:
    """The links of a page; one that is broken over lines has a place on each."""
    return [
        Link(href, extent)
        for raw in _annotations(page)
        if (href := _address(document, raw))
        for extent in _extents(raw, frame)
    ]


def linked(characters: Characters, links: list[Link]) -> Ints:
    """For each character the number of the link it is in, -1 for none."""
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
    for _ in range(_MOST):
        if not pdfium.FPDFLink_Enumerate(page, position, link):
            return
        yield link


def _address(document: Handle, link: Handle) -> str:
    action = pdfium.FPDFLink_GetAction(link)
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    return read_utf8(pdfium.FPDFAction_GetURIPath, document, action).strip()


def _extents(link: Handle, frame: Frame) -> list[Extent]:
    quads = [_quad(link, index, frame) for index in range(pdfium.FPDFLink_CountQuadPoints(link))]
    if found := [quad for quad in quads if quad]:
        return found
    box = pdfium.FS_RECTF()
    if not pdfium.FPDFLink_GetAnnotRect(link, box):
        return []
    return [frame.extent(box.left, box.bottom, box.right, box.top)]


def _quad(link: Handle, index: int, frame: Frame) -> Extent | None:
    quad = pdfium.FS_QUADPOINTSF()
    if not pdfium.FPDFLink_GetQuadPoints(link, index, quad):
        return None
    x = (quad.x1, quad.x2, quad.x3, quad.x4)
    y = (quad.y1, quad.y2, quad.y3, quad.y4)
    return frame.extent(min(x), min(y), max(x), max(y))
