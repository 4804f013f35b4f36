"""Folds: parts of a corpus that are left out in turn, so that no model is judged by what it knows.

Pages of one group (a site, a publisher, a family of styles) are alike: a group is in one fold only.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

MANY = 100  # groups a fold: so many are divided evenly by chance


def folds(groups: Sequence[str], count: int) -> list[list[int]]:
    """The examples, whose groups are given, in at most `count` folds of about the same size.

    Where there are many groups, the fold of each depends on its name alone, so that pages which are
    added move no others; few groups are dealt out by their sizes.

    >>> folds(["tea.org", "milk.org", "tea.org", "water.org"], 2)
    [[0, 2], [1, 3]]
    """
    sizes = Counter(groups)
    many = len(sizes) >= MANY * count
    fold_of = _by_name(sizes, count) if many else _by_size(sizes, count)
    parts: list[list[int]] = [[] for _ in range(count)]
    for index, group in enumerate(groups):
        parts[fold_of[group]].append(index)
    return [part for part in parts if part]


def _by_name(groups: Counter[str], count: int) -> dict[str, int]:
    return {group: int(hashlib.sha256(group.encode()).hexdigest(), 16) % count for group in groups}


def _by_size(groups: Counter[str], count: int) -> dict[str, int]:
    """The largest group first, each to the fold that holds the fewest examples."""
    fold_of = {}
    held = [0] * count
    for group, size in sorted(groups.items(), key=lambda item: (-item[1], item[0])):
        fold_of[group] = held.index(min(held))
        held[fold_of[group]] += size
    return fold_of


def others(fold: Sequence[int], count: int) -> list[int]:
    """All of `count` examples that are not in a fold."""
    return sorted(set(range(count)) - set(fold))
