"""The layout engine: HTML in, a PDF of one tall page out."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from pagesight.render.embedded.defaults import adapted
from pagesight.render.embedded.dom import GRID, NOBODY, Dom
from pagesight.render.embedded.pictures import placeholder
from pagesight.render.resources import BASE, Loads, Neighbourhood

if TYPE_CHECKING:
    import plutoprint

# Nothing but texts and boxes of elements is to be painted, in the element's own number.
NUMBERED_STYLE = f"""
* {{ border-color: transparent !important; outline: none !important; box-shadow: none !important;
    text-shadow: none !important; text-decoration: none !important }}
*::before, *::after {{ color: #{NOBODY:06x} !important; background: none !important;
    border-color: transparent !important }}
"""


def use_own_fonts() -> None:
    """Let the engine find the fonts of this package. To be called before its first page."""
    conf = files("pagesight.render.embedded") / "fonts" / "fonts.conf"
    os.environ["FONTCONFIG_FILE"] = str(conf)


def version() -> str:
    """The version of the layout engine."""
    import plutoprint

    return f"PlutoBook {plutoprint.plutobook_version_string()}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page as it was laid out."""

    pdf: bytes
    width: float
    height: float


@dataclass(slots=True)
class Engine:
    """Lays out the two documents of one page; they share what was loaded."""

    viewport: tuple[int, int]
    files: Neighbourhood
    loads: Loads
    loaded: dict[str, tuple[bytes, str] | None] = field(default_factory=dict)
    uses_grid: bool = False

    def stylesheets(self, dom: Dom) -> Iterator[str]:
        """The text of all stylesheets that a document names."""
        yield from dom.styles
        for address in dom.stylesheets:
            found = self.load(urljoin(dom.base, address))
            if found is not None:
                yield found[0].decode("utf-8", "replace")

    def lay_out(self, html: str, user_style: str) -> Sheet:
        """Lay a document out and paint it."""
        import plutoprint

        size = plutoprint.PageSize(*(side * plutoprint.UNITS_PX for side in self.viewport))
        book = plutoprint.Book(size, plutoprint.PAGE_MARGINS_NONE, plutoprint.MEDIA_TYPE_SCREEN)
        fetcher = _fetcher(self)
        book.custom_resource_fetcher = fetcher
        book.load_html(html, user_style=user_style, base_url=BASE)
        width, height = book.get_document_width(), book.get_document_height()
        out = io.BytesIO()
        # One point a pixel: the numbers in the PDF are CSS pixels.
        paper = plutoprint.PageSize(max(width, 1.0), max(height, 1.0))
        with plutoprint.PDFCanvas.create_for_stream(out, paper) as canvas:
            book.render_document(canvas)
        return Sheet(out.getvalue(), width, height)

    def load(self, url: str) -> tuple[bytes, str] | None:
        """A stylesheet, font or picture for the engine, pictures as empty drawings."""
        if url not in self.loaded:
            self.loaded[url] = self._load(url)
        return self.loaded[url]

    def _load(self, url: str) -> tuple[bytes, str] | None:
        if url.startswith("data:"):
            return self._prepared(*_decode_data_address(url))
        found = self.files.load(url, document=False, loads=self.loads)
        return self._prepared(found.data, found.media_type) if found else None

    def _prepared(self, data: bytes, media_type: str) -> tuple[bytes, str]:
        if drawing := placeholder(data):
            return drawing, "image/svg+xml"
        if media_type == "text/css":
            return self._adapted(data), media_type
        return data, media_type

    def _adapted(self, css: bytes) -> bytes:
        text = css.decode("latin-1")  # only ASCII is looked at, all other bytes stay as they are
        if GRID.search(text):
            self.uses_grid = True
        return adapted(text).encode("latin-1")


def _fetcher(engine: Engine) -> plutoprint.ResourceFetcher:
    import plutoprint

    class Fetcher(plutoprint.ResourceFetcher):
        def fetch_url(self, url: str) -> plutoprint.ResourceData:
            found = engine.load(url)
            if found is None:
                raise plutoprint.Error(f"not loaded: {url[:100]}")
            return plutoprint.ResourceData(*found)

    return Fetcher()


def _decode_data_address(url: str) -> tuple[bytes, str]:
    from base64 import b64decode
    from urllib.parse import unquote_to_bytes

    head, _, body = url[5:].partition(",")
    media_type = head.partition(";")[0] or "text/plain"
    data = unquote_to_bytes(body)
    if head.endswith(";base64"):
        try:
            data = b64decode(data + b"=" * (-len(data) % 4))
        except ValueError:
            data = b""
    return data, media_type
