"""Reads what was painted into a PDF.

Reads the PDFs that cairo writes for the layout engine, and only those: one page, colours in RGB,
fonts with their widths and with maps to Unicode. PDFium could read them too, but it finds the text
of a text object by scanning all characters of the page, which takes seconds on long pages.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass
from functools import reduce
from itertools import compress

import numpy as np

from pagesight.render.embedded.glyphs import Font, shown
from pagesight.render.embedded.letters import MISSING
from pagesight.render.embedded.lines import (
    OVER,
    PEN,
    blank_font,
    blanks,
    decoration,
    is_below,
    joined,
    runs_along,
)
from pagesight.render.embedded.numbering import HAIR, is_ours
from pagesight.render.embedded.objects import Objects
from pagesight.render.embedded.painted import Outline, PaintedBox, PaintedText, Painting
from pagesight.render.geometry import (
    EVERYWHERE,
    IDENTITY,
    Matrix,
    Rect,
    apply,
    hull,
    intersect,
    moved,
    multiply,
)

_NEARLY = 0.02


def read_painting(pdf: bytes) -> Painting:
    """Read what the engine painted."""
    reader = _Painter(Objects(pdf))
    reader.run(*reader.file.page_content(), 1.0, EVERYWHERE)
    reader.add_frames()
    return reader.painting


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


@dataclass(slots=True)
class _State:
    """The graphics state that `q` saves and `Q` restores."""

    ctm: Matrix
    clip: Rect
    color: int | None = 0
    alpha: float = 1.0
    stroke: int = 0
    line_width: float = 1.0


class _Painter:
    """Runs a content stream and notes what it paints."""

    def __init__(self, file: Objects) -> None:
        self.file = file
        self.painting = Painting()
        self.order = 0
        self.depth = 0
        self.unlined = 0  # the first text after the last line along a text
        # Of each frame its order, colour, opacity and clip
        self.frames: list[tuple[int, int | None, float, Rect]] = []
        self.corners: list[bytes] = []  # four of each frame

    def run(self, content: bytes, alphas: dict[bytes, float], alpha: float, clip: Rect) -> None:
        """Run the content of the page or of a form below it."""
        _Stream(self, alphas, alpha, clip).run(content)

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
        self, reader: _Painter, alphas: dict[bytes, float], alpha: float, clip: Rect
    ) -> None:
        self.reader = reader
        self.alphas = alphas
        self.group_alpha = alpha
        self.state = _State(IDENTITY, clip)
        self.saved: list[_State] = []
        self.flipped = False
        self.subpaths: list[list[float]] = []  # left, top, right, bottom
        self.text_matrix = IDENTITY
        self.font: Font | None = None
        self.font_size = 1.0
        self.moved = 0.0

    def run(self, content: bytes) -> None:
        for operation in _OPERATION.finditer(content):
            kind = operation.lastindex
            if color := operation[1]:
                _ACTIONS[operation[2]](self, list(map(float, color.split())))
            if kind == 17:
                if action := _ACTIONS.get(operation[17]):
                    action(self, list(map(float, operation[16].split())))
            elif kind == 15 or kind == 11 or kind == 12:
                self.set_text_matrix(list(map(float, operation[8].split())))
                self.set_font(operation[9], operation[10])
                self.show(operation[11] or operation[12])
                if kind == 15:
                    if line_color := operation[13]:
                        self.stroke_color(list(map(float, line_color.split())))
                    self.line(operation[14], operation[15])
            elif kind == 7:
                self.line(operation[3], operation[7])
            elif kind == 6:
                self.frame(operation.group(3, 4, 5, 6))
            elif kind == 22:
                self.named(operation[22], operation[20], operation[21])
            else:
                self.show(operation[18] or operation[19] or b"")

    def line(self, start: bytes, end: bytes) -> None:
        self.between(start, end)
        self.stroke([])

    def frame(self, corners: tuple[bytes, ...]) -> None:
        if self.state.ctm is IDENTITY and not self.subpaths:
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
            self.add_box(moved(self.state.ctm, 0, 0, 1, 1), None)
        elif self.reader.depth < 32:
            self.reader.depth += 1
            alpha = self.group_alpha * self.state.alpha
            self.reader.run(*form, alpha, self.state.clip)
            self.reader.depth -= 1

    # graphics state

    def save(self, _: list[float]) -> None:
        self.saved.append(copy(self.state))

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
        self.state.ctm = multiply((a, b, c, d, e, f), self.state.ctm)

    def fill_color(self, numbers: list[float]) -> None:
        self.state.color = _color(*numbers)

    def fill_grey(self, numbers: list[float]) -> None:
        self.state.color = round(numbers[0] * 255) * 0x010101

    # paths

    def move(self, numbers: list[float]) -> None:
        x, y = apply(self.state.ctm, *numbers[:2])
        self.subpaths.append([x, y, x, y])

    def line_to(self, numbers: list[float]) -> None:
        for index in range(0, len(numbers) - 1, 2):
            self.extend(*apply(self.state.ctm, numbers[index], numbers[index + 1]))

    def between(self, one: bytes, other: bytes) -> None:
        """Add a path that lies between two points."""
        left, top = map(float, one.split())
        right, bottom = map(float, other.split())
        self.add_path(left, top, right, bottom)

    def add_path(self, left: float, top: float, right: float, bottom: float) -> None:
        if self.state.ctm is not IDENTITY or left > right or top > bottom:
            left, top, right, bottom = moved(self.state.ctm, left, top, right, bottom)
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
        self.add_path(x, y, x + width, y + height)

    def clip(self, _: list[float]) -> None:
        if self.subpaths:
            self.state.clip = intersect(self.state.clip, hull(self.subpaths))

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
        size = self.state.line_width / PEN
        count = blanks(right - left, size) if is_ours(self.state.stroke) else 0
        if not count:
            return False
        font, operand = blank_font(), b"(" + b"?" * count + b")"
        texts = self.reader.painting.texts
        color = texts[-1].color if texts else 0  # nothing says it: most likely, as it was before
        baseline = top + round(font.ascent * size)
        text = PaintedText(
            self.reader.next_order(), left, baseline, right - left, size, font, MISSING * count,
            color, self.state.alpha * self.group_alpha, self.state.clip, operand,
            self.state.stroke, OVER,
        )  # fmt: skip
        texts.append(text)
        self.reader.unlined = len(texts)
        return True

    def add_line(self, line: Rect) -> bool:
        """Take a line as one along the text that was painted last, if it is."""
        texts, first, color = self.reader.painting.texts, self.reader.unlined, self.state.stroke
        if not texts or not runs_along(line, texts[-1]):
            return False
        if first == len(texts):
            if texts[-1].line_color != color or is_below(line, texts[-1]):
                return False
        else:
            if first < len(texts) - 1:
                clip = texts[-1].clip
                along = [text.clip == clip and runs_along(line, text) for text in texts[first:]]
                bare = compress(texts[first:], (not is_along for is_along in along))
                texts[first:] = [*bare, joined(list(compress(texts[first:], along)))]
            self.reader.unlined = len(texts)
            texts[-1].line_color = color
            if line[3] == line[1]:  # it also runs along letters at the end that left no ink
                texts[-1].width = max(texts[-1].width, line[2] - texts[-1].x)
        texts[-1].lines |= decoration(line, texts[-1])
        return True

    def end_path(self, _: list[float]) -> None:
        self.subpaths = []

    def fill(self, _: list[float]) -> None:
        solid = [box for box in self.subpaths if box[0] < box[2] or box[1] < box[3]]
        self.subpaths = []
        if not solid:
            return
        outer, color = hull(solid), self.state.color
        if tuple(solid[0]) != outer:  # e.g. three sides of a border
            for left, top, right, bottom in solid:
                self.add_box((left, top, right, bottom), color)
            return
        hole = hull(solid[-1:]) if len(solid) > 1 else None
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
        self.text_matrix = IDENTITY
        self.moved = 0.0

    def set_text_matrix(self, numbers: list[float]) -> None:
        a, b, c, d, e, f = numbers[:6]
        self.text_matrix = (a, b, c, d, e, f)
        self.moved = 0.0

    def move_text(self, numbers: list[float]) -> None:
        step = (1.0, 0.0, 0.0, 1.0, numbers[0], numbers[1])
        self.text_matrix = multiply(step, self.text_matrix)
        self.moved = 0.0

    def show(self, operand: bytes) -> None:
        font = self.font
        if font is None:
            return
        codes, moved = shown(operand)
        reach = font.reach(codes) - moved / 1000
        start, self.moved = self.moved, self.moved + reach * self.font_size
        self.add_text(font, start, reach, font.text(codes), operand)

    def add_text(self, font: Font, start: float, reach: float, text: str, operand: bytes) -> None:
        a, b, c, d, e, f = multiply(self.text_matrix, self.state.ctm)
        scale = (a * a + b * b) ** 0.5
        size = (c * c + d * d) ** 0.5 * self.font_size
        painted = PaintedText(
            self.reader.next_order(), e + a * start, f + b * start, scale * self.font_size * reach,
            size, font, text, self.state.color or 0, self.state.alpha * self.group_alpha,
            self.state.clip, operand,
        )  # fmt: skip
        self.reader.painting.texts.append(painted)


_ACTIONS = {
    b"q": _Stream.save, b"Q": _Stream.restore, b"cm": _Stream.concatenate, b"w": _Stream.line_width,
    b"rg": _Stream.fill_color, b"g": _Stream.fill_grey, b"RG": _Stream.stroke_color,
    b"m": _Stream.move, b"re": _Stream.rectangle, b"n": _Stream.end_path,
    b"BT": _Stream.begin_text, b"Tm": _Stream.set_text_matrix, b"Td": _Stream.move_text,
    **dict.fromkeys((b"l", b"c", b"v", b"y"), _Stream.line_to),
    **dict.fromkeys((b"W", b"W*"), _Stream.clip),
    **dict.fromkeys((b"f", b"f*", b"B", b"B*"), _Stream.fill),
    **dict.fromkeys((b"S", b"s"), _Stream.stroke),
}  # fmt: skip


def _color(red: float, green: float, blue: float) -> int:
    return int(red * 255 + 0.5) << 16 | int(green * 255 + 0.5) << 8 | int(blue * 255 + 0.5)
