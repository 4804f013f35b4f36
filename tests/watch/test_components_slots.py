"""Where the slot of a part is, by what is beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pagesight.errors import ModelError
from pagesight.page import Page
from pagesight.watch.components import ComponentIndex, find, learn
from pagesight.watch.components.sight import sight_of
from pagesight.watch.components.slots import (
    CERTAIN,
    KNOWN,
    MOST_BESIDE,
    Row,
    Slot,
    in_line,
    rows_of,
    slot_on,
)

LayOut = Callable[[str], Page]
STORIES = (
    "A second ferry for the island", "Bells of the tower are silent until May",
    "Sheep are back on the dike", "The market moves to the square", "Bakery wins the golden loaf",
    "Night of the museums in October", "The harbour bridge opens in spring",
)  # fmt: skip
MENU = "<nav><a href=/a>Start</a> <a href=/b>Help and contact</a></nav>"
FOOTER = "<footer><p>Imprint of the town of Tarn</p></footer>"


def story(at: int) -> str:
    return f'<div><p><a href="/story/{at}">{STORIES[at]}</a></p><p>More in the paper.</p></div>'


def page_of(*parts: str) -> str:
    return f"<html><body>{MENU}<main>{''.join(parts)}</main>{FOOTER}</body></html>"


def slot_of(before: Page, after: Page, tag: str, at: int) -> Slot:
    units = sight_of(before).units
    levels = rows_of(before).levels(int(units.of_node[before.elements(tag)[at]]))
    return slot_on(sight_of(after), levels)


def test_the_slot_of_a_part_stays_under_all_new_content(lay_out: LayOut) -> None:
    heading = "<h2>Town hall</h2>"
    before = lay_out(page_of(story(0), heading, story(1)))
    after = lay_out(page_of(story(2), heading, story(3)))
    for at in (0, 1):
        units = sight_of(after).units
        unit = int(units.of_node[after.elements("div")[at]])
        assert slot_of(before, after, "div", at).chance[unit] > 0.6


def test_where_its_neighbours_met_the_slot_is_gone(lay_out: LayOut) -> None:
    parts = [f"<section><h2>{STORIES[at]}</h2>{story(at)}</section>" for at in range(3)]
    before = lay_out(page_of(*parts))
    after = lay_out(page_of(parts[0], parts[2]))
    slot = slot_of(before, after, "section", 1)
    assert slot.gone > 0.9
    assert max(slot.chance.values(), default=0) < 0.1


def test_of_nothing_known_there_is_no_slot(lay_out: LayOut) -> None:
    assert slot_on(sight_of(lay_out(page_of(story(0)))), ()) == Slot()


def test_far_down_a_long_row_no_slot_is_known(lay_out: LayOut) -> None:
    page = lay_out(page_of(*(story(at % len(STORIES)) for at in range(MOST_BESIDE + 1))))
    last = page.elements("div")[-1]
    assert slot_of(page, page, "div", MOST_BESIDE - 1).chance
    assert rows_of(page).levels(int(sight_of(page).units.of_node[last])) == ()


@pytest.mark.browser
@pytest.mark.parametrize(
    "around",
    [
        "<iframe style='width:600px;height:600px' srcdoc='HERE'></iframe>",
        "<div><template shadowrootmode=open>HERE</template></div>",
    ],
    ids=["frame", "shadow tree"],
)
def test_slots_are_found_inside_of_others(see: LayOut, around: str) -> None:
    inner = "".join(f"<section><h2>{text}</h2></section>" for text in STORIES[:3])
    page = see(page_of(story(0), around.replace("HERE", inner)))
    units = sight_of(page).units
    for at in range(3):
        unit = int(units.of_node[page.elements("section")[at]])
        assert slot_of(page, page, "section", at).chance[unit] > 0.9


def ways(before: int, after: int) -> list[list[tuple[int, int]]]:
    """All ways to pair elements of two rows that keep their order."""
    found = []
    for many in range(min(before, after) + 1):
        for ours in combinations(range(before), many):
            found += [list(zip(ours, theirs, strict=True))
                      for theirs in combinations(range(after), many)]  # fmt: skip
    return found


@given(
    st.tuples(st.integers(1, 4), st.integers(0, 4)).flatmap(
        lambda shape: arrays(float, shape, elements=st.floats(0.01, 50))
    )
)
def test_all_ways_to_bring_rows_in_line_count(odds: np.ndarray) -> None:
    likely, total = np.zeros(odds.shape), 0.0
    for way in ways(*odds.shape):
        product = float(np.prod([odds[pair] for pair in way]))
        total += product
        for pair in way:
            likely[pair] += product
    found = in_line(odds)
    assert np.allclose(found.chances, likely / total)
    assert np.allclose(found.none, 1 - likely.sum(axis=1) / total)


def test_the_longest_rows_that_are_surely_the_same_are_brought_in_line() -> None:
    odds = np.full((KNOWN, MOST_BESIDE), np.exp(CERTAIN))
    found = in_line(odds)
    assert np.allclose(found.chances.sum(axis=1), 1)
    assert np.allclose(found.kept, 1)


@pytest.fixture(scope="module")
def index(lay_out: LayOut) -> ComponentIndex:
    return learn([lay_out(page_of(story(0), story(1), story(2)))], select=["main > div"])


def test_rows_are_written_once(index: ComponentIndex) -> None:
    fields = index.to_json()
    assert len(fields["rows"]) < sum(map(len, fields["levels"]))
    assert ComponentIndex.from_json(json.loads(json.dumps(fields))) == index


def test_an_index_from_before_slots_were_known_is_read(
    lay_out: LayOut, index: ComponentIndex
) -> None:
    fields = {**index.to_json(), "format": 2}
    del fields["rows"], fields["levels"]
    known = ComponentIndex.from_json(fields)
    assert all(part.profile.levels == () for part in known.components)
    found = find(known, lay_out(page_of(story(0), story(1), story(2))))
    assert {part.status for part in found.components} == {"found"}


@pytest.mark.parametrize(
    "damage",
    [
        {"rows": [[[1, 2]]]},
        {"rows": [[[1, 2, 3, 4, 5, float("nan"), "00" * 32]]]},
        {"rows": [[[1, 2, 3, 4, 5, 1.0, "00"]]]},
        {"rows": [[[1, 2, 3, 4, 5, 1.0, "no digest"]]]},
        {"rows": [[[1e30, 2, 3, 4, 5, 1.0, "00" * 32]]]},
        {"rows": [[]]},
        {"rows": [[[1, 2, 3, 4, 5, 1.0, "00" * 32]] * (KNOWN + 1)]},
        {"rows": []},
        {"levels": []},
        {"levels": [[[0, 99]]]},
        {"levels": [[[-1, 0]]]},
        {"levels": None},
    ],
    ids=str,
)
def test_damaged_rows_are_refused(index: ComponentIndex, damage: dict[str, object]) -> None:
    with pytest.raises(ModelError, match="not an index of components"):
        ComponentIndex.from_json({**index.to_json(), **damage})


def test_rows_are_equal_if_they_say_the_same(index: ComponentIndex) -> None:
    row = index.components[0].profile.levels[-1].row
    again = Row.from_json(row.to_json())
    assert (again == row, hash(again) == hash(row), row == 1) == (True, True, False)
