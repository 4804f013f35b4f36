"""Distances and matches of trees, against slow definitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pytest

from pagesight.readers.records.seed.alignment import Aligned, matches, partial_alignment
from pagesight.readers.records.seed.shapes import Shapes, code_distance, compressed

Tree = tuple[str, tuple["Tree", ...]]


def leaf(code: str) -> Tree:
    return code, ()


def random_tree(random: np.random.Generator, depth: int = 3) -> Tree:
    count = int(random.integers(0, 4)) if depth else 0
    return "ab"[random.integers(2)], tuple(random_tree(random, depth - 1) for _ in range(count))


def number(shapes: Shapes, tree: Tree) -> int:
    return shapes.number(tree[0], tuple(number(shapes, child) for child in tree[1]))


def size(tree: Tree) -> int:
    return 1 + sum(map(size, tree[1]))


def pairings(one: Sequence[Tree], other: Sequence[Tree]) -> Iterator[list[tuple[int, int]]]:
    """All ways to pair children in order."""
    for count in range(min(len(one), len(other)) + 1):
        for left in combinations(range(len(one)), count):
            for right in combinations(range(len(other)), count):
                yield list(zip(left, right, strict=True))


def slow_distance(one: Tree, other: Tree) -> int:
    """The best of all ways: pairs are changed into each other, all others come and go."""
    whole = sum(map(size, one[1])) + sum(map(size, other[1]))
    tried = (
        whole
        + sum(
            slow_distance(one[1][a], other[1][b]) - size(one[1][a]) - size(other[1][b])
            for a, b in pairs
        )
        for pairs in pairings(one[1], other[1])
    )
    return min(tried) + (one[0] != other[0])


def slow_match(one: Tree, other: Tree) -> int:
    if one[0] != other[0]:
        return 0
    tried = (
        sum(slow_match(one[1][a], other[1][b]) for a, b in pairs)
        for pairs in pairings(one[1], other[1])
    )
    return 1 + max(tried)


@pytest.mark.parametrize("seed", range(30))
def test_distance_and_match_are_the_best_of_all_ways_to_pair_children(seed: int) -> None:
    random = np.random.default_rng(seed)
    one, other = random_tree(random), random_tree(random)
    shapes = Shapes()
    a, b = number(shapes, one), number(shapes, other)
    assert shapes.distance(a, b) == shapes.distance(b, a) == slow_distance(one, other)
    assert shapes.match(a, b) == slow_match(one, other)
    assert shapes.likeness(a, b) <= shapes.most_alike(a, b) <= 1


@pytest.mark.parametrize("seed", range(10))
def test_the_pairs_of_children_are_those_that_match_best(seed: int) -> None:
    random = np.random.default_rng(seed)
    below = [tuple(random_tree(random, 2) for _ in range(3)) for _ in range(2)]
    shapes = Shapes()
    one, other = (number(shapes, ("a", children)) for children in below)
    pairs = shapes.pairs(one, other)
    assert pairs == sorted(pairs)
    total = sum(shapes.match(shapes.children[one][a], shapes.children[other][b]) for a, b in pairs)
    assert total + 1 == shapes.match(one, other)


def test_equal_trees_are_one_shape() -> None:
    shapes = Shapes()
    codes, children = ["list", "item", "text", "item", "text"], [[1, 3], [2], [], [4], []]
    _, item, text, same_item, same_text = shapes.of_tree(codes, children)
    assert (item, text) == (same_item, same_text)
    assert shapes.tree_distance(item, same_item) == 0


def test_trees_of_other_sizes_or_depths_are_far_apart_without_a_look_inside() -> None:
    shapes = Shapes()
    small = number(shapes, leaf("a"))
    wide = number(shapes, ("a", (leaf("a"),) * 4))
    deep = number(shapes, ("a", (("a", (("a", (leaf("a"),)),)),)))
    assert shapes.tree_distance(small, wide) == 1
    assert shapes.tree_distance(deep, small) == 1
    near = number(shapes, ("a", (*(leaf("a"),) * 3, leaf("b"))))
    assert shapes.tree_distance(wide, near) == pytest.approx(1 / 5)


def test_sequences_of_codes_are_as_far_apart_as_changes_take() -> None:
    assert compressed([1, 1, 2, 1, 1]) == (1, 2, 1)
    assert code_distance((1, 2, 1), (1, 2, 1)) == 0
    assert code_distance((1, 2, 1), (1, 1)) == pytest.approx(1 / 3)
    assert code_distance((), (4, 5)) == 1


def flat(number: int, codes: str) -> Aligned:
    """A tree of one level."""
    places = enumerate(codes)
    return Aligned("root", [Aligned(code, [], {number: place}) for place, code in places])


def aligned(*codes: str) -> str:
    seed = partial_alignment([flat(number, row) for number, row in enumerate(codes)])
    return "".join(leaf.code for leaf in seed.leaves())


def test_what_has_no_match_is_inserted_where_its_place_is_certain() -> None:
    assert aligned("abe", "cde") == "abe"  # before e, or before b as well?
    assert aligned("abex", "bcde") == "abcdex"
    assert aligned("bcd", "abc") == "abcd"
    assert aligned("abc", "cd") == "abcd"


def test_a_tree_waits_until_the_seed_has_grown() -> None:
    trees = [flat(number, codes) for number, codes in enumerate(("xbdef", "nckg", "bckd"))]
    places = {leaf.code: leaf.places for leaf in partial_alignment(trees).leaves()}
    assert "".join(places) == "xbckdef"  # nobody knows where n and g belong
    assert places["c"] == {1: 1, 2: 1}


def test_aligned_elements_are_of_the_same_column() -> None:
    seed = partial_alignment([flat(0, "abc"), flat(1, "ac"), flat(2, "bc")])
    assert [leaf.places for leaf in seed.leaves()] == [
        {0: 0, 1: 0},
        {0: 1, 2: 0},
        {0: 2, 1: 1, 2: 1},
    ]


@pytest.mark.parametrize("seed", range(10))
def test_aligned_trees_match_as_shapes_do(seed: int) -> None:
    random = np.random.default_rng(seed)
    one, other = random_tree(random), random_tree(random)
    assert matches(nodes(one), nodes(other)) == slow_match(one, other)


def nodes(tree: Tree) -> Aligned:
    return Aligned(tree[0], [nodes(child) for child in tree[1]])
