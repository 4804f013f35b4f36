"""The furniture of PDF sheets: running heads and feet, and the numbers of lines.

It interrupts what continues from sheet to sheet, and is mistaken for headings, titles and
references where it is kept among the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.columns import Array
from pagesight.segment.nodes import named, unions
from pagesight.segment.text import squeeze

BAND = 0.1  # of a sheet, at its head and at its foot
FEWEST_SHEETS = 3  # that a running head is on
LONGEST_HEAD = 25  # words
APART = 0.6  # of a line: how far running heads are from the text; its own lines are nearer
SAME_PLACE = 3.0  # px
FEWEST_NUMBERS = 8  # of lines, on a sheet
STEPS = (1, 2, 5, 10)  # from number to number
NUMBERED = 0.4  # of the lines of a sheet; the others are headings, and the lines in between
_NUMBER = re.compile(r"\d{1,4}")
_DIGITS = re.compile(r"\d+")

Slot = tuple[int, int]  # how far down the sheet, and the size of the text


class _Line(NamedTuple):
    """A line near the head or the foot of a sheet."""

    sheet: int
    slot: Slot
    text: str
    number: int


def furniture(page: Page, nodes: Array, line: Array) -> NDArray[np.bool_]:
    """Which of these texts are running heads or line numbers; `line` numbers the line of each.

    What is on the first sheet is kept: it may say more about the document than its text does.
    """
    strings = [page.strings[text] for text in page.columns["text"][nodes].tolist()]
    flags = _line_numbers(page, nodes, strings)
    kept = np.flatnonzero(~flags)
    heads = _running_heads(page, nodes[kept], [strings[at] for at in kept], line[kept])
    flags[np.isin(line, list(heads)) & (page.columns["sheet"][nodes] > 1)] = True
    return flags


def _running_heads(page: Page, nodes: Array, strings: Sequence[str], line: Array) -> set[int]:
    """The lines that several sheets have at head or foot, except for numbers; and their like."""
    lines = list(_in_bands(page, nodes, strings, line)) if len(nodes) else []
    sheets: dict[tuple[str, Slot], set[int]] = defaultdict(set)
    for head in lines:
        sheets[_DIGITS.sub("#", head.text.casefold()), head.slot].add(head.sheet)
    # Left and right sheets may have heads of their own, and a chapter may have one only.
    slots = {slot for (_, slot), on in sheets.items() if len(on) >= FEWEST_SHEETS}
    short = (head for head in lines if len(head.text.split()) <= LONGEST_HEAD)
    return {head.number for head in short if head.slot in slots}


def _in_bands(page: Page, nodes: Array, strings: Sequence[str], line: Array) -> Iterator[_Line]:
    """The lines of those groups of lines that are at the head or foot of sheets."""
    starts = np.flatnonzero(np.diff(line, prepend=-1))
    sheet = page.columns["sheet"][nodes][starts]
    around = page.columns["box"][np.flatnonzero(named(page, {"sheet"}))][sheet - 1]
    edges = unions(page.columns["box"][nodes], starts)
    top, bottom = edges[:, 1] - around[:, 1], edges[:, 3] - around[:, 1]
    inside = (bottom >= BAND * around[:, 3]) & (bottom <= (1 - BAND) * around[:, 3])
    group = _groups(sheet, top, bottom)
    size = page.columns["font_size"][nodes]
    stops = [*starts[1:].tolist(), len(nodes)]
    for at in np.flatnonzero(np.bincount(group, inside)[group] == 0).tolist():
        start = int(starts[at])
        slot = round(float(bottom[at]) / SAME_PLACE), round(float(size[start]))
        text = squeeze("".join(strings[start : stops[at]]))
        yield _Line(int(sheet[at]), slot, text, int(line[start]))


def _groups(sheet: Array, top: Array, bottom: Array) -> Array:
    """For each line the number of its group: gaps right across the sheet separate groups."""
    order = np.lexsort((top + bottom, sheet))
    group = np.zeros(len(order), dtype=np.intp)
    count = 0
    for lines in np.split(order, np.flatnonzero(np.diff(sheet[order])) + 1):
        lowest = np.maximum.accumulate(bottom[lines])[:-1]
        highest = np.minimum.accumulate(top[lines][::-1])[::-1][1:]
        height = (bottom - top)[lines]
        separated = highest - lowest > APART * np.minimum(height[:-1], height[1:])
        group[lines] = count + np.append(0, np.cumsum(separated))
        count = int(group[lines[-1]]) + 1
    return group


def _line_numbers(page: Page, nodes: Array, strings: Sequence[str]) -> NDArray[np.bool_]:
    """Numbers that count the lines, on most of the sheets."""
    box, sheet = page.columns["box"][nodes].astype(np.float64), page.columns["sheet"][nodes]
    numbers = np.array([bool(_NUMBER.fullmatch(text.strip())) for text in strings], dtype=np.bool_)
    flags = np.zeros(len(nodes), dtype=np.bool_)
    counted = written = 0
    for number in np.unique(sheet).tolist():
        texts = np.flatnonzero(sheet == number)
        rows = len(np.unique(np.round((box[texts, 1] + box[texts, 3]) / SAME_PLACE)))
        listed = _longest_count(texts[numbers[texts]], box, strings)
        written += rows >= FEWEST_NUMBERS
        if len(listed) >= max(FEWEST_NUMBERS, NUMBERED * rows / _step(listed, strings)):
            counted += 1
            flags[listed] = True
    return flags if 2 * counted > written else np.zeros(len(nodes), dtype=np.bool_)


def _step(listed: Sequence[int], strings: Sequence[str]) -> int:
    return int(strings[listed[1]]) - int(strings[listed[0]]) if len(listed) > 1 else 1


def _longest_count(numbers: Array, box: Array, strings: Sequence[str]) -> list[int]:
    """Of numbers below each other, the longest run that grows by the same step."""
    best: list[int] = []
    for edges in (box[:, 0], box[:, 0] + box[:, 2]):
        columns: dict[int, list[int]] = defaultdict(list)
        for at in numbers.tolist():
            columns[round(edges[at] / SAME_PLACE)].append(at)
        for column in columns.values():
            column.sort(key=lambda at: box[at, 1])
            best = max(best, *_counts(column, strings), key=len)
    return best


def _counts(column: Sequence[int], strings: Sequence[str]) -> Iterator[list[int]]:
    """The numbers of a column in runs that grow by the same step."""
    for step in STEPS:
        run = [column[0]]
        for previous, at in pairwise(column):
            if int(strings[at]) - int(strings[previous]) != step:
                yield run
                run = []
            run.append(at)
        yield run
