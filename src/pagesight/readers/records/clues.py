"""How sure a reading is, as log odds: by the model's own word and by what is around it.

What is wrong on a page is seldom wrong alone: another list is nearly as good as the one that was
taken, or the records of a list do not agree on the column of an attribute.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import inf
from statistics import median

import numpy as np
from numpy.typing import NDArray

from pagesight.models.logistic import logit
from pagesight.readers.records.candidates import Candidate
from pagesight.readers.records.groups import overlap
from pagesight.readers.records.model import Choice, ScoredList
from pagesight.readers.records.pieces import divided

Floats = NDArray[np.float64]
FAR = 6.0  # between the scores of two lists


def record_clues(lists: Sequence[ScoredList], scored: ScoredList) -> dict[str, Floats]:
    """What tells whether each record of a list is one.

    Strays are less sure than the other records; all records are the less sure, the more another
    list or another division of the same content suits.
    """
    odds = logit(scored.chances)
    margins = [_margin(lists, scored, overlapping=some) for some in (False, True)]
    return _clues_of(scored, odds, *margins)


def clues_alone(lists: Sequence[ScoredList]) -> dict[str, Floats]:
    """The same of the records of several lists, one after the other, each as if it were alone."""
    odds = logit(np.concatenate([scored.chances for scored in lists]))
    parts = divided(odds, [len(scored.chances) for scored in lists])
    clues = [_clues_of(scored, some, FAR, FAR) for scored, some in zip(lists, parts, strict=True)]
    return {name: np.concatenate([some[name] for some in clues]) for name in clues[0]}


def _clues_of(
    scored: ScoredList, odds: Floats, others: float, divisions: float
) -> dict[str, Floats]:
    """The clues of a list that is so much better than others and than other divisions of it."""
    of_list = {
        "least odds": odds.min(),
        "mean odds": odds.mean(),
        "score": scored.score,
        "beside others": others,
        "beside divisions": divisions,
    }
    return {
        "chance": scored.chances,
        "below": odds - median(odds.tolist()),
        **{name: np.full(len(odds), value) for name, value in of_list.items()},
    }


def _margin(lists: Sequence[ScoredList], scored: ScoredList, *, overlapping: bool) -> float:
    """How much better a list is than the best of the others that hold none or some of it."""
    scores = [
        other.score
        for other in lists
        if other is not scored and overlap(scored.group, other.group) == overlapping
    ]
    return min(max(scored.score - max(scores, default=-inf), -FAR), FAR)


def value_odds(values: Sequence[Candidate], choices: Sequence[Choice]) -> Floats:
    """How sure what was chosen as an attribute of each record is, where anything was.

    A value is no surer than the values of the list are on average; it is the less sure, the surer
    it is that other records have none, as a badge on two cards of twenty describes neither; and
    the fewer records agree on its column.
    """
    taken = [choice for choice in choices if choice.candidate >= 0]
    if not taken:
        return np.zeros(0)
    odds = logit([choice.chance for choice in taken])
    against = logit([choice.chance for choice in choices if choice.candidate < 0])
    of_list = (odds.sum() - against.sum()) / len(choices)
    columns = [values[choice.candidate].column for choice in taken]
    counts = Counter(columns)
    share = np.array([counts[column] / len(taken) for column in columns])
    return np.asarray((np.minimum(odds, odds.mean()) + of_list) / 2 * share)
