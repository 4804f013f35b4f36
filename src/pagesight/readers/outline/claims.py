"""What the tags of a page claim, and how far they can be trusted: by what is seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagesight.page import Page
from pagesight.readers.outline.heading import HEADINGS
from pagesight.readers.outline.levels import MOST_LEVELS, HeadingLooks, LevelModel, without_skips
from pagesight.segment.blocks import TextBlocks
from pagesight.segment.nodes import by_name, innermost, numbered

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
SURE = 1.0  # log odds from which a look is a heading's without doubt
DOUBT = 4.0  # log odds beyond which nothing becomes surer

# In the order of the alphabet, as weights keep them.
TRUST_NAMES = (
    "begins_high", "count", "has_h1", "left_out", "odds", "of_one_look", "order", "order_missed",
    "own_missed", "said", "seen", "skips",
)  # fmt: skip
EVIDENCE_NAMES = ("odds", "share", "share_and_odds", "tagged")


@dataclass(frozen=True, eq=False)
class Claims:
    """Which text blocks are in h1 to h6. Arrays are by block, unless stated otherwise."""

    heading: Ints
    """The element h1 to h6 that most characters of a block are in, or -1."""

    node_levels: Ints
    """By node the number of such an element, 0 of others."""

    @classmethod
    def of(cls, blocks: TextBlocks) -> Claims:
        levels = tag_levels(blocks.page)
        return cls(headings_of(blocks, levels), levels)

    @cached_property
    def levels(self) -> Ints:
        """The number of each block's h1 to h6, or 0."""
        return np.where(self.heading >= 0, self.node_levels[self.heading], 0)

    @cached_property
    def blocks(self) -> Ints:
        """The blocks that are headings."""
        return np.flatnonzero(self.levels)

    def closed(self) -> Claims:
        """The same with levels that skip none; headings that nobody sees count, too."""
        nodes = np.flatnonzero(self.node_levels >= self._highest)
        levels = self.node_levels.copy()
        levels[nodes] = without_skips(levels[nodes])
        return Claims(self.heading, levels)

    @property
    def _highest(self) -> int:
        """The level of the first heading seen, if that is above all others seen, else 1.

        An h1 that nobody sees is not the title of a page that shows one.
        """
        first, *others = self.node_levels[np.unique(self.heading[self.blocks])].tolist()
        return first if first < min(others, default=MOST_LEVELS + 1) else 1

    def with_title(self, block: int, element: int) -> Claims:
        """The same with this block, which is in this element, as the h1."""
        heading, levels = self.heading.copy(), self.node_levels.copy()
        heading[block], levels[element] = element, 1
        return Claims(heading, levels)


def tag_levels(page: Page) -> Ints:
    """By node the level that its tag claims."""
    return by_name(page, {tag: level for level, tag in enumerate(HEADINGS, start=1)})


def headings_of(blocks: TextBlocks, node_levels: ArrayLike) -> Ints:
    """By text block the heading element that most of its characters are in, or -1."""
    around = innermost(np.asarray(node_levels) > 0, blocks.page.columns["parent"])
    held = around[blocks.texts]
    sizes, block = blocks.text_sizes, blocks.block_of_text
    total = np.bincount(block, sizes, len(blocks))
    headings = np.full(len(blocks), -1, np.int64)
    pair = numbered(block, held)
    pairs = np.zeros((2, int(pair.max(initial=-1)) + 1), np.int64)
    pairs[:, pair] = block, held
    most = np.bincount(pair, sizes, pairs.shape[1]) * 2 > total[pairs[0]]
    headings[pairs[0, most]] = pairs[1, most]
    return headings


@dataclass(frozen=True, eq=False)
class Weighed:
    """The claims of a page beside what is seen of it."""

    claims: Claims
    odds: Floats
    """Of each block the log odds of being a heading, by sight."""

    group: Ints
    """The look of each block."""

    looks: HeadingLooks
    """Of the blocks that are claimed to be headings."""

    def trust_row(self, model: LevelModel) -> Floats:
        """What shows whether these tags can be trusted: a row of `TRUST_NAMES`."""
        blocks, levels = self.claims.blocks, self.claims.levels
        odds = np.clip(self.odds, -DOUBT, DOUBT)
        sure = odds > SURE
        claimed = np.zeros(int(self.group.max()) + 1, dtype=np.bool_)  # by look
        claimed[self.group[blocks]] = True
        likes = claimed[self.group] & (odds > 0)
        counts = self.looks.counted(levels)
        usual = counts.argmax(axis=1)
        order, missed = self._order(model, usual)
        alone = model.alone(self.looks)
        own_missed = alone[np.arange(len(usual)), usual - usual.min()] - alone.max(axis=1)
        return np.array([
            levels[blocks[0]] == 1, np.log(len(blocks)), (levels == 1).any(),
            1 - _share(levels[likes] > 0), odds[blocks].mean(),
            counts.max(axis=1).sum() / counts.sum(), order, missed, own_missed.mean(),
            _share(levels[sure] > 0), (odds[blocks] > 0).mean(),
            _share(np.diff(levels[blocks]) > 1, 0.0),
        ])  # fmt: skip

    def _order(self, model: LevelModel, usual: Ints) -> tuple[float, float]:
        """How probable the order of the looks is, and how much less so than the best."""
        one, other = np.nonzero(np.less.outer(*[np.arange(len(usual))] * 2))
        if not len(one):
            return 0.0, 0.0
        fits = model.compared(self.looks)[one, other]
        claimed = fits[np.arange(len(one)), 1 + np.sign(usual[one] - usual[other])]
        return float(claimed.mean()), float((claimed - fits.max(axis=1)).mean())

    def evidence(self) -> Floats:
        """What shows whether a block is a heading, if tags may be wrong: `EVIDENCE_NAMES`."""
        tagged = self.claims.levels > 0
        odds = np.clip(self.odds, -2 * DOUBT, 2 * DOUBT)
        share = (np.bincount(self.group, tagged) / np.bincount(self.group))[self.group]
        return np.column_stack((odds, share, share * odds, tagged))


def _share(flags: NDArray[np.bool_], of_none: float = 1.0) -> float:
    return float(flags.mean()) if len(flags) else of_none
