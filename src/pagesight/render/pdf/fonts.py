"""Family, weight and slant of a font, by its name and its descriptor."""

from __future__ import annotations

import ctypes
import re
from functools import lru_cache
from typing import NamedTuple

from pagesight.lazy import table
from pagesight.render.pdf.handles import Handle, pdfium, read_utf8

_ITALIC, _FORCE_BOLD = 1 << 6, 1 << 18  # of the font descriptor's flags
_BOLD_STEM = 600  # pdfium derives weights from stem widths: too rough to mean anything below
_SLANT = 4  # degrees

_SUBSET = re.compile(r"^[A-Z]{6}\+")
_SLANTED = re.compile(
    r"(?i)ital|obliq|slanted|kursiv|^(cm|ec|sf)(ss)?(ti|bxti|mi|sl|bxsl|sy(?!m))\d|"
    r"[-_,. ](it|bdit|bi|i|obl)\b"
)
_MATHS = re.compile(r"(?i)^cmsy\d|^(cm|ms)ex")  # slanted by their descriptors, but not visibly


class Face(NamedTuple):
    """A font as a reader sees it."""

    family: str
    weight: int = 400
    italic: bool = False


NO_FACE = Face("")


def face_of(font: Handle) -> Face:
    """The face of a font of pdfium."""
    angle = ctypes.c_int()
    slanted = pdfium.FPDFFont_GetItalicAngle(font, angle) and abs(angle.value) >= _SLANT
    return face(
        read_utf8(pdfium.FPDFFont_GetBaseFontName, font)
        or read_utf8(pdfium.FPDFFont_GetFamilyName, font),
        stem_weight=int(pdfium.FPDFFont_GetWeight(font)),
        flags=max(0, int(pdfium.FPDFFont_GetFlags(font))),
        slanted=bool(slanted),
    )


@lru_cache(maxsize=1024)
def face(name: str, stem_weight: int = 0, flags: int = 0, slanted: bool = False) -> Face:
    """The face by a PostScript name; the descriptor counts where the name says nothing."""
    family = _SUBSET.sub("", name)
    italic = bool(_SLANTED.search(family)) or flags & _ITALIC > 0 or slanted
    return Face(family, _weight(family, stem_weight, flags), italic and not _MATHS.search(family))


def _weight(family: str, stem_weight: int, flags: int) -> int:
    for pattern, weight in table(__package__, "weights.tsv").items():
        if re.search(pattern, family):
            return int(weight)
    return 700 if stem_weight >= _BOLD_STEM or flags & _FORCE_BOLD else 400
