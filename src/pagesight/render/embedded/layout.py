"""The layout engine: HTML in, a PDF of one tall page out."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files

import plutoprint

from pagesight.markup.css import SheetReference, replace_references
from pagesight.markup.media import Screen
from pagesight.page.head import join
from pagesight.render.embedded.backgrounds import BEHIND
from pagesight.render.embedded.dom import GRID, Dom
from pagesight.render.embedded.numbering import GROUND, STYLE, lined
from pagesight.render.embedded.pictures import backdrop, decode_data_address, drawing, placeholder
from pagesight.render.embedded.terms import adapted, plain
from pagesight.render.renderer import clipped
from pagesight.render.resources import BASE, Loads, Neighbourhood

LARGEST_PAGE = 8_000_000.0  # px; beyond 2**23, nothing at all can be painted
_MISSING = (b"", "")  # what an error comes to, too, which the engine prints with a traceback
_PICTURE_NAME = re.compile(r"\.(?:png|jpe?g|gif|webp|avif|svg|bmp)(?:[?#]|$)", re.IGNORECASE)


def use_own_fonts() -> None:
    """Let the engine find the fonts of this package. To be called before its first page."""
    conf = files("pagesight.render.embedded") / "fonts" / "fonts.conf"
    os.environ["FONTCONFIG_FILE"] = str(conf)


def version() -> str:
    """The version of the layout engine."""
    return f"PlutoBook {plutoprint.plutobook_version_string()}"


@dataclass(frozen=True, slots=True)
class Painted:
    """A page as it was laid out, painted on a ground unless it covers that itself."""

    pdf: bytes
    width: float
    height: float


@dataclass(slots=True)
class Engine:
    """Lays out one page, to be read by its lines, or drawn for people to look at."""

    viewport: tuple[int, int]
    files: Neighbourhood
    loads: Loads
    loaded: dict[str, tuple[bytes, str] | None] = field(default_factory=dict)
    imported: set[tuple[str, str]] = field(default_factory=set)  # address and media
    importers: dict[str, frozenset[str]] = field(default_factory=dict)  # direct and indirect ones
    uses_grid: bool = False
    pictures: frozenset[str] = frozenset()  # the addresses of img elements
    simple: bool = False  # only what cannot take long
    for_people: bool = False  # real pictures instead of placeholders, and no lines of ours

    def stylesheets(self, dom: Dom) -> Iterator[str]:
        """The text of all stylesheets that a document names."""
        yield from dom.styles
        for address in dom.stylesheets:
            url = join(dom.base, address)
            if url and (loaded := self.load(url)):
                yield loaded[0].decode("utf-8", "replace")

    def lay_out(self, html: str, style: str = STYLE, below: float = 0.0) -> Painted:
        """Lay a numbered document out and paint it, with what is so far `below` its end."""
        book = self._book(html, style)
        width = min(book.get_document_width(), LARGEST_PAGE)
        height = min(book.get_document_height(), LARGEST_PAGE)
        out = io.BytesIO()
        # One point a pixel: the numbers in the PDF are CSS pixels. On a short page, there may be
        # things at the lower end of the window.
        sides = zip((width, height), self.viewport, strict=True)
        wide, high = (max(side, float(least)) for side, least in sides)
        paper = plutoprint.PageSize(wide, high + below)
        with plutoprint.PDFCanvas.create_for_stream(out, paper) as canvas:
            # The canvas keeps account of which parts were painted on, and takes ever longer, unless
            # everything is to begin with.
            canvas.clear_surface(*(channel / 255 for channel in GROUND.to_bytes(3)))
            book.render_document(canvas)
        return Painted(out.getvalue(), width, height)

    def draw(self, html: str) -> bytes:
        """Lay a document out and draw it for people to look at, as a PNG."""
        book = self._book(html, "")
        width = max(book.get_document_width(), float(self.viewport[0]))
        height = max(book.get_document_height(), float(self.viewport[1]))
        with plutoprint.ImageCanvas(*clipped(width, height)) as canvas:
            canvas.clear_surface(1.0, 1.0, 1.0)
            book.render_document(canvas)
            out = io.BytesIO()
            canvas.write_to_png_stream(out)
        return out.getvalue()

    def _book(self, html: str, user_style: str) -> plutoprint.Book:
        size = plutoprint.PageSize(*(side * plutoprint.UNITS_PX for side in self.viewport))
        book = plutoprint.Book(size, plutoprint.PAGE_MARGINS_NONE, plutoprint.MEDIA_TYPE_SCREEN)
        book.custom_resource_fetcher = _Fetcher(self)
        book.load_html(html, user_style=user_style, base_url=BASE)
        return book

    def load(self, url: str) -> tuple[bytes, str] | None:
        """A stylesheet, font or picture for the engine, pictures as empty drawings."""
        if url not in self.loaded:
            self.loaded[url] = self._load(url)
        return self.loaded[url]

    def _load(self, address: str) -> tuple[bytes, str] | None:
        url = address.removesuffix(BEHIND)
        if url.startswith("data:"):
            return self._prepared(url, *decode_data_address(url))
        resource = self.files.load(url, document=False, loads=self.loads)
        if resource is not None:
            return self._prepared(url, resource.data, resource.media_type)
        if self.for_people:
            return None
        # The background of an element is a picture, even if it cannot be loaded.
        if url != address:
            return backdrop(), "image/svg+xml"
        if url in self.pictures or not _PICTURE_NAME.search(url):
            return None
        return drawing(1, 1), "image/svg+xml"

    def _prepared(self, url: str, data: bytes, media_type: str) -> tuple[bytes, str]:
        if not self.for_people and (drawing := placeholder(data)):
            return drawing, "image/svg+xml"
        if media_type == "text/css":
            return self._adapted(url, data), media_type
        return data, media_type

    def _adapted(self, url: str, css: bytes) -> bytes:
        text = css.decode("latin-1")  # only ASCII is looked at, all other bytes stay as they are
        if GRID.search(text):
            self.uses_grid = True
        if "@import" in text.lower():
            text = replace_references(text, partial(self._imported_again, url))
        text = plain(text) if self.simple else text
        text = adapted(text, Screen(*self.viewport), for_people=self.for_people)
        return (text if self.for_people else lined(text)).encode("latin-1")

    def _imported_again(self, url: str, reference: SheetReference) -> str | None:
        """Drop an import that was there before: the engine would follow circular ones for hours."""
        if reference.conditions is None:
            return None
        target = join(url, reference.address) or ""
        above = self.importers.get(url, frozenset()) | {url}
        if (target, reference.conditions) in self.imported or target in above:
            return ""
        self.imported.add((target, reference.conditions))
        self.importers[target] = above
        return None


class _Fetcher(plutoprint.ResourceFetcher):
    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self.engine = engine

    def fetch_url(self, url: str) -> plutoprint.ResourceData:
        return plutoprint.ResourceData(*(self.engine.load(url) or _MISSING))
