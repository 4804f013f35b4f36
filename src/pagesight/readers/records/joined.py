"""Groups one after the other, so that what is asked of each is computed for all at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pagesight.page.columns import Array
from pagesight.readers.records.groups import Group
from pagesight.segment.nodes import before

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Joined:
    """The members of several groups in one row; what is computed of a group is by group."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self.groups = groups
        self.heads = np.concatenate([group.heads for group in groups])
        self.first = np.concatenate([group.first for group in groups])
        self.last = np.concatenate([group.last for group in groups])
        self.size = np.array([len(group) for group in groups], dtype=np.int64)
        """By group."""

        self.start = before(self.size)[:-1]
        """By group: its first member."""

        self.group = np.repeat(np.arange(len(groups)), self.size)
        """By member."""

    def sum(self, values: Array) -> Floats:
        """Of each group; the last axis of the values is by member."""
        return np.asarray(np.add.reduceat(values.astype(np.float64), self.start, axis=-1))

    def mean(self, values: Array) -> Floats:
        return self.sum(values) / self.size

    def least(self, values: Array) -> Floats:
        return np.asarray(np.minimum.reduceat(values, self.start, axis=-1))

    def most(self, values: Array) -> Floats:
        return np.asarray(np.maximum.reduceat(values, self.start, axis=-1))

    def median(self, values: Array) -> Floats:
        """The value in the middle of each group."""
        ordered = values[np.lexsort((values, self.group))]
        half = self.start + self.size // 2
        return np.asarray((ordered[half - (self.size % 2 == 0)] + ordered[half]) / 2)

    def spread(self, values: Array) -> Floats:
        """The standard deviation of each group as a share of its mean."""
        mean = self.mean(values)
        deviation = np.sqrt(self.mean((values - mean[self.group]) ** 2))
        return np.divide(deviation, mean, out=np.zeros(len(mean)), where=mean > 0)

    def alike(self, keys: Array) -> Floats:
        """By member: how many members of its group have its key."""
        at, counts = self._told_apart(keys)
        return counts[at].astype(np.float64)

    def distinct(self, keys: Array) -> Floats:
        """How many different keys the members of each group have."""
        at, counts = self._told_apart(keys)
        group = np.empty(len(counts), dtype=np.int64)
        group[at] = self.group
        return np.bincount(group, minlength=len(self.size)).astype(np.float64)

    def _told_apart(self, keys: Array) -> tuple[Ints, Ints]:
        """By member a number for its group and key; and how often there is each."""
        _, number = np.unique(keys, return_inverse=True)
        both = number * len(self.size) + self.group
        _, at, counts = np.unique(both, return_inverse=True, return_counts=True)
        return at, counts
