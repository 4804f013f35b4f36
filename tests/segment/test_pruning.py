from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from drawn_pages import Extent, Part, block, draw
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page import Page
from pagesight.segment import gap_statistics, leaf_zones, prune, zone_tree

LONG = "a paragraph of more words than twenty tells something at length and in full " * 3


def pruned(page: Page) -> list[str]:
    leaves = leaf_zones(page)
    tree = zone_tree(page, leaves)
    return [tree[zone].text for zone in prune(tree, leaves).tolist()]


def stack(parts: Sequence[tuple[float, str]], gap: float, **columns: object) -> list[Part]:
    """Texts of these heights below each other."""
    blocks, top = [], 0.0
    for height, text in parts:
        blocks.append(block((0, top, 500, height), text, **columns))
        top += height + gap
    return blocks


def statistics_of(page: Page) -> tuple[str, float, float | None]:
    leaves = leaf_zones(page)
    found = gap_statistics(zone_tree(page, leaves), leaves)
    return found.regime, found.threshold, found.most_common


def test_the_threshold_is_just_below_the_spacing_of_paragraphs() -> None:
    regime, threshold, usual = statistics_of(draw(*stack([(60, LONG)] * 5, 18)))

    assert (regime, usual) == ("paragraphs", 18)
    assert 15 < threshold < 18


def test_paragraphs_stand_alone_and_nearer_things_stay_together() -> None:
    paragraphs = stack([(60, LONG)] * 4, 18)
    menu = [block((0, 400 + 22 * n, 100, 17), f"Entry {n}") for n in range(5)]

    assert pruned(draw(*paragraphs, *menu)) == [LONG.strip()] * 4 + [
        "Entry 0\nEntry 1\nEntry 2\nEntry 3\nEntry 4"
    ]


def test_paragraphs_stand_alone_even_without_spacing() -> None:
    references = [f"Author {n}, A. A title of some words. Journal {n}, 1999." for n in range(4)]
    paragraphs = stack([(60, LONG)] * 3, 18)
    near = [block((0, 400 + 18 * n, 500, 17), text) for n, text in enumerate(references)]

    assert pruned(draw(*paragraphs, *near)) == [LONG.strip()] * 3 + references


LINES = [
    "The first line of a text that was set by a machine goes",
    "on in the second line, and that one does not end there",
    "either: only here is the end of it. A new sentence then",
    "begins and runs over two more lines of about the same",
    "length as the others have.",
]


def test_lines_that_run_on_grow_together() -> None:
    first = stack([(14, line) for line in LINES], 3)
    second = [block((0, 200 + 17 * n, 500, 14), line) for n, line in enumerate(LINES)]
    page = draw(*first, *second)
    regime, threshold, usual = statistics_of(page)

    assert (regime, usual) == ("lines", 3)
    assert 3 < threshold < 7
    assert pruned(page) == ["\n".join(LINES)] * 2


def test_a_title_in_larger_lines_is_one_zone() -> None:
    lines = ["A title that is set in", "two lines of its own"]
    title = [block((0, 40 * n, 500, 30), line, font_size=30.0) for n, line in enumerate(lines)]
    text = [block((0, 200 + 17 * n, 500, 14), line) for n, line in enumerate(LINES * 3)]

    assert pruned(draw(*title, *text))[0] == "A title that is set in\ntwo lines of its own"


def test_a_list_of_lines_is_no_running_text() -> None:
    entries = [f"Headline number {n} of the many that stand here" for n in range(9)]

    assert statistics_of(draw(*stack([(17, entry) for entry in entries], 3)))[0] == "paragraphs"


@pytest.mark.parametrize(
    "other", [{"font_size": 24.0}, {"font_weight": 700}, {"background": 0xCCCCCCFF}], ids=str
)
def test_another_look_is_another_zone(other: dict[str, float]) -> None:
    alike = [block((0, 20 + 20 * n, 300, 16), f"entry {n}") for n in range(3)]

    assert pruned(draw(block((0, 0, 300, 16), "Head", **other), *alike)) == [
        "Head",
        "entry 0\nentry 1\nentry 2",
    ]


@pytest.mark.browser
def test_a_rule_parts_zones(see: Callable[[str], Page]) -> None:
    page = see("<div>one</div><div>two</div><hr style='margin: 1px'><div>three</div>")

    assert pruned(page) == ["one\ntwo", "", "three"]


@pytest.mark.browser
def test_a_row_of_entries_is_one_zone_and_columns_are_not(see: Callable[[str], Page]) -> None:
    row = "".join(f"<div style='padding: 0 12px'>{name}</div>" for name in ("Home", "News", "Help"))
    columns = "".join(f"<div style='width: 400px; margin: 30px'>{LONG}</div>" for _ in range(2))
    page = see(f"<div style='display: flex'>{row}</div><div style='display: flex'>{columns}</div>")

    assert pruned(page) == ["Home\nNews\nHelp", LONG.strip(), LONG.strip()]


@pytest.mark.browser
def test_a_table_of_data_stays_whole(see: Callable[[str], Page]) -> None:
    rows = "".join(f"<tr><td style='padding: 20px'>{n}<td>{n * n}</tr>" for n in range(5))
    page = see(f"<p>{LONG}<p>{LONG}<table><tr><th>n<th>square</tr>{rows}</table>")

    assert len(pruned(page)) == 3


number = st.integers(0, 400)
size = st.integers(8, 120)


@given(st.lists(st.tuples(number, number, size, size), max_size=9))
def test_a_segmentation_holds_every_leaf_once(boxes: list[Extent]) -> None:
    page = draw(*(block(box, LONG if box[3] > 40 else "few words") for box in boxes))
    leaves = leaf_zones(page)
    tree = zone_tree(page, leaves)
    zones = prune(tree, leaves)

    inside = [leaf.id for zone in zones.tolist() for leaf in tree[zone].leaves]
    assert inside == [leaf.id for leaf in tree.leaves]
