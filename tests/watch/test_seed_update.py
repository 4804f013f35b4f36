"""The update phase: each branch of algorithm 2, on pages written for it."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_portals import block, portal, texts

from pagesight.page import Page
from pagesight.watch.seed import Found, Status, learn_index, update
from pagesight.watch.seed.correction import best_in_order
from small_pages import El, el

NEWS = block("News", "rain")
MENU = block("Menu", "home")
SPORT = block("Sport", "results")
FOOT = block("Imprint")
WORDS = st.sampled_from("tea milk sugar cup pot kettle lemon".split())
PARTS = st.recursive(
    st.lists(WORDS, max_size=4).map(lambda words: block(*words)),
    lambda inner: st.lists(inner, min_size=1, max_size=4).map(lambda parts: el("div", *parts)),
    max_leaves=12,
)


def seen(page: Page, found: list[Found]) -> list[str | None]:
    return [texts(page, one.nodes) for one in found]


def statuses(found: list[Found]) -> list[str]:
    return [one.status.value for one in found]


def gif(count: int, *words: str) -> El:
    """A block with pictures that have no names."""
    return block(*words, pictures=count * ["data:image/gif,x"])


# Step 5: nothing has changed


@given(st.lists(PARTS, max_size=5))
def test_a_page_is_its_own_update(parts: list[El]) -> None:
    page = portal(*parts)
    index = learn_index([page])
    found = update(index, page)
    assert [one.id for one in found] == index.ids
    assert set(statuses(found)) == {"same"}
    assert {one.score for one in found} == {1.0}


def test_where_all_ids_are_the_same_content_is_not_looked_at() -> None:
    index = learn_index([portal(NEWS, MENU)])
    page = portal(MENU, block("News", "snow"))
    found = update(index, page)
    assert statuses(found) == ["same", "same"]
    assert seen(page, found) == ["Menu home", "News snow"]
    assert [one.score for one in found] == [0.0, 0.0]


# (1): as many components in other places


@given(st.lists(PARTS, max_size=5))
def test_strong_components_are_found_by_their_signature_in_a_wrapped_page(parts: list[El]) -> None:
    page, wrapped = portal(*parts), portal(el("main", *parts))
    index = learn_index([page])
    before, after = update(index, page), update(index, wrapped)
    for component, old, new in zip(index.components, before, after, strict=True):
        if not component.weak:
            assert new.status in (Status.SIGNATURE, Status.SAME)
            assert new.score == 1.0
            assert texts(wrapped, new.nodes) == texts(page, old.nodes)


def test_signatures_find_components_that_changed_places() -> None:
    index = learn_index([portal(NEWS, MENU, SPORT), portal(block("News", "sun"), MENU, SPORT)])
    page = portal(el("div", MENU, SPORT), block("News", "snow"))
    found = update(index, page)
    assert seen(page, found) == ["News snow", "Menu home", "Sport results"]
    assert statuses(found) == 3 * ["signature"]


def test_what_signatures_do_not_find_is_taken_in_order() -> None:
    index = learn_index([portal(NEWS, MENU, SPORT, FOOT)])
    page = portal(el("div", MENU, block("Weather", "snow")), block("Football"), FOOT)
    found = update(index, page)
    assert statuses(found) == ["order", "signature", "order", "signature"]
    assert seen(page, found) == ["Weather snow", "Menu home", "Football", "Imprint"]
    assert [one.score for one in found] == [0.0, 1.0, 0.0, 1.0]


def test_the_first_component_that_holds_a_signature_is_taken_and_then_no_longer_free() -> None:
    index = learn_index([portal(block("Tea"), block("Milk"))])
    both = block("Tea", "Milk")
    page = portal(el("div", both, block("Tea")))
    found = update(index, page)
    assert statuses(found) == ["signature", "order"]
    assert seen(page, found) == ["Tea Milk", "Tea"]


# (3): the same index tree, divided in another way


def test_where_the_tree_is_the_same_ids_tell() -> None:
    def page(last: int) -> Page:
        column = el("div", block("Sport", "x" * last), block("Results"))
        return portal(block("News", "y" * 100), block("Menu", "z" * 100), column)

    index = learn_index([page(20)], size=400)
    assert index.ids == ["1-1", "1-2", "1-3"]
    later = page(900)
    found = update(index, later)
    assert statuses(found) == ["id", "id", "id"]
    assert seen(later, found)[2] == f"Sport {'x' * 900}\nResults"


# (4), (5): larger and smaller components


def divided(last: int, *, size: int, nested: bool) -> Page:
    """Three parts, the last of which is divided if it is larger than the size."""
    news = el("div", block("News")) if nested else block("News")
    column = el("div", block("Sport", "x" * last), block("Results"))
    return portal(el("div", news, block("y" * size)), block("Menu", "z" * size), column)


@pytest.mark.parametrize(("learned", "later"), [(200, 500), (500, 200)])
def test_components_are_made_larger_or_smaller_until_there_are_as_many(
    learned: int, later: int
) -> None:
    index = learn_index([divided(learned, size=300, nested=False)], size=400)
    page = divided(later, size=300, nested=True)
    count = len(learn_index([page], size=400).components)
    assert count - len(index.components) == (1 if later > learned else -1)
    found = update(index, page)
    assert set(statuses(found)) <= {"signature", "order"}
    assert len({one.nodes for one in found}) == len(index.components)


# What is left after three tries


def test_what_is_gone_is_missing() -> None:
    index = learn_index([portal(NEWS, MENU, SPORT, FOOT)])
    page = portal(NEWS, SPORT, FOOT)
    found = update(index, page)
    assert statuses(found) == ["signature", "missing", "signature", "signature"]
    assert found[1] == Found("1-2", None, Status.MISSING, 0.0)


def test_what_is_left_is_the_closest_match_in_order_and_size() -> None:
    index = learn_index([portal(NEWS, block("a" * 80), block("b" * 9), FOOT)])
    page = portal(NEWS, block("c" * 8), block("d" * 90), block("e" * 10), block("f" * 300), FOOT)
    found = update(index, page)
    assert statuses(found) == ["signature", "closest", "closest", "signature"]
    assert seen(page, found)[1:3] == ["d" * 90, "e" * 10]


@given(st.integers(0, 4), st.integers(0, 5), st.data())
def test_the_best_pairs_in_order_are_those_of_the_definition(
    rows: int, columns: int, data: st.DataObject
) -> None:
    values = st.integers(0, 8)
    drawn = data.draw(st.lists(values, min_size=rows * columns, max_size=rows * columns))
    likeness = np.array(drawn, dtype=np.float64).reshape(rows, columns) / 8
    pairs = best_in_order(likeness)
    assert all(one < two for some in zip(*pairs, strict=True) for one, two in pairwise(some))
    count = min(rows, columns)
    best = max(
        sum(likeness[row, column] for row, column in zip(left, right, strict=True))
        for left in combinations(range(rows), count)
        for right in combinations(range(columns), count)
    )
    assert len(pairs) == count
    assert sum(likeness[pair] for pair in pairs) == best


# Weak components


def test_weak_components_are_found_between_their_neighbours() -> None:
    index = learn_index([portal(NEWS, gif(1), gif(2), MENU)])
    page = portal(el("div", FOOT, NEWS), gif(1), gif(1), MENU)
    found = update(index, page)
    assert statuses(found) == ["signature", "position", "position", "signature"]
    assert [page[one.nodes[0]].xpath for one in found[1:3] if one.nodes] == [
        "/body/div[2]", "/body/div[3]",
    ]  # fmt: skip


def test_where_the_position_is_not_enough_the_size_tells() -> None:
    index = learn_index([portal(NEWS, gif(3), MENU)])
    page = portal(NEWS, gif(1), gif(3), gif(1), MENU)
    found = update(index, page)
    assert statuses(found) == ["signature", "position", "signature"]
    assert found[1].nodes == (page.find("div")[2].id,)
    assert found[1].score == 1.0


def test_what_is_after_the_next_component_is_not_in_the_series() -> None:
    index = learn_index([portal(NEWS, gif(3), MENU, FOOT)])
    page = portal(NEWS, gif(1), gif(2), MENU, gif(3), FOOT)
    found = update(index, page)
    assert statuses(found) == ["signature", "position", "signature", "signature"]
    assert found[1].nodes == (page.find("div")[2].id,)


def test_weak_components_whose_neighbours_are_gone_are_taken_like_others() -> None:
    index = learn_index([portal(NEWS, gif(1), MENU)])
    page = portal(el("div", block("Weather"), gif(1)), MENU)
    assert statuses(update(index, page)) == ["order", "order", "signature"]


def test_all_components_may_be_weak() -> None:
    index = learn_index([portal(gif(1, "Tea"), gif(2, "Tea"))])
    page = portal(*(gif(count, "Tea") for count in (1, 2, 3)))
    found = update(index, page)
    assert statuses(found) == ["position", "position"]
    assert [one.nodes for one in found] == [(page.find("div")[place].id,) for place in (0, 1)]


# What is asked for


def test_several_components_are_found_as_one() -> None:
    column = el("div", block("Tea", "x" * 50), block("Milk", "y" * 50))
    learned = portal(NEWS, column, MENU)
    index = learn_index([learned], nodes=[learned.find("div")[1].id])
    page = portal(MENU, el("div", block("Tea", "x" * 50), block("Milk", "z" * 50)), FOOT, NEWS)
    (found,) = update(index, page)
    assert found.id == "1-2-1 1-2-2"
    assert found.nodes == tuple(part.id for part in page.find("div")[2:4])
    assert (found.status, found.score) == (Status.CLOSEST, 0.75)


def test_what_was_not_seen_is_missing() -> None:
    learned = portal(NEWS, el("div"), MENU)
    index = learn_index([learned], nodes=[learned.find("div")[1].id])
    (found,) = update(index, learned)
    assert (found.nodes, found.status) == (None, Status.MISSING)
