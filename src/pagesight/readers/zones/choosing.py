"""Which zones of a tree are the blocks of a page: the choice that is expected to agree best.

A model says of each zone how probable it is that it is divided, given that all zones around it are.
From that follows for any two leaves how probable it is that they belong together. A block is worth
what its leaves gain by it: extended BCubed precision (how much of the block belongs to a leaf) and
recall (how much of what belongs to a leaf is in the block). Since that adds up over blocks, the
best of all choices is found from the leaves upwards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.zones.candidates import Candidates
from pagesight.segment.nodes import before, outermost

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAST_GAIN = 1e-9  # for which a zone is divided: rounding is not a reason


def choose(zones: Candidates, divided: Floats, weights: Floats, balance: float) -> Ints:
    """The blocks, in document order; every leaf is in one of them.

    `divided` are the probabilities by zone, `weights` say what each leaf counts, and `balance` what
    precision counts against recall (0 to 1): the more, the smaller the blocks.
    """
    return best_cut(zones, worth(zones, divided, weights, balance))


def worth(zones: Candidates, divided: Floats, weights: Floats, balance: float) -> Floats:
    """What each zone is worth as a block: expected precision and recall of its leaves."""
    sums = before(weights)
    size = sums[zones.last] - sums[zones.first]
    outside = _related_outside(zones, _together(zones, divided), size)
    leaf = np.flatnonzero(zones.is_leaf)
    related = np.ones(len(weights))  # the weight that belongs to a leaf, itself among it
    if len(weights):
        related[zones.first[leaf]] = size[leaf] + outside[leaf]
    products, quotients = before(weights * related), before(weights / related)
    inside = products[zones.last] - products[zones.first] - outside * size
    precision = inside / np.maximum(size, 1e-9)
    recall = size - outside * (quotients[zones.last] - quotients[zones.first])
    return np.asarray(balance * precision + (1 - balance) * recall)


def _together(zones: Candidates, divided: Floats) -> Floats:
    """How probable it is that leaves of which this is the innermost common zone are together."""
    apart = np.where(zones.is_leaf, 0.0, divided).tolist()
    for zone, above in enumerate(zones.parent.tolist()):
        if above >= 0:
            apart[zone] *= apart[above]
    return 1 - np.array(apart)


def _related_outside(zones: Candidates, together: Floats, size: Floats) -> Floats:
    """For each zone the weight outside of it that is expected to belong to its leaves."""
    outside = [0.0] * len(zones)
    bonds, sizes = together.tolist(), size.tolist()
    for zone, above in enumerate(zones.parent.tolist()):
        if above >= 0:
            outside[zone] = outside[above] + (sizes[above] - sizes[zone]) * bonds[above]
    return np.array(outside)


def best_cut(zones: Candidates, worth: Floats) -> Ints:
    """The zones, none in another and every leaf in one, that are worth most together."""
    parents, values = zones.parent.tolist(), worth.tolist()
    inside = [0.0] * len(zones)
    divides = [False] * len(zones)
    for zone in range(len(zones) - 1, 0, -1):
        divides[zone] = not zones.is_leaf[zone] and inside[zone] > values[zone] + LEAST_GAIN
        inside[parents[zone]] += inside[zone] if divides[zone] else values[zone]
    divides[0] = not zones.is_leaf[0] and inside[0] > values[0] + LEAST_GAIN
    return outermost(~np.array(divides), zones.parent, zones.end)
