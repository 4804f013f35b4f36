"""Text blocks: what a heading or a paragraph is, as arrays in document order.

A block is what the nearest element around it that is not inline lays out; in a PDF it is a
paragraph, whose element is its first line.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Display, Page
from pagesight.page.columns import Array, among, nearest
from pagesight.page.derived import once_per_page
from pagesight.segment.leaves import leaf_zones
from pagesight.segment.nodes import (
    BOLD,
    depths,
    most_common,
    on_sheets,
    seen_texts,
    unions,
)
from pagesight.segment.text import continues_unspaced, rejoined, squeeze
from pagesight.segment.tree import common_element

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

LONG = 80  # characters: more than that is a paragraph
LEAST_LED = 0.1  # of the characters of a block: what leads it and is less is an initial
_INLINE = tuple(display for display in Display if display.is_inline)


@dataclass(frozen=True, eq=False)
class TextBlocks:
    """Visible texts that are on lines of their own. Arrays are by block unless stated otherwise."""

    page: Page

    texts: Ints
    """The visible text nodes, block by block."""

    first: Ints
    """Where the texts of each block begin in `texts`, one entry more than blocks."""

    text_holders: Ints
    """By text: the element around it that lays its lines out."""

    def __len__(self) -> int:
        return len(self.first) - 1

    @cached_property
    def strings(self) -> list[str]:
        """What a person reads in each block, white space folded."""
        return joined(self.page, self.texts, _spaced(self.page, self.texts), self.first)

    @cached_property
    def lengths(self) -> Ints:
        """The characters of each block."""
        return np.array([len(string) for string in self.strings], dtype=np.int64)

    @cached_property
    def text_sizes(self) -> Ints:
        """By text: its characters."""
        strings = self.page.columns["text"][self.texts].tolist()
        return np.array([len(self.page.strings[text].strip()) for text in strings], dtype=np.int64)

    @cached_property
    def block_of_text(self) -> Ints:
        """By text: its block."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    @cached_property
    def face(self) -> Ints:
        """Of each block the text node whose style is the block's: the longest, or of what leads."""
        sizes, block = self.text_sizes, self.block_of_text
        longest = np.lexsort((-np.arange(len(sizes)), sizes, self._leads, block))
        return self.texts[longest[self.first[1:] - 1]]

    @property
    def _leads(self) -> Flags:
        """Which texts begin a short block that ends in smaller type.

        What is added to a heading so, such as "[edit]", may be longer than the heading.
        """
        block, fonts = self.block_of_text, self.page.columns["font_size"][self.texts]
        begins = fonts[self.first[:-1]][block]
        large: Flags = fonts == begins
        total, led = (np.bincount(block, self.text_sizes * part, len(self)) for part in (1, large))
        leads = (total <= LONG) & (led >= LEAST_LED * total)
        back = np.diff(large.astype(np.int8), prepend=1) > 0  # large again, after smaller type
        back[self.first[:-1]] = False
        leads[block[back | (fonts > begins)]] = False
        return large & leads[block]

    @cached_property
    def holder(self) -> Ints:
        """The element around each block that lays its lines out."""
        return self.text_holders[self.first[:-1]]

    @cached_property
    def element(self) -> Ints:
        """The element that each block is all of: its holder where the holder has no other."""
        shared = np.bincount(self.holder, minlength=1)[self.holder] > 1
        elements = self.holder.copy()
        for block in np.flatnonzero(shared).tolist():
            first, last = self.texts[[self.first[block], self.first[block + 1] - 1]].tolist()
            elements[block] = common_element(self.page, (first, last)).id
        return elements

    @cached_property
    def box(self) -> NDArray[np.float64]:
        """Left, top, right and bottom of the text of each block."""
        return unions(self.page.columns["box"][self.texts], self.first[:-1])

    @cached_property
    def depth(self) -> Ints:
        """How many elements are around each block's element."""
        return element_depths(self.page)[self.element]

    def style(self, column: str) -> Array:
        """A column of the page, of the text that each block looks like."""
        return self.page.columns[column][self.face]

    def body_style(self, column: str) -> float:
        """What most characters of the page have in a column."""
        return most_common(self.style(column), self.lengths)


def text_blocks(page: Page) -> TextBlocks:
    """Group the visible texts of a page. A line break separates what looks different beside it."""
    columns = page.columns
    texts = visible_texts(page)
    holders = block_elements(page)[texts]
    line = _line_breaks(page, texts)
    look = np.stack((columns["font_size"][texts], columns["font_weight"][texts] >= BOLD))
    changes = (np.diff(look) != 0).any(axis=0) & (np.diff(line) > 0)
    changes |= np.diff(holders) != 0
    begins = np.concatenate((np.ones(min(len(texts), 1), dtype=np.bool_), changes))
    return TextBlocks(page, texts, np.append(np.flatnonzero(begins), len(texts)), holders)


def visible_texts(page: Page) -> Ints:
    """The text nodes that are seen and not blank; of a PDF without running heads and the like."""
    texts = np.flatnonzero(seen_texts(page))
    if on_sheets(page) and len(texts):
        leaves = leaf_zones(page)
        texts = texts[~np.append(leaves.furniture, False)[leaves.leaf_of_node[texts]]]
    return texts


@once_per_page
def block_elements(page: Page) -> Ints:
    """For each node the nearest element around it, or itself, that is not an inline box.

    In a PDF, it is the first line of its paragraph.
    """
    columns = page.columns
    boxes = page.is_element & ~among(columns["display"], _INLINE)
    elements = nearest(boxes, columns["parent"])
    if not on_sheets(page):
        return elements
    leaves = leaf_zones(page)
    heads = elements[leaves.nodes[leaves.node_first[:-1]]]
    leaf = leaves.leaf_of_node
    return np.where(leaf >= 0, np.append(heads, 0)[leaf], elements)


def element_depths(page: Page) -> Ints:
    """For each node how many elements are around it."""
    return depths(page.columns["parent"], page.is_element)


def text_of(page: Page, texts: Array) -> str:
    """What a person reads in these text nodes, white space folded."""
    return joined(page, texts, _spaced(page, texts), np.array([0, len(texts)]))[0]


def _spaced(page: Page, texts: Array) -> Flags:
    """Which texts have space before them: a gap, white space, or the end of a line."""
    if on_sheets(page):
        return page.set_apart[texts] | begin_lines(page, texts)
    breaks = np.diff(_line_breaks(page, texts), prepend=0) > 0
    blanks = np.diff(np.searchsorted(_blanks(page), texts), prepend=0) > 0
    return page.set_apart[texts] | blanks | _spaced_lines(page, texts, breaks)


def _blanks(page: Page) -> Ints:
    """The text nodes of white space alone, as between `<b>1.</b> <b>Tea</b>`."""
    is_text = page.is_text
    return np.flatnonzero(is_text & page.blank[page.columns["text"]])


def _line_breaks(page: Page, texts: Array) -> Ints:
    """How many `br` elements are before each text."""
    return np.searchsorted(page.elements("br"), texts)


def begin_lines(page: Page, texts: Array) -> Flags:
    """Which texts are below the text before them, with a space between the two."""
    box = page.columns["box"][texts].astype(np.float64)
    lower = np.ones(len(box), dtype=np.bool_)
    lower[1:] = box[1:, 1] > box[:-1, 1] + box[:-1, 3] - 1
    return _spaced_lines(page, texts, lower) if on_sheets(page) else lower


def _spaced_lines(page: Page, texts: Array, begins: Flags) -> Flags:
    """Which of the texts that begin lines have space before them: not within Chinese, for example.

    The first text does not follow any.
    """
    strings = [page.strings[text] for text in page.columns["text"][texts].tolist()]
    for at in np.flatnonzero(begins[1:]).tolist():
        begins[at + 1] = not continues_unspaced(strings[at], strings[at + 1])
    return begins


def joined(page: Page, texts: Array, spaced: Flags, first: Array) -> list[str]:
    """What a person reads in each group of texts, white space folded.

    `spaced` flags texts after a space, and `first` says where each group begins, with the end of
    the last: texts "Green", "tea", "Black" with `first` 0, 2, 3 are "Green tea" and "Black".
    """
    strings = (page.strings[text] for text in page.columns["text"][texts].tolist())
    parts = [
        f" {part}" if gap else part for part, gap in zip(strings, spaced.tolist(), strict=True)
    ]
    squeezed = [squeeze("".join(parts[start:stop])) for start, stop in pairwise(first.tolist())]
    return [rejoined(text) for text in squeezed] if on_sheets(page) else squeezed
