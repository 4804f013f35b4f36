"""How well levels are found: the measures [8] to [11] of Waszak, de Loupy and Bellot.

Levels are arrays over the same items: 0 is not a heading, and the higher the level, the higher the
heading is in the hierarchy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.scores import MeanPrf, Prf

Ints = NDArray[np.int64]


def identification(truth: Ints, found: Ints) -> Prf:
    """Whether headings were found, and nothing else."""
    return _prf(float(((truth > 0) & (found > 0)).sum()), truth, found)


def hierarchy(truth: Ints, found: Ints, *, headings_only: bool = False) -> Prf:
    """Whether headings are ordered rightly to the items of other levels: [8] and [9].

    `headings_only` compares those that were found with other headings only. That is the harder
    question: most items of a page are paragraphs, which every heading that was found is above.
    """
    counted = (truth > 0) & (found > 0) if headings_only else truth > 0
    score = order_scores(truth, found, headings_only=headings_only)
    return _prf(float(score[counted].sum()), truth, found)


def order_scores(truth: Ints, found: Ints, *, headings_only: bool = False) -> NDArray[np.float64]:
    """Of each item the share of items of other levels to which it is ordered rightly: [10], [11].

    Where there are no others, it is whether a heading was found at all.
    """
    # Counted by pairs of levels, so that long pages cost no more than short ones.
    pairs, item, count = np.unique(
        np.column_stack((truth, found)), axis=0, return_inverse=True, return_counts=True
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


def exact_levels(truth: Ints, found: Ints) -> LevelCounts:
    """How many headings were found, and how many of them are where they should be.

    Levels count downwards from the highest of the page, as h1, h2, h3 do. A title taken in above
    the h1 moves all others down: up to a constant for the page, they are right.
    """
    both = (truth > 0) & (found > 0)
    off = (truth.max(initial=0) - truth)[both] - (found.max(initial=0) - found)[both]
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


class PageScores(NamedTuple):
    """How well the headings of a page were found."""

    identification: Prf
    hierarchy: Prf
    order: Prf
    """The hierarchy among headings only."""

    levels: LevelCounts

    @classmethod
    def of(cls, truth: Ints, found: Ints) -> PageScores:
        return cls(
            identification(truth, found),
            hierarchy(truth, found),
            hierarchy(truth, found, headings_only=True),
            exact_levels(truth, found),
        )


class OutlineScores(NamedTuple):
    """How well the headings of many pages were found."""

    identification: MeanPrf
    hierarchy: MeanPrf
    order: MeanPrf
    levels: LevelShares
    by_page: tuple[float, float]
    """The means of F over pages: of identification and of hierarchy."""

    @classmethod
    def over(cls, pages: Sequence[PageScores]) -> OutlineScores:
        return cls(
            MeanPrf.over(page.identification for page in pages),
            MeanPrf.over(page.hierarchy for page in pages),
            MeanPrf.over(page.order for page in pages),
            level_shares([page.levels for page in pages]),
            (
                float(np.mean([page.identification.f for page in pages] or [0.0])),
                float(np.mean([page.hierarchy.f for page in pages] or [0.0])),
            ),
        )

    @property
    def row(self) -> list[float]:
        """P, R, F and F by page of identification and of hierarchy; F among headings; levels."""
        means = zip((self.identification, self.hierarchy), self.by_page, strict=True)
        rates = [rate for mean, f in means for rate in (mean.precision, mean.recall, mean.f, f)]
        return [*rates, self.order.f, *self.levels]


def _prf(right: float, truth: Ints, found: Ints) -> Prf:
    return Prf.of(wanted=int((truth > 0).sum()), found=int((found > 0).sum()), right=right)
