"""The numbers of the paper's figures 4 and 5, for any page that was fetched several times."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from pagesight.watch.seed.page_index import PageIndex


@dataclass(frozen=True, slots=True)
class Figures:
    """What the training of one page came to."""

    components: tuple[int, ...]
    """By fetch (figure 4)."""

    usual: int
    """How many fetches have as many components as most."""

    kept: int
    """How many have the structure of the last one, so that they teach."""

    icv_words: tuple[int, ...]
    """By component (figure 5)."""

    icv_pictures: tuple[int, ...]
    strong: int
    weak: int
    """The empty ones among them."""

    empty: int


def figures(index: PageIndex) -> Figures:
    """The numbers of a page index."""
    counts = [sample.components for sample in index.samples]
    components = index.components
    weak = sum(component.weak for component in components)
    return Figures(
        components=tuple(counts),
        usual=max(Counter(counts).values()),
        kept=sum(sample.kept for sample in index.samples),
        icv_words=tuple(len(component.vector.words) for component in components),
        icv_pictures=tuple(len(component.vector.pictures) for component in components),
        strong=len(components) - weak,
        weak=weak,
        empty=sum(component.empty for component in components),
    )
