"""Pictures of pages, for people to look at. No reading needs them."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

LONGEST_SIDE = 16_000  # px of a picture; what lies beyond is not in it
MOST_PIXELS = 64_000_000  # of a picture; of a very wide page, less of its height is in it
_HEADER = struct.Struct(">8s8xII")  # signature, length and name of the first chunk, sizes
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_FORMATS = {_SIGNATURE: "image/png", b"\xff\xd8": "image/jpeg", b"RIFF": "image/webp"}


def clipped(width: float, height: float) -> tuple[int, int]:
    """How much of a page of this size is in a picture."""
    wide = max(1, min(round(width), LONGEST_SIDE))
    return wide, max(1, min(round(height), LONGEST_SIDE, MOST_PIXELS // wide))


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as it looks, from its top left corner: a PNG, one pixel for one CSS pixel.

    Whoever makes it smaller, or draws one, may use another format.
    """

    data: bytes = field(repr=False)
    width: int  # that it covers, in CSS pixels of the page
    height: int

    @property
    def media_type(self) -> str:
        """The format, by its first bytes: PNG, JPEG, WebP or SVG."""
        found = (kind for start, kind in _FORMATS.items() if self.data.startswith(start))
        return next(found, "image/svg+xml")

    @classmethod
    def of_png(cls, data: bytes) -> Picture:
        """A picture with the size that it says itself."""
        signature, width, height = _HEADER.unpack_from(data)
        if signature != _SIGNATURE:
            raise ValueError("not a PNG")
        return cls(data, width, height)
