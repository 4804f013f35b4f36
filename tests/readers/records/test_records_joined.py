"""Groups that are measured together, against what is measured of each alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.readers.records.groups import SIBLINGS, Group, Joined, groups_of
from pagesight.readers.records.lists import distinct_share, list_features
from pagesight.readers.records.members import joined_features, member_features
from pagesight.readers.records.pieces import divided
from pagesight.readers.records.sight import sight_of
from pagesight.readers.records.values import cells_of

LayOut = Callable[[str], Page]
GROUPS = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6), min_size=1, max_size=5)
SHOP = """
<ul><li><img width=50 height=50><a href=/1>Lamp</a><p>$12</p><li><a href=/2>Chair</a><p>$40</p>
<li><a href=/2>Chair</a><p>$40</p></ul>
<table><tr><th>Name<th>Price<tr><td>Lamp<td>$12<tr><td>Chair<td>$40</table>
<div class=a><p>One</p></div><div class=b><p>Two <b>three</b></p></div><div class=a>Four</div>
"""


def of_sizes(groups: list[list[int]]) -> tuple[Joined, NDArray[np.float64]]:
    members = [np.arange(len(group)) for group in groups]
    joined = Joined([Group(0, SIBLINGS, each, each, each + 1) for each in members])
    return joined, np.concatenate([np.array(group, dtype=np.float64) for group in groups])


@given(GROUPS)
def test_groups_together_are_as_each_alone(groups: list[list[int]]) -> None:
    joined, values = of_sizes(groups)
    assert joined.median(values).tolist() == [np.median(group) for group in groups]
    assert joined.mean(values) == pytest.approx([np.mean(group) for group in groups])
    spread = [np.std(group) / np.mean(group) if any(group) else 0 for group in groups]
    assert joined.spread(values) == pytest.approx(spread)
    assert joined.least(values).tolist() == [min(group) for group in groups]
    assert joined.most(values).tolist() == [max(group) for group in groups]


@given(GROUPS)
def test_medians_of_several_values_are_those_of_each(groups: list[list[int]]) -> None:
    joined, values = of_sizes(groups)
    both = joined.median(np.stack([values, -values]))
    assert both.tolist() == [joined.median(values).tolist(), joined.median(-values).tolist()]


@given(GROUPS)
def test_arrays_are_divided_into_runs(groups: list[list[int]]) -> None:
    parts = divided(np.concatenate(groups), map(len, groups))
    assert [part.tolist() for part in parts] == groups


@given(GROUPS)
def test_keys_are_told_apart_in_each_group(groups: list[list[int]]) -> None:
    joined, keys = of_sizes(groups)
    assert joined.distinct(keys).tolist() == [len(set(group)) for group in groups]
    assert joined.alike(keys).tolist() == [group.count(key) for group in groups for key in group]


def test_features_of_several_groups_are_those_of_each(lay_out: LayOut) -> None:
    sight = sight_of(lay_out(SHOP))
    groups = groups_of(sight)
    assert len(groups) > 3
    together = joined_features(sight, Joined(groups))
    alone = [member_features(sight, group) for group in groups]
    for name, column in together.items():
        assert column == pytest.approx(np.concatenate([features[name] for features in alone]))
    lists = list_features(sight, groups)
    for at, group in enumerate(groups):
        own = list_features(sight, [group])
        assert {name: column[at] for name, column in lists.items()} == pytest.approx(
            {name: column[0] for name, column in own.items()}
        )
        assert lists["distinct"][at] == distinct_share(sight, group)


def test_what_is_not_wanted_is_left_out_and_the_rest_is_the_same(lay_out: LayOut) -> None:
    sight = sight_of(lay_out(SHOP))
    joined = Joined(groups_of(sight))
    every, some = joined_features(sight, joined), joined_features(sight, joined, {"repeated"})
    assert every.keys() - some.keys() == {"header cells"}
    assert all(np.array_equal(every[name], some[name]) for name in some)
    lists, known = (list_features(sight, joined.groups, wanted) for wanted in (None, ()))
    assert {name for name in lists if not np.array_equal(lists[name], known[name])} == {"distinct"}


def test_runs_of_the_same_texts_have_the_same_number(lay_out: LayOut) -> None:
    sight = sight_of(lay_out(SHOP))
    pieces = len(sight.pieces.texts)
    runs = [(first, last) for first in range(pieces) for last in range(first, pieces + 1)]
    first, last = np.array(runs).T
    texts = [tuple(filter(None, sight.pieces.texts[start:stop])) for start, stop in runs]
    for numbers, wanted in (
        (sight.said(first, last), texts),
        (sight.begun(first, last), [some[:1] for some in texts]),
    ):
        pairs = set(zip(numbers.tolist(), wanted, strict=True))
        assert len(pairs) == len(set(wanted)) == len(set(numbers.tolist()))


def test_cells_are_texts_and_pictures_in_columns(lay_out: LayOut) -> None:
    sight = sight_of(lay_out(SHOP))
    group = next(group for group in groups_of(sight) if sight.tags[int(group.heads[0])] == "li")
    cells = [[(cell.text, cell.column) for cell in some] for some in cells_of(sight, group)]
    assert cells == [[("", 0), ("Lamp", 1), ("$12", 2)], [("Chair", 1), ("$40", 2)],
                     [("Chair", 1), ("$40", 2)]]  # fmt: skip
