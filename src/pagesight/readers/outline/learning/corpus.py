"""Pages whose headings are known: a corpus of well-formed pages, read without their tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagesight.learning import corpora as corpora_
from pagesight.page import Page
from pagesight.readers.outline.claims import Claims, headings_of, tag_levels
from pagesight.readers.outline.learning.blinding import Variant, disguised_corpus, revealed
from pagesight.readers.outline.reading import Seen
from pagesight.segment.blocks import TextBlocks, text_blocks

CORPUS = "outlines"
BLIND, HONEST, SHUFFLED = "blind", "honest", "shuffled"  # what the tags of a page are to a reader
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
    claims: Mapping[str, Claims | None]
    """Of honest and of shuffled tags; None where its blocks are others than on the blind page."""


def load_examples(
    corpora: Path | None = None,
    *,
    renderer: str = "auto",
    advance: Callable[[], None] = lambda: None,
) -> list[OutlineExample]:
    """The pages of the corpus, made blind, with the tags that they have and with shuffled ones."""
    folder = corpora_.corpus_folder(CORPUS, corpora)
    blind, *disguised = (
        {page.name: page for page in _labelled_pages(folder, variant, renderer, advance)}
        for variant in (Variant.BLIND, None, Variant.SHUFFLED)
    )
    examples = []
    for page in blind.values():
        claims = (_claims(page, pages.get(page.name)) for pages in disguised)
        by_tags = dict(zip((HONEST, SHUFFLED), claims, strict=True))
        examples.append(OutlineExample(page, Seen.of(page.blocks), by_tags))
    return examples


def _claims(page: LabelledPage, disguise: LabelledPage | None) -> Claims | None:
    if disguise is None or len(disguise.blocks) != len(page.blocks):
        return None
    return Claims(disguise.heading, disguise.node_levels)


def _labelled_pages(
    folder: Path, variant: Variant | None, renderer: str, advance: Callable[[], None]
) -> Iterator[LabelledPage]:
    """The pages of a corpus, disguised or as they are (None); those that fail are left out."""
    rows = corpora_.rows(folder)
    copy = disguised_corpus(folder, rows, variant) if variant else folder
    for row, page in corpora_.pages_of(copy, rows, renderer=renderer, advance=advance):
        seen, levels = revealed(page) if variant is Variant.BLIND else (page, tag_levels(page))
        yield LabelledPage(row["file"], row.get("family") or "", seen, levels)
