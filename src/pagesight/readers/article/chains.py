"""The orders in which the parts of an article may stand: a small family, the likeliest is taken.

All chains share what was learned; they differ in which label may follow which, and in how many of
the pages that were learned from are of their kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.models.crf import Crf, Weights
from pagesight.readers.article.labels import LABELS, possible_transitions

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

CHAINS = ("article", "signed", "margin")
"""As usual; authors below the text, as in letters; a margin with places and dates first."""
ON_SCREEN = 2  # of these are for pages without sheets: there, what comes first is navigation

NEVER = -50.0  # the score of a transition that there is not
_NUMBER = {label: number for number, label in enumerate(LABELS)}
_MARGIN = ("affiliation", "front", "dates", "correspondence", "keywords")


@cache
def possible(chain: str) -> tuple[Mask, Mask]:
    """Which label may follow which in a chain, and which may come first."""
    follows = possible_transitions(signed=chain == "signed")
    first = np.isin(LABELS, ("before", "title"))
    if chain == "margin":
        margin = [_NUMBER[label] for label in _MARGIN]
        first[margin] = True
        follows[_NUMBER["before"], margin] = True
        follows[margin, _NUMBER["before"]] = True
        follows[margin, _NUMBER["title"]] = True
    return follows, first


def weights_of(weights: Weights, chain: str) -> Weights:
    """The weights without what a chain does not allow."""
    follows, first = possible(chain)
    return replace(
        weights,
        transition=np.where(follows, weights.transition, NEVER),
        start=np.where(first, weights.start, NEVER),
    )


def chain_of(labels: Sequence[str]) -> str:
    """The first chain that allows these labels; the usual one if none does."""
    numbers = [_NUMBER[label] for label in labels]
    for chain in CHAINS:
        follows, first = possible(chain)
        if first[numbers[0]] and all(follows[one, other] for one, other in pairwise(numbers)):
            return chain
    return CHAINS[0]


def priors(labellings: Sequence[Sequence[str]]) -> Floats:
    """The logarithm of each chain's share among labelled pages; none has no share at all."""
    found = [chain_of(labels) for labels in labellings]
    counts = np.array([1.0 + found.count(chain) for chain in CHAINS])
    return np.asarray(np.log(counts / counts.sum()), dtype=np.float64)


def decode(
    field: Crf, prior: Floats, scores: Floats, *, sheets: bool
) -> tuple[NDArray[np.int64], Floats]:
    """The labels by the likeliest chain, and the probability of each; `scores` is T × labels.

    `sheets`: whether it is a PDF.
    """
    if not len(scores):
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    chains = CHAINS if sheets else CHAINS[:ON_SCREEN]
    family = [weights_of(field.weights, chain) for chain in chains]
    best = int((prior[: len(chains)] + log_likelihoods(family, scores)).argmax())
    chosen = Crf(family[best])
    labels = chosen.decode(scores)
    posterior, _ = chosen.posterior(scores)
    return labels, posterior[np.arange(len(labels)), labels]


def log_likelihoods(family: Sequence[Weights], scores: Floats) -> Floats:
    """By chain the logarithm of the sum over all labellings: the forward algorithm, all at once."""
    shift = scores.max(axis=1)
    local = np.exp(scores - shift[:, None])
    moves = np.exp(np.stack([weights.transition for weights in family]))
    current = np.exp(np.stack([weights.start for weights in family])) * local[0]
    total = np.full(len(family), float(shift.sum()))
    for row in local[1:]:
        scale = np.maximum(current.sum(axis=1), 1e-300)
        total += np.log(scale)
        current = (current[:, None, :] @ moves)[:, 0] * row / scale[:, None]
    ending = np.exp(np.stack([weights.stop for weights in family]))
    return np.asarray(total + np.log((current * ending).sum(axis=1)), dtype=np.float64)
