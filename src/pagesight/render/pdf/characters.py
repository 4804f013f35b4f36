"""The characters of a PDF page: what they are, where they are, and how they look.

A page has thousands of characters, and each question to pdfium is a call through ctypes. So only
three properties are read for each character, in bulk, and the rest once for each text object.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.page.visibility import FAINTEST_OPACITY
from pagesight.render.pdf.fonts import NO_FACE, Face, face_of
from pagesight.render.pdf.geometry import PX_PER_POINT, Floats, Frame, tame, turned
from pagesight.render.pdf.handles import Answers, Handle, pdfium, prototype, reference
from pagesight.render.pdf.spelling import ACCENTS, BREAKS, SPACES, accented

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

PALE = 0xF0  # channels of a colour that is hardly visible on white
_STROKED, _UNSEEN = 2, 3  # text render modes: filled and stroked, neither
_BLACK = 0x000000FF
_LEVEL = 1e-3  # the slope up to which text counts as level
_SNAP = 2.0  # degrees by which a line may be askew and still count as level
_SMALLEST = 0.5  # px; smaller font sizes are wrong, as their glyphs show
_WORD = 12  # characters; some programs write a word and then its accents
_NARROW = 0.05  # em; a gap that does not read as a space
_CONTROL = 0x20
_HYPHEN = 0x02
_WRITTEN, _IGNORED = 0, 3


class Look(NamedTuple):
    """What a text object's characters have in common besides their size."""

    face: Face
    color: int
    unseen: bool  # drawn with neither fill nor stroke, as recognised text over a scan

    @property
    def needs_ground(self) -> bool:
        """Whether the text is not visible on a white sheet."""
        return self.unseen or _is_pale(self.color)


@lru_cache(1 << 10)
def _is_pale(color: int) -> bool:
    *channels, alpha = color.to_bytes(4, "big")
    return min(channels) >= PALE or alpha <= FAINTEST_OPACITY * 255


class Spacing:
    """What is in the document between a character and the one before it."""

    NONE, SPACE, BREAK = 0, 1, 2


def _kinds() -> NDArray[np.int8]:
    """By character what it is; the last stands for all that follow."""
    kinds = np.full(ord(max(SPACES | BREAKS)) + 2, _WRITTEN, dtype=np.int8)
    kinds[:_CONTROL] = _IGNORED
    kinds[_HYPHEN] = _WRITTEN
    kinds[[ord(space) for space in SPACES]] = Spacing.SPACE
    kinds[[ord(space) for space in BREAKS]] = Spacing.BREAK
    return kinds


_KINDS = _kinds()
_IS_ACCENT = np.zeros(ord(max(ACCENTS)) + 2, dtype=np.bool_)  # by character, as above
_IS_ACCENT[[ord(accent) for accent in ACCENTS]] = True


@dataclass(slots=True)
class Characters:
    """Columns by character, in the order of the document, white space left out.

    `start` and `end` run along the line of writing, `base` across it, downwards; for level text
    these are x and y on the sheet. `turn` is the direction of writing in degrees, clockwise.
    """

    code: Ints
    start: Floats
    end: Floats
    base: Floats
    size: Floats
    turn: Ints
    look: Ints
    spacing: Ints
    looks: list[Look]

    def __len__(self) -> int:
        return len(self.code)

    def middles(self) -> tuple[Floats, Floats]:
        """The middles of the characters on the sheet, x and y."""
        return turned((self.start + self.end) / 2, self.base - 0.3 * self.size, self.turn)

    def pick(self, rows: Any) -> Characters:
        """Some of the characters."""
        columns = {
            field.name: getattr(self, field.name)[rows]
            for field in fields(self)
            if field.name != "looks"
        }
        return Characters(**columns, looks=self.looks)


def read_characters(text: Handle, frame: Frame) -> Characters:
    """All characters of a page, on or off its sheet."""
    reader = _TextReader(text)
    code = reader.codes()
    spacing, rows = _spacing(code)
    objects = _Objects(reader, frame)
    of = objects.of[rows]
    size, turn, base = np.maximum(objects.size[of], _SMALLEST), objects.turn[of], objects.base[of]
    start, end = _ends(reader, frame, rows)
    askew = np.flatnonzero(~objects.level[of])
    if len(askew):
        places = _askew(reader, frame, rows[askew], turn[askew], size[askew])
        start[askew], end[askew], base[askew] = places
    _spare_spaces(reader, frame, rows, spacing, (start, end, base, size))
    end = np.where(end > start, end, start + size / 4)
    look = objects.look[of]
    return _join_accents(
        Characters(code[rows], start, end, base, size, turn, look, spacing, objects.looks)
    )


def _spacing(code: Ints) -> tuple[Ints, Ints]:
    """The white space before each character, and the rows of those that are not white space."""
    kind = _KINDS[np.minimum(code, len(_KINDS) - 1)]
    rows = np.flatnonzero(kind == _WRITTEN)
    spacing = np.zeros(len(rows), dtype=np.int64)
    for space in (Spacing.SPACE, Spacing.BREAK):
        met = np.cumsum(kind == space)[rows]
        spacing[np.diff(met, prepend=0) > 0] = space
    return spacing, rows


def _ends(reader: _TextReader, frame: Frame, rows: Ints) -> tuple[Floats, Floats]:
    """Where level characters begin and end, by their advance."""
    boxes = reader.loose_boxes(rows)
    if frame.is_upright:  # then x alone says where they are
        left, right = frame.across(boxes[:, 0]), frame.across(boxes[:, 2])
    else:
        left, right = frame.points(boxes[:, [0, 3]])[:, 0], frame.points(boxes[:, [2, 1]])[:, 0]
    return np.minimum(left, right), np.maximum(left, right)


def _spare_spaces(
    reader: _TextReader,
    frame: Frame,
    rows: Ints,
    spacing: Ints,
    places: tuple[Floats, Floats, Floats, Floats],
) -> None:
    """Let characters whose advance covers the space after them end where it begins."""
    start, end, base, size = places
    narrow = (start[1:] - end[:-1] < _NARROW * size[1:]) & (start[1:] > start[:-1])
    spaced = (spacing[1:] == Spacing.SPACE) & (base[1:] == base[:-1]) & narrow
    before = np.flatnonzero(spaced & frame.is_upright)
    written = [reader.is_written(row) for row in (rows[before + 1] - 1).tolist()]
    before = before[np.array(written, dtype=bool)]
    if len(before):
        begin, _ = _ends(reader, frame, rows[before + 1] - 1)
        inside = begin > start[before]
        end[before[inside]] = np.minimum(end[before], begin)[inside]


def _askew(
    reader: _TextReader, frame: Frame, rows: Ints, turn: Ints, size: Floats
) -> tuple[Floats, Floats, Floats]:
    """Start, end and baseline of characters that are not level, by the boxes of their glyphs."""
    boxes = reader.tight_boxes(rows)
    corners = frame.points(boxes[:, [0, 2]]), frame.points(boxes[:, [1, 3]])
    angle = np.radians(turn)
    along = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    across = np.stack((-np.sin(angle), np.cos(angle)), axis=1)
    ends = np.sort([(corner * along).sum(axis=1) for corner in corners], axis=0)
    slanting = turn % 90 != 0  # there the upright boxes of glyphs are of little use
    middle = ends.mean(axis=0)
    base = (frame.points(reader.origins(rows)) * across).sum(axis=1)
    start = np.where(slanting, middle - size / 4, ends[0])
    return start, np.where(slanting, middle + size / 4, ends[1]), base


def _join_accents(characters: Characters) -> Characters:
    """Combine accents that were drawn separately with the letters below them."""
    accents = np.flatnonzero(_IS_ACCENT[np.minimum(characters.code, len(_IS_ACCENT) - 1)])
    used = [row for row in accents.tolist() if _join_accent(characters, row)]
    return characters.pick(np.delete(np.arange(len(characters)), used)) if used else characters


def _join_accent(characters: Characters, accent: int) -> bool:
    """Compose an accent with the letter after it, or with one of those before it."""
    for letter in (accent + 1, *range(accent - 1, accent - _WORD, -1)):
        if not 0 <= letter < len(characters) or not _is_over(characters, accent, letter):
            continue
        if composed := accented(chr(characters.code[letter]), chr(characters.code[accent])):
            characters.code[letter] = ord(composed)
            if letter > accent:
                characters.spacing[letter] = characters.spacing[accent]
            return True
    return False


def _is_over(characters: Characters, accent: int, letter: int) -> bool:
    if abs(characters.base[accent] - characters.base[letter]) > characters.size[letter]:
        return False
    left = max(characters.start[accent], characters.start[letter])
    right = min(characters.end[accent], characters.end[letter])
    widths = characters.end[[accent, letter]] - characters.start[[accent, letter]]
    return bool(right - left > 0.6 * widths.min())


_text = prototype(pdfium.FPDFText_GetText, ctypes.c_int)
_unicode = prototype(pdfium.FPDFText_GetUnicode, ctypes.c_uint)
_object = prototype(pdfium.FPDFText_GetTextObject, ctypes.c_size_t)
_loose_box = prototype(pdfium.FPDFText_GetLooseCharBox, ctypes.c_int)
_origin = prototype(pdfium.FPDFText_GetCharOrigin, ctypes.c_int)
_color = prototype(pdfium.FPDFText_GetFillColor, ctypes.c_int)
_tight_box = prototype(pdfium.FPDFText_GetCharBox, ctypes.c_int)
_matrix = prototype(pdfium.FPDFText_GetMatrix, ctypes.c_int)
_font_size = prototype(pdfium.FPDFText_GetFontSize, ctypes.c_double)
_BOXES, _MATRICES = Answers(ctypes.c_float, 4, 1), Answers(ctypes.c_float, 6, 1)
_POINTS, _EDGES = Answers(ctypes.c_double, 2, 2), Answers(ctypes.c_double, 4, 4)
_COLORS = Answers(ctypes.c_uint, 4, 4)
_render_mode = prototype(pdfium.FPDFTextObj_GetTextRenderMode, ctypes.c_int, ctypes.c_void_p)
_font = prototype(pdfium.FPDFTextObj_GetFont, ctypes.c_size_t, ctypes.c_void_p)


class _TextReader:
    """Bulk questions to a text page."""

    def __init__(self, text: Handle) -> None:
        self.text = text
        self.count = max(0, int(pdfium.FPDFText_CountChars(text)))
        self.reference = reference(text)

    def codes(self) -> Ints:
        """The characters; read one by one only if the text does not have one unit for each."""
        units = np.zeros(self.count + 1, dtype=np.uint16)
        into = ctypes.c_void_p(units.ctypes.data)
        if _text(self.reference, 0, self.count, into) == len(units):
            return _paired(units[:-1].astype(np.int64))
        return _paired(self._ask(_unicode, np.arange(self.count)))

    def objects(self) -> Ints:
        """The text object of each character: runs share one, so every eighth is asked first."""
        rows = np.unique(np.append(np.arange(0, self.count, 8), np.arange(self.count)[-1:]))
        known = self._ask(_object, rows)
        lengths = np.diff(rows, append=self.count)
        objects = np.repeat(known, lengths)
        # Spaces that pdfium adds have no object, so two of them say nothing about those between.
        unsure = np.append((np.diff(known) != 0) | (known[1:] == 0), np.zeros(1, np.bool_))
        inside = np.repeat(unsure[: len(rows)], lengths)
        inside[rows] = False
        objects[inside] = self._ask(_object, np.flatnonzero(inside))
        return objects

    def loose_boxes(self, rows: Ints) -> Floats:
        """Boxes as wide as the advance: left, top, right, bottom."""
        return self._filled(_loose_box, rows, _BOXES)

    def origins(self, rows: Ints) -> Floats:
        """The origins of characters, on their baselines."""
        return self._filled(_origin, rows, _POINTS)

    def is_written(self, row: int) -> bool:
        """Whether a character is in the document, and was not added by pdfium."""
        return int(pdfium.FPDFText_IsGenerated(self.text, row)) == 0

    def tight_boxes(self, rows: Ints) -> Floats:
        """Boxes around the ink: left, right, bottom, top."""
        return self._filled(_tight_box, rows, _EDGES)

    def matrices(self, rows: Ints) -> Floats:
        """How the text objects of characters are placed, turned and scaled."""
        return self._filled(_matrix, rows, _MATRICES)

    def font_sizes(self, rows: Ints) -> Floats:
        """The sizes of fonts, before they are scaled."""
        return np.fromiter(map(_font_size, repeat(self.reference), rows.tolist()), np.float64)

    def colors(self, rows: Ints) -> list[int]:
        """The colours that characters are filled with, in 32 bits; black if there are none."""
        channels = _COLORS.ask(_color, rows.tolist(), self.reference, missing=(0, 0, 0, _BLACK))
        shifted: Ints = (channels.astype(np.int64) & 0xFF) << np.array([24, 16, 8, 0])
        colors: list[int] = shifted.sum(axis=1).tolist()
        return colors

    def _ask(self, call: Callable[..., int], rows: Ints) -> Ints:
        answers = map(call, repeat(self.reference), rows.tolist())
        return np.fromiter(answers, dtype=np.int64, count=len(rows))

    def _filled(self, call: Callable[..., int], rows: Ints, answers: Answers) -> Floats:
        return answers.ask(call, rows.tolist(), self.reference).astype(np.float64, copy=False)


class _Objects:
    """The text objects of a page, by number; `of` is the number of each character's object."""

    def __init__(self, reader: _TextReader, frame: Frame) -> None:
        objects = reader.objects()
        # Its characters follow each other, mostly, so that few runs are to be sorted.
        runs = np.flatnonzero(np.diff(objects, prepend=-1))
        handles, first, of = np.unique(objects[runs], return_index=True, return_inverse=True)
        first, self.of = runs[first], np.repeat(of, np.diff(runs, append=len(objects)))
        self._faces: dict[int, Face] = {}
        looks = self._looks(handles.tolist(), reader.colors(first))
        self.looks = list(dict.fromkeys(looks))
        numbers = {look: number for number, look in enumerate(self.looks)}
        self.look: Ints = np.fromiter(map(numbers.__getitem__, looks), np.int64)
        size = reader.font_sizes(first)
        a, b, c, d = reader.matrices(first)[:, :4].T
        self.size: Floats = tame(np.abs(size) * np.hypot(c, d) * PX_PER_POINT)
        along, across = np.where(size < 0, -a, a), np.where(size < 0, -b, b)
        self.turn = _turns(np.column_stack((along, across)), frame)
        # Level text has one baseline throughout an object.
        self.level: Bools = (np.abs(across) <= _LEVEL * along) & frame.is_upright
        self.base = frame.points(reader.origins(first))[:, 1]

    def _looks(self, handles: list[int], colors: list[int]) -> list[Look]:
        """The looks of objects; most of them are drawn in one of a few ways."""
        ways = list(zip(map(_render_mode, handles), map(_font, handles), colors, strict=True))
        known = {way: self._look(*way) for way in set(ways)}
        return [known[way] for way in ways]

    def _look(self, mode: int, font: int, color: int) -> Look:
        face = self._face(font)
        if mode == _STROKED and face.weight < 600:  # how word processors imitate bold
            face = face._replace(weight=700)
        return Look(face, color, mode == _UNSEEN)

    def _face(self, font: int) -> Face:
        if not font:
            return NO_FACE
        if font not in self._faces:
            self._faces[font] = face_of(ctypes.cast(font, pdfium.FPDF_FONT))
        return self._faces[font]


def _paired(code: Ints) -> Ints:
    """Surrogate pairs, two characters in pdfium, combined in the first; all others become zero."""
    if not ((code & 0xF800) == 0xD800).any() and code.max(initial=0) <= 0x10FFFF:
        return code
    high, low = (code & 0xFC00) == 0xD800, (code & 0xFC00) == 0xDC00
    first = np.flatnonzero(high[:-1] & low[1:])
    whole = 0x10000 + ((code[first] & 0x3FF) << 10) + (code[first + 1] & 0x3FF)
    code = np.where(high | low, 0, code)
    code[first] = whole
    return np.where(code > 0x10FFFF, 0xFFFD, code)


def _turns(directions: Floats, frame: Frame) -> Ints:
    on_sheet = frame.directions(directions)
    degrees = np.degrees(np.arctan2(on_sheet[:, 1], on_sheet[:, 0]))
    quarters = np.round(degrees / 90) * 90
    snapped = np.where(np.abs(degrees - quarters) <= _SNAP, quarters, np.round(degrees))
    return snapped.astype(np.int64) % 360
