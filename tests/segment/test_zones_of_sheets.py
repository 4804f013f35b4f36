"""Zones of PDFs, whose sheets are drawn here."""

from __future__ import annotations

from drawn_pages import Part, draw_sheets, line

from pagesight.readers.zones import read_zones

HEADS = ("Journal of Tea", "Page 4")
SENTENCE = "The leaves of the first harvest are the lightest, and they are picked by hand. "


def test_running_heads_and_feet_of_a_pdf_are_headers_and_footers() -> None:
    def sheet(number: int) -> list[Part]:
        body = [line(72, y, f"{number} {SENTENCE}") for y in range(200, 400, 14)]
        return [line(72, 20, "Journal of Tea"), *body, line(300, 970, f"Page {number}")]

    zones = read_zones(draw_sheets(*map(sheet, range(1, 6)))).zones
    kinds = {text: {zone.kind for zone in zones[2:] if text == zone.text} for text in HEADS}
    assert kinds == {"Journal of Tea": {"header"}, "Page 4": {"footer"}}
    assert "main" in {zone.kind for zone in zones}
