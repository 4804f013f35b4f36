"""What was painted into a PDF: text and boxes, with place, colour and order.

Reads the PDFs that cairo writes for the layout engine, and only those: one page, colours in RGB,
fonts with their widths and with maps to Unicode. PDFium could read them too, but it finds the text
of a text object by scanning all characters of the page, which takes seconds on long pages.
"""

from __future__ import annotations

import codecs
import re
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from itertools import compress
from typing import NamedTuple

import numpy as np

from pagesight.page import Decoration
from pagesight.render.embedded.letters import MISSING
from pagesight.render.embedded.numbering import HAIR, is_ours

Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_NEARLY = 0.02
_PEN = 1 / 16  # of the size of a font: how thick the lines along its texts are
_LOWEST_LINE = 0.2  # of the size of a font: how far below its letters a line may run
_BLANK = 0.777832  # of the size of Liberation Serif: how wide it leaves space for a letter it lacks
_EVERYWHERE = (-1e9, -1e9, 1e9, 1e9)
Rect = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(slots=True)
class PaintedText:
    """A piece of text on one line. x and baseline in CSS pixels, y downwards."""

    order: int
    x: float
    baseline: float
    width: float
    size: float
    font: Font
    text: str
    color: int  # 0xRRGGBB
    alpha: float
    clip: Rect
    operand: bytes  # what was shown: codes of glyphs, and moves between them
    line_color: int | None = None  # of the lines along the text
    lines: int = 0  # as in Decoration

    def advance(self, letters: int) -> float:
        """How far the first `letters` letters of the text reach, in CSS pixels."""
        reach = 0.0
        for literal, digits, number in _PIECE.findall(self.operand):
            if number:
                reach -= float(number) / 1000
                continue
            for code in self.font.codes(_codes(literal, digits)):
                if letters <= 0:
                    return reach * self.size
                letters -= len(self.font.letters.get(code, "?"))
                reach += self.font.widths[code]
        return reach * self.size


class Outline(NamedTuple):
    """A hair-thin frame along the inner edges of a box."""

    order: int
    rect: Rect
    color: int


class PaintedBox(NamedTuple):
    """The outline of something filled: a background, a border, a rule, a picture."""

    order: int
    rect: Rect
    color: int | None  # None of pictures and gradients
    alpha: float
    inner: Rect | None  # of a frame: where the hole is
    clip: Rect


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


_BOLD = re.compile(r"bold|black|heavy", re.IGNORECASE)
_ITALIC = re.compile(r"italic|oblique", re.IGNORECASE)


@dataclass(slots=True)
class Painting:
    """Everything that was painted, in order."""

    texts: list[PaintedText] = field(default_factory=list)
    boxes: list[PaintedBox] = field(default_factory=list)
    outlines: list[Outline] = field(default_factory=list)


def read_painting(pdf: bytes) -> Painting:
    """Read what the engine painted."""
    file = _File(pdf)
    reader = _Reader(file)
    reader.run(*file.page_content(), _IDENTITY, 1.0, _EVERYWHERE)
    reader.add_frames()
    return reader.painting


_OBJECT = re.compile(rb"(\d+) 0 obj\s*")
_REFERENCE = re.compile(rb"/(\S+)\s+(\d+) 0 R")
_ALPHA = re.compile(rb"/(\S+)\s*<<[^<>]*?/ca\s+([\d.]+)[^<>]*>>")
_BFCHAR = re.compile(rb"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>")
_BFRANGE = re.compile(rb"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>")


class _File:
    """The objects of a PDF by number: dictionary, and stream where there is one."""

    def __init__(self, pdf: bytes) -> None:
        self.dictionaries: dict[int, bytes] = {}
        self._streams: dict[int, bytes] = {}
        position = 0
        while found := _OBJECT.search(pdf, position):
            number = int(found[1])
            stream = pdf.find(b"stream", found.end())
            end = pdf.find(b"endobj", found.end())
            if end < 0:
                break
            if 0 <= stream < end:
                self.dictionaries[number] = pdf[found.end() : stream]
                start = stream + len(b"stream")
                start += 2 if pdf[start : start + 2] == b"\r\n" else 1
                stop = pdf.find(b"endstream", start)
                self._streams[number] = pdf[start:stop]
                position = stop
            else:
                self.dictionaries[number] = pdf[found.end() : end]
                position = end
        self._unpack_object_streams()
        everything = b"\n".join(self.dictionaries.values())
        self.names = {name: int(number) for name, number in _REFERENCE.findall(everything)}
        self._fonts: dict[bytes, Font] = {}

    def _unpack_object_streams(self) -> None:
        for number in [n for n, d in self.dictionaries.items() if b"/ObjStm" in d]:
            data = self.stream(number)
            first = re.search(rb"/First (\d+)", self.dictionaries[number])
            if first is None:
                continue
            start = int(first[1])
            heads = [int(part) for part in data[:start].split()]
            starts = [start + offset for offset in heads[1::2]]
            for inner, begin, end in zip(heads[::2], starts, [*starts[1:], len(data)], strict=True):
                self.dictionaries.setdefault(inner, data[begin:end])

    def stream(self, number: int) -> bytes:
        data = self._streams.get(number, b"")
        if b"/FlateDecode" in self.dictionaries[number]:
            return zlib.decompressobj().decompress(data)
        return data

    def page_content(self) -> tuple[bytes, dict[bytes, float]]:
        """The content and opacities of the page."""
        for dictionary in self.dictionaries.values():
            if re.search(rb"/Type\s*/Page\b", dictionary):
                contents = re.search(rb"/Contents\s+(\d+) 0 R", dictionary)
                if contents:
                    return self.stream(int(contents[1])), self.alphas(dictionary)
        return b"", {}

    def alphas(self, dictionary: bytes) -> dict[bytes, float]:
        """The opacities that a page or form has names for; the names mean others in others."""
        found = re.search(rb"/Resources\s+(\d+) 0 R", dictionary)
        resources = self.dictionaries.get(int(found[1]), b"") if found else dictionary
        return {name: float(alpha) for name, alpha in _ALPHA.findall(resources)}

    def form(self, name: bytes) -> tuple[bytes, dict[bytes, float]] | None:
        """The content and opacities of a form, None where the name is that of a picture."""
        number = self.names.get(name)
        dictionary = self.dictionaries.get(number, b"") if number is not None else b""
        if number is None or not re.search(rb"/Subtype\s*/Form", dictionary):
            return None
        return self.stream(number), self.alphas(dictionary)

    def font(self, name: bytes) -> Font:
        if name not in self._fonts:
            number = self.names.get(name, -1)
            self._fonts[name] = self._read_font(self.dictionaries.get(number, b""))
        return self._fonts[name]

    def _read_font(self, dictionary: bytes) -> Font:
        font = Font()
        base = re.search(rb"/BaseFont\s*/(?:\w{6}\+)?(\S+)", dictionary)
        font.name = base[1].decode("ascii", "replace") if base else ""
        font.family = font.name.partition("-")[0]
        font.bold = bool(_BOLD.search(font.name))
        font.italic = bool(_ITALIC.search(font.name))
        if descendant := re.search(rb"/DescendantFonts\s*\[\s*(\d+) 0 R", dictionary):
            font.code_bytes = 2
            inner = self.dictionaries.get(int(descendant[1]), b"")
            self._read_wide_widths(font, inner)
            self._read_descriptor(font, inner)
        else:
            self._read_widths(font, dictionary)
            self._read_descriptor(font, dictionary)
        if unicode := re.search(rb"/ToUnicode\s+(\d+) 0 R", dictionary):
            font.letters = _letters(self.stream(int(unicode[1])))
            if font.code_bytes == 1 and all(len(text) == 1 for text in font.letters.values()):
                font.table = "".join(font.letters.get(code, "\ufffe") for code in range(256))
        return font

    def _read_descriptor(self, font: Font, dictionary: bytes) -> None:
        found = re.search(rb"/FontDescriptor\s+(\d+) 0 R", dictionary)
        descriptor = self.dictionaries.get(int(found[1]), b"") if found else b""
        if ascent := re.search(rb"/Ascent\s+(-?[\d.]+)", descriptor):
            font.ascent = float(ascent[1]) / 1000
        if descent := re.search(rb"/Descent\s+(-?[\d.]+)", descriptor):
            font.descent = -float(descent[1]) / 1000

    def _read_widths(self, font: Font, dictionary: bytes) -> None:
        first = re.search(rb"/FirstChar\s+(\d+)", dictionary)
        widths = re.search(rb"/Widths\s*\[([^\]]*)\]", dictionary)
        if first and widths:
            start = int(first[1])
            values = [float(value) / 1000 for value in widths[1].split()]
            font.widths[start : start + len(values)] = values
            font.widths += [0.0] * (256 - len(font.widths))

    def _read_wide_widths(self, font: Font, dictionary: bytes) -> None:
        default = re.search(rb"/DW\s+(\d+)", dictionary)
        font.widths = [int(default[1]) / 1000 if default else 1.0] * 0x10000
        found = re.search(rb"/W\s*\[(.*)\]", dictionary, re.DOTALL)
        for first, widths in re.findall(rb"(\d+)\s*\[([^\]]*)\]", found[1] if found else b""):
            values = [float(value) / 1000 for value in widths.split()]
            font.widths[int(first) : int(first) + len(values)] = values


def _letters(cmap: bytes) -> dict[int, str]:
    """The map from codes to text of a ToUnicode stream."""
    letters: dict[int, str] = {}
    for block in re.findall(rb"beginbfchar(.*?)endbfchar", cmap, re.DOTALL):
        for code, text in _BFCHAR.findall(block):
            letters[int(code, 16)] = _utf16(text)
    for block in re.findall(rb"beginbfrange(.*?)endbfrange", cmap, re.DOTALL):
        for first, last, text in _BFRANGE.findall(block):
            start = int(text, 16)
            for step in range(min(int(last, 16) - int(first, 16), 0xFFFF) + 1):
                letters[int(first, 16) + step] = chr(start + step)
    return letters


def _from_hex(digits: bytes) -> bytes:
    packed = b"".join(digits.split())  # long strings are broken into lines anywhere
    return bytes.fromhex((packed + b"0" * (len(packed) % 2)).decode())


def _utf16(digits: bytes) -> str:
    return bytes.fromhex(digits.decode()).decode("utf-16-be", "replace")


# Most of what is painted is a text, a line, or a frame of eight corners: those are found whole.
_WORDS = {
    b"NUMBER": rb"[-+.\d]++\s++",
    b"POINT": rb"(?:[-.\d]++\s++){2}",
    b"STRING": rb"(?:\((?:[^\\()]++|\\.)*+\) | <[0-9a-fA-F\s]*+>)",
    b"IGNORED": rb"(?:ET | \d++\s++[jJM] | \[\]\s++[\d.]++\s++d)\s++",
}
_OPERATION = re.compile(
    reduce(
        lambda pattern, word: pattern.replace(*word),
        _WORDS.items(),
        rb"""
        (?:IGNORED)*+
        (?: ((?:NUMBER){3})(rg|RG) \s++ )?                     # 1, 2: a colour
        (?:
            (POINT) m \s++ (?:                                  # 3: where a path begins
                POINT l \s++ (POINT) l \s++ POINT l \s++ h \s++      # 4: the far corner of a frame
                (POINT) m \s++ POINT l \s++ (POINT) l \s++ POINT l \s++  # 5, 6: and of the hole
                h \s++ POINT m \s++ f\*
              | (POINT) l \s++ S \b                             # 7: the end of a line
            )
          | BT \s++ ((?:NUMBER){6})Tm \s++ /(\S++) \s++ (NUMBER)Tf \s++  # 8 to 10
            (?: (STRING) \s*+ Tj | \[((?:[-+.\d\s]++|STRING)*+)\] \s*+ TJ )  # 11, 12: a text
            (?: \s++ (?:IGNORED)*+ (?: ((?:NUMBER){3})RG \s++ )?  # 13 to 15: and a line along it
                (POINT) m \s++ (POINT) l \s++ S \b )?
          | ((?:NUMBER)*+)                                      # 16: numbers in front
            (?: ([a-zA-Z'"]++\*?)                               # 17: an operator
              | (STRING) \s*+ Tj                                # 18: a string
              | \[((?:[-+.\d\s]++|STRING)*+)\] \s*+ TJ           # 19: several
              | /(\S++) \s++ (NUMBER)?+ (Tf|gs|Do|cs|CS|scn|SCN|sh|ri|BMC)\b  # 20 to 22
            )
        )
        """,
    ),
    re.VERBOSE | re.DOTALL,
)
_PIECE = re.compile(rb"\(((?:[^\\()]++|\\.)*+)\)|<([0-9a-fA-F\s]*+)>|([-+.\d]++)", re.DOTALL)
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b""}


def _unescape(found: re.Match[bytes]) -> bytes:
    code = found[1]
    if code.isdigit():
        return bytes((int(code, 8) & 0xFF,))
    return _ESCAPES.get(code, code)


def _codes(literal: bytes, digits: bytes) -> bytes:
    """The bytes of a string, which is written in letters or in digits."""
    if digits:
        return _from_hex(digits)
    return _ESCAPE.sub(_unescape, literal) if b"\\" in literal else literal


def _shown(operand: bytes) -> tuple[bytes, float]:
    """The codes of what is shown, and how far they are moved together, in 1000ths."""
    if b"\\" not in operand and b"<" not in operand:  # nearly always
        parts = operand.replace(b")", b"(").split(b"(")
        return b"".join(parts[1::2]), sum(map(float, filter(bytes.strip, parts[::2])))
    pieces = _PIECE.findall(operand)
    codes = b"".join(_codes(literal, digits) for literal, digits, number in pieces if not number)
    return codes, sum(float(number) for _, _, number in pieces if number)


@dataclass(slots=True)
class _State:
    """The graphics state that `q` saves and `Q` restores."""

    ctm: Matrix
    clip: Rect
    color: int | None = 0
    alpha: float = 1.0
    stroke: int = 0
    line_width: float = 1.0


class _Reader:
    """Runs a content stream and notes what it paints."""

    def __init__(self, file: _File) -> None:
        self.file = file
        self.painting = Painting()
        self.order = 0
        self.depth = 0
        self.unlined = 0  # the first text after the last line along a text
        self.frames: list[
            tuple[int, int | None, float, Rect]
        ] = []  # order, colour, opacity and clip
        self.corners: list[bytes] = []  # four of each frame

    def run(
        self, content: bytes, alphas: dict[bytes, float], ctm: Matrix, alpha: float, clip: Rect
    ) -> None:
        """Run the content of the page or of a form below it."""
        _Stream(self, alphas, ctm, alpha, clip).run(content)

    def add_frames(self) -> None:
        """Read the corners of frames: outlines of ours, or borders."""
        text = b"".join(self.corners).decode("ascii")
        corners = np.fromstring(text, dtype=np.float64, sep=" ").reshape(-1, 8)
        outer, hole = corners[:, :4], corners[:, 4:]
        hair = np.all(np.abs(np.abs(outer - hole) - HAIR) < _NEARLY, axis=1).tolist()
        rects, holes = outer.tolist(), hole.tolist()
        for frame, rect, inner, is_hair in zip(self.frames, rects, holes, hair, strict=True):
            order, color, alpha, clip = frame
            if is_hair and color is not None:
                self.painting.outlines.append(Outline(order, tuple(rect), color))
            else:
                box = PaintedBox(order, tuple(rect), color, alpha, tuple(inner), clip)
                self.painting.boxes.append(box)
        self.painting.boxes.sort()

    def next_order(self) -> int:
        self.order += 1
        return self.order


class _Stream:
    """One content stream."""

    def __init__(
        self,
        reader: _Reader,
        alphas: dict[bytes, float],
        ctm: Matrix,
        alpha: float,
        clip: Rect,
    ) -> None:
        self.reader = reader
        self.alphas = alphas
        self.group_alpha = alpha
        self.state = _State(ctm, clip)
        self.saved: list[_State] = []
        self.flipped = False
        self.subpaths: list[list[float]] = []  # left, top, right, bottom
        self.text_matrix = _IDENTITY
        self.line_matrix = _IDENTITY
        self.font: Font | None = None
        self.font_size = 1.0
        self.moved = 0.0

    def run(self, content: bytes) -> None:
        for found in _OPERATION.finditer(content):
            kind = found.lastindex
            if color := found[1]:
                _ACTIONS[found[2]](self, list(map(float, color.split())))
            if kind == 17:
                if action := _ACTIONS.get(found[17]):
                    action(self, list(map(float, found[16].split())))
            elif kind == 15 or kind == 11 or kind == 12:
                self.set_text_matrix(list(map(float, found[8].split())))
                self.set_font(found[9], found[10])
                self.show(found[11] or found[12])
                if kind == 15:
                    if line_color := found[13]:
                        self.stroke_color(list(map(float, line_color.split())))
                    self.line(found[14], found[15])
            elif kind == 7:
                self.line(found[3], found[7])
            elif kind == 6:
                self.frame(found.group(3, 4, 5, 6))
            elif kind == 22:
                self.named(found[22], found[20], found[21])
            else:
                self.show(found[18] or found[19] or b"")

    def line(self, start: bytes, end: bytes) -> None:
        self.between(start, end)
        self.stroke([])

    def frame(self, corners: tuple[bytes, ...]) -> None:
        if self.state.ctm is _IDENTITY and not self.subpaths:
            # There are so many that their numbers are better read all at once.
            state, reader = self.state, self.reader
            alpha = state.alpha * self.group_alpha
            reader.frames.append((reader.next_order(), state.color, alpha, state.clip))
            reader.corners += corners
            return
        self.between(*corners[:2])
        self.between(*corners[2:])
        self.fill([])

    def set_font(self, name: bytes, size: bytes | None) -> None:
        self.font = self.reader.file.font(name)
        self.font_size = float(size or 1)

    def named(self, operator: bytes, name: bytes, size: bytes | None) -> None:
        if operator == b"Tf":
            self.set_font(name, size)
        elif operator == b"gs":
            self.state.alpha = self.alphas.get(name, self.state.alpha)
        elif operator == b"Do":
            self.paint_object(name)
        elif operator == b"scn" or (operator == b"cs" and name == b"Pattern"):
            self.state.color = None
        elif operator == b"sh":
            self.add_box(self.state.clip, None)

    def paint_object(self, name: bytes) -> None:
        form = self.reader.file.form(name)
        if form is None:
            corners = [_apply(self.state.ctm, x, y) for x, y in ((0, 0), (1, 0), (0, 1), (1, 1))]
            self.add_box(_bounds(corners), None)
        elif self.reader.depth < 32:
            self.reader.depth += 1
            alpha = self.group_alpha * self.state.alpha
            self.reader.run(*form, _IDENTITY, alpha, self.state.clip)
            self.reader.depth -= 1

    # graphics state

    def save(self, _: list[float]) -> None:
        now = self.state
        self.saved.append(
            _State(now.ctm, now.clip, now.color, now.alpha, now.stroke, now.line_width)
        )

    def restore(self, _: list[float]) -> None:
        if self.saved:
            self.state = self.saved.pop()

    def concatenate(self, numbers: list[float]) -> None:
        if len(numbers) != 6:
            return
        if not self.flipped and numbers[3] == -1:
            self.flipped = True  # the first one turns the page upside down, into CSS coordinates
            return
        a, b, c, d, e, f = numbers
        self.state.ctm = _multiply((a, b, c, d, e, f), self.state.ctm)

    def fill_color(self, numbers: list[float]) -> None:
        self.state.color = _color(*numbers)

    def fill_grey(self, numbers: list[float]) -> None:
        self.state.color = round(numbers[0] * 255) * 0x010101

    # paths

    def move(self, numbers: list[float]) -> None:
        x, y = _apply(self.state.ctm, *numbers[:2])
        self.subpaths.append([x, y, x, y])

    def line_to(self, numbers: list[float]) -> None:
        for index in range(0, len(numbers) - 1, 2):
            self.extend(*_apply(self.state.ctm, numbers[index], numbers[index + 1]))

    def between(self, one: bytes, other: bytes) -> None:
        """Add a path that lies between two points."""
        left, top = map(float, one.split())
        right, bottom = map(float, other.split())
        ctm = self.state.ctm
        if ctm is not _IDENTITY:
            corners = ((left, top), (right, top), (left, bottom), (right, bottom))
            left, top, right, bottom = _bounds([_apply(ctm, x, y) for x, y in corners])
        elif left > right or top > bottom:
            left, top, right, bottom = _bounds([(left, top), (right, bottom)])
        self.subpaths.append([left, top, right, bottom])

    def extend(self, x: float, y: float) -> None:
        if not self.subpaths:
            self.subpaths.append([x, y, x, y])
            return
        box = self.subpaths[-1]
        box[0], box[1] = min(box[0], x), min(box[1], y)
        box[2], box[3] = max(box[2], x), max(box[3], y)

    def rectangle(self, numbers: list[float]) -> None:
        x, y, width, height = numbers
        if self.state.ctm is _IDENTITY and width >= 0 <= height:
            self.subpaths.append([x, y, x + width, y + height])
            return
        corners = ((x, y), (x + width, y), (x, y + height), (x + width, y + height))
        self.subpaths.append(list(_bounds([_apply(self.state.ctm, *each) for each in corners])))

    def clip(self, _: list[float]) -> None:
        if self.subpaths:
            self.state.clip = _intersect(self.state.clip, _hull(self.subpaths))

    def stroke_color(self, numbers: list[float]) -> None:
        self.state.stroke = _color(*numbers)

    def line_width(self, numbers: list[float]) -> None:
        self.state.line_width = numbers[0]

    def stroke(self, _: list[float]) -> None:
        half = self.state.line_width / 2
        for left, top, right, bottom in self.subpaths:
            line = (left, top, right, bottom)
            if not self.add_line(line) and bottom - top <= half and not self.add_blanks(line):
                self.add_box((left, top - half, right, bottom + half), self.state.stroke)
        self.subpaths = []

    def add_blanks(self, line: Rect) -> bool:
        """Take a line with nothing along it as one along letters that the font lacks, if it is.

        What leaves no trace of ink is not in the PDF, but the line says how many letters it had.
        """
        left, top, right, _ = line
        size = self.state.line_width / _PEN
        letters = (right - left) / (size * _BLANK) if size > 0 else 0.0
        count = round(letters)
        if not is_ours(self.state.stroke) or not count or abs(letters - count) > _NEARLY:
            return False
        font, operand = _blank_font(), b"(" + b"?" * count + b")"
        texts = self.reader.painting.texts
        color = texts[-1].color if texts else 0  # nothing says it: most likely, as it was before
        baseline = top + round(font.ascent * size)
        text = PaintedText(
            self.reader.next_order(), left, baseline, right - left, size, font, MISSING * count,
            color, self.state.alpha * self.group_alpha, self.state.clip, operand,
            self.state.stroke, _OVER,
        )  # fmt: skip
        texts.append(text)
        self.reader.unlined = len(texts)
        return True

    def add_line(self, line: Rect) -> bool:
        """Take a line as one along the text that was painted last, if it is."""
        texts, first, color = self.reader.painting.texts, self.reader.unlined, self.state.stroke
        if not texts or not _runs_along(line, texts[-1]):
            return False
        if first == len(texts):
            if texts[-1].line_color != color or _is_below(line, texts[-1]):
                return False
        else:
            if first < len(texts) - 1:
                clip = texts[-1].clip
                along = [text.clip == clip and _runs_along(line, text) for text in texts[first:]]
                bare = compress(texts[first:], (not is_along for is_along in along))
                texts[first:] = [*bare, _joined(list(compress(texts[first:], along)))]
            self.reader.unlined = len(texts)
            texts[-1].line_color = color
            if line[3] == line[1]:  # it also runs along letters at the end that left no ink
                texts[-1].width = max(texts[-1].width, line[2] - texts[-1].x)
        texts[-1].lines |= _decoration(line, texts[-1])
        return True

    def end_path(self, _: list[float]) -> None:
        self.subpaths = []

    def fill(self, _: list[float]) -> None:
        solid = [box for box in self.subpaths if box[0] < box[2] or box[1] < box[3]]
        self.subpaths = []
        if not solid:
            return
        outer, color = _hull(solid), self.state.color
        if tuple(solid[0]) != outer:  # e.g. three sides of a border
            for box in solid:
                self.add_box(_hull([box]), color)
            return
        hole = _hull(solid[-1:]) if len(solid) > 1 else None
        if hole is not None and color is not None and self.is_hair(outer, hole):
            order = self.reader.next_order()
            self.reader.painting.outlines.append(Outline(order, outer, color))
        else:
            self.add_box(outer, color, hole)

    def is_hair(self, outer: Rect, hole: Rect) -> bool:
        a, b, c, d, _, _ = self.state.ctm
        across, along = HAIR * (abs(a) + abs(c)), HAIR * (abs(b) + abs(d))
        sides = zip(outer, hole, (across, along, across, along), strict=True)
        return all(abs(abs(one - other) - hair) < _NEARLY for one, other, hair in sides)

    def add_box(self, rect: Rect, color: int | None, hole: Rect | None = None) -> None:
        self.reader.painting.boxes.append(
            PaintedBox(
                self.reader.next_order(), rect, color, self.state.alpha * self.group_alpha, hole,
                self.state.clip,
            )
        )  # fmt: skip

    # text

    def begin_text(self, _: list[float]) -> None:
        self.text_matrix = self.line_matrix = _IDENTITY
        self.moved = 0.0

    def set_text_matrix(self, numbers: list[float]) -> None:
        a, b, c, d, e, f = numbers[:6]
        self.text_matrix = self.line_matrix = (a, b, c, d, e, f)
        self.moved = 0.0

    def move_text(self, numbers: list[float]) -> None:
        moved = (1.0, 0.0, 0.0, 1.0, numbers[0], numbers[1])
        self.text_matrix = self.line_matrix = _multiply(moved, self.line_matrix)
        self.moved = 0.0

    def show(self, operand: bytes) -> None:
        font = self.font
        if font is None:
            return
        codes, moved = _shown(operand)
        reach = font.reach(codes) - moved / 1000
        start, self.moved = self.moved, self.moved + reach * self.font_size
        self.add_text(font, start, reach, font.text(codes), operand)

    def add_text(self, font: Font, start: float, reach: float, text: str, operand: bytes) -> None:
        a, b, c, d, e, f = _multiply(self.text_matrix, self.state.ctm)
        scale = (a * a + b * b) ** 0.5
        size = (c * c + d * d) ** 0.5 * self.font_size
        self.reader.painting.texts.append(
            PaintedText(
                self.reader.next_order(),
                e + a * start,
                f + b * start,
                scale * self.font_size * reach,
                size,
                font,
                text,
                self.state.color or 0,
                self.state.alpha * self.group_alpha,
                self.state.clip,
                operand,
            )
        )


_ACTIONS = {
    b"q": _Stream.save,
    b"Q": _Stream.restore,
    b"cm": _Stream.concatenate,
    b"rg": _Stream.fill_color,
    b"g": _Stream.fill_grey,
    b"m": _Stream.move,
    b"l": _Stream.line_to,
    b"c": _Stream.line_to,
    b"v": _Stream.line_to,
    b"y": _Stream.line_to,
    b"re": _Stream.rectangle,
    b"W": _Stream.clip,
    b"W*": _Stream.clip,
    b"n": _Stream.end_path,
    b"f": _Stream.fill,
    b"f*": _Stream.fill,
    b"B": _Stream.fill,
    b"B*": _Stream.fill,
    b"S": _Stream.stroke,
    b"s": _Stream.stroke,
    b"RG": _Stream.stroke_color,
    b"w": _Stream.line_width,
    b"BT": _Stream.begin_text,
    b"Tm": _Stream.set_text_matrix,
    b"Td": _Stream.move_text,
}


@cache
def _blank_font() -> Font:
    letters = {ord("?"): MISSING}
    return Font("LiberationSerif", family="LiberationSerif", ascent=0.891, descent=0.216,
                letters=letters, widths=[_BLANK] * 256)  # fmt: skip


def _runs_along(line: Rect, text: PaintedText) -> bool:
    left, top, right, bottom = line
    reach = 1.5 * text.size
    beside = reach if bottom - top > 1 else 1.0  # of a turned text, the line begins elsewhere
    return (
        left - beside <= text.x <= right + beside and top - reach <= text.baseline <= bottom + reach
    )


def _is_below(line: Rect, text: PaintedText) -> bool:
    """Whether a line is too far below a text to be a further one along it."""
    return line[1] > text.baseline + _LOWEST_LINE * text.size


def _joined(pieces: list[PaintedText]) -> PaintedText:
    """Pieces that were painted apart, because letters came from another font."""
    first = pieces[0]
    for piece in pieces[1:]:
        first.width = piece.x + piece.width - first.x
        first.text += piece.text
        first.operand += piece.operand
    return first


_UNDER, _OVER, _THROUGH = (
    int(line) for line in (Decoration.UNDERLINE, Decoration.OVERLINE, Decoration.LINE_THROUGH)
)


def _decoration(line: Rect, text: PaintedText) -> int:
    above = text.baseline - (line[1] + line[3]) / 2
    if above < 0.1 * text.size:
        return _UNDER
    return _OVER if above > 0.6 * text.size else _THROUGH


def _color(red: float, green: float, blue: float) -> int:
    return int(red * 255 + 0.5) << 16 | int(green * 255 + 0.5) << 8 | int(blue * 255 + 0.5)


def _multiply(one: Matrix, other: Matrix) -> Matrix:
    if other == _IDENTITY:
        return one
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (
        a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j,
        e * g + f * i + k, e * h + f * j + m,
    )  # fmt: skip


def _apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    if matrix is _IDENTITY:
        return x, y
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _bounds(points: list[tuple[float, float]]) -> Rect:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _hull(boxes: list[list[float]]) -> Rect:
    left, top, right, bottom = boxes[0]
    for box in boxes[1:]:
        left, top = min(left, box[0]), min(top, box[1])
        right, bottom = max(right, box[2]), max(bottom, box[3])
    return left, top, right, bottom


def _intersect(one: Rect, other: Rect) -> Rect:
    return (
        max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])
    )  # fmt: skip
