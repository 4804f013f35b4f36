"""A PDF, turned into a Page."""

from __future__ import annotations

from pypdfium2 import PDFIUM_INFO, PYPDFIUM_INFO

from pagesight.errors import PdfDamaged, PdfLocked, RenderError
from pagesight.page import Note, Page, PageInfo
from pagesight.render.pdf import handles
from pagesight.render.pdf.building import PageBuilder
from pagesight.render.pdf.handles import Handle, pdfium, read_utf16
from pagesight.render.pdf.sheets import read_sheet
from pagesight.render.pdf.spelling import spell

_METADATA = ("Title", "Author", "Subject", "Keywords")
_MOST_SHEETS = 0xFFFF  # page numbers are kept in 16 bits
_LOCKED = (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY)


def version() -> str:
    """The versions of pypdfium2 and of the pdfium in it."""
    return f"pypdfium2 {PYPDFIUM_INFO.tag} (pdfium {PDFIUM_INFO.build})"


def page_from_pdf(
    data: bytes,
    *,
    url: str | None = None,
    password: None = None,  # noqa: ARG001 - for those to come
    max_nodes: int = 400_000,
    max_sheets: int = 2000,
) -> Page:
    """Turn a PDF into a Page of its lines, on sheets that are stacked without a gap.

    Lines stand where they stand, in the order of the document; columns are not put in order.
    Raises `PdfLocked`, `PdfDamaged` or `PageTooComplex`.
    """
    with handles.document(data) as document:
        if document is None:
            raise _refusal(handles.last_error())
        return _render(document, url, max_nodes, min(max_sheets, _MOST_SHEETS))


def _refusal(code: int) -> RenderError:
    if code in _LOCKED:
        return PdfLocked(
            "the PDF is protected by a password", hint="save a copy without the password"
        )
    return PdfDamaged("the PDF cannot be parsed")


def _render(document: Handle, url: str | None, max_nodes: int, max_sheets: int) -> Page:
    count = int(pdfium.FPDF_GetPageCount(document))
    if count <= 0:
        raise PdfDamaged("the PDF has no pages")
    builder = PageBuilder(_metadata(document), _language(document), max_nodes)
    notes = []
    pictured = 0
    for index in range(min(count, max_sheets)):
        sheet = read_sheet(document, index)
        builder.add(sheet)
        pictured += sheet.is_picture
        if sheet.damaged:
            notes.append(Note("damaged", f"sheet {index + 1}"))
    if len(notes) == count:
        raise PdfDamaged("no page of the PDF can be read")
    if count > max_sheets:
        notes.append(Note("cut", f"{count - max_sheets} of {count} sheets", count - max_sheets))
    if builder.texts == 0:
        notes.append(Note("no text", "the sheets are pictures, or empty"))
    elif 2 * pictured >= count:  # a scan below a cover, say; not a figure or two
        notes.append(Note("no text", f"{pictured} of {count} sheets are pictures", pictured))
    return builder.page(_info(builder, url, notes))


def _info(builder: PageBuilder, url: str | None, notes: list[Note]) -> PageInfo:
    return PageInfo(
        renderer="pdf",
        renderer_version=version(),
        url=url,
        media="pdf",
        viewport=(round(builder.width), round(builder.first_height)),
        size=(builder.width, builder.height),
        notes=tuple(notes),
    )


def _metadata(document: Handle) -> dict[str, str]:
    """What the document says about itself, by names in lower case."""
    found = {key.lower(): " ".join(spell(_meta(document, key)).split()) for key in _METADATA}
    return {name: value for name, value in found.items() if value}


def _meta(document: Handle, key: str) -> str:
    return read_utf16(pdfium.FPDF_GetMetaText, document, key.encode())


def _language(document: Handle) -> str:
    return read_utf16(pdfium.FPDFCatalog_GetLanguage, document).strip()
