"""Pages whose headings are known: a corpus of well-formed pages, read without their tags.

Nothing in an outline by sight looks at names of elements. So that nothing ever does, pages are read
with a `div` for each of their headings: what is drawn stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagesight.errors import CorpusNotFound
from pagesight.learning.corpora import Corpora, Row, rows
from pagesight.page import Page
from pagesight.readers.outline.claims import Claims, headings_of, tag_levels
from pagesight.readers.outline.features import BlockSight
from pagesight.readers.outline.learning.restyling import restyled
from pagesight.readers.outline.learning.verdicts import DOUBTFUL, corrected
from pagesight.readers.outline.learning.written import written_pages
from pagesight.readers.outline.reading import Seen
from pagesight.segment.blocks import TextBlocks, text_blocks
from pagesight.segment.nodes import named

CORPUS = "outlines"
FRESH = "fresh/outlines"  # pages of families that are never learned from
# What the tags of a page are to a reader
BLIND, HONEST, SHUFFLED, PARTIAL = "blind", "honest", "shuffled", "partial"
DEMOTED = 0.2  # the share of headings that shuffling makes paragraphs
PROMOTED = 0.05  # the share of paragraphs that it makes headings
ONLY_LEVEL = 3  # what shuffling makes of the level of a page that has one
Ints = NDArray[np.int64]
_Way = tuple[()] | tuple["_Way", int, int, int]


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page whose headings are known. Arrays are by text block."""

    name: str
    family: str
    blocks: TextBlocks
    heading: Ints
    """The number of the heading that each block belongs to, or -1."""

    levels: Ints
    """Its level, 1 the highest as in h1; 0 of other blocks."""

    doubtful: NDArray[np.bool_]
    """Which labels count neither way.

    Some generators of documentation tag signatures ("fn next(&mut self)") as headings and others
    do not, though they look the same; to readers they are not headings.
    """

    @classmethod
    def of(cls, name: str, family: str, sight: BlockSight, node_levels: Ints) -> LabelledPage:
        """The page whose elements have these levels; below 0, they are not headings."""
        heading = headings_of(sight.blocks, node_levels != 0)
        known = np.where(heading >= 0, node_levels[heading], 0)
        levels = np.maximum(known, 0)
        doubtful = (levels > 0) & sight.signatures | (known == DOUBTFUL)
        return cls(name, family, sight.blocks, np.where(levels, heading, -1), levels, doubtful)

    @property
    def page(self) -> Page:
        return self.blocks.page

    @cached_property
    def block_levels(self) -> Ints:
        """The levels upwards: 0 is not a heading, 1 the lowest on this page."""
        return upwards(self.levels)

    def items(self, levels: ArrayLike) -> tuple[Ints, Ints]:
        """True levels and these, upwards, with the blocks of one heading taken together."""
        # A heading is as good as any of its blocks; every other block is an item by itself.
        group = np.where(self.heading >= 0, self.heading, -1 - np.arange(len(self.heading)))
        _, item = np.unique(group, return_inverse=True)
        both = np.zeros((2, int(item.max(initial=-1)) + 1), np.int64)
        np.maximum.at(both[0], item, self.block_levels)
        np.maximum.at(both[1], item, np.asarray(levels, np.int64))
        counted = np.setdiff1d(item, item[self.doubtful])
        return both[0][counted], both[1][counted]


def upwards(h: Ints) -> Ints:
    """Levels that grow upwards, for those of h1 to h6; 0 stays 0."""
    return np.where(h > 0, h.max(initial=0) + 1 - h, 0)


@dataclass(frozen=True, eq=False)
class OutlineExample:
    """A page whose headings are known, what is seen of it, and what tags claim of it."""

    page: LabelledPage
    """What is a heading by the tags of the page."""

    seen: Seen
    claims: Mapping[str, Claims]
    """Of honest tags, of shuffled ones, and of those of the upper levels only."""

    visible: LabelledPage
    """What is a heading to a visitor."""

    @classmethod
    def of(cls, name: str, family: str, page: Page) -> OutlineExample:
        """The example that a page with the right tags is."""
        blocks, levels = text_blocks(blind(page)), tag_levels(page)
        claimed = {HONEST: levels, SHUFFLED: shuffled(levels, named(page, ("p",)), name)}
        if len(np.unique(levels[levels > 0])) > 1:
            claimed[PARTIAL] = upper(levels, name)
        claims = {tags: Claims(headings_of(blocks, by), by) for tags, by in claimed.items()}
        seen = Seen.of(blocks)
        tagged, visible = (
            LabelledPage.of(name, family, seen.sight, by)
            for by in (levels, corrected(page, family, levels))
        )
        return cls(tagged, seen, claims, visible)

    @cached_property
    def restyled(self) -> OutlineExample:
        """The same page as another stylesheet might show it."""
        blocks = restyled(self.seen.sight, self.page.levels > 0, crc32(self.page.name.encode()))
        return replace(self, page=replace(self.page, blocks=blocks), seen=Seen.of(blocks))

    @classmethod
    def labelled(cls, row: Row, page: Page) -> OutlineExample:
        """The example of a page without tags, whose headings a person has written down.

        Where the rules of the verdicts say something else, a text counts neither way to a visitor.
        """
        blocks = text_blocks(page)
        headings = [(heading["text"], heading["level"]) for heading in row["headings"]]
        seen = Seen.of(blocks)
        sight = seen.sight
        prominence = sight.size + 0.2 * sight.bold - sight.link_share
        heading = matched([text for text, _ in headings], blocks.strings, prominence)
        levels = np.array([*(level for _, level in headings), 0])[heading]
        sure = np.zeros(len(blocks), np.bool_)
        labelled = LabelledPage(row["file"], row["family"], blocks, heading, levels, sure)
        none = np.zeros(len(page), np.int64)
        doubtful = headings_of(blocks, corrected(page, row["family"], none) != 0) >= 0
        return cls(labelled, seen, {}, replace(labelled, doubtful=doubtful))


def load_examples(corpora: Corpora) -> list[OutlineExample]:
    """The pages of the corpus, made blind, with the tags that they have and with shuffled ones."""
    folder = corpora.folder_of(CORPUS)
    pages = corpora.pages(folder, rows(folder))
    return [OutlineExample.of(row["file"], row.get("family") or "", page) for row, page in pages]


@cache
def written_examples() -> tuple[OutlineExample, ...]:
    """Pages written to learn from; no model is judged by them."""
    return tuple(OutlineExample.of(*page) for page in written_pages())


def load_fresh(corpora: Corpora) -> list[OutlineExample]:
    """Pages of other families, without tags, labelled by hand; none if the corpus is missing."""
    try:
        folder = corpora.folder_of(FRESH)
    except CorpusNotFound:
        return []
    pages = corpora.pages(folder, rows(folder, "labels.jsonl"))
    return [OutlineExample.labelled(row, page) for row, page in pages]


def matched(headings: Sequence[str], blocks: Sequence[str], prominence: ArrayLike) -> Ints:
    """By text block the heading that it is, or is a part of; -1 if of none. Both are in order.

    Tables of contents and menus repeat headings: of all ways to find as many headings as possible,
    it is the one whose blocks are the most prominent.
    """
    texts, weight = [squeezed(block) for block in blocks], 1 + 0.01 * np.asarray(prominence)
    best: list[tuple[float, _Way]] = [(0.0, ())] * (len(texts) + 1)  # by where the last one ends
    for number, wanted in enumerate(map(squeezed, headings)):
        ways = list(best)
        for first, stop in _places(wanted, texts):
            value, way = best[first]
            value += float(weight[first])
            for end in range(stop, len(ways)):
                if ways[end][0] >= value:
                    break
                ways[end] = value, (way, number, first, stop)
        best = ways
    heading, way = np.full(len(blocks), -1, np.int64), best[-1][1]
    while way:
        way, number, first, stop = way
        heading[first:stop] = number
    return heading


def _places(wanted: str, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where one text or several in a row are a heading: from the first, up to the last."""
    for first in range(len(texts)):
        stop, joined = first, ""
        while stop < len(texts) and texts[stop] and wanted.startswith(joined + texts[stop]):
            joined += texts[stop]
            stop += 1
        if joined == wanted:
            yield first, stop


def squeezed(text: str) -> str:
    """A text without what stylesheets change: space, and the case of letters."""
    return "".join(text.split()).casefold()


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


def upper(levels: Ints, seed: str) -> Ints:
    """What the tags of a page claim that has some for its upper levels only: for its title, say.

    Many a page has an h1, and sections whose headings are paragraphs in bold type.
    """
    random = np.random.default_rng(crc32(seed.encode()))
    used = np.unique(levels[levels > 0])
    lowest = random.choice(used[:-1])
    return np.where(levels <= lowest, levels, 0)
