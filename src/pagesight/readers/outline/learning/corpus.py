"""Pages whose headings are known: a corpus of well-formed pages, read without their tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagesight.learning import corpora
from pagesight.page import Page
from pagesight.readers.outline.blocks import TextBlocks, text_blocks
from pagesight.readers.outline.claims import headings_of, tag_levels
from pagesight.readers.outline.learning.blinding import Variant, disguised_corpus, revealed

CORPUS = "outlines"
FOLDS = 5
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
        """By text block the heading that most of its characters stand in, or -1."""
        return headings_of(self.blocks, self.node_levels)

    @cached_property
    def block_levels(self) -> Ints:
        """By text block its level, upwards: 0 is no heading, 1 the lowest on this page."""
        h = np.where(self.heading >= 0, self.node_levels[self.heading], 0)
        return np.where(h > 0, h.max(initial=0) + 1 - h, 0)

    def items(self, found: ArrayLike) -> tuple[Ints, Ints]:
        """True and found levels, upwards, with the blocks of one heading taken together."""
        blocks = np.arange(len(self.heading))
        # A heading is as good as any of its blocks; what is none stands for itself.
        group = np.where(self.heading >= 0, self.heading, -1 - blocks)
        _, item = np.unique(group, return_inverse=True)
        levels = np.zeros((2, int(item.max(initial=-1)) + 1), np.int64)
        np.maximum.at(levels[0], item, self.block_levels)
        np.maximum.at(levels[1], item, np.asarray(found, np.int64))
        return levels[0], levels[1]


def labelled_pages(
    folder: Path,
    *,
    variant: Variant | None = Variant.BLIND,
    renderer: str = "auto",
    advance: Callable[[], None] = lambda: None,
) -> Iterator[LabelledPage]:
    """The pages of a corpus, disguised or as they are (None); those that fail are left out."""
    rows = corpora.rows(folder)
    copy = disguised_corpus(folder, rows, variant) if variant else folder
    requests = [corpora.request_of(copy, row) for row in rows]
    pages = corpora.rendered(requests, renderer=renderer, advance=advance)
    for row, page in zip(rows, pages, strict=True):
        if not isinstance(page, Page):
            continue
        seen, levels = revealed(page) if variant is Variant.BLIND else (page, tag_levels(page))
        yield LabelledPage(row["file"], row.get("family") or "", seen, levels)


def folds(pages: Sequence[LabelledPage], count: int = FOLDS) -> list[list[int]]:
    """The pages in at most `count` parts of about the same size; no family is in two of them."""
    sizes = Counter(page.family for page in pages)
    parts: list[list[str]] = [[] for _ in range(count)]
    held = [0] * count
    for family, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        smallest = held.index(min(held))
        parts[smallest].append(family)
        held[smallest] += size
    return [_members(pages, part) for part in parts if part]


def _members(pages: Sequence[LabelledPage], families: Iterable[str]) -> list[int]:
    wanted = set(families)
    return [index for index, page in enumerate(pages) if page.family in wanted]
