"""Sheets of a PDF, stacked into one picture."""

from __future__ import annotations

import io

import pypdfium2
from PIL import Image

from pagesight.render.pdf.geometry import PX_PER_POINT
from pagesight.render.picture import LONGEST_SIDE, clipped


def picture_of_pdf(data: bytes) -> bytes:
    """The first sheets as a PNG, at the places that they have on the Page."""
    drawn, top, width = [], 0.0, 0
    with pypdfium2.PdfDocument(data) as document:  # type: ignore[no-untyped-call]
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
