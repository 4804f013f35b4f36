"""Folds: parts of a corpus that are left out in turn, so that no model is judged by what it knows.

Pages of one group (a site, a publisher, a family of styles) are alike: a group is in one fold only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def folds(groups: Sequence[str], count: int) -> list[list[int]]:
    """The examples, whose groups are given, in at most `count` folds of about the same size.

    >>> folds(["tea.org", "milk.org", "tea.org", "water.org"], 2)
    [[0, 2], [1, 3]]
    """
    sizes = Counter(groups)
    members: list[set[str]] = [set() for _ in range(count)]
    held = [0] * count
    for group, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        smallest = held.index(min(held))
        members[smallest].add(group)
        held[smallest] += size
    return [
        [index for index, group in enumerate(groups) if group in fold] for fold in members if fold
    ]


def others(fold: Sequence[int], count: int) -> list[int]:
    """All of `count` examples that are not in a fold."""
    return sorted(set(range(count)) - set(fold))
