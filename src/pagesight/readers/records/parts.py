"""A list that goes on under a heading of its own is two lists: a carousel has the same cards.

Sections of one list have headings that look alike; what others bought has a smaller one than the
list that the page is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.records.clues import record_clues
from pagesight.readers.records.groups import RUNS, Group
from pagesight.readers.records.model import RECORD, RecordsModel, ScoredList, scored_lists
from pagesight.readers.records.sight import Sight

Ints = NDArray[np.int64]
ALIKE = 1.0  # px between the font sizes of headings that look alike
PRICED = 0.5  # the share of records with a price: other lists go on under any heading
LEAST_PART = 3  # records of a part that is a list of its own


def main_list(model: RecordsModel, sight: Sight, lists: Sequence[ScoredList]) -> ScoredList:
    """The list that suits best, with how probable its records are beside the other lists."""
    best = best_list(model, sight, lists)
    return best._replace(chances=model.judged(RECORD, record_clues(lists, best)))


def best_list(model: RecordsModel, sight: Sight, lists: Sequence[ScoredList]) -> ScoredList:
    """The list that suits best, or the part of it that does."""
    return _main_part(model, sight, max(lists, key=lambda scored: scored.score))


def _main_part(model: RecordsModel, sight: Sight, scored: ScoredList) -> ScoredList:
    """The part of a list of products that suits best as one; all if its headings look alike."""
    cuts = _cuts(sight, scored.group)
    if not len(cuts) or scored.features["with prices"] < PRICED:
        return scored
    of_part = np.searchsorted(cuts, np.arange(len(scored.group)), side="right")
    parts = [scored.group.only(of_part == part) for part in range(len(cuts) + 1)]
    best = max(scored_lists(model, sight, parts), key=lambda part: part.score)
    return best if len(best.group) >= LEAST_PART else scored


def _cuts(sight: Sight, group: Group) -> Ints:
    """The members that begin another list: they are elsewhere, or have another class."""
    none = np.zeros(0, dtype=np.int64)
    if group.how == RUNS:
        return none
    pieces = np.flatnonzero(sight.pieces.heading)
    before = np.searchsorted(pieces, group.first) - 1  # the last heading in front of each
    headed = before[1:] > np.searchsorted(pieces, group.last[:-1]) - 1
    moved = np.diff(sight.units.parent[group.heads]) != 0
    renamed = np.zeros(len(headed), dtype=np.bool_)
    renamed[headed] = [one != other for one, other in pairwise(_shared(sight, group, headed))]
    begins = np.flatnonzero(headed & (moved | renamed)) + 1
    if not len(begins) or before[0] < 0:
        return none
    size = sight.pieces.size[pieces[before]]
    return np.asarray(begins[np.abs(size[begins] - size[0]) > ALIKE])


def _shared(sight: Sight, group: Group, headed: NDArray[np.bool_]) -> list[frozenset[str]]:
    """The classes that all members between two headings have: each may have others of its own."""
    classes = [frozenset(sight.classes[head].split()) for head in group.heads.tolist()]
    ends = [0, *(np.flatnonzero(headed) + 1).tolist(), len(classes)]
    return [frozenset.intersection(*classes[one:other]) for one, other in pairwise(ends)]
