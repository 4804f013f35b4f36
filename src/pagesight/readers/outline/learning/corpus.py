"""Pages whose headings are known: a corpus of well-formed pages, read without their tags.

Nothing in an outline by sight looks at names of elements. So that nothing ever does, pages are read
with a `div` for each of their headings: what is drawn stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagesight.learning.corpora import Corpora, rows
from pagesight.page import Page
from pagesight.readers.outline.claims import Claims, headings_of, tag_levels
from pagesight.readers.outline.reading import Seen
from pagesight.segment.blocks import TextBlocks, text_blocks

CORPUS = "outlines"
BLIND, HONEST, SHUFFLED = "blind", "honest", "shuffled"  # what the tags of a page are to a reader
DEMOTED = 0.2  # the share of headings that shuffling makes paragraphs
PROMOTED = 0.05  # the share of paragraphs that it makes headings
ONLY_LEVEL = 3  # what shuffling makes of the level of a page that has one
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page, and the h level that each of its nodes had: 1 to 6, or 0."""

    name: str
    family: str
    page: Page
    node_levels: Ints

    @cached_property
    def blocks(self) -> TextBlocks:
        return text_blocks(self.page)

    @cached_property
    def heading(self) -> Ints:
        """By text block the heading that most of its characters are in, or -1."""
        return headings_of(self.blocks, self.node_levels)

    @cached_property
    def block_levels(self) -> Ints:
        """By text block its level, upwards: 0 is not a heading, 1 the lowest on this page."""
        return upwards(np.where(self.heading >= 0, self.node_levels[self.heading], 0))

    def items(self, levels: ArrayLike) -> tuple[Ints, Ints]:
        """True levels and these, upwards, with the blocks of one heading taken together."""
        # A heading is as good as any of its blocks; every other block is an item by itself.
        group = np.where(self.heading >= 0, self.heading, -1 - np.arange(len(self.heading)))
        _, item = np.unique(group, return_inverse=True)
        both = np.zeros((2, int(item.max(initial=-1)) + 1), np.int64)
        np.maximum.at(both[0], item, self.block_levels)
        np.maximum.at(both[1], item, np.asarray(levels, np.int64))
        return both[0], both[1]


def upwards(h: Ints) -> Ints:
    """Levels that grow upwards, for those of h1 to h6; 0 stays 0."""
    return np.where(h > 0, h.max(initial=0) + 1 - h, 0)


@dataclass(frozen=True, eq=False)
class OutlineExample:
    """A page whose headings are known, what is seen of it, and what tags claim in its disguises."""

    page: LabelledPage
    seen: Seen
    claims: Mapping[str, Claims]
    """Of honest and of shuffled tags."""

    @classmethod
    def of(cls, name: str, family: str, page: Page) -> OutlineExample:
        """The example that a page with the right tags is."""
        levels = tag_levels(page)
        labelled = LabelledPage(name, family, blind(page), levels)
        claimed = {HONEST: levels, SHUFFLED: shuffled(levels, _are_paragraphs(page), name)}
        claims = {
            tags: Claims(headings_of(labelled.blocks, by), by) for tags, by in claimed.items()
        }
        return cls(labelled, Seen.of(labelled.blocks), claims)


def load_examples(corpora: Corpora) -> list[OutlineExample]:
    """The pages of the corpus, made blind, with the tags that they have and with shuffled ones."""
    folder = corpora.folder_of(CORPUS)
    pages = corpora.pages(folder, rows(folder))
    return [OutlineExample.of(row["file"], row.get("family") or "", page) for row, page in pages]


def blind(page: Page) -> Page:
    """The same page with headings that are called `div`."""
    name = np.where(tag_levels(page) > 0, len(page.strings), page.columns["name"])
    return Page({**page.columns, "name": name}, [*page.strings, "div"], page.info)


def shuffled(levels: Ints, paragraphs: NDArray[np.bool_], seed: str) -> Ints:
    """What wrong tags claim of nodes of these levels, the same for the same seed.

    Levels are permuted, some headings are none, and some paragraphs are headings.
    """
    random = np.random.default_rng(crc32(seed.encode()))
    used = np.unique(levels[levels > 0])
    wrong = used if len(used) > 1 else np.full_like(used, ONLY_LEVEL)
    while len(used) > 1 and np.array_equal(wrong, used):
        wrong = random.permutation(used)
    claimed = np.zeros_like(levels)
    for level, claim in zip(used, wrong, strict=True):
        claimed[levels == level] = claim
    claimed[random.random(len(levels)) < DEMOTED] = 0
    promoted = paragraphs & (levels == 0) & (random.random(len(levels)) < PROMOTED)
    claimed[promoted] = random.integers(1, 5, np.count_nonzero(promoted))
    return claimed


def _are_paragraphs(page: Page) -> NDArray[np.bool_]:
    return np.array([string == "p" for string in page.strings], np.bool_)[page.columns["name"]]
