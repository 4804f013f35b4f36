"""The orders in which the parts of an article may be: a small family, the likeliest is taken.

All chains share what was learned; they differ in which label may follow which, and in how many of
the pages that were learned from are of their kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.models.chain import chain_sums
from pagesight.models.crf import Crf
from pagesight.models.crf import FieldWeights as Weights
from pagesight.readers.article.labelling.labels import (
    AT_END,
    IN_FRONT,
    LABELS,
    WITH_TEXT,
    possible_transitions,
)

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

CHAINS = ("article", "signed", "undersigned", "margin")
"""As usual; authors below the text, as in letters, or below its references; a margin with places
and dates first."""
ON_SCREEN = 3  # of these are for pages without sheets: there, what comes first is navigation

NEVER = -50.0  # the score of a transition that there is not
_NUMBER = {label: number for number, label in enumerate(LABELS)}
_SIGNATURES = {"signed": WITH_TEXT, "undersigned": AT_END}
_MARGIN = ("affiliation", "front", "dates", "correspondence", "keywords")


@cache
def possible(chain: str) -> tuple[Mask, Mask]:
    """Which label may follow which in a chain, and which may come first."""
    follows = possible_transitions(_SIGNATURES.get(chain, IN_FRONT))
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
    counted = Counter(map(chain_of, labellings))
    counts = np.array([1.0 + counted[chain] for chain in CHAINS])
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
    likelihoods, posterior = sums(family, scores)
    best = int((prior[: len(chains)] + likelihoods).argmax())
    labels = Crf(family[best]).decode(scores)
    return labels, posterior[np.arange(len(labels)), best, labels]


def sums(family: Sequence[Weights], scores: Floats) -> tuple[Floats, Floats]:
    """By chain the logarithm of the sum over all labellings; P(label), T × chains × labels."""
    labels, _, log_total = chain_sums([weights.chain for weights in family], scores[:, None])
    return log_total[:, 0], labels[:, :, 0]
