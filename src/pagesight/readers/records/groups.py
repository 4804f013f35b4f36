"""Groups of units that may be the records of a list.

Records are siblings, or in the same place of several elements such as rows; or each of them is a
run of siblings that begins with one of a kind: a row with the name and a row with the price, a
heading and what follows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.page.columns import Array
from pagesight.readers.records.pieces import Numbering
from pagesight.readers.records.sight import Sight
from pagesight.segment.nodes import before

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
MOST_GROUPS = 64  # that are looked at
LEAST_SHOWN = 0.04  # of what a page shows; main lists of the corpus show a fifth and more
PICTURE = 40  # characters that a picture counts as
MOST_TOKENS = 3  # of a class that are looked at
MOST_KINDS = 3  # of siblings that runs may begin with
FEWEST_IN_RUNS = 3  # siblings: of two, none is between two of a kind
SIBLINGS, KIN, RUNS = range(3)


@dataclass(frozen=True, eq=False)
class Group:
    """Units or runs of units that may be records; arrays by member."""

    around: int
    """The unit that holds them all."""

    how: int
    heads: Ints
    """The unit that each begins with."""

    first: Ints
    """The first piece of content of each."""

    last: Ints
    """The piece after the last one of each."""

    def __len__(self) -> int:
        return len(self.heads)

    def only(self, kept: NDArray[np.bool_]) -> Group:
        """The group without some of its members."""
        return self if kept.all() else self.at(np.flatnonzero(kept))

    def at(self, members: Ints) -> Group:
        """The group with these of its members."""
        if len(members) == len(self):
            return self
        heads, first, last = self.heads[members], self.first[members], self.last[members]
        return Group(self.around, self.how, heads, first, last)


def overlap(one: Group, other: Group) -> bool:
    """Whether two groups share any content."""
    if one.first[0] >= other.last[-1] or other.first[0] >= one.last[-1]:  # as most
        return False
    at = np.searchsorted(other.last, one.first, side="right")
    inside = at < len(other)
    return bool((other.first[at[inside]] < one.last[inside]).any())


def groups_of(sight: Sight) -> list[Group]:
    """The groups that show most, without those that show next to nothing."""
    sums, units = sight.pieces.sums, sight.units
    counts = sums["characters"] + PICTURE * sums["pictures"]
    in_unit, least = counts[units.last] - counts[units.first], LEAST_SHOWN * counts[-1]
    children = units.children
    groups = [
        group
        for around in np.flatnonzero(in_unit >= least).tolist()  # others show too little
        if len(children[around]) > 1
        for group in (
            *_siblings(sight, around, children[around]),
            *_runs(sight, around, children[around]),
        )
    ]
    groups += _kin(sight, in_unit.tolist(), float(least))
    if not groups:
        return []
    joined = Joined(groups)
    shown = joined.sum(counts[joined.last] - counts[joined.first])
    order = np.argsort(-shown, kind="stable")[:MOST_GROUPS]
    return [groups[at] for at in sorted(order.tolist()) if shown[at] >= least]


def whole_page(sight: Sight) -> Group:
    """The page as a record of its own."""
    ends = [np.array([end], dtype=np.int64) for end in (0, 0, len(sight.units.content.nodes))]
    return Group(0, SIBLINGS, *ends)


def _of_units(sight: Sight, around: int, how: int, members: Sequence[int]) -> Group:
    heads = np.array(members, dtype=np.int64)
    return Group(around, how, heads, sight.units.first[heads], sight.units.last[heads])


def _siblings(sight: Sight, around: int, below: list[int]) -> Iterator[Group]:
    by_tag: dict[str, list[int]] = {}
    for unit in below:
        by_tag.setdefault(sight.tags[unit], []).append(unit)
    for tag, same in by_tag.items():
        if len(same) > 1 and tag[0] != "#":
            yield _of_units(sight, around, SIBLINGS, same)


def _runs(sight: Sight, around: int, below: list[int]) -> Iterator[Group]:
    """Runs of children that begin with one of a kind: of the same tag and class.

    Where all are the same, by what they hold: rows of a table alternate without saying so.
    """
    if len(below) < FEWEST_IN_RUNS:
        return
    kinds: list[tuple[str, ...]] = [(sight.tags[unit], sight.classes[unit]) for unit in below]
    if kinds.count(kinds[0]) == len(kinds):
        if kinds[0][0][0] == "#":
            return
        kinds = [(*kind, *_tags_in(sight, unit)) for kind, unit in zip(kinds, below, strict=True)]
    begun: list[Ints] = []
    counts = Counter(kinds)
    usual_kinds = counts.most_common(MOST_KINDS) if 1 < len(counts) < len(kinds) else []
    for kind, count in sorted(usual_kinds, key=lambda pair: kinds.index(pair[0])):
        starts = [at for at, other in enumerate(kinds) if other == kind]
        steps = Counter(after - at for at, after in pairwise(starts))
        if count < 2 or kind[0][0] == "#" or steps.keys() == {1}:
            continue
        usual = steps.most_common(1)[0][0]
        stops = [*starts[1:], min(len(below), starts[-1] + usual)]
        heads, tails = (
            np.array([below[at] for at in ends], dtype=np.int64)
            for ends in (starts, [stop - 1 for stop in stops])
        )
        if not any(_is_ahead(earlier, heads) for earlier in begun):
            begun.append(heads)
            yield Group(around, RUNS, heads, sight.units.first[heads], sight.units.last[tails])


def _is_ahead(earlier: Ints, later: Ints) -> bool:
    """Whether runs begin in the middle of others: each of them is of two records."""
    count = len(later)
    if len(earlier) < count:
        return False
    between = (later[:-1] < earlier[1:count]).all()
    return bool((earlier[:count] < later).all() and between)


def _tags_in(sight: Sight, unit: int) -> list[str]:
    """The tags of a unit and of what is directly in it, each from the outside to the inside."""
    below = sight.units.children[unit]
    return [tag for inner in (unit, *below) for tag in (sight.tags[inner], *_tags_of(sight, inner))]


def _tags_of(sight: Sight, unit: int) -> list[str]:
    """The tags of a unit below its first one, from the outermost to the innermost."""
    names, parents, chain = sight.units.page.names, sight.parents, list[str]()
    node, outer = sight.listed.inner[unit], int(sight.units.node[unit])
    while node > outer:
        chain.append(names[node])
        node = parents[node]
    return chain[::-1]


def _kin(sight: Sight, in_unit: Sequence[float], least: float) -> Iterator[Group]:
    """Units in several places that are alike: in the tags around them, or by a class.

    `in_unit` is how much each unit shows, `least` how much those of a group do.
    """
    parents, ends = sight.listed.parent, sight.units.end.tolist()
    paths = Numbering[tuple[int, str]]()
    path_of = [-1] * len(parents)
    alike: dict[Hashable, list[int]] = {}
    known: dict[tuple[int, str], list[list[int]]] = {}
    for unit, tag in enumerate(sight.tags):
        if tag == "#text":  # in which nothing is
            continue
        # The path of the outermost units goes on from -1, that of no unit: nothing is last so far.
        path_of[unit] = path = paths[path_of[parents[unit]], tag]
        if tag[0] == "#":
            continue
        names = sight.classes[unit]
        members_alike = known.get((path, names))
        if members_alike is None:
            tokens = ((tag, token) for token in names.split()[:MOST_TOKENS])
            members_alike = [alike.setdefault(key, []) for key in (path, *tokens)]
            known[path, names] = members_alike
        for members in members_alike:
            if not members or ends[members[-1]] <= unit:  # not inside of the last one
                members.append(unit)
    shown = in_unit.__getitem__
    enough = (
        tuple(units)
        for units in alike.values()
        if len(units) > 2 and sum(map(shown, units)) >= least
    )
    for distinct in dict.fromkeys(enough):
        places = {parents[unit] for unit in distinct}
        if 1 < len(places) < len(distinct):
            yield _of_units(sight, _common(sight, distinct), KIN, distinct)


def _common(sight: Sight, members: Sequence[int]) -> int:
    """The innermost unit around all of these."""
    around = members[0]
    while sight.units.end[around] <= members[-1]:
        around = int(sight.units.parent[around])
    return around


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
        """The value in the middle of each group; the last axis of the values is by member.

        Values are finite: others would be sorted behind all groups.
        """
        by_group = np.empty(values.shape, dtype=np.complex128)  # in order of the group, then these
        by_group.real, by_group.imag = self.group, values
        ordered = np.sort(by_group, axis=-1).imag
        half = self.start + self.size // 2
        middle = ordered[..., half - (self.size % 2 == 0)] + ordered[..., half]
        return np.asarray(middle / 2)

    def spread(self, values: Array) -> Floats:
        """The standard deviation of each group as a share of its mean."""
        mean = self.mean(values)
        deviation = np.sqrt(self.mean((values - mean[self.group]) ** 2))
        return np.divide(deviation, mean, out=np.zeros(len(mean)), where=mean > 0)

    def alike(self, keys: Array) -> Floats:
        """By member: how many members of its group have its key."""
        order, first = self._told_apart(keys)
        counts = np.diff(np.append(first, len(order))).astype(np.float64)
        alike = np.empty(len(order))
        alike[order] = np.repeat(counts, counts.astype(np.int64))
        return alike

    def distinct(self, keys: Array) -> Floats:
        """How many different keys the members of each group have."""
        _, first = self._told_apart(keys)
        return np.bincount(self.group[first], minlength=len(self.size)).astype(np.float64)

    def _told_apart(self, keys: Array) -> tuple[Ints, Ints]:
        """The members, group by group in order of their keys; and where another key begins."""
        order = np.lexsort((keys, self.group))
        ordered = keys[order]
        begins = np.ones(len(order), dtype=np.bool_)
        begins[1:] = ordered[1:] != ordered[:-1]
        begins[self.start] = True
        return order, np.flatnonzero(begins)
