"""The text blocks of a page: what a heading or a paragraph is, as arrays in document order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Display, NodeKind, Page
from pagesight.page.columns import Array
from pagesight.segment.tree import common_element

BOLD = 600  # where browsers switch to a bold face
LONG = 80  # characters: more than that is a paragraph
LEAST_LED = 0.1  # of the characters of a block: what leads it and is less is an initial


@dataclass(frozen=True, eq=False)
class TextBlocks:
    """Visible texts that stand on lines of their own. Arrays are by block if not said else."""

    page: Page

    texts: NDArray[np.int64]
    """The visible text nodes, block by block."""

    first: NDArray[np.int64]
    """Where the texts of each block begin in `texts`, one entry more than blocks."""

    text_holders: NDArray[np.int64]
    """The element around each of `texts` that lays its line out."""

    def __len__(self) -> int:
        return len(self.first) - 1

    @cached_property
    def strings(self) -> list[str]:
        """What a person reads in each block, white space folded."""
        page, bounds = self.page, self.first.tolist()
        apart = page.set_apart[self.texts].tolist()
        strings = (page.strings[text] for text in page.columns["text"][self.texts].tolist())
        parts = [f" {part}" if gap else part for part, gap in zip(strings, apart, strict=True)]
        pieces = (parts[start:stop] for start, stop in pairwise(bounds))
        return [" ".join("".join(piece).split()) for piece in pieces]

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """The characters of each block."""
        return np.array([len(string) for string in self.strings], dtype=np.int64)

    @cached_property
    def text_sizes(self) -> NDArray[np.int64]:
        """The characters of each of `texts`."""
        sizes = np.array([len(string.strip()) for string in self.page.strings], dtype=np.int64)
        return sizes[self.page.columns["text"][self.texts]]

    @property
    def block_of_text(self) -> NDArray[np.int64]:
        """The block of each of `texts`."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    @cached_property
    def face(self) -> NDArray[np.int64]:
        """Of each block the text node whose style is the block's: the longest, or of what leads."""
        sizes, block = self.text_sizes, self.block_of_text
        longest = np.lexsort((-np.arange(len(sizes)), sizes, self._leads, block))
        return self.texts[longest[self.first[1:] - 1]]

    @property
    def _leads(self) -> NDArray[np.bool_]:
        """Which of `texts` begin a short block that ends in smaller type.

        What is added to a heading so, such as "[edit]", may be longer than the heading.
        """
        block, fonts = self.block_of_text, self.page.columns["font_size"][self.texts]
        begins = fonts[self.first[:-1]][block]
        large: NDArray[np.bool_] = fonts == begins
        total, led = (np.bincount(block, self.text_sizes * part, len(self)) for part in (1, large))
        leads = (total <= LONG) & (led >= LEAST_LED * total)
        back = np.diff(large.astype(np.int8), prepend=1) > 0  # large again, after smaller type
        back[self.first[:-1]] = False
        leads[block[back | (fonts > begins)]] = False
        return large & leads[block]

    @cached_property
    def holder(self) -> NDArray[np.int64]:
        """The element around each block that lays its lines out."""
        return self.text_holders[self.first[:-1]]

    @cached_property
    def element(self) -> NDArray[np.int64]:
        """The element that stands for each block: its holder where the holder has no other."""
        shared = np.bincount(self.holder, minlength=1)[self.holder] > 1
        elements = self.holder.copy()
        for block in np.flatnonzero(shared).tolist():
            first, last = self.texts[[self.first[block], self.first[block + 1] - 1]].tolist()
            elements[block] = common_element(self.page, (first, last)).id
        return elements

    @cached_property
    def box(self) -> NDArray[np.float64]:
        """Left, top, right and bottom of the text of each block."""
        boxes = self.page.columns["box"][self.texts].astype(np.float64)
        starts = self.first[:-1]
        if not len(starts):
            return np.zeros((0, 4))
        low = np.minimum.reduceat(boxes[:, :2], starts)
        high = np.maximum.reduceat(boxes[:, :2] + boxes[:, 2:], starts)
        return np.hstack((low, high))

    @cached_property
    def depth(self) -> NDArray[np.int64]:
        """How many elements are around each block's element."""
        return depths(self.page)[self.element]

    def style(self, column: str) -> Array:
        """A column of the page, of the text that each block looks like."""
        return self.page.columns[column][self.face]


def text_blocks(page: Page) -> TextBlocks:
    """Group the visible texts of a page. A line break parts what looks different beside it."""
    columns = page.columns
    blank = [index for index, string in enumerate(page.strings) if not string.strip()]
    seen = (columns["kind"] == NodeKind.TEXT) & page.visible & ~np.isin(columns["text"], blank)
    texts = np.flatnonzero(seen & (columns["text"] >= 0))
    holders = block_elements(page)[texts]
    if not len(texts):
        return TextBlocks(page, texts, np.zeros(1, np.int64), holders)
    line_breaks = np.array([node.id for node in page.find("br")], dtype=np.int64)
    line = np.searchsorted(line_breaks, texts)
    bold = columns["font_weight"][texts] >= BOLD
    look = np.stack((columns["font_size"][texts], bold))
    changes = (np.diff(look) != 0).any(axis=0) & (np.diff(line) > 0)
    changes |= np.diff(holders) != 0
    first = np.concatenate(([0], np.flatnonzero(changes) + 1, [len(texts)]))
    return TextBlocks(page, texts, first, holders)


def block_elements(page: Page) -> NDArray[np.int64]:
    """For each node the nearest element around it, or itself, that is no inline box."""
    inline = {display.value for display in Display if display.is_inline}
    kinds, displays = page.columns["kind"].tolist(), page.columns["display"].tolist()
    blocks: list[int] = []
    for node, above in enumerate(page.columns["parent"].tolist()):
        flows = kinds[node] != NodeKind.ELEMENT or displays[node] in inline
        blocks.append(blocks[above] if flows and above >= 0 else node)
    return np.array(blocks, dtype=np.int64)


def depths(page: Page) -> NDArray[np.int64]:
    """For each node how many elements are around it."""
    elements = (page.columns["kind"] == NodeKind.ELEMENT).tolist()
    found: list[int] = []
    for above in page.columns["parent"].tolist():
        found.append(found[above] + elements[above] if above >= 0 else 0)
    return np.array(found, dtype=np.int64)
