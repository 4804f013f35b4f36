"""What stands on the sheets of a PDF besides its text: running heads and feet, numbers of lines.

They part what goes on from sheet to sheet, and are read as references and titles if they are kept.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.columns import Array
from pagesight.segment.nodes import named

BAND = 0.1  # of a sheet, at its head and at its foot
FEWEST_SHEETS = 3  # on which a running head stands
LONGEST_HEAD = 25  # words
APART = 0.6  # of a line stand running heads from the text; its own lines are nearer
SAME_PLACE = 3.0  # px
FEWEST_NUMBERS = 8  # of lines, on a sheet
STEPS = (1, 2, 5, 10)  # from number to number
NUMBERED = 0.4  # of the lines of a sheet; the others are headings, and the lines in between
_NUMBER = re.compile(r"\d{1,4}")
_DIGITS = re.compile(r"\d+")

Place = tuple[int, int]  # how far down the sheet, and the size of the text


def besides_text(page: Page, nodes: Array, line: Array) -> NDArray[np.bool_]:
    """Which texts are running heads or numbers of lines; `line` numbers the line of each.

    What stands on the first sheet is kept: it may say more of the article than the text does.
    """
    strings = [page.strings[text] for text in page.columns["text"][nodes].tolist()]
    found = _line_numbers(page, nodes, strings)
    kept = np.flatnonzero(~found)
    heads = _running_heads(page, nodes[kept], [strings[at] for at in kept], line[kept])
    found[np.isin(line, list(heads)) & (page.columns["sheet"][nodes] > 1)] = True
    return found


def _running_heads(page: Page, nodes: Array, strings: Sequence[str], line: Array) -> set[int]:
    """The lines at the head or foot that several sheets have, but for numbers; and their like."""
    lines = _in_bands(page, nodes, strings, line)
    sheets: dict[tuple[str, Place], set[int]] = defaultdict(set)
    for sheet, place, text, _ in lines:
        sheets[_DIGITS.sub("#", text.casefold()), place].add(sheet)
    heads = {key for key, own in sheets.items() if len(own) >= FEWEST_SHEETS}
    # Left and right sheets may have heads of their own, and a chapter may have one only.
    places = {place for _, place in heads}
    return {
        number
        for _, place, text, number in lines
        if place in places and len(text.split()) <= LONGEST_HEAD
    }


def _in_bands(
    page: Page, nodes: Array, strings: Sequence[str], line: Array
) -> list[tuple[int, Place, str, int]]:
    """The lines of blocks at the head or foot of sheets: sheet, place on it, text and number."""
    starts = np.flatnonzero(np.diff(line, prepend=-1))
    if not len(starts):
        return []
    box, size = page.columns["box"][nodes].astype(np.float64), page.columns["font_size"][nodes]
    sheet = page.columns["sheet"][nodes][starts]
    own = page.columns["box"][np.flatnonzero(named(page, {"sheet"}))][sheet - 1]
    top = np.minimum.reduceat(box[:, 1], starts) - own[:, 1]
    bottom = np.maximum.reduceat(box[:, 1] + box[:, 3], starts) - own[:, 1]
    inside = (bottom >= BAND * own[:, 3]) & (bottom <= (1 - BAND) * own[:, 3])
    block = _blocks(sheet, top, bottom)
    apart = np.bincount(block, inside)[block] == 0
    stops = [*starts[1:].tolist(), len(nodes)]
    found = []
    for at in np.flatnonzero(apart).tolist():
        start = int(starts[at])
        text = " ".join("".join(strings[start : stops[at]]).split())
        place = round(float(bottom[at]) / SAME_PLACE), round(float(size[start]))
        found.append((int(sheet[at]), place, text, int(line[start])))
    return found


def _blocks(sheet: Array, top: Array, bottom: Array) -> Array:
    """For each line the number of its block: gaps right across the sheet part blocks."""
    order = np.lexsort((top + bottom, sheet))
    block = np.zeros(len(order), dtype=np.intp)
    count = 0
    for own in np.split(order, np.flatnonzero(np.diff(sheet[order])) + 1):
        lowest = np.maximum.accumulate(bottom[own])[:-1]
        highest = np.minimum.accumulate(top[own][::-1])[::-1][1:]
        height = (bottom - top)[own]
        parted = highest - lowest > APART * np.minimum(height[:-1], height[1:])
        block[own] = count + np.append(0, np.cumsum(parted))
        count = int(block[own[-1]]) + 1
    return block


def _line_numbers(page: Page, nodes: Array, strings: Sequence[str]) -> NDArray[np.bool_]:
    """Numbers that go on from line to line, on most of the sheets."""
    box, sheet = page.columns["box"][nodes].astype(np.float64), page.columns["sheet"][nodes]
    numbers = np.array([bool(_NUMBER.fullmatch(text.strip())) for text in strings], dtype=np.bool_)
    found = np.zeros(len(nodes), dtype=np.bool_)
    counted = written = 0
    for number in np.unique(sheet).tolist():
        own = np.flatnonzero(sheet == number)
        rows = len(np.unique(np.round((box[own, 1] + box[own, 3]) / SAME_PLACE)))
        listed = _longest_count(own[numbers[own]], box, strings)
        written += rows >= FEWEST_NUMBERS
        if len(listed) >= max(FEWEST_NUMBERS, NUMBERED * rows / _step(listed, strings)):
            counted += 1
            found[listed] = True
    return found if 2 * counted > written else np.zeros(len(nodes), dtype=np.bool_)


def _step(listed: Sequence[int], strings: Sequence[str]) -> int:
    return int(strings[listed[1]]) - int(strings[listed[0]]) if len(listed) > 1 else 1


def _longest_count(numbers: Array, box: Array, strings: Sequence[str]) -> list[int]:
    """Of numbers that stand below each other, those that go on by the same step."""
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
    """The numbers of a column in runs that go on by the same step."""
    for step in STEPS:
        run = [column[0]]
        for before, at in pairwise(column):
            if int(strings[at]) - int(strings[before]) != step:
                yield run
                run = []
            run.append(at)
        yield run
