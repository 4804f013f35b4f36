"""Fonts, and the strings of glyphs that are shown in them, as cairo writes them into a PDF."""

from __future__ import annotations

import codecs
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

_PIECE = re.compile(rb"\(((?:[^\\()]++|\\.)*+)\)|<([0-9a-fA-F\s]*+)>|([-+.\d]++)", re.DOTALL)
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b""}


@dataclass(slots=True)
class Font:
    """What is needed of a font."""

    name: str = ""
    code_bytes: int = 1
    widths: list[float] = field(default_factory=lambda: [0.0] * 256)  # by code
    letters: dict[int, str] = field(default_factory=dict)  # by code, where the text is known
    table: str = ""  # the same, where every code is one letter: far quicker to decode by
    ascent: float = 0.9
    descent: float = 0.2
    bold: bool = False
    italic: bool = False
    family: str = ""

    def codes(self, data: bytes) -> Sequence[int]:
        """The codes of the glyphs in a string of the PDF."""
        if self.code_bytes == 1:
            return data
        return struct.unpack(f">{len(data) // 2}H", data[: len(data) // 2 * 2])

    def text(self, data: bytes) -> str:
        """The text of a string of the PDF."""
        if self.code_bytes == 1:
            return codecs.charmap_decode(data, "replace", self.table or self.letters)[0]
        return "".join([self.letters.get(code, "\ufffd") for code in self.codes(data)])

    def reach(self, data: bytes) -> float:
        """The width of a string of the PDF, in units of the font size."""
        return sum(map(self.widths.__getitem__, self.codes(data)))

    def advance(self, operand: bytes, letters: int) -> float:
        """How far the first `letters` letters of what is shown reach, in units of the font size."""
        reach = 0.0
        for literal, digits, number in _PIECE.findall(operand):
            if number:
                reach -= float(number) / 1000
                continue
            for code in self.codes(_codes(literal, digits)):
                if letters <= 0:
                    return reach
                letters -= len(self.letters.get(code, "?"))
                reach += self.widths[code]
        return reach


def _unescape(match: re.Match[bytes]) -> bytes:
    code = match[1]
    if code[:1] in b"01234567":
        return bytes((int(code, 8) & 0xFF,))
    return _ESCAPES.get(code, code)


def _codes(literal: bytes, digits: bytes) -> bytes:
    """The bytes of a string, which is written in letters or in digits."""
    if digits:  # broken into lines anywhere, if there are many
        packed = b"".join(digits.split())
        return bytes.fromhex((packed + b"0" * (len(packed) % 2)).decode())
    return _ESCAPE.sub(_unescape, literal) if b"\\" in literal else literal


def shown(operand: bytes) -> tuple[bytes, float]:
    """The codes of what is shown, and how far they are moved together, in 1000ths."""
    if b"\\" not in operand and b"<" not in operand:  # nearly always
        parts = operand.replace(b")", b"(").split(b"(")
        return b"".join(parts[1::2]), sum(map(float, filter(bytes.strip, parts[::2])))
    pieces = _PIECE.findall(operand)
    codes = b"".join(_codes(literal, digits) for literal, digits, number in pieces if not number)
    return codes, sum(float(number) for _, _, number in pieces if number)
