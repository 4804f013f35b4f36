"""The size of a picture from its first bytes.

The layout engine needs a picture's size and nothing else. So it gets a drawing of that size in one
colour, and no picture is ever decoded: neither a huge one nor a hostile one.
"""

from __future__ import annotations

import re
import struct
from base64 import b64decode, b64encode
from urllib.parse import unquote_to_bytes

PICTURE = 0xFE01FD  # the colour that represents a picture; no author chooses it
LARGEST_SIDE = 32_767.0  # px, as far as the engine's layout goes


def placeholder(data: bytes) -> bytes | None:
    """An SVG of the size of a picture, None where `data` is not a picture."""
    size = picture_size(data)
    return drawing(*size) if size else None


def drawing(width: float, height: float) -> bytes:
    """An SVG of that size, filled with `PICTURE`."""
    sides = f'width="{min(width, LARGEST_SIDE):g}" height="{min(height, LARGEST_SIDE):g}"'
    fill = f'<rect {sides} fill="#{PICTURE:06x}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {sides}>{fill}</svg>'.encode()


def backdrop(color: str = f"#{PICTURE:06x}") -> bytes:
    """An SVG of one colour that is as large as what it lies behind."""
    fill = f'<rect width="100%" height="100%" fill="{color}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg">{fill}</svg>'.encode()


def drawn_address(address: str) -> str:
    """A data: address of a picture as one of a drawing; any other as it is."""
    if not address[:11].lower().startswith("data:image/"):
        return address
    data, _ = decode_data_address(address)
    drawn = placeholder(data) or b""
    return "data:image/svg+xml;base64," + b64encode(drawn).decode()


def decode_data_address(address: str) -> tuple[bytes, str]:
    """The data of a data: address, and its media type."""
    head, _, body = address[5:].partition(",")
    media_type = head.partition(";")[0].strip().lower() or "text/plain"
    data = unquote_to_bytes(body)
    if head.rstrip().lower().endswith(";base64"):
        try:
            data = b64decode(data + b"=" * (-len(data) % 4))
        except ValueError:
            data = b""
    return data, media_type


# First bytes, how width and height are packed, and where
_HEADERS = (
    (b"\x89PNG\r\n\x1a\n", ">II", 16), (b"GIF87a", "<HH", 6), (b"GIF89a", "<HH", 6),
    (b"BM", "<ii", 18),
)  # fmt: skip


def picture_size(data: bytes) -> tuple[float, float] | None:
    """Width and height in pixels of a PNG, GIF, JPEG, WebP, BMP or SVG."""
    try:
        for start, packed, at in _HEADERS:
            if data.startswith(start):
                width, height = struct.unpack_from(packed, data, at)
                return abs(width), abs(height)
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data)
    except (struct.error, IndexError, ValueError):
        return None
    return svg_size(data)


def svg_size(data: bytes) -> tuple[float, float] | None:
    """Width and height in pixels of an SVG, as far as its first element says; None for others."""
    if not (_SVG_START.match(data) and _SVG_TAG.search(data, 0, 4096)):
        return None
    try:
        return _svg(data)
    except ValueError:
        return None


_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def _jpeg(data: bytes) -> tuple[float, float]:
    position = 2
    while position < len(data):
        if data[position] != 0xFF:
            raise ValueError("no marker")
        marker = data[position + 1]
        if marker in _FRAMES:
            height, width = struct.unpack_from(">HH", data, position + 5)
            return width, height
        if marker == 0xFF or 0xD0 <= marker <= 0xD9:
            position += 1 if marker == 0xFF else 2
            continue
        position += 2 + struct.unpack_from(">H", data, position + 2)[0]
    raise ValueError("no frame")


def _webp(data: bytes) -> tuple[float, float]:
    kind = data[12:16]
    if kind == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        return width, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


_SVG_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml|!--|!DOCTYPE\s+svg|svg\b)", re.IGNORECASE)
_SVG_TAG = re.compile(rb"<svg\b[^>]*>", re.IGNORECASE)


def _svg(data: bytes) -> tuple[float, float]:
    match = _SVG_TAG.search(data, 0, 65536)
    tag = match[0] if match else b""
    sides = [re.search(rb"(?<![\w-])" + side + rb"\s*=\s*[\"']\s*([\d.]+)(?:px)?\s*[\"']", tag)
             for side in (b"width", b"height")]  # fmt: skip
    box = re.search(rb"\bviewBox\s*=\s*[\"']([^\"']+)[\"']", tag)
    view = [float(part) for part in re.split(rb"[\s,]+", box[1].strip())] if box else []
    natural = (view[2], view[3]) if len(view) == 4 else (300.0, 150.0)
    width, height = (float(side[1]) if side else 0.0 for side in sides)
    if width and not height:
        height = width * natural[1] / max(natural[0], 1e-6)
    elif height and not width:
        width = height * natural[0] / max(natural[1], 1e-6)
    return (width, height) if width else natural
