"""Pictures of pages, for people to look at. No reading needs them."""

from __future__ import annotations

import struct
from dataclasses import dataclass

LONGEST_SIDE = 16_384  # px of a picture; what lies beyond is not in it
_HEADER = struct.Struct(">8s8xII")  # signature, length and name of the first chunk, sizes
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as a PNG, one pixel for one CSS pixel, from its top left corner."""

    data: bytes
    width: int
    height: int

    @classmethod
    def of_png(cls, data: bytes) -> Picture:
        """A picture with the size that it says itself."""
        signature, width, height = _HEADER.unpack_from(data)
        if signature != _SIGNATURE:
            raise ValueError("not a PNG")
        return cls(data, width, height)
