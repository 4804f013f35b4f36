"""The outline of a page, by sight: which text blocks are headings, and then their levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.errors import ModelError
from pagesight.models.ranking import Ranker
from pagesight.models.softmax import Softmax
from pagesight.models.weights import HINT, load_weights
from pagesight.page import Page
from pagesight.readers.outline.blocks import TextBlocks, text_blocks
from pagesight.readers.outline.features import VERSION, Sight, features
from pagesight.readers.outline.heading import Heading
from pagesight.readers.outline.judging import LONGEST, log_odds
from pagesight.readers.outline.levels import (
    LOOK_NAMES,
    Looks,
    heading_levels,
    pair_names,
    without_gaps,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TASK = "outline"
LEAST_ODDS = -0.7  # log odds from which a block is taken for a heading; misses cost more


@dataclass(frozen=True)
class OutlineModel:
    """What is learned: which blocks are headings, what levels looks have, how two compare."""

    judge: Ranker
    levels: Softmax
    relations: Softmax

    def to_json(self) -> dict[str, Any]:
        """As it is saved."""
        return {
            "judge": self.judge.to_json(),
            "levels": self.levels.to_json(),
            "relations": self.relations.to_json(),
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> OutlineModel:
        """What `to_json` made; raises `ModelError` if it is for other features."""
        try:
            return cls(
                Ranker.from_json(fields["judge"]),
                _in_order(Softmax.from_json(fields["levels"]), LOOK_NAMES),
                _in_order(Softmax.from_json(fields["relations"]), pair_names()),
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ModelError(f"the weights of {TASK!r} do not fit ({error})", hint=HINT) from error


def _in_order(model: Softmax, names: Sequence[str]) -> Softmax:
    """The model with its features in the order of `names`; files sort them."""
    if sorted(model.features) != sorted(names):
        raise ValueError("it has other features")
    order = [model.features.index(name) for name in names]
    return Softmax(
        features=tuple(names),
        labels=model.labels,
        mean=model.mean[order],
        scale=model.scale[order],
        bias=model.bias,
        weights=model.weights[order],
    )


@cache
def shipped_model() -> OutlineModel:
    """The model that comes with the package."""
    return OutlineModel.from_json(load_weights(TASK, VERSION).model)


@dataclass(frozen=True, slots=True)
class OutlineReading:
    """The headings of a page, in the order of the document."""

    headings: tuple[Heading, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"headings": [heading.fields() for heading in self.headings]}


def read_outline(page: Page, *, keep_gaps: bool = False) -> OutlineReading:
    """Which texts of a page are headings, and on which level; tags are not looked at.

    The first heading is on level 1 and none is more than one level below the heading before it,
    unless `keep_gaps`: then headings of one look are on one level, whatever comes before them.
    """
    return OutlineReading(tuple(outline(page, shipped_model(), keep_gaps=keep_gaps)))


@dataclass(frozen=True, eq=False)
class Found:
    """The headings among the text blocks of a page: which, on which level, and how surely."""

    blocks: Ints
    levels: Ints
    confidence: Floats


@dataclass(frozen=True, eq=False)
class Seen:
    """A page's blocks with their features, measured once."""

    sight: Sight
    names: Sequence[str]
    rows: Floats

    @classmethod
    def of(cls, blocks: TextBlocks) -> Seen:
        sight = Sight(blocks)
        return cls(sight, *features(sight))

    def looks(self, blocks: Ints) -> Looks:
        return Looks(self.sight, blocks, self.names, self.rows[blocks])


def outline(page: Page, model: OutlineModel, *, keep_gaps: bool = False) -> list[Heading]:
    """The headings of a page in document order; tags are not looked at."""
    blocks = text_blocks(page)
    found = find_headings(Seen.of(blocks), model, keep_gaps=keep_gaps)
    return [
        Heading(level, blocks.strings[block], sure, page[int(blocks.element[block])])
        for block, level, sure in zip(
            found.blocks.tolist(), found.levels.tolist(), found.confidence.tolist(), strict=True
        )
    ]


def find_headings(seen: Seen, model: OutlineModel, *, keep_gaps: bool = False) -> Found:
    """Which blocks are headings, and on which level."""
    odds = log_odds(model.judge, seen.rows)
    odds[seen.sight.blocks.lengths > LONGEST] = -np.inf
    blocks = np.flatnonzero(odds > LEAST_ODDS)
    levels = heading_levels(seen.looks(blocks), model.levels, model.relations)
    levels = levels if keep_gaps else without_gaps(levels)
    return Found(blocks, levels, 1 / (1 + np.exp(-odds[blocks])))
