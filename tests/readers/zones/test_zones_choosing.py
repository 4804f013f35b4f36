from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page.columns import subtree_ends
from pagesight.readers.zones.model import LEAST_GAIN, best_cut, choose, worth

TREES = st.recursive(st.just(()), lambda inner: st.lists(inner, min_size=2, max_size=3).map(tuple),
                     max_leaves=7)  # fmt: skip
Shape = tuple[Any, ...]


class Zones(SimpleNamespace):
    """As much of `Candidates` as choosing looks at."""

    def __len__(self) -> int:
        return len(self.parent)


def zones_of(shape: Shape) -> Any:
    """A tree of zones of this shape: a leaf is ()."""
    parent: list[int] = []
    first: list[int] = []
    last: list[int] = []

    def add(part: Shape, above: int, leaf: int) -> int:
        zone = len(parent)
        parent.append(above)
        first.append(leaf)
        last.append(leaf + 1)
        for child in part:
            leaf = add(child, zone, leaf)
        last[zone] = leaf if part else leaf + 1
        return last[zone]

    add(shape, -1, 0)
    return Zones(
        parent=np.array(parent),
        first=np.array(first),
        last=np.array(last),
        end=subtree_ends(np.array(parent)),
        is_leaf=np.array(last) - np.array(first) <= 1,
    )


def all_cuts(zones: Any, zone: int = 0) -> list[list[int]]:
    """Every way to choose zones so that each leaf is in one."""
    cuts = [[zone]]
    children = [child for child in range(len(zones)) if zones.parent[child] == zone]
    if children:
        below: list[list[int]] = [[]]
        for child in children:
            below = [one + other for one in below for other in all_cuts(zones, child)]
        cuts += below
    return cuts


@given(TREES, st.randoms(use_true_random=False))
def test_the_best_cut_is_the_best_of_all(shape: Shape, random: Any) -> None:
    zones = zones_of(shape)
    values = np.array([random.random() for _ in range(len(zones))])
    chosen = best_cut(zones, values)
    best = max(values[cut].sum() for cut in all_cuts(zones))
    assert values[chosen].sum() == pytest.approx(best, abs=len(zones) * LEAST_GAIN)
    covered = [leaf for zone in chosen for leaf in range(zones.first[zone], zones.last[zone])]
    assert covered == list(range(zones.last[0]))


@given(TREES, st.randoms(use_true_random=False))
def test_worth_is_expected_precision_and_recall(shape: Shape, random: Any) -> None:
    zones = zones_of(shape)
    divided = np.array([random.random() for _ in range(len(zones))])
    weights = np.array([random.uniform(1, 9) for _ in range(zones.last[0])])

    @cache
    def together(one: int, other: int) -> float:
        """Together unless the innermost zone around both, and all around that, are divided."""
        if one == other:
            return 1.0
        apart = 1.0
        for zone in range(len(zones)):
            if zones.first[zone] <= min(one, other) and max(one, other) < zones.last[zone]:
                apart *= divided[zone]
        return 1 - float(apart)

    leaves = range(zones.last[0])
    related = [sum(weights[j] * together(i, j) for j in leaves) for i in leaves]
    for balance in (0.0, 0.3, 1.0):
        found = worth(zones, divided, weights, balance)
        for zone in range(len(zones)):
            inside = range(zones.first[zone], zones.last[zone])
            size = sum(weights[i] for i in inside)
            expected = 0.0
            for i in inside:
                shared = sum(weights[j] * together(i, j) for j in inside)
                share = balance * shared / size + (1 - balance) * shared / related[i]
                expected += weights[i] * share
            assert found[zone] == pytest.approx(expected)


def test_what_is_surely_divided_is_divided_and_nothing_else() -> None:
    zones = zones_of((((), ()), ((), ())))
    sure = np.where(np.arange(len(zones)) == 0, 0.99, 0.01)
    assert choose(zones, sure, np.ones(4), 0.5).tolist() == [1, 4]


def test_what_gains_by_being_a_block_is_divided_off() -> None:
    zones = zones_of((((), ()), ((), ())))
    whole, gain = np.full(len(zones), 0.1), np.zeros(len(zones))
    assert choose(zones, whole, np.ones(4), 0.5, gain).tolist() == [0]
    gain[4] = 2.0
    assert choose(zones, whole, np.ones(4), 0.5, gain).tolist() == [1, 4]
