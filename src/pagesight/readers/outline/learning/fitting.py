"""What is learned of outlines, from pages whose headings are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.folds import folds, others
from pagesight.models import softmax
from pagesight.models.boosting import Boosting, Logistic, boost
from pagesight.models.ranking import Ranker
from pagesight.models.softmax import Softmax
from pagesight.readers.outline.claims import EVIDENCE_NAMES, TRUST_NAMES
from pagesight.readers.outline.learning.corpus import HONEST, SHUFFLED, OutlineExample
from pagesight.readers.outline.levels import (
    MOST_LEVELS,
    PAIR_NAMES,
    STOP_NAMES,
    HeadingLooks,
    LevelModel,
    with_levels,
)
from pagesight.readers.outline.reading import LONGEST, OutlineModel, likely

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

RIDGE = 2.0
HEADING_TREES = Boosting(trees=160, depth=5, rate=0.08, ridge=4.0, least=2.0)
LEVEL_TREES = Boosting(trees=100, depth=5, rate=0.1, ridge=4.0, least=4.0, features=0.5)


@dataclass(frozen=True, eq=False)
class Cases:
    """Questions to learn from: rows of features, whether the answer is yes, how much each counts.

    `family` is the style family that each row comes from.
    """

    rows: Floats
    wanted: NDArray[np.bool_]
    weights: Floats
    family: Ints

    def where(self, kept: NDArray[np.bool_]) -> Cases:
        """Some of the cases."""
        return Cases(self.rows[kept], self.wanted[kept], self.weights[kept], self.family[kept])


def fit(examples: Sequence[OutlineExample]) -> OutlineModel:
    """Learn from pages whose headings are known.

    What is decided last learns from what is decided first, on pages that the first has not seen:
    levels from headings with the faults that they will have, trust in tags from such levels.
    """
    true = [np.flatnonzero(example.page.block_levels) for example in examples]
    odds: list[Floats] = [np.zeros(0)] * len(examples)
    weighed: list[tuple[bool, Floats]] = []
    for part in folds([example.page.family for example in examples], 2):
        # Of one family only, there are no others to learn from.
        rest = others(part, len(examples)) or part
        known = [examples[index] for index in rest]
        judge, levels = _judge(known), _levels(known, [true[index] for index in rest])
        for index in part:
            odds[index] = examples[index].seen.odds(judge)
            weighed += _trust_rows(examples[index], odds[index], levels)
    headings = [likely(row) for row in odds]
    return OutlineModel(
        _judge(examples),
        _levels([*examples, *examples], [*true, *headings]),
        _two_way(TRUST_NAMES, "wrong right", weighed),
        _two_way(EVIDENCE_NAMES, "no yes", _evidence(examples, odds)),
    )


def _judge(examples: Sequence[OutlineExample]) -> Ranker:
    """Which blocks are headings; each look of a page counts as much as the others."""
    cases = []
    for example, family in zip(examples, _families(examples), strict=True):
        page, group = example.page, example.seen.sight.group
        headings = page.block_levels > 0
        weights = 1 / np.bincount(group, minlength=1)[group]
        weights *= len(group) / max(weights.sum(), 1e-9)
        # A page with a hundred headings does not say a hundred times as much as one with one.
        weights *= np.sqrt(20 / max(5, int(headings.sum())))
        whole = Cases(example.seen.rows, headings, weights, np.full(len(group), family))
        cases.append(whole.where((page.blocks.lengths <= LONGEST) & ~page.doubtful))
    return _trees(examples[0].seen.names, cases, HEADING_TREES)


def _trees(names: Sequence[str], cases: Sequence[Cases], how: Boosting) -> Ranker:
    """Trees whose sum is the log odds of a yes."""
    rows = np.vstack([np.zeros((0, len(names))), *(part.rows for part in cases)])
    wanted = np.concatenate([np.zeros(0, np.bool_), *(part.wanted for part in cases)])
    weights = np.concatenate([np.zeros(0), *(part.weights for part in cases)])
    family = np.concatenate([np.zeros(0, np.int64), *(part.family for part in cases)])
    mean = float(weights.mean()) if len(weights) else 1.0
    return boost(names, rows, Logistic(wanted, weights / mean, family), how)


def _families(examples: Sequence[OutlineExample]) -> list[int]:
    names = sorted({example.page.family for example in examples})
    return [names.index(example.page.family) for example in examples]


def _levels(examples: Sequence[OutlineExample], headings: Sequence[Ints]) -> LevelModel:
    """What levels the looks of these headings have, and how two of them compare."""
    stops, equal, above = [], [], []
    for example, family, blocks in zip(examples, _families(examples), headings, strict=True):
        looks, levels = example.seen.looks(blocks), example.page.block_levels
        if looks.count:
            up = _usual_levels(looks, levels)
            stops.append(_stops(looks, np.where(up, levels.max() - up, -1), family))
        if looks.count > 1:
            both, order = _ordered(looks, up, family)
            equal.append(both)
            above.append(replace(both, wanted=order > 0).where(order != 0))
    return LevelModel(
        _trees(STOP_NAMES, stops, LEVEL_TREES),
        _trees(PAIR_NAMES, equal, LEVEL_TREES),
        _trees(PAIR_NAMES, above, LEVEL_TREES),
    )


def _stops(looks: HeadingLooks, level: Ints, family: int) -> Cases:
    """Whether looks are on a level, for all levels down to their own; -1 is not known."""
    count = MOST_LEVELS - 1
    asked, own = np.tile(np.arange(count), looks.count), np.repeat(level, count)
    known = asked <= own
    rows = with_levels(looks.described(), count)[known]
    weight = 1 / np.sqrt(max(1, int((level >= 0).sum())))
    return Cases(
        rows, (asked == own)[known], np.full(len(rows), weight), np.full(len(rows), family)
    )


def _ordered(looks: HeadingLooks, up: Ints, family: int) -> tuple[Cases, Ints]:
    """Whether two looks are on one level, and which is above the other: 1, 0 or -1."""
    pairs, rows = looks.pairs()
    known = (up[pairs] > 0).all(axis=1)
    order = np.sign(up[pairs[:, 0]] - up[pairs[:, 1]])[known]
    weights = np.full(len(order), 1 / np.sqrt(max(1, len(order))))
    return Cases(rows[known], order == 0, weights, np.full(len(order), family)), order


def _usual_levels(looks: HeadingLooks, levels: Ints) -> Ints:
    """The level that most headings of each look have, upwards; 0 where none is a heading."""
    table = looks.counted(levels)
    table[:, 0] = 0
    usual: Ints = table.argmax(axis=1)
    return usual


def _trust_rows(
    example: OutlineExample, odds: Floats, levels: LevelModel
) -> Iterator[tuple[bool, Floats]]:
    for tags, claims in example.claims.items():
        if len(claims.blocks):
            yield tags == HONEST, example.seen.weighed(claims, odds).trust_row(levels)


def _evidence(
    examples: Sequence[OutlineExample], odds: Sequence[Floats]
) -> Iterator[tuple[bool, Floats]]:
    """Blocks of pages whose tags are wrong, one of each look that is claimed to be the same."""
    for example, row in zip(examples, odds, strict=True):
        claims = example.claims[SHUFFLED]
        if not len(claims.blocks):
            continue
        rows = example.seen.weighed(claims, row).evidence()
        known = np.flatnonzero(np.isfinite(row))
        tagged = claims.levels > 0
        keys = np.column_stack((example.seen.sight.group, tagged))[known]
        once = known[np.unique(keys, axis=0, return_index=True)[1]]
        for block in once.tolist():
            yield bool(example.page.block_levels[block] > 0), rows[block]


def _two_way(names: Sequence[str], labels: str, cases: Iterable[tuple[bool, Floats]]) -> Softmax:
    nothing = np.zeros(len(names))  # what no page shows is as probable as not
    answers, rows = zip(*(tuple(cases) or ((False, nothing), (True, nothing))), strict=True)
    return softmax.fit(
        names, labels.split(), np.vstack(rows), np.array(answers, np.int64), ridge=RIDGE
    )
