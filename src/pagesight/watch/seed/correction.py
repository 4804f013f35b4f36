"""The update phase: the components of a page index in a later instance of the page.

Numbers in brackets are those of the conditions in algorithm 2 of the paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from pagesight.page import Page
from pagesight.segment.index_tree import WHOLE, IndexTree
from pagesight.watch.seed.page_index import PageIndex
from pagesight.watch.seed.places import Floats, Found, Instance, Places, Status
from pagesight.watch.seed.training import tree_of

TRIES = 3  # fragmentations with another u; the counter of the paper stays below 4
_FIRST_STEP = 2.0  # u is doubled or halved at first, and then changed less and less
_MOST_PAIRS = 4_000_000  # for the closest match; no page that is not hostile has so many


def update(index: PageIndex, page: Page) -> list[Found]:
    """Where the components of a page index, or what was asked for, are in an instance."""
    found = _placed(index, tree_of(page, index.tags)).found()
    return [Found.joined([found[number] for number in numbers]) for numbers in index.wanted]


def _placed(index: PageIndex, tree: IndexTree) -> Places:
    """Algorithm 2, and step 5 of algorithm 1 before it."""
    instance = Instance(tree.page, tree.fragments(index.size))
    if instance.ids == index.ids:
        return _by_id(index, instance, Status.SAME)
    if len(instance) == len(index.components):  # (1)
        return _by_signature(index, instance)
    if tree.structure == index.structure:  # (3)
        fragments = (tree.fragment(component.id) for component in index.components)
        there = [fragment for fragment in fragments if fragment is not None]
        return _by_id(index, Instance(tree.page, there), Status.ID)
    other = _of_the_same_number(index, tree, len(instance))  # (4), (5)
    return _by_closest(index, instance) if other is None else _by_signature(index, other)


def _of_the_same_number(index: PageIndex, tree: IndexTree, count: int) -> Instance | None:
    """A fragmentation into as many components as in training, by a larger or a smaller u."""
    size, wanted = float(index.size), len(index.components)
    for counter in range(1, TRIES + 1):
        step = _FIRST_STEP ** (1 / counter)
        size = min(size * step, WHOLE) if count > wanted else size / step
        fragments = tree.fragments(round(size))
        if (count := len(fragments)) == wanted:
            return Instance(tree.page, fragments)
    return None


def _by_id(index: PageIndex, instance: Instance, status: Status) -> Places:
    places, place_of = Places(index, instance), {path: at for at, path in enumerate(instance.ids)}
    numbers = ((number, place_of.get(path)) for number, path in enumerate(index.ids))
    places.take(((number, at) for number, at in numbers if at is not None), status)
    return places


def _by_signature(index: PageIndex, instance: Instance) -> Places:
    """(2): by signatures, and what is left in order."""
    places = _signed(index, instance)
    free = places.free(range(len(instance)))
    places.take(list(zip(places.left, free, strict=True)), Status.ORDER)
    return places


def _by_closest(index: PageIndex, instance: Instance) -> Places:
    """By signatures, and what is left by order and size."""
    places = _signed(index, instance)
    left, free = places.left, places.free(range(len(instance)))
    if len(left) * len(free) <= _MOST_PAIRS:
        pairs = best_in_order(places.likeness(left, free))
    else:
        pairs = [(rank, rank) for rank in range(min(len(left), len(free)))]
    places.take([(left[row], free[column]) for row, column in pairs], Status.CLOSEST)
    return places


def _signed(index: PageIndex, instance: Instance) -> Places:
    """What signatures find: first those that are ICVs, and then those of weak components."""
    places = Places(index, instance)
    for number, component in enumerate(index.components):
        if not component.weak:
            holding = places.free(instance.holders.holding(component.vector))
            places.take([(number, place) for place in holding[:1]], Status.SIGNATURE)
    weak = [number for number, component in enumerate(index.components) if component.weak]
    for (previous, following), numbers in groupby(weak, lambda number: _around(index, number)):
        _place_series(places, list(numbers), previous, following)
    return places


def _around(index: PageIndex, number: int) -> tuple[int | None, int | None]:
    """The components before and after the series of a weak one; no other series has both."""
    neighbours = index.components[number].neighbours
    return (neighbours.previous, neighbours.next) if neighbours else (None, None)


def _place_series(
    places: Places, numbers: Sequence[int], previous: int | None, following: int | None
) -> None:
    """Weak components between neighbours that were found: by position, or else by size."""
    count = len(places.instance)
    first = 0 if previous is None else places.of.get(previous, count) + 1
    last = count if following is None else places.of.get(following, 0)
    free = places.free(range(first, last))
    if len(free) == len(numbers):
        pairs = list(zip(numbers, free, strict=True))
    else:
        pairs = _nearest_in_size(places, numbers, free)
    places.take(pairs, Status.POSITION)


def _nearest_in_size(
    places: Places, numbers: Sequence[int], free: Sequence[int]
) -> list[tuple[int, int]]:
    """Each component in turn with the free one that is nearest to it in size."""
    pairs, left = [], np.ones(len(free), dtype=np.bool_)
    for number in numbers[: len(free)]:
        likeness = np.where(left, places.likeness([number], free)[0], -1)
        nearest = int(likeness.argmax())
        left[nearest] = False
        pairs.append((number, free[nearest]))
    return pairs


def best_in_order(values: Floats) -> list[tuple[int, int]]:
    """Pairs of rows and columns that grow together: as many as possible, with the largest sum.

    Values are from 0 to 1: [[.2, .3], [.1, .9], [.8, .7]] gives (0, 0) and (1, 1).
    """
    rows, columns = values.shape
    best = np.zeros((rows + 1, columns + 1))
    for row in range(rows):
        paired = best[row, :-1] + values[row] + min(rows, columns)  # one pair more is worth most
        best[row + 1, 1:] = np.maximum.accumulate(np.maximum(best[row, 1:], paired))
    pairs, row, column = [], rows, columns
    while row and column:
        if best[row, column] == best[row - 1, column]:
            row -= 1
        elif best[row, column] == best[row, column - 1]:
            column -= 1
        else:
            row, column = row - 1, column - 1
            pairs.append((row, column))
    return pairs[::-1]
