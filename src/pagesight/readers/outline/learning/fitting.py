"""What is learned of outlines, from pages whose headings are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.errors import CorpusNotFound
from pagesight.models import softmax
from pagesight.models.boosting import Boosting
from pagesight.models.softmax import Softmax
from pagesight.readers.outline.claims import EVIDENCE_NAMES, TRUST_NAMES, Claims
from pagesight.readers.outline.judging import Cases, Judge, train_judge
from pagesight.readers.outline.learning.blinding import Variant
from pagesight.readers.outline.learning.corpus import LabelledPage, folds, labelled_pages
from pagesight.readers.outline.levels import (
    LEVEL,
    LOOK_NAMES,
    MOST_LEVELS,
    HeadingLooks,
    LevelModel,
    pair_names,
    with_levels,
)
from pagesight.readers.outline.reading import LONGEST, OutlineModel, Seen

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

RIDGE = 2.0
HEADING_TREES = Boosting(trees=160, depth=5, rate=0.08, ridge=4.0, least=2.0)
LEVEL_TREES = Boosting(trees=100, depth=5, rate=0.1, ridge=4.0, least=4.0, features=0.5)


@dataclass(frozen=True, eq=False)
class Example:
    """A page whose headings are known, what is seen of it, and what tags say in its disguises."""

    page: LabelledPage
    seen: Seen
    honest: Claims | None = None
    """The tags that the page has; None if its blocks are others than those of the blind page."""

    shuffled: Claims | None = None


def load_examples(
    folder: Path, *, renderer: str = "auto", advance: Callable[[], None] = lambda: None
) -> list[Example]:
    """The pages of a corpus, made blind, with the tags that they have and with shuffled ones."""
    blind, honest, shuffled = (
        {page.name: page for page in labelled_pages(folder, variant=v, renderer=renderer,
                                                    advance=advance)}
        for v in (Variant.BLIND, None, Variant.SHUFFLED)
    )  # fmt: skip
    return [
        Example(page, Seen.of(page.blocks), _claims(page, honest), _claims(page, shuffled))
        for page in blind.values()
    ]


def _claims(page: LabelledPage, disguises: dict[str, LabelledPage]) -> Claims | None:
    disguise = disguises.get(page.name)
    if disguise is None or len(disguise.blocks) != len(page.blocks):
        return None
    return Claims(disguise.heading, disguise.node_levels)


def models_by_fold(examples: Sequence[Example]) -> Iterator[tuple[list[int], OutlineModel]]:
    """Parts of the pages, each with a model of all others."""
    parts = folds([example.page for example in examples])
    if len(parts) < 2:
        raise CorpusNotFound(
            "the pages are of one family or site", hint="without others, nothing can be measured"
        )
    for part in parts:
        yield part, held_out(examples, part)


def held_out(examples: Sequence[Example], part: Sequence[int]) -> OutlineModel:
    """A model of all pages that are not in a part."""
    rest = sorted(set(range(len(examples))) - set(part))
    return train_outline([examples[index] for index in rest])


def train_outline(examples: Sequence[Example]) -> OutlineModel:
    """Learn from pages whose headings are known.

    What is decided last learns from what is decided first, on pages that the first has not seen:
    levels from headings with the faults that they will have, trust in tags from such levels.
    """
    true = [np.flatnonzero(example.page.block_levels) for example in examples]
    odds: list[Floats] = [np.zeros(0)] * len(examples)
    weighed: list[tuple[bool, Floats]] = []
    for part in folds([example.page for example in examples], 2):
        # Of one family only, there are no others to learn from.
        rest = sorted(set(range(len(examples))) - set(part)) or part
        others = [examples[index] for index in rest]
        judge, levels = _judge(others), _levels(others, [true[index] for index in rest])
        for index in part:
            odds[index] = examples[index].seen.odds(judge)
            weighed += _trust_rows(examples[index], odds[index], levels)
    found = [example.seen.likely(row) for example, row in zip(examples, odds, strict=True)]
    return OutlineModel(
        _judge(examples),
        _levels([*examples, *examples], [*true, *found]),
        _two_way(TRUST_NAMES, "wrong right", weighed),
        _two_way(EVIDENCE_NAMES, "no yes", _evidence(examples, odds)),
    )


def _judge(examples: Sequence[Example]) -> Judge:
    """Which blocks are headings; each look of a page counts as much as the others."""
    families = _families(examples)
    cases = []
    for example, family in zip(examples, families, strict=True):
        page, group = example.page, example.seen.sight.group
        headings = page.block_levels > 0
        weights = 1 / np.bincount(group, minlength=1)[group]
        weights *= len(group) / max(weights.sum(), 1e-9)
        # A page with a hundred headings does not say a hundred times as much as one with one.
        weights *= np.sqrt(20 / max(5, int(headings.sum())))
        whole = Cases(example.seen.rows, headings, weights, np.full(len(group), family))
        cases.append(whole.where(page.blocks.lengths <= LONGEST))
    return _trained(examples[0].seen.names, cases, HEADING_TREES)


def _trained(names: Sequence[str], cases: Sequence[Cases], how: Boosting) -> Judge:
    joined = Cases.joined(cases)
    mean = float(joined.weights.mean()) if len(joined.weights) else 1.0
    even = Cases(joined.rows, joined.wanted, joined.weights / mean, joined.family)
    return train_judge(names, even, how)


def _families(examples: Sequence[Example]) -> Ints:
    names = [example.page.family for example in examples]
    return np.unique(np.array(names), return_inverse=True)[1].reshape(-1).astype(np.int64)


def _levels(examples: Sequence[Example], headings: Sequence[Ints]) -> LevelModel:
    """What levels the looks of these headings have, and how two of them stand to one another."""
    stops, equal, above = [], [], []
    for example, family, blocks in zip(examples, _families(examples), headings, strict=True):
        looks = example.seen.looks(blocks)
        up = _usual_levels(looks, example.page.block_levels)
        stops.append(_stops(looks, np.where(up, example.page.block_levels.max() - up, -1), family))
        both, order = _ordered(looks, up, int(family))
        equal.append(both)
        above.append(replace(both, wanted=order > 0).where(order != 0))
    return LevelModel(
        _trained((*LOOK_NAMES, LEVEL), stops, LEVEL_TREES),
        _trained(pair_names(), equal, LEVEL_TREES),
        _trained(pair_names(), above, LEVEL_TREES),
    )


def _stops(looks: HeadingLooks, level: Ints, family: int) -> Cases:
    """Whether looks are on a level, for all levels down to their own; -1 is not known."""
    count = MOST_LEVELS - 1
    if not looks.count:
        return Cases(np.zeros((0, len(LOOK_NAMES) + 1)), *_no_cases())
    asked = np.tile(np.arange(count), looks.count)
    own = np.repeat(level, count)
    known = asked <= own
    rows = with_levels(looks.described(), count)[known]
    weight = 1 / np.sqrt(max(1, int((level >= 0).sum())))
    return Cases(
        rows, (asked == own)[known], np.full(len(rows), weight), np.full(len(rows), family)
    )


def _ordered(looks: HeadingLooks, up: Ints, family: int) -> tuple[Cases, Ints]:
    """Whether two looks are on one level, and which is above the other: 1, 0 or -1."""
    if looks.count < 2:
        return Cases(np.zeros((0, len(pair_names()))), *_no_cases()), np.zeros(0, np.int64)
    pairs, rows = looks.pairs()
    known = (up[pairs] > 0).all(axis=1)
    order = np.sign(up[pairs[:, 0]] - up[pairs[:, 1]])[known]
    weights = np.full(len(order), 1 / np.sqrt(max(1, len(order))))
    return Cases(rows[known], order == 0, weights, np.full(len(order), family)), order


def _no_cases() -> tuple[NDArray[np.bool_], Floats, Ints]:
    return np.zeros(0, np.bool_), np.zeros(0), np.zeros(0, np.int64)


def _usual_levels(looks: HeadingLooks, levels: Ints) -> Ints:
    """The level that most headings of each look have, upwards; 0 where none is a heading."""
    table = np.zeros((looks.count, int(levels.max(initial=0)) + 1), np.int64)
    np.add.at(table, (looks.number, levels[looks.blocks]), 1)
    table[:, 0] = 0
    usual: Ints = table.argmax(axis=1)
    return usual


def _trust_rows(
    example: Example, odds: Floats, levels: LevelModel
) -> Iterator[tuple[bool, Floats]]:
    for right, claims in ((True, example.honest), (False, example.shuffled)):
        if claims is not None and len(claims.blocks):
            yield right, example.seen.weighed(claims, odds).trust_row(levels)


def _evidence(examples: Sequence[Example], odds: Sequence[Floats]) -> Iterator[tuple[bool, Floats]]:
    """Blocks of pages whose tags are wrong, one of each look that is said to be the same."""
    for example, row in zip(examples, odds, strict=True):
        if example.shuffled is None or not len(example.shuffled.blocks):
            continue
        rows = example.seen.weighed(example.shuffled, row).evidence()
        known = np.flatnonzero(np.isfinite(row))
        keys = np.column_stack((example.seen.sight.group, rows[:, 1]))[known]
        once = known[np.unique(keys, axis=0, return_index=True)[1]]
        for block in once.tolist():
            yield bool(example.page.block_levels[block] > 0), rows[block]


def _two_way(names: Sequence[str], labels: str, cases: Iterable[tuple[bool, Floats]]) -> Softmax:
    nothing = np.zeros(len(names))  # what no page tells is as probable as not
    answers, rows = zip(*(tuple(cases) or ((False, nothing), (True, nothing))), strict=True)
    return softmax.fit(
        names, labels.split(), np.vstack(rows), np.array(answers, np.int64), ridge=RIDGE
    )
