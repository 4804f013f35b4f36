"""How well levels are found: the measures [8] to [11] of Waszak, de Loupy and Bellot.

Levels are arrays over the same items: 0 is no heading, and the higher the level, the higher the
heading stands in the hierarchy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision and recall, each between 0 and 1."""

    precision: float
    recall: float

    @property
    def f(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def identification(truth: ArrayLike, found: ArrayLike) -> Scores:
    """Whether headings were told from what is none."""
    true, guessed = _levels(truth) > 0, _levels(found) > 0
    return _scores(float((true & guessed).sum()), truth, found)


def hierarchy(truth: ArrayLike, found: ArrayLike, *, headings_only: bool = False) -> Scores:
    """Whether headings stand in the right order to the items of other levels: [8] and [9].

    `headings_only` compares those that were found with other headings only. That is the harder
    question: most items of a page are paragraphs, which every heading that was found stands above.
    """
    counted = _levels(truth) > 0
    if headings_only:
        counted &= _levels(found) > 0
    score = order_scores(truth, found, headings_only=headings_only)
    return _scores(float(score[counted].sum()), truth, found)


def order_scores(
    truth: ArrayLike, found: ArrayLike, *, headings_only: bool = False
) -> NDArray[np.float64]:
    """Of each item the share of items of other levels to which it is ordered rightly: [10], [11].

    Where there are no others, it is whether a heading was found at all.
    """
    true, guessed = _levels(truth), _levels(found)
    # Counted by pairs of levels, so that long pages cost no more than short ones.
    pairs, item, count = np.unique(
        np.column_stack((true, guessed)), axis=0, return_inverse=True, return_counts=True
    )
    true_order = np.sign(pairs[:, None, 0] - pairs[None, :, 0])
    found_order = np.sign(pairs[:, None, 1] - pairs[None, :, 1])
    weight = count * (pairs[:, 0] > 0) if headings_only else count
    others = ((true_order != 0) * weight).sum(axis=1)
    right = ((true_order != 0) * (true_order == found_order) * weight).sum(axis=1)
    alone = (pairs[:, 1] > 0).astype(np.float64)
    share = np.divide(right, others, out=alone, where=others > 0)
    shares: NDArray[np.float64] = share[item.reshape(-1)]
    return shares


class LevelCounts(NamedTuple):
    """Of the headings of a page that were found."""

    found: int
    exact: int
    """How many have their level, counted from the highest heading of the page."""

    shifted: int
    """How many have it up to a constant for the page."""

    steps: int
    """How many have a heading before them that was found, too."""

    steps_right: int
    """How many of these are as many levels below or above it as they should be."""


def exact_levels(truth: ArrayLike, found: ArrayLike) -> LevelCounts:
    """How many headings were found, and how many of them are where they should be.

    Levels count downwards from the highest of the page, as h1, h2, h3 do. A title taken in above
    the h1 moves all others down: up to a constant for the page, they are right.
    """
    true, guessed = _levels(truth), _levels(found)
    both = (true > 0) & (guessed > 0)
    off = (true.max(initial=0) - true)[both] - (guessed.max(initial=0) - guessed)[both]
    usual = np.unique(off, return_counts=True)[1].max(initial=0)
    steps = np.diff(off)
    return LevelCounts(
        len(off), int((off == 0).sum()), int(usual), len(steps), int((steps == 0).sum())
    )


class LevelShares(NamedTuple):
    """`LevelCounts` of many pages as shares of the headings found, or of the steps."""

    exact: float
    shifted: float
    steps: float
    exact_by_page: float
    """The mean of the pages, so that long ones count no more than others."""


def level_shares(pages: Sequence[LevelCounts]) -> LevelShares:
    """The shares of all pages together."""
    found, exact, shifted, steps, right = np.sum([(0,) * 5, *pages], axis=0).tolist()
    by_page = [page.exact / page.found for page in pages if page.found]
    return LevelShares(
        exact / max(found, 1), shifted / max(found, 1), right / max(steps, 1),
        float(np.mean(by_page or [0.0])),
    )  # fmt: skip


def mean(scores: Iterable[Scores]) -> Scores:
    """The average over pages."""
    rows = [(score.precision, score.recall) for score in scores]
    precision, recall = np.mean(rows, axis=0).tolist() if rows else (0.0, 0.0)
    return Scores(precision, recall)


def _scores(right: float, truth: ArrayLike, found: ArrayLike) -> Scores:
    """What was right as a share of what was found, and of what there is; of nothing all is."""
    there, claimed = int((_levels(truth) > 0).sum()), int((_levels(found) > 0).sum())
    precision = right / claimed if claimed else float(there == 0)
    recall = right / there if there else float(claimed == 0)
    return Scores(precision, recall)


def _levels(given: ArrayLike) -> Ints:
    return np.asarray(given, dtype=np.int64)
