"""One page of a PDF: its lines, pictures and links."""

from __future__ import annotations

from dataclasses import dataclass

from pagesight.render.pdf import handles
from pagesight.render.pdf.characters import read_characters
from pagesight.render.pdf.geometry import Extent, Frame
from pagesight.render.pdf.handles import Handle
from pagesight.render.pdf.lines import Line, lines_of
from pagesight.render.pdf.links import Link, linked, links_of
from pagesight.render.pdf.scenery import survey

_MOSTLY = 0.5  # of a sheet, that a scan covers
_LETTER = (816.0, 1056.0)  # px; the size of a sheet that tells none


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a page shows, with the places it has on the sheet."""

    size: tuple[float, float]
    lines: list[Line]
    pictures: list[Extent]
    panels: list[Extent]  # only looked for where some text may need one
    links: list[Link]
    damaged: bool = False

    @property
    def is_picture(self) -> bool:
        """Whether it shows a picture, and nothing to read: a scan."""
        whole = self.size[0] * self.size[1]
        areas = ((right - left) * (bottom - top) for left, top, right, bottom in self.pictures)
        return not self.lines and any(area > _MOSTLY * whole for area in areas)


DAMAGED = Sheet(_LETTER, [], [], [], [], damaged=True)


def read_sheet(document: Handle, index: int) -> Sheet:
    """Read a page; one that cannot be loaded is an empty sheet."""
    with handles.page(document, index) as page:
        if page is None:
            return DAMAGED
        with handles.text_of(page) as text:
            return DAMAGED if text is None else _read(document, page, text)


def _read(document: Handle, page: Handle, text: Handle) -> Sheet:
    frame = Frame.of(page)
    characters = read_characters(text, frame)
    links = links_of(document, page, frame)
    needed = any(look.needs_ground for look in characters.looks)
    scenery = survey(page, frame, panels=needed)
    return Sheet(
        size=(frame.width, frame.height),
        lines=lines_of(characters, linked(characters, links)),
        pictures=scenery.pictures,
        panels=scenery.panels,
        links=links,
    )
