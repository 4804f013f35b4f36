"""A PDF, turned into a Page, or into a picture of its sheets."""

from __future__ import annotations

import gc
import io
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape

from pypdfium2 import PDFIUM_INFO, PYPDFIUM_INFO, PdfiumError

from pagesight.errors import PdfDamaged, PdfLocked, RenderError
from pagesight.page import Note, Page, PageInfo
from pagesight.render.pdf.building import PageBuilder
from pagesight.render.pdf.geometry import PX_PER_POINT
from pagesight.render.pdf.handles import Handle, open_document, pdfium, read_utf16
from pagesight.render.pdf.sheets import read_sheet
from pagesight.render.pdf.spelling import spell
from pagesight.render.renderer import LONGEST_SIDE, clipped

_METADATA = ("Title", "Author", "Subject", "Keywords")
_MOST_SHEETS = 0xFFFF  # page numbers are kept in 16 bits
_LOCKED = (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY)


def version() -> str:
    """The versions of pypdfium2 and of the pdfium in it."""
    return f"pypdfium2 {PYPDFIUM_INFO.tag} (pdfium {PDFIUM_INFO.build})"


def page_from_pdf(
    data: bytes, *, url: str | None = None, max_nodes: int = 400_000, max_sheets: int = 2000
) -> Page:
    """Turn a PDF into a Page of its lines, on sheets that are stacked without a gap.

    Lines keep their places and the order of the document; columns are not put in order.
    Raises `PdfLocked`, `PdfDamaged` or `PageTooComplex`.
    """
    try:
        document = open_document(data)
    except PdfiumError as error:
        raise _refusal(error.err_code) from error
    with document, _no_collection():
        return _render(document, url, max_nodes, min(max_sheets, _MOST_SHEETS))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Leave looking for cycles until later: there are none among the many objects of a document."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def picture_of_pdf(data: bytes) -> bytes:
    """The first sheets as a PNG, at the places that they have on the Page."""
    from PIL import Image

    drawn, top, width = [], 0.0, 0
    with open_document(data) as document:
        for sheet in document:
            if top >= LONGEST_SIDE:
                break
            drawn.append((round(top), sheet.render(scale=PX_PER_POINT).to_pil()))
            width = max(width, drawn[-1][1].width)
            top += sheet.get_height() * PX_PER_POINT
    stacked = Image.new("RGB", clipped(width, top), "white")
    for place, picture in drawn:
        stacked.paste(picture, (0, place))
    out = io.BytesIO()
    stacked.save(out, "PNG")
    return out.getvalue()


def _refusal(code: int | None) -> RenderError:
    if code in _LOCKED:
        return PdfLocked(
            "the PDF is protected by a password", hint="save a copy without the password"
        )
    return PdfDamaged("the PDF cannot be parsed" if code else "the PDF has no pages")


def _render(document: Handle, url: str | None, max_nodes: int, max_sheets: int) -> Page:
    count = len(document)
    language = read_utf16(pdfium.FPDFCatalog_GetLanguage, document).strip()
    builder = PageBuilder(_metadata(document), language, max_nodes)
    damaged, scans = [], 0
    for index in range(min(count, max_sheets)):
        sheet = read_sheet(document, index)
        builder.add(sheet)
        scans += sheet.is_picture
        if sheet.damaged:
            damaged.append(Note("damaged", f"sheet {index + 1}"))
    if len(damaged) == count:
        raise PdfDamaged("no page of the PDF can be read")
    notes = (*damaged, *_notes(count, count - max_sheets, scans, has_text=builder.texts > 0))
    info = PageInfo(
        renderer="pdf", renderer_version=version(), url=url, media="pdf", notes=notes,
        viewport=(round(builder.width), round(builder.first_height)),
        size=(builder.width, builder.height),
    )  # fmt: skip
    return builder.page(info)


def _notes(count: int, cut: int, scans: int, *, has_text: bool) -> list[Note]:
    """What is missing of a PDF of `count` sheets, of which `cut` were left out."""
    notes = []
    if cut > 0:
        notes.append(Note("cut", f"{cut} of {count} sheets", cut))
    if not has_text:
        notes.append(Note("no text", "the sheets are pictures, or empty"))
    elif 2 * scans >= count:  # a scan below a cover, for example; not a figure or two
        notes.append(Note("no text", f"{scans} of {count} sheets are pictures", scans))
    return notes


def _metadata(document: Handle) -> dict[str, str]:
    """What the document states about itself, by names in lower case."""
    texts = {key: read_utf16(pdfium.FPDF_GetMetaText, document, key.encode()) for key in _METADATA}
    cleaned = {key.lower(): " ".join(unescape(spell(text)).split()) for key, text in texts.items()}
    return {name: value for name, value in cleaned.items() if value}
