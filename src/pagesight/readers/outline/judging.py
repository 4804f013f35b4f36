"""Which text blocks are headings: small regression trees over what is seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pagesight.models.boosting import Boosting, _edges, _grow, _scores, _tree
from pagesight.models.ranking import Ranker

Floats = NDArray[np.float64]
LONGEST = 200  # characters; nobody writes longer headings
HOW = Boosting(trees=80, depth=5, rate=0.15, ridge=4.0, least=2.0)


def train_judge(
    names: Sequence[str], rows: Floats, wanted: Floats, weights: Floats, how: Boosting = HOW
) -> Ranker:
    """Trees whose sum is the log odds of a row to be wanted: Newton steps on the logistic loss."""
    edges = [_edges(column, how.bins) for column in rows.T]
    binned = np.stack(
        [np.searchsorted(edge, column) for edge, column in zip(edges, rows.T, strict=True)], axis=1
    )
    random = np.random.default_rng(how.seed)
    scores, trees = np.zeros(len(rows)), []
    for _ in range(how.trees):
        chance = 1 / (1 + np.exp(-scores))
        seen = random.random(len(rows)) < how.groups
        few = max(1, round(how.features * len(names)))
        looked_at = np.sort(random.permutation(len(names))[:few])
        slope = (weights * (chance - wanted))[seen]
        bend = (weights * (chance * (1 - chance) + 1e-3))[seen]
        tree = _tree(
            _grow(binned[np.ix_(seen, looked_at)], slope, bend, how), looked_at, edges, how.rate
        )
        scores += _scores(tree, rows)
        trees.append(tree)
    return Ranker(tuple(names), tuple(trees))


def log_odds(judge: Ranker, rows: Floats) -> Floats:
    """Of each row the log odds of being wanted."""
    total = np.zeros(len(rows))
    for tree in judge.trees:
        total += _scores(tree, rows)
    return total
