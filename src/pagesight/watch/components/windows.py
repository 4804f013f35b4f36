"""Short texts of all units of a page, as numbers of words, so that they are compared at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.segment.text import dice_of_sets

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SHARED, FIRST = 0.9, 0.1  # how much the words count that two texts share, and their first ones


def likeness(one: frozenset[str], other: frozenset[str], *, same_first: bool) -> float:
    """How many words two short texts share; the order counts a little."""
    if not one or not other:
        return 0.0
    return SHARED * dice_of_sets(one, other) + FIRST * same_first


@dataclass(frozen=True, eq=False)
class Windows:
    """Some words of every unit, such as the first ones."""

    index: Mapping[str, int]
    """The number of each word of the page."""

    words: Ints
    """By unit, (U, W): the numbers of its words, each once, and then one that no word has."""

    count: Ints
    """How many different words each has."""

    first: Ints
    """The first word of each; one that no word has if there is none."""

    @classmethod
    def of(cls, index: Mapping[str, int], spoken: Ints, start: Ints, stop: Ints) -> Windows:
        """The words between two places of what is spoken on a page, for each unit."""
        width, nothing = int((stop - start).max(initial=0)), len(index)
        at = start[:, None] + np.arange(max(width, 1))
        words = np.append(spoken, nothing)[np.minimum(at, len(spoken))]
        words[at >= stop[:, None]] = nothing
        first = words[:, 0].copy()
        words.sort(axis=1)
        words[:, 1:][words[:, 1:] == words[:, :-1]] = nothing
        return cls(index, words, (words < nothing).sum(axis=1), first)

    def likeness(self, known: Sequence[str], unit: Ints) -> Floats:
        """How much the words of some units are like those of a part."""
        if not known:
            return np.zeros(len(unit))
        distinct = {*known}
        is_known = np.zeros(len(self.index) + 1, dtype=np.bool_)
        is_known[[self.index[word] for word in distinct if word in self.index]] = True
        count = self.count[unit]
        shared = 2 * is_known[self.words[unit]].sum(axis=1) / (count + len(distinct))
        same_first = self.first[unit] == self.index.get(known[0], -1)
        return np.asarray(np.where(count > 0, SHARED * shared + FIRST * same_first, 0.0))
