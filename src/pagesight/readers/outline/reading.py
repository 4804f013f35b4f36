"""The outline of a page, by sight: which text blocks are headings, and then their levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.models import softmax
from pagesight.models.ranking import Ranker
from pagesight.models.softmax import Softmax
from pagesight.page import Page
from pagesight.readers.outline.blocks import TextBlocks, text_blocks
from pagesight.readers.outline.corpus import LabelledPage
from pagesight.readers.outline.features import Sight, features
from pagesight.readers.outline.heading import Heading
from pagesight.readers.outline.judging import LONGEST, log_odds, train_judge
from pagesight.readers.outline.levels import (
    LOOK_NAMES,
    MOST_LEVELS,
    RELATIONS,
    Looks,
    heading_levels,
    pair_names,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAST_ODDS = -0.7  # log odds from which a block is taken for a heading; misses cost more
RIDGE = 2.0


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
        """What `to_json` made."""
        levels, relations = (Softmax.from_json(fields[name]) for name in ("levels", "relations"))
        return cls(Ranker.from_json(fields["judge"]), levels, relations)


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


def outline(page: Page, model: OutlineModel) -> list[Heading]:
    """The headings of a page in document order; tags are not looked at."""
    blocks = text_blocks(page)
    found = find_headings(Seen.of(blocks), model)
    return [
        Heading(level, blocks.strings[block], sure, page[int(blocks.element[block])])
        for block, level, sure in zip(
            found.blocks.tolist(), found.levels.tolist(), found.confidence.tolist(), strict=True
        )
    ]


def find_headings(seen: Seen, model: OutlineModel) -> Found:
    """Which blocks are headings, and on which level."""
    odds = log_odds(model.judge, seen.rows)
    odds[seen.sight.blocks.lengths > LONGEST] = -np.inf
    blocks = np.flatnonzero(odds > LEAST_ODDS)
    levels = heading_levels(seen.looks(blocks), model.levels, model.relations)
    return Found(blocks, levels, 1 / (1 + np.exp(-odds[blocks])))


def train_outline(pages: Sequence[LabelledPage], seen: Sequence[Seen]) -> OutlineModel:
    """Learn from pages whose headings are known; `seen` are their features."""
    return OutlineModel(_judge(pages, seen), *_compared(pages, seen))


def _judge(pages: Sequence[LabelledPage], seen: Sequence[Seen]) -> Ranker:
    rows, wanted, weights = [], [], []
    for page, sight in zip(pages, seen, strict=True):
        short = page.blocks.lengths <= LONGEST
        is_heading = page.block_levels > 0
        rows.append(sight.rows[short])
        wanted.append(is_heading[short].astype(np.float64))
        # A page with a hundred headings does not say a hundred times as much as one with one.
        weight = np.sqrt(20 / max(5, int(is_heading.sum())))
        weights.append(np.full(int(short.sum()), weight))
    return train_judge(
        seen[0].names, np.vstack(rows), np.concatenate(wanted), np.concatenate(weights)
    )


def _compared(pages: Sequence[LabelledPage], seen: Sequence[Seen]) -> tuple[Softmax, Softmax]:
    """The levels of looks by themselves, and how two looks stand to one another."""
    looks_seen, levels = [np.zeros((0, len(LOOK_NAMES)))], [np.zeros(0, np.int64)]
    compared, relations = [np.zeros((0, len(pair_names())))], [np.zeros(0, np.int64)]
    for page, sight in zip(pages, seen, strict=True):
        looks = sight.looks(np.flatnonzero(page.block_levels))
        if not looks.count:
            continue
        upwards = _usual_levels(looks.number, page.block_levels[looks.blocks])
        looks_seen.append(looks.described())
        levels.append(np.minimum(page.block_levels.max() - upwards, MOST_LEVELS - 1))
        if looks.count > 1:
            pairs, table = looks.pairs()
            compared.append(table)
            relations.append(1 - np.sign(upwards[pairs[:, 0]] - upwards[pairs[:, 1]]))
    own = np.vstack(looks_seen), np.concatenate(levels)
    both = np.vstack(compared), np.concatenate(relations)
    names = [f"h{level}" for level in range(1, MOST_LEVELS + 1)]
    return (
        softmax.fit(LOOK_NAMES, names, *own, ridge=RIDGE),
        softmax.fit(pair_names(), RELATIONS, *both, ridge=RIDGE),
    )


def _usual_levels(look: Ints, levels: Ints) -> Ints:
    """The level that most headings of each look have."""
    table = np.zeros((int(look.max()) + 1, int(levels.max()) + 1), np.int64)
    np.add.at(table, (look, levels), 1)
    usual: Ints = table.argmax(axis=1)
    return usual
