"""How well outlines are found, page by page, by models that have not seen the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.outline.claims import Claims
from pagesight.readers.outline.learning import metrics
from pagesight.readers.outline.learning.fitting import Example, models_by_fold
from pagesight.readers.outline.learning.metrics import LevelCounts, LevelShares, Scores
from pagesight.readers.outline.reading import Found, OutlineModel, find_headings

Ints = NDArray[np.int64]


@dataclass
class Tally:
    """The scores of one way to find headings, page by page."""

    pages: list[str] = field(default_factory=list)
    identification: list[Scores] = field(default_factory=list)
    hierarchy: list[Scores] = field(default_factory=list)
    order: list[Scores] = field(default_factory=list)
    levels: list[LevelCounts] = field(default_factory=list)

    def add(self, name: str, truth: Ints, found: Ints) -> None:
        self.pages.append(name)
        self.identification.append(metrics.identification(truth, found))
        self.hierarchy.append(metrics.hierarchy(truth, found))
        self.order.append(metrics.hierarchy(truth, found, headings_only=True))
        self.levels.append(metrics.exact_levels(truth, found))

    def shares(self) -> LevelShares:
        """How many of the headings found are on the level where they should be."""
        return metrics.level_shares(self.levels)

    def row(self) -> list[str]:
        """P, R and F of identification and of hierarchy, F among headings; shares of levels."""
        cells = []
        for scores in (self.identification, self.hierarchy):
            average = metrics.mean(scores)
            cells += [average.precision, average.recall, average.f]
        cells += [metrics.mean(self.order).f, *self.shares()]
        return [f"{cell:.3f}" for cell in cells]


def upwards(found: Found, blocks: int) -> Ints:
    """The level of each text block of a page: 0 is no heading, 1 the lowest level found."""
    levels = np.zeros(blocks, np.int64)
    levels[found.blocks] = found.levels.max(initial=0) + 1 - found.levels
    return levels


@dataclass
class OurTallies:
    """Our scores: without tags, and with the tags that pages have or with shuffled ones."""

    blind: Tally = field(default_factory=Tally)
    honest: Tally = field(default_factory=Tally)
    shuffled: Tally = field(default_factory=Tally)
    left_alone: list[bool] = field(default_factory=list)
    """Whether the tags that a page has are what was found."""

    models: dict[str, OutlineModel] = field(default_factory=dict)
    """By page one that has not seen it."""


def score_ours(examples: Sequence[Example]) -> OurTallies:
    """Train on four fifths, and score the rest, in turn."""
    tallies = OurTallies()
    for part, model in models_by_fold(examples):
        score_part(tallies, [examples[index] for index in part], model)
    return tallies


def score_part(tallies: OurTallies, examples: Sequence[Example], model: OutlineModel) -> None:
    """Add the scores of a model on pages that it has not seen."""
    for example in examples:
        tallies.models[example.page.name] = model
        _add(tallies.blind, example, find_headings(example.seen, model))
        if example.shuffled is not None:
            _add(tallies.shuffled, example, find_headings(example.seen, model, example.shuffled))
        if example.honest is not None:
            found = find_headings(example.seen, model, example.honest)
            _add(tallies.honest, example, found)
            tallies.left_alone.append(_is_claimed(found, example.honest))


def _add(tally: Tally, example: Example, found: Found) -> None:
    page = example.page
    tally.add(page.name, *page.items(upwards(found, len(page.blocks))))


def _is_claimed(found: Found, claims: Claims) -> bool:
    return np.array_equal(found.blocks, claims.blocks) and np.array_equal(
        found.levels, claims.levels[claims.blocks]
    )
