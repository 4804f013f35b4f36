"""PDFs of a few sheets, small enough to write down."""

from __future__ import annotations

from collections.abc import Sequence

FONTS = {"F": "Times-Roman", "B": "Times-Bold", "I": "Times-Italic"}


def text(x: float, y: float, string: str, size: float = 10, font: str = "F") -> str:
    """Operators that show a string at a place, in points from the lower left corner."""
    return f"BT /{font} {size} Tf 1 0 0 1 {x} {y} Tm ({string}) Tj ET\n"


def link(left: float, bottom: float, right: float, top: float, address: str) -> str:
    """A place on a sheet that leads to an address."""
    return (
        f"<< /Type /Annot /Subtype /Link /Rect [{left} {bottom} {right} {top}] "
        f"/A << /S /URI /URI ({address}) >> >>"
    )


def pdf(*contents: str, links: Sequence[str] = ()) -> bytes:
    """Sheets that show this; the links are on each."""
    fonts = "".join(
        f"/{key} << /Type /Font /Subtype /Type1 /BaseFont /{name} >> "
        for key, name in FONTS.items()
    )
    kids = [3 + 2 * number for number in range(len(contents))]
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] /Count {len(kids)} >>",
    ]
    for kid, content in zip(kids, contents, strict=True):
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {kid + 1} 0 R "
            f"/Annots [{' '.join(links)}] /Resources << /Font << {fonts} >> >> >>",
            f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        ]
    data, offsets = "%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size, data_end = len(objects) + 1, len(data)
    data += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n"
    data += f"<< /Size {size} /Root 1 0 R >>\n"
    return f"{data}startxref\n{data_end}\n%%EOF\n".encode("latin-1")
