"""PDFs of one sheet, small enough to write down."""

from __future__ import annotations

FONTS = {"F": "Times-Roman", "B": "Times-Bold"}


def text(x: float, y: float, string: str, size: float = 10, font: str = "F") -> str:
    """Operators that show a string at a place, in points from the lower left corner."""
    return f"BT /{font} {size} Tf 1 0 0 1 {x} {y} Tm ({string}) Tj ET\n"


def pdf(content: str) -> bytes:
    """A sheet that shows this."""
    fonts = "".join(
        f"/{key} << /Type /Font /Subtype /Type1 /BaseFont /{name} >> "
        for key, name in FONTS.items()
    )
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        f"/Resources << /Font << {fonts} >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
    ]
    data, offsets = "%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    data_end = len(data)
    data += f"xref\n0 5\n0000000000 65535 f \n{table}trailer\n<< /Size 5 /Root 1 0 R >>\n"
    return f"{data}startxref\n{data_end}\n%%EOF\n".encode("latin-1")
