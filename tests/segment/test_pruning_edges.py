"""Thresholds and segmentations of pages with little, odd or much-repeated content."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from drawn_pages import block, draw
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page import Page
from pagesight.segment import GapStatistics, gap_statistics, leaf_zones, prune, zone_tree
from pagesight.segment.pruning import PARAGRAPH_WORDS, reading_order

LayOut = Callable[[str], Page]
LONG = "a paragraph of more words than twenty tells something at length and in full " * 3


def statistics(page: Page) -> GapStatistics:
    leaves = leaf_zones(page)
    return gap_statistics(zone_tree(page, leaves), leaves)


def pruned(page: Page) -> list[str]:
    leaves = leaf_zones(page)
    tree = zone_tree(page, leaves)
    return [tree[zone].text for zone in prune(tree, leaves).tolist()]


def column(gaps: list[float], text: str = LONG, height: float = 60) -> Page:
    """Equal texts below each other, with these gaps in between."""
    tops = [0.0]
    for gap in gaps:
        tops.append(tops[-1] + height + gap)
    return draw(*(block((0, top, 500, height), text) for top in tops))


def test_a_page_without_content_is_one_zone() -> None:
    assert pruned(draw()) == [""]


def test_a_single_paragraph_has_no_usual_gap_and_the_font_size_for_threshold() -> None:
    assert statistics(column([])) == GapStatistics("paragraphs", 16.0, None, 0)


def test_the_most_common_gap_counts_and_not_the_largest_or_the_mean() -> None:
    found = statistics(column([18, 18, 18, 60, 60, 90]))
    assert (found.most_common, found.count) == (18, 6)
    assert found.threshold == pytest.approx(16)


def test_gaps_that_differ_by_half_a_pixel_are_the_same_gap() -> None:
    assert statistics(column([17.5, 18, 18.5, 40, 40])).most_common == 18


def test_paragraphs_that_almost_touch_say_nothing_about_spacing() -> None:
    found = statistics(column([2, 2, 2]))  # less than a third of a line
    assert (found.most_common, found.count) == (None, 0)


def test_the_threshold_is_at_most_two_font_sizes() -> None:
    assert statistics(column([80, 80, 80])).threshold == 32


@pytest.mark.parametrize("extra", [0, 1])
def test_twenty_words_are_not_yet_a_paragraph(extra: int) -> None:
    text = " ".join(["word"] * (PARAGRAPH_WORDS + extra))
    assert statistics(column([18, 18], text)).count == 2 * extra


@pytest.mark.parametrize(
    ("text", "zones"),
    [
        ("Tea is drunk hot in most of the world.", 3),  # a sentence
        ("Tea is drunk hot in most of the world", 1),  # an entry
        ("Tea is drunk hot.", 1),  # too short to be taken for one
        ("Is tea drunk hot in most of the world?", 3),
    ],
)
def test_whole_sentences_are_zones_of_their_own(text: str, zones: int) -> None:
    paragraphs = [block((0, 80.0 * n, 500, 60), LONG) for n in range(3)]
    near = [block((0, 400 + 18.0 * n, 500, 17), text) for n in range(3)]
    assert len(pruned(draw(*paragraphs, *near))) == 3 + zones


def test_a_table_of_data_stays_whole_and_its_neighbours_do_not(lay_out: LayOut) -> None:
    rows = "".join(f"<tr><td style='padding: 20px'>{n}<td>{n * n}</tr>" for n in range(5))
    table = f"<table><tr><th>n<th>square</tr>{rows}</table>"
    assert len(pruned(lay_out(f"<p>{LONG}<p>{LONG}{table}<p>{LONG}"))) == 4


@given(st.lists(st.integers(0, 90), max_size=8))
def test_zones_follow_each_other_in_reading_order(gaps: list[int]) -> None:
    page = column([float(gap) for gap in gaps], "Tea and cups", 17)
    leaves = leaf_zones(page)
    tree = zone_tree(page, leaves)
    zones = prune(tree, leaves).tolist()
    covered = [
        leaf for zone in zones for leaf in tree.marks["leaf"][zone : tree.end[zone]] if leaf >= 0
    ]
    assert covered == reading_order(tree).tolist() == list(range(len(gaps) + 1))


@given(st.lists(st.integers(7, 60), min_size=1, max_size=8))
def test_the_threshold_depends_on_the_gaps_and_not_on_their_order(gaps: list[int]) -> None:
    one, other = (statistics(column([float(g) for g in way])) for way in (gaps, gaps[::-1]))
    assert one == other
    assert 0.3 * 16 <= one.threshold <= 2 * 16
    assert one.most_common is not None
    assert min(gaps) <= one.most_common <= max(gaps)
