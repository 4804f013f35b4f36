"""The paragraphs of a PDF, in which every line is placed by itself.

Whether a line continues the paragraph of the line before it is judged by what a reader sees: the
distance to the line before, indentation, size and weight of the font, short last lines, and the
numbers and marks that items of lists begin with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.columns import Array
from pagesight.segment.nodes import BOLD, unions
from pagesight.segment.text import SIGNS

Flags = NDArray[np.bool_]

LINE_PITCH = 1.75  # heights from line to line within a paragraph, at most
SPREAD = 1.15  # times the usual distance from line to line: where a manuscript leaves room between
MOST_PITCH = 3.0  # heights from line to line, where it does
SHORT = 0.8  # of the width of the lines around: where a sentence ends so, a paragraph does
FAR = 8.0  # ems between the words of a line that is stretched to the width of its column
INDENT = 4.0  # px by which the first line of a paragraph is indented or hangs out
WIDER = 1.25  # times the distance between the lines of a paragraph: the next one begins
NEIGHBOURS = 8  # lines above and below by which a list is recognised whose items hang out
FEWEST_LINES = 6  # of such a list
HANGING = 0.35  # the share of indented lines in such a list; other texts have fewer
_ITEM = re.compile(
    r"\s*(?:\[\d{1,3}\]\s*[^\W\d_]|\d{1,3}\.(?!\d)\s*\S)|\s*\d{1,3}\s+[A-Z]|"
    rf"\s*[{SIGNS}∗]{{1,3}}\s*[A-Z]"
)
_BEGINS = re.compile((files(__package__) / "beginnings.txt").read_text("utf-8"), re.VERBOSE)
_RAISED_MARK = re.compile(rf"\s*(?:\d{{1,2}}|[a-z]|[{SIGNS}∗]{{1,3}})[\s,]*")
_WORD = re.compile(r"\s*[A-Z][a-z]")
_CAPITAL = re.compile(r"\s*[“\"‘(\[]?[^\W\d_a-z]")
_ENDS = tuple(".:?!)]")
_ENDS_IN_ADDRESS = re.compile(r"(?:https?://|\b10\.\d{4,9}/)\S+\s*$")


def paragraph_starts(page: Page, nodes: Array, starts: Array) -> Flags:
    """Which lines begin a paragraph; `starts` says where in the text `nodes` each line begins."""
    if len(starts) < 2:
        return np.ones(len(starts), dtype=np.bool_)
    return _Lines.of(page, nodes, starts).begin_paragraphs()


@dataclass(frozen=True, eq=False)
class _Lines:
    """Lines in reading order, or parts of lines whose words are far apart. Arrays are by part."""

    begins: Array  # whether it is the first, or only, part of its line
    part_left: Array  # where the part itself begins
    left: Array  # of the whole line
    right: Array
    base: Array  # the bottom of the largest text
    height: Array
    size: Array
    bold: Array  # the share of its texts
    sheet: Array
    item: Array  # begins with a number or a mark, as items of lists do
    ended: Array  # ends like a sentence
    capital: Array  # begins like one

    @classmethod
    def of(cls, page: Page, nodes: Array, starts: Array) -> _Lines:
        columns = page.columns
        box, font = columns["box"][nodes].astype(np.float64), columns["font_size"][nodes]
        size = np.maximum.reduceat(font, starts)
        main = font > 0.9 * np.repeat(size, np.diff(np.r_[starts, len(nodes)]))
        base = np.maximum.reduceat(np.where(main, box[:, 1] + box[:, 3], -np.inf), starts)
        left, top, right, bottom = unions(box, starts).T
        begins = _begin_lines(left, right, base, size)
        line, first = np.cumsum(begins) - 1, np.flatnonzero(begins)
        stops = np.append(starts[begins], len(nodes))[line + 1]  # of whole lines
        strings = [page.strings[text] for text in columns["text"][nodes].tolist()]
        for start in starts.tolist():
            strings[start] = f" {strings[start]}"
        spans = list(pairwise([*starts.tolist(), len(nodes)]))
        lines = zip(starts.tolist(), stops.tolist(), strict=True)
        return cls(
            begins=begins,
            part_left=left,
            left=np.minimum.reduceat(left, first)[line],
            right=np.maximum.reduceat(right, first)[line],
            base=base,
            height=bottom - top,
            size=size,
            bold=_shares(columns["font_weight"][nodes] >= BOLD, starts),
            sheet=columns["sheet"][nodes][starts],
            item=np.array([_is_item(strings[i:j], bool(main[i])) for i, j in lines]) & begins,
            ended=np.array([_has_ended(strings[j - 1]) for _, j in spans]),
            capital=np.array([bool(_CAPITAL.match(strings[i])) for i, _ in spans]),
        )

    def begin_paragraphs(self) -> Flags:
        """For each line whether it begins a paragraph."""
        step, shift = np.diff(self.base), np.diff(self.left)
        same_line = np.abs(step) < 0.5 * self.height[1:]
        resized = np.abs(np.diff(self.size)) >= 0.06 * self.size[1:]
        apart = resized | (np.diff(self.sheet) != 0) | ~self._close(step, same_line)
        run = np.cumsum(np.r_[False, apart])
        hangs, deep = self._hanging(run)
        after = np.r_[np.where(apart[1:], 0.0, shift[1:]), 0.0]
        indented = (shift > INDENT) & (after < -INDENT) & self.ended[:-1] & ~hangs[1:]
        # A line below the text behind a number continues that text.
        indented &= self.begins[:-1] | (np.abs(self.left[1:] - self.part_left[:-1]) > INDENT)
        outdented = (shift < -INDENT) & ~hangs[1:] & ~same_line
        centered = self._centered() & ~hangs[1:]
        shifted = (indented & ~centered) | (hangs[1:] & ~deep[1:])
        # In a list whose items hang out, an indented line may continue an item with a number.
        below = ((np.abs(shift) < 1.5) & ~self.item[:-1]) | (shift > INDENT)
        continues = hangs[1:] & deep[1:] & below
        short = self._short(run)
        closed = short[:-1] & self.ended[:-1] & self.capital[1:] & (shift <= INDENT)
        closed &= ~hangs[1:] & (~centered | ~short[1:])
        breaks = apart | (((self.item[1:] & ~continues) | shifted | closed) & ~same_line)
        no_heading = hangs & deep | ~self.begins
        return self._by_pitch(breaks, outdented & ~centered, no_heading[1:], same_line)

    def _by_pitch(
        self, breaks: Array, outdented: Array, no_heading: Array, same_line: Array
    ) -> Flags:
        """For each line whether it begins a paragraph: by `breaks`, its pitch, or its weight."""
        step = np.diff(self.base)
        new, pitch, bold = [True], 0.0, float(self.bold[0])
        for line in range(len(step)):
            share, down = float(self.bold[line + 1]), float(step[line])
            wide = pitch > 0 and down > WIDER * pitch
            heading = {bold, share} == {0.0, 1.0} and not no_heading[line]
            # After an indented first line, a line that hangs out continues the paragraph.
            out = bool(outdented[line]) and not new[line]
            new.append(bool(breaks[line]) or wide or heading or out)
            if new[-1]:
                pitch, bold = 0.0, share
            else:
                bold = bold if bold == share else 0.5
                pitch = pitch if same_line[line] else min(pitch or down, down)
        return np.array(new, dtype=np.bool_)

    def _close(self, step: Array, same_line: Array) -> Flags:
        highest = np.maximum(self.height[1:], self.height[:-1])
        usual = (step / highest)[~same_line & (step > 0) & (step < MOST_PITCH * highest)]
        spread = SPREAD * float(np.median(usual)) if len(usual) else 0.0
        pitch = max(LINE_PITCH, spread) * highest
        below = (self.left[1:] < self.right[:-1]) & (self.left[:-1] < self.right[1:])
        close: Flags = (step > -0.5 * self.height[1:]) & (step < pitch)
        return close & (below | same_line)

    def _centered(self) -> Flags:
        """Whether a line is centered below the one before it, which is longer or shorter."""
        middle = (self.left + self.right) / 2
        return np.asarray((np.abs(np.diff(middle)) < 3) & (np.abs(np.diff(self.left)) > INDENT))

    def _around(self, run: Array) -> tuple[Array, Flags]:
        """The lines around each, lines × neighbours, and which of them are of the same run.

        `run` numbers the runs of lines that follow each other closely.
        """
        count = len(self.left)
        near = np.arange(count)[:, None] + np.arange(-NEIGHBOURS, NEIGHBOURS + 1)
        inside = (near >= 0) & (near < count)
        near = np.clip(near, 0, count - 1)
        return near, inside & (run[near] == run[:, None])

    def _short(self, run: Array) -> Flags:
        """Lines that end before others around them do."""
        near, inside = self._around(run)
        widest = np.where(inside, self.right[near], -np.inf).max(axis=1)
        return np.asarray(self.right - self.left < SHORT * (widest - self.left))

    def _hanging(self, run: Array) -> tuple[Flags, Flags]:
        """Lines in lists whose items hang out, as many references do; and those indented."""
        near, inside = self._around(run)
        inside &= self.begins[near]
        left = self.left[near]
        margin = np.where(inside, left, np.inf).min(axis=1)
        deep = (left > margin[:, None] + INDENT) & inside
        size = inside.sum(axis=1)
        hangs: Flags = (deep.sum(axis=1) >= HANGING * size) & (size >= FEWEST_LINES)
        return hangs, self.left > margin + INDENT


def _begin_lines(left: Array, right: Array, base: Array, size: Array) -> Flags:
    """Which parts begin a line; the words of one that is stretched to a width are far apart."""
    gap = left[1:] - right[:-1]
    apart = (np.abs(np.diff(base)) > 0.1 * size[1:]) | (gap < 0) | (gap > FAR * size[1:])
    return np.asarray(np.r_[True, apart])


def _shares(flags: Array, starts: Array) -> Array:
    """The share of flagged texts in each line."""
    counts = np.diff(np.r_[starts, len(flags)])
    return np.asarray(np.add.reduceat(flags.astype(np.float64), starts) / counts)


def _has_ended(text: str) -> bool:
    """Whether a text ends like a sentence, or in an address."""
    if text.rstrip().endswith(_ENDS):
        return True
    return ("://" in text or "10." in text) and _ENDS_IN_ADDRESS.search(text) is not None


def _is_item(strings: list[str], is_main: bool) -> bool:
    """Whether a line begins with the number or mark of an item; `is_main`: not with a small one."""
    if _BEGINS.match("".join(strings)):
        return True
    if not is_main and len(strings) > 1:
        return bool(_RAISED_MARK.fullmatch(strings[0]) and _WORD.match(strings[1]))
    return bool(_ITEM.match("".join(strings)))
