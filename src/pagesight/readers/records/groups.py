"""Groups of units that may be the records of a list.

Records are siblings, or in the same place of several elements such as rows; or each of them is a run of siblings that begins with one
of a kind: a row with the name and a row with the price, a heading and what follows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.records.pieces import Pieces
from pagesight.readers.records.units import Units

Ints = NDArray[np.int64]
MOST_GROUPS = 64  # that are looked at
LEAST_SHOWN = 0.02  # of what a page shows
PICTURE = 40  # characters that a picture counts as
MOST_TOKENS = 3  # of a class that are looked at
MOST_KEYS = 3  # kinds of siblings that runs may begin with
SIBLINGS, KIN, RUNS = range(3)


@dataclass(frozen=True, eq=False)
class Group:
    """Units or runs of units that may be records."""

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


def groups_of(units: Units) -> list[Group]:
    """All groups of at least two."""
    groups = [
        group
        for around, below in enumerate(units.children)
        if len(below) > 1
        for group in (*_siblings(units, around, below), *_runs(units, around, below))
    ]
    return groups + list(_kin(units))


def largest(groups: list[Group], pieces: Pieces) -> list[Group]:
    """The groups that show most, without those that show next to nothing."""
    if not groups:
        return []
    counts = pieces.sums["characters"] + PICTURE * pieces.sums["pictures"]
    shown = np.array([(counts[group.last] - counts[group.first]).sum() for group in groups])
    order = np.argsort(-shown, kind="stable")[:MOST_GROUPS]
    least = LEAST_SHOWN * counts[-1]
    return [groups[at] for at in sorted(order.tolist()) if shown[at] >= least]


def _siblings(units: Units, around: int, below: list[int]) -> Iterator[Group]:
    by_tag: dict[str, list[int]] = {}
    for unit in below:
        by_tag.setdefault(units.page.name(int(units.node[unit])), []).append(unit)
    for tag, same in by_tag.items():
        if len(same) > 1 and not tag.startswith("#"):
            yield _of_units(units, around, SIBLINGS, same)


def _of_units(units: Units, around: int, how: int, members: list[int]) -> Group:
    heads = np.array(members, dtype=np.int64)
    return Group(around, how, heads, units.first[heads], units.last[heads])


def _kin(units: Units) -> Iterator[Group]:
    """Units in several places that are alike: in the tags around them, or by a class."""
    paths: list[int] = []
    alike: dict[Hashable, list[int]] = {}
    for unit, above in enumerate(units.parent.tolist()):
        node = int(units.node[unit])
        tag = units.page.name(node)
        paths.append(hash((paths[above] if above >= 0 else 0, tag)))
        if tag.startswith("#"):
            continue
        tokens = units.page.attributes(node).get("class", "").split()[:MOST_TOKENS]
        for key in (paths[unit], *((tag, token) for token in tokens)):
            members = alike.setdefault(key, [])
            if not members or units.end[members[-1]] <= unit:  # not inside of the last one
                members.append(unit)
    distinct = dict.fromkeys(tuple(members) for members in alike.values())
    for members in distinct:
        parents = {int(units.parent[unit]) for unit in members}
        if 1 < len(parents) < len(members):
            yield _of_units(units, _common(units, members), KIN, list(members))


def _common(units: Units, members: Sequence[int]) -> int:
    """The innermost unit around all of these."""
    around = members[0]
    while units.end[around] <= members[-1]:
        around = int(units.parent[around])
    return around


def _runs(units: Units, around: int, below: list[int]) -> Iterator[Group]:
    """Runs of children that begin with one of a kind: of the same tag and class."""
    keys = [look_of(units, unit) for unit in below]
    counts = Counter(keys)
    if len(counts) < 2:
        return
    for key, count in counts.most_common(MOST_KEYS):
        if count < 2 or key.startswith("#"):
            continue
        starts = [at for at, other in enumerate(keys) if other == key]
        if all(after - at == 1 for at, after in zip(starts, starts[1:], strict=False)):
            continue
        usual = Counter(b - a for a, b in zip(starts, starts[1:], strict=False)).most_common(1)[0][
            0
        ]
        stops = [*starts[1:], min(len(below), starts[-1] + usual)]
        heads = np.array([below[at] for at in starts], dtype=np.int64)
        tails = np.array([below[at - 1] for at in stops], dtype=np.int64)
        yield Group(around, RUNS, heads, units.first[heads], units.last[tails])


def look_of(units: Units, unit: int) -> str:
    """The tag and the classes of a unit."""
    node = int(units.node[unit])
    return f"{units.page.name(node)}.{units.page.attributes(node).get('class', '')}"
