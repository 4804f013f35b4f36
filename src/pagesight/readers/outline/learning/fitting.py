"""What is learned of outlines, from pages whose headings are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.folds import folds, others
from pagesight.models import softmax
from pagesight.models.boosting import Boosting, Logistic, boost_several
from pagesight.models.ranking import Ranker
from pagesight.models.softmax import Softmax
from pagesight.readers.outline.claims import EVIDENCE_NAMES, TRUST_NAMES
from pagesight.readers.outline.learning.corpus import HONEST, PARTIAL, SHUFFLED, OutlineExample
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
JUDGES = 2  # whose mean is taken: a page of a new family depends less on chance
MOST_ALIKE = 6  # blocks of one look and label on a page that are learned from
RESTYLED = 0.5  # how much a page with another style counts
ELSEWHERE = 0.5  # how much a page of another corpus counts
WHOLE_TREES = Boosting(trees=60, depth=3, rate=0.1, ridge=4.0, least=4.0)
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

    def scaled(self, factor: float) -> Cases:
        """The same cases, counting more or less."""
        return replace(self, weights=self.weights * factor)


def fit(
    examples: Sequence[OutlineExample],
    written: Sequence[OutlineExample] = (),
    elsewhere: Sequence[OutlineExample] = (),
) -> OutlineModel:
    """Learn from pages whose headings are known.

    From those that are `written`, and from those of `elsewhere`, it is learned what headings are.

    What is decided last learns from what is decided first, on pages that the first has not seen:
    levels from headings with the faults that they will have, trust in tags from such levels.
    """
    true = [np.flatnonzero(example.page.block_levels) for example in examples]
    odds: list[Floats] = [np.zeros(0)] * len(examples)
    weighed: list[tuple[OutlineExample, Mapping[str, Floats]]] = []
    for part in folds([example.page.family for example in examples], 2):
        # Of one family only, there are no others to learn from.
        rest = others(part, len(examples)) or part
        known = [examples[index] for index in rest]
        judge = _judge(known, written, elsewhere)
        levels = _levels(known, [true[index] for index in rest])
        for index in part:
            odds[index] = examples[index].seen.odds(judge)
            weighed.append((examples[index], _trust_rows(examples[index], odds[index], levels)))
    headings = [likely(row) for row in odds]
    return OutlineModel(
        _judge(examples, written, elsewhere),
        _levels([*examples, *examples], [*true, *headings]),
        _two_way(TRUST_NAMES, "wrong right", _right_or_wrong(weighed)),
        _whole(weighed),
        _two_way(EVIDENCE_NAMES, "no yes", _evidence(examples, odds)),
    )


def _judge(
    examples: Sequence[OutlineExample],
    written: Sequence[OutlineExample],
    elsewhere: Sequence[OutlineExample],
) -> Ranker:
    """Which blocks are headings; pages of the corpus are learned as they are and restyled."""
    shown = [example.restyled for example in examples]
    parts = [([*examples, *written], 1.0), (shown, RESTYLED), (elsewhere, ELSEWHERE)]
    counted = [(page, count) for part, count in parts for page in part]
    families = _families([page for page, _ in counted])
    cases = [
        _blocks(page, family).scaled(count)
        for (page, count), family in zip(counted, families, strict=True)
    ]
    return _trees(examples[0].seen.names, cases, HEADING_TREES, JUDGES)


def _blocks(example: OutlineExample, family: int) -> Cases:
    """Some blocks of a page; each look counts as much as the others."""
    page, group = example.page, example.seen.sight.group
    headings = page.block_levels > 0
    weights = 1 / np.bincount(group, minlength=1)[group]
    weights *= len(group) / max(weights.sum(), 1e-9)
    # A page with a hundred headings does not say a hundred times as much as one with one.
    weights *= np.sqrt(20 / max(5, int(headings.sum())))
    kind = 2 * group + headings
    weights /= np.minimum(MOST_ALIKE / np.bincount(kind, minlength=1)[kind], 1)
    whole = Cases(example.seen.rows, headings, weights, np.full(len(group), family))
    short = page.blocks.lengths <= LONGEST
    some = whole.where(short & ~page.doubtful & spread(kind, MOST_ALIKE))
    # Pages are judged one by one: a long one counts more than a short one, but not in proportion.
    return some.scaled(1 / np.sqrt(max(float(some.weights.sum()), 1e-9)))


def spread(kinds: Ints, most: int) -> NDArray[np.bool_]:
    """Which items to keep: at most so many of each kind, spread evenly over those in order.

    >>> spread(np.array([0, 0, 0, 0, 1, 0]), 2).tolist()
    [True, False, False, True, True, False]
    """
    order = np.argsort(kinds, kind="stable")
    alike = kinds[order]
    count = np.bincount(kinds, minlength=1)[alike]
    place = (np.arange(len(alike)) - np.searchsorted(alike, alike)) * most
    kept = np.zeros(len(kinds), np.bool_)
    kept[order] = (count <= most) | (place // count != (place - most) // count)
    return kept


def _trees(names: Sequence[str], cases: Sequence[Cases], how: Boosting, several: int = 1) -> Ranker:
    """Trees whose sum is the log odds of a yes; the mean of `several` trainings."""
    rows = np.vstack([np.zeros((0, len(names))), *(part.rows for part in cases)])
    wanted = np.concatenate([np.zeros(0, np.bool_), *(part.wanted for part in cases)])
    weights = np.concatenate([np.zeros(0), *(part.weights for part in cases)])
    family = np.concatenate([np.zeros(0, np.int64), *(part.family for part in cases)])
    mean = float(weights.mean()) if len(weights) else 1.0
    loss = Logistic(wanted, weights / mean, family)
    return boost_several(names, rows, loss, how, several)


def _families(examples: Sequence[OutlineExample]) -> list[int]:
    names = sorted({example.page.family for example in examples})
    return [names.index(example.page.family) for example in examples]


def _levels(examples: Sequence[OutlineExample], headings: Sequence[Ints]) -> LevelModel:
    """What levels the looks of these headings have, and how two of them compare.

    How they compare is learned from pages with other styles, too.
    """
    stops, equal, above = [], [], []
    for example, family, blocks in zip(examples, _families(examples), headings, strict=True):
        looks, levels = example.seen.looks(blocks), example.page.block_levels
        if looks.count:
            up = _usual_levels(looks, levels)
            stops.append(_stops(looks, np.where(up, levels.max() - up, -1), family))
        for shown, factor in ((looks, 1.0), (example.restyled.seen.looks(blocks), RESTYLED)):
            if shown.count > 1:
                both, order = _ordered(shown, _usual_levels(shown, levels), family)
                equal.append(both.scaled(factor))
                above.append(replace(equal[-1], wanted=order > 0).where(order != 0))
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


def _trust_rows(example: OutlineExample, odds: Floats, levels: LevelModel) -> Mapping[str, Floats]:
    """What shows whether tags can be trusted, for each kind of tags of a page."""
    return {
        tags: example.seen.weighed(claims, odds).trust_row(levels)
        for tags, claims in example.claims.items()
        if len(claims.blocks)
    }


def _right_or_wrong(
    weighed: Iterable[tuple[OutlineExample, Mapping[str, Floats]]],
) -> Iterator[tuple[bool, Floats]]:
    for _, rows in weighed:
        yield from ((tags == HONEST, rows[tags]) for tags in (HONEST, SHUFFLED) if tags in rows)


def _whole(weighed: Sequence[tuple[OutlineExample, Mapping[str, Floats]]]) -> Ranker:
    """Whether all headings of a page are tagged, or only those of its upper levels."""
    families = _families([example for example, _ in weighed])
    cases = []
    for (_, rows), family in zip(weighed, families, strict=True):
        kinds = [tags for tags in (HONEST, PARTIAL) if tags in rows]
        count = len(kinds)
        table = np.array([rows[tags] for tags in kinds]).reshape(count, len(TRUST_NAMES))
        right = np.array([tags == HONEST for tags in kinds], np.bool_)
        cases.append(Cases(table, right, np.ones(count), np.full(count, family)))
    return _trees(TRUST_NAMES, cases, WHOLE_TREES)


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
