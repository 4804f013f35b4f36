"""How well a segmentation agrees with another one, both seen as clusters of weighted items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

NONE = -1


@dataclass(frozen=True, slots=True)
class ClusterScores:
    """Extended BCubed precision, recall and F, and the adjusted Rand index."""

    precision: float
    recall: float
    f: float
    rand: float


def cluster_scores(read: ArrayLike, wanted: ArrayLike, weights: ArrayLike) -> ClusterScores | None:
    """The scores of the clusters `read`, given those `wanted`; arrays by item, -1 for no cluster.

    An item of weight w counts as w items, all in the same clusters. Items that are in no wanted
    cluster are left out, since nobody knows where they belong; None if that leaves nothing.
    Items that were not read take no part in precision, and their recall is 0 (as in extended
    BCubed after Kiesel et al.); for the Rand index they are one cluster of their own.
    """
    table, missed = _contingency(np.asarray(read), np.asarray(wanted), np.asarray(weights))
    total = table.sum() + missed.sum()
    if total == 0:
        return None
    in_found, in_wanted = table.sum(axis=1), table.sum(axis=0) + missed
    together = table**2
    precision = _ratio((together / np.maximum(in_found, 1)[:, None]).sum(), table.sum())
    recall = _ratio((together / np.maximum(in_wanted, 1)).sum(), total)
    f = _ratio(2 * precision * recall, precision + recall)
    return ClusterScores(precision, recall, f, adjusted_rand(np.vstack((table, missed))))


def adjusted_rand(table: NDArray[np.float64]) -> float:
    """The adjusted Rand index of a contingency table; 1 where both sides agree."""
    rows, columns = _pairs(table.sum(axis=1)), _pairs(table.sum(axis=0))
    both, everything = _pairs(table), _pairs(table.sum())
    expected = _ratio(rows * columns, everything)
    most = (rows + columns) / 2
    return 1.0 if most == expected else float((both - expected) / (most - expected))


def _contingency(
    read: NDArray[np.int64], wanted: NDArray[np.int64], weights: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How much is in each read and each wanted cluster, and how much of the latter was missed."""
    known = (wanted != NONE) & (weights > 0)
    _, row = np.unique(read[known], return_inverse=True)
    clusters, column = np.unique(wanted[known], return_inverse=True)
    table = np.zeros((int(row.max(initial=-1)) + 1, len(clusters)))
    np.add.at(table, (row, column), weights[known])
    missing = np.unique(read[known]) == NONE
    return table[~missing], table[missing].sum(axis=0)


def _pairs(counts: NDArray[np.float64]) -> float:
    return float((counts * (counts - 1) / 2).sum())


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0
