"""PDFs small enough to write down."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence

PX = 96 / 72
FONTS = {"F": "Helvetica", "B": "Times-Bold", "I": "Times-Italic"}


def text(x: float, y: float, string: str, size: float = 10, font: str = "F") -> str:
    """Operators that show a string at a place, in points from the lower left corner."""
    return f"BT /{font} {size} Tf 1 0 0 1 {x} {y} Tm ({string}) Tj ET\n"


def pdf(
    *contents: str,
    page: str = "",
    annotations: Sequence[str] = (),
    info: str = "",
    catalog: str = "",
    trailer: str = "",
) -> bytes:
    """A small PDF of A4 pages; every page has the same entries and annotations."""
    objects = [f"<< /Type /Catalog /Pages 2 0 R {catalog} >>", "", f"<< {info} >>"]
    fonts = "".join(
        f"/{key} << /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >> "
        for key, name in FONTS.items()
    )
    objects.append(f"<< /Font << {fonts} >> /XObject << /P 5 0 R >> >>")
    objects.append(stream("\0", "/Type /XObject /Subtype /Image /Width 1 /Height 1 "
                          "/BitsPerComponent 8 /ColorSpace /DeviceGray"))  # fmt: skip
    kids = []
    for content in contents:
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources 4 0 R {page} "
            f"/Contents {len(objects) + 2} 0 R /Annots [{' '.join(annotations)}] >>"
        )
        objects.append(stream(content))
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    return assemble(objects, trailer)


def stream(content: str, entries: str = "") -> str:
    return f"<< /Length {len(content)} {entries} >>\nstream\n{content}\nendstream"


def assemble(objects: Sequence[str], trailer: str = "") -> bytes:
    data, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    size = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 3 0 R {trailer} >>\n"
    return data + f"{head}{size}startxref\n{len(data)}\n%%EOF\n".encode()


def link(uri: str, rect: str) -> str:
    return (
        f"<< /Type /Annot /Subtype /Link /Rect [{rect}] "
        f"/A << /Type /Action /S /URI /URI ({uri}) >> >>"
    )


def locked() -> bytes:
    """A PDF that opens with the password "secret" only: 40-bit RC4, as in PDF 1.1."""
    padding = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
    user = (b"secret" + padding)[:32]
    owner = rc4(hashlib.md5(user).digest()[:5], user)
    key = hashlib.md5(user + owner + struct.pack("<i", -4) + b"0123456789abcdef").digest()[:5]
    entries = f"/O <{owner.hex()}> /U <{rc4(key, padding).hex()}>"
    return pdf(
        text(72, 700, "Secret"),
        trailer=f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 {entries} >> "
        f"/ID [<{b'0123456789abcdef'.hex()}> <{b'0123456789abcdef'.hex()}>]",
    )


def rc4(key: bytes, data: bytes) -> bytes:
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    i, j, out = 0, 0, bytearray()
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)
