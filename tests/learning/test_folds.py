from __future__ import annotations

from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from pagesight.learning.folds import folds, others

GROUPS = st.lists(st.sampled_from("abcdefgh"), max_size=30)


@given(GROUPS, st.integers(1, 6))
def test_every_example_is_in_one_fold(groups: list[str], count: int) -> None:
    parts = folds(groups, count)
    assert sorted(chain(*parts)) == list(range(len(groups)))
    assert all(part == sorted(part) and part for part in parts)
    assert len(parts) == min(count, len(set(groups)))


@given(GROUPS, st.integers(1, 6))
def test_no_group_is_in_two_folds(groups: list[str], count: int) -> None:
    held = [{groups[index] for index in part} for part in folds(groups, count)]
    assert sum(map(len, held)) == len(set(groups))


@given(GROUPS, st.integers(1, 6))
def test_folds_differ_by_no_more_than_a_group(groups: list[str], count: int) -> None:
    sizes = [len(part) for part in folds(groups, count)]
    largest = max((groups.count(group) for group in groups), default=0)
    assert max(sizes, default=0) - min(sizes, default=0) <= largest


@given(GROUPS.flatmap(lambda groups: st.tuples(st.just(groups), st.permutations(groups))))
def test_the_order_of_examples_does_not_matter(orders: tuple[list[str], list[str]]) -> None:
    one, other = (
        [{groups[index] for index in part} for part in folds(groups, 3)] for groups in orders
    )
    assert one == other


def test_large_groups_are_placed_first() -> None:
    assert folds(list("abbccc"), 2) == [[3, 4, 5], [0, 1, 2]]


def test_many_groups_stay_where_they_are_when_others_are_added() -> None:
    few, more = ([f"site-{n}" for n in range(count)] for count in (400, 450))
    before, after = folds(few, 4), folds(more, 4)
    assert all(set(one) <= set(other) for one, other in zip(before, after, strict=True))
    assert all(70 < len(part) < 130 for part in before)
    pages = folds(few + few, 4)
    assert all((400 + index in part) == (index in part) for part in pages for index in range(400))


def test_the_others_are_all_that_a_fold_leaves() -> None:
    assert others([1, 3], 5) == [0, 2, 4]
    assert others([], 2) == [0, 1]
