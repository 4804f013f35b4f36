"""What h1 to h6 claim on small pages, and the looks of headings: no browser."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pagesight.page import Display, Page
from pagesight.readers.outline.claims import (
    DOUBT,
    EVIDENCE_NAMES,
    TRUST_NAMES,
    Claims,
    tag_levels,
)
from pagesight.readers.outline.levels import HeadingLooks, below_name, heading_levels, with_levels
from pagesight.readers.outline.reading import Seen, shipped_model
from pagesight.segment.blocks import text_blocks

LayOut = Callable[[str], Page]
TEXT = "<p>" + "Green tea is made of leaves that were not left to wither. " * 4 + "</p>"
STYLE = "<style>.a {font: bold 32px serif} .b {font: bold 24px serif} .c {font: bold 19px serif}"
STYLE += "</style>"


def claims_of(page: Page) -> tuple[list[str], Claims]:
    blocks = text_blocks(page)
    return list(blocks.strings), Claims.of(blocks)


def claimed(page: Page) -> dict[str, int]:
    texts, claims = claims_of(page)
    return dict(zip(texts, claims.levels.tolist(), strict=True))


def test_a_block_is_a_heading_if_most_of_its_letters_are_in_one(lay_out: LayOut) -> None:
    page = lay_out("<h2>Green tea</h2><p>Some text</p>")
    assert claimed(page) == {"Green tea": 2, "Some text": 0}
    assert list(claimed(with_inline_h3(lay_out("<h3>Green tea</h3> now"))).values()) == [3]
    assert list(claimed(with_inline_h3(lay_out("<h3>Tea</h3> and more of it"))).values()) == [0]


def with_inline_h3(page: Page) -> Page:
    """The page with its h3 in the line of what follows."""
    display = page.columns["display"].copy()
    display[page.find("h3")[0].id] = Display.INLINE
    return Page({**page.columns, "display": display}, page.strings, page.info)


def test_a_heading_in_a_heading_counts_by_the_inner_one(lay_out: LayOut) -> None:
    page = lay_out("<div role=heading><h2><div><b>Tea</b></div></h2></div><h7>Cups</h7>")
    assert claimed(page) == {"Tea": 2, "Cups": 0}


def test_levels_are_known_of_every_node_whether_seen_or_not(lay_out: LayOut) -> None:
    page = lay_out("<h1 style='display:none'>Gone</h1><h6>Tea</h6>")
    levels = tag_levels(page)
    assert levels[page.find("h1")[0].id] == 1
    assert np.count_nonzero(levels) == 2
    assert claimed(page) == {"Tea": 6}


@pytest.mark.parametrize(
    ("tags", "closed"),
    [
        ("124", [1, 2, 3]),
        ("246", [1, 2, 3]),
        ("1414", [1, 2, 1, 2]),
        ("321", [3, 2, 1]),
        ("135135", [1, 2, 3, 1, 2, 3]),
        ("4", [1]),
    ],
)
def test_claims_are_closed_so_that_no_level_is_skipped(
    lay_out: LayOut, tags: str, closed: list[int]
) -> None:
    page = lay_out("".join(f"<h{tag}>Tea {rank}</h{tag}>" for rank, tag in enumerate(tags)))
    _, claims = claims_of(page)
    assert claims.closed().levels.tolist() == closed
    assert claims.closed().closed().levels.tolist() == closed
    assert claims.levels.tolist() == [int(tag) for tag in tags]  # it is left as it was


def test_an_h1_that_nobody_sees_does_not_push_the_title_down(lay_out: LayOut) -> None:
    hidden = "<h1 style='display:none'>Leaf</h1>"
    _, claims = claims_of(lay_out(f"{hidden}<h2>Tea</h2><h3>Green</h3><h3>Black</h3>"))
    assert claims.closed().levels.tolist() == [1, 2, 2]
    _, claims = claims_of(lay_out(f"{hidden}<h2>Green</h2><h2>Black</h2>"))
    assert claims.closed().levels.tolist() == [2, 2]


def test_another_block_may_be_made_the_title(lay_out: LayOut) -> None:
    page = lay_out("<p>Tea</p><h2>Green</h2>")
    _, claims = claims_of(page)
    titled = claims.with_title(0, page.find("p")[0].id)
    assert titled.levels.tolist() == [1, 2]
    assert claims.levels.tolist() == [0, 2]


def test_what_is_tagged_and_what_looks_alike_is_evidence(lay_out: LayOut) -> None:
    seen = Seen.of(text_blocks(lay_out(f"<h2>Tea</h2>{TEXT}<p><b>Cups</b></p>{TEXT}")))
    odds = np.array([3.0, -50.0, 1.0, -50.0])
    weighed = seen.weighed(Claims.of(seen.sight.blocks), odds)
    rows = weighed.evidence()
    assert rows.shape == (4, len(EVIDENCE_NAMES))
    assert rows[:, EVIDENCE_NAMES.index("tagged")].tolist() == [1, 0, 0, 0]
    assert rows[:, EVIDENCE_NAMES.index("odds")].tolist() == [3, -2 * DOUBT, 1, -2 * DOUBT]
    assert rows[0, EVIDENCE_NAMES.index("share")] == 1
    assert rows[1, EVIDENCE_NAMES.index("share")] == 0


def test_what_shows_whether_tags_can_be_trusted(lay_out: LayOut) -> None:
    html = f"<h1>Tea</h1>{TEXT}<h3>Green</h3>{TEXT}<h3>Black</h3>{TEXT}"
    seen = Seen.of(text_blocks(lay_out(html)))
    odds = np.array([2.0, -2.0] * 3)
    weighed = seen.weighed(Claims.of(seen.sight.blocks), odds)
    row = dict(zip(TRUST_NAMES, weighed.trust_row(shipped_model().levels).tolist(), strict=True))
    assert (row["begins_high"], row["has_h1"], row["said"], row["seen"]) == (1, 1, 1, 1)
    assert row["count"] == pytest.approx(np.log(3))
    assert row["skips"] == 0.5  # from 1 to 3, and from 3 to 3
    assert (row["odds"], row["of_one_look"], row["left_out"]) == (2, 1, 0)


# Looks


def looks(page: Page, *texts: str) -> HeadingLooks:
    """The looks of the blocks with these texts, which are headings."""
    seen = Seen.of(text_blocks(page))
    strings = list(seen.sight.blocks.strings)
    return seen.looks(np.array([strings.index(text) for text in texts], dtype=np.int64))


def styled(*parts: tuple[str, str], window: str = "") -> str:
    body = "".join(f"<div class={look}>{text}</div>{TEXT}" for look, text in parts)
    return f"<!doctype html><title>{window}</title>{STYLE}{body}"


TEAS = (("a", "Tea"), ("b", "Green"), ("c", "Sencha"), ("c", "Gyokuro"), ("b", "Black"),
        ("c", "Assam"))  # fmt: skip


def test_looks_are_numbered_by_how_many_headings_have_them(lay_out: LayOut) -> None:
    page = lay_out(styled(*TEAS))
    seen = looks(page, *(text for _, text in TEAS))
    assert seen.number.tolist() == [2, 1, 0, 0, 1, 0]
    assert (seen.count, seen.title) == (3, 0)
    assert seen.counted(np.ones(len(seen.sight.blocks), dtype=np.int64))[:, 1].tolist() == [3, 2, 1]


def test_steps_count_which_look_follows_which(lay_out: LayOut) -> None:
    seen = looks(lay_out(styled(*TEAS)), *(text for _, text in TEAS))
    assert seen.steps().tolist() == [[1, 1, 0], [2, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_levels_follow_the_looks(lay_out: LayOut) -> None:
    seen = looks(lay_out(styled(*TEAS)), *(text for _, text in TEAS))
    assert heading_levels(seen, shipped_model().levels).tolist() == [1, 2, 3, 3, 2, 3]


def test_no_headings_have_no_levels(lay_out: LayOut) -> None:
    seen = looks(lay_out(styled(*TEAS)))
    assert (seen.count, seen.number.tolist()) == (0, [])
    assert heading_levels(seen, shipped_model().levels).tolist() == []


@pytest.mark.parametrize(
    ("window", "title"), [("Tea", 0), ("Tea | Leaf", 0), ("Leaf", -1), ("Tea, green and black", -1)]
)
def test_one_of_equals_is_the_title_if_the_window_says_so(
    lay_out: LayOut, window: str, title: int
) -> None:
    page = lay_out(styled(("b", "Tea"), ("b", "Green"), ("b", "Black"), window=window))
    assert looks(page, "Tea", "Green", "Black").title == title


def test_one_of_equals_that_is_said_again_is_the_title(lay_out: LayOut) -> None:
    page = lay_out(styled(("b", "Tea"), ("b", "Green"), ("b", "Tea"), window="Tea"))
    again = Seen.of(text_blocks(page))
    headings = np.flatnonzero([text in ("Tea", "Green") for text in again.sight.texts])
    assert again.looks(headings).title == 0


@pytest.mark.parametrize(
    ("levels", "fits", "size", "expected"),
    [
        ([1, 2, 3, 3], [0, 1, 0, 0], [9, 7, 5, 5], [1, 1, 2, 2]),
        ([2, 1, 2, 3], [0, 1, 1, 0], [5, 9, 7, 5], [1, 1, 1, 2]),  # a caption before the name
        ([1, 2, 3, 3], [0, 0.5, 0, 0], [9, 7, 5, 5], [1, 2, 3, 3]),  # it does not match
        ([1, 2, 3, 3], [1, 0.7, 0, 0], [9, 7, 5, 5], [1, 2, 3, 3]),  # nor better than the name
        ([1, 2, 3, 3], [0, 1, 0, 0], [7, 7, 5, 5], [1, 2, 3, 3]),  # it is as large as the name
        ([1, 2, 3, 2], [0, 1, 0, 0], [9, 7, 5, 7], [1, 2, 3, 2]),  # another part is like it
        ([1, 1, 2], [0, 0, 1], [9, 9, 7], [1, 1, 2]),
        ([1], [1], [9], [1]),
    ],
)
def test_a_title_below_the_name_of_a_site_is_as_high_as_it(
    levels: list[int], fits: list[float], size: list[float], expected: list[int]
) -> None:
    moved = below_name(np.array(levels), np.array(fits, np.float64), np.array(size, np.float64))
    assert moved.tolist() == expected


def test_numbers_say_which_of_equal_looks_is_above(lay_out: LayOut) -> None:
    texts = ("1 Tea", "1.1 Green", "1.2 Black", "2 Cups", "2.1 Small")
    seen = looks(lay_out(styled(*(("b", text) for text in texts))), *texts)
    outer, inner = seen.number[0], seen.number[1]
    assert seen.number.tolist() == [outer, inner, inner, outer, inner]
    above = seen.above_by_number()
    assert above[outer, inner]
    assert not above[inner, outer]
    assert heading_levels(seen, shipped_model().levels).tolist() == [1, 2, 2, 1, 2]


def test_comparing_looks_is_fair_whichever_comes_first(lay_out: LayOut) -> None:
    seen = looks(lay_out(styled(*TEAS)), *(text for _, text in TEAS))
    fits = shipped_model().levels.compared(seen)
    assert np.allclose(fits, fits.transpose(1, 0, 2)[:, :, ::-1])
    alone = shipped_model().levels.alone(seen)
    assert np.allclose(np.exp(alone).sum(axis=1), 1)


def test_each_row_is_asked_about_every_level() -> None:
    rows = with_levels(np.array([[7.0], [8.0]]), 3)
    assert rows.tolist() == [[7, 0], [7, 1], [7, 2], [8, 0], [8, 1], [8, 2]]
