"""The tree of zones, what is seen of them, and which are chosen: small pages, no browser."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagesight.page import Page
from pagesight.readers.zones.candidates import Candidates, candidates
from pagesight.readers.zones.features import HINTS, PARTS, hints, landmarks, weights
from pagesight.readers.zones.model import best_cut, choose
from pagesight.readers.zones.reader import are_mixed
from pagesight.segment import leaf_zones
from pagesight.segment.nodes import preorder
from pagesight.segment.xycut import cut

LayOut = Callable[[str], Page]


def tree_of(page: Page) -> Candidates:
    return candidates(leaf_zones(page))


def spans(zones: Candidates) -> set[tuple[int, int]]:
    return set(zip(zones.first.tolist(), zones.last.tolist(), strict=True))


def named(bits: int, names: tuple[str, ...]) -> set[str]:
    return {name for bit, name in enumerate(names) if bits >> bit & 1}


_A_BOX = st.tuples(*(st.integers(low, high) for low, high in ((-2, 3), (-1, 3), (0, 6), (0, 3))))


@given(st.lists(st.tuples(st.integers(0, 2), _A_BOX), min_size=1, max_size=12))
def test_what_is_not_mixed_is_read_in_the_order_of_the_document(
    given_boxes: list[tuple[int, tuple[int, int, int, int]]],
) -> None:
    group = np.array([group for group, _ in given_boxes])
    box = np.array([box for _, box in given_boxes], dtype=np.float64) * [0.7, 1, 0.7, 1]
    for each in range(3):  # each box begins a little before or below the end of the one before it
        heights = box[group == each, 3]
        box[group == each, 1] += np.cumsum(heights) - heights
    mixed = are_mixed(group, box)
    for each in set(group[~mixed].tolist()):
        inside = box[group == each]
        cuts = cut(inside, np.zeros(len(inside), np.int64), np.zeros(1, np.bool_))
        read = cuts.item[preorder(cuts.parent, np.arange(len(cuts.parent)))]
        assert read[read >= 0].tolist() == list(range(len(inside)))


def test_columns_are_mixed_and_paragraphs_are_not() -> None:
    beside, below = [[0, 0, 50, 9], [60, 0, 50, 9]], [[0, 20, 90, 9], [0, 40, 90, 9]]
    box = np.array([*beside, *below], dtype=np.float64)
    assert are_mixed(np.array([0, 0, 1, 1]), box).tolist() == [True, True, False, False]
    assert are_mixed(np.zeros(0, np.int64), box[:0]).tolist() == []


def test_a_page_without_content_is_a_single_zone(lay_out: LayOut) -> None:
    zones = tree_of(lay_out("<p></p>"))
    assert (len(zones), zones.parent.tolist(), zones.first[0], zones.last[0]) == (1, [-1], 0, 0)
    assert zones.is_leaf.tolist() == [True]
    assert choose(zones, np.array([0.5]), weights(zones.leaves), 0.5).tolist() == [0]


def test_a_wide_gap_divides_before_a_narrow_one(lay_out: LayOut) -> None:
    zones = tree_of(lay_out("<p>a</p><p>b</p><p style='margin-top:90px'>c</p><p>d</p>"))
    assert spans(zones) == {(0, 4), (0, 2), (2, 4), (0, 1), (1, 2), (2, 3), (3, 4)}
    assert zones.gap[0] == pytest.approx(90, abs=1)
    assert not zones.beside[0]


def test_what_is_an_element_by_itself_is_whole_and_a_group_of_children_is_not(
    lay_out: LayOut,
) -> None:
    zones = tree_of(lay_out("<p>a</p><p>b</p><p style='margin-top:90px'>c</p><p>d</p>"))
    whole = dict(zip(zip(zones.first.tolist(), zones.last.tolist(), strict=True),
                     zones.whole.tolist(), strict=True))  # fmt: skip
    assert whole[0, 4]
    assert whole[0, 1]
    assert not whole[0, 2]


def test_columns_are_beside_each_other(lay_out: LayOut) -> None:
    column = "<div style='float:left; width:200px; margin-right:50px'><p>{}</p><p>{}</p></div>"
    zones = tree_of(lay_out(column.format("a", "b") + column.format("c", "d")))
    assert spans(zones) >= {(0, 4), (0, 2), (2, 4)}
    assert zones.beside[0]
    assert 230 < zones.gap[0] < 250  # from the letters of one to those of the other


def test_a_heading_is_in_one_zone_with_what_follows(lay_out: LayOut) -> None:
    part = "<h2 style='margin:16px 0'>Tea</h2><p style='margin:16px 0'>Text.</p>"
    assert spans(tree_of(lay_out(2 * part))) >= {(0, 2), (2, 4)}


NESTED = st.recursive(
    st.just("<p>tea</p>"),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(
        lambda parts: f"<div>{''.join(parts)}</div>"
    ),
    max_leaves=8,
)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(html=NESTED)
def test_zones_are_nested_runs_of_leaves(lay_out: LayOut, html: str) -> None:
    zones = tree_of(lay_out(html))
    assert spans(zones) >= {(leaf, leaf + 1) for leaf in range(html.count("<p>"))}
    size = zones.last - zones.first
    for zone in range(1, len(zones)):
        above = zones.parent[zone]
        assert zones.first[above] <= zones.first[zone] < zones.last[zone] <= zones.last[above]
        assert size[zone] < size[above]
        assert (zones.corners[above, :2] <= zones.corners[zone, :2]).all()
        assert (zones.corners[above, 2:] >= zones.corners[zone, 2:]).all()


def test_equal_worth_is_no_reason_to_divide(lay_out: LayOut) -> None:
    zones = tree_of(lay_out("<p>a</p><p>b</p>"))
    assert best_cut(zones, np.array([2.0, 1.0, 1.0])).tolist() == [0]
    assert best_cut(zones, np.array([1.9, 1.0, 1.0])).tolist() == [1, 2]


@pytest.mark.parametrize(("balance", "blocks"), [(0.0, [0]), (1.0, [1, 2])])
def test_precision_divides_and_recall_holds_together(
    lay_out: LayOut, balance: float, blocks: list[int]
) -> None:
    zones = tree_of(lay_out("<p>a</p><p>b</p>"))
    assert choose(zones, np.full(3, 0.5), np.ones(2), balance).tolist() == blocks


@pytest.mark.parametrize(
    ("html", "suggested"),
    [
        ("<nav id=x>a</nav>", {"navigation"}),
        ("<div class=siteFooter>a</div>", {"footer", "wrapper"}),  # in humps
        ("<div class='über-Fußnote main'>a</div>", {"main"}),
        ("<div id=main_content-2>a</div>", {"main"}),
        ("<div class=shadow>a</div>", set()),  # an "ad" within a word is none
        ("<div class=ad>a</div>", {"advert"}),
        ("<ul role=menu><li>a</ul>", {"list", "navigation"}),
        ("<div style='border:1px solid'>a</div>", {"framed"}),
        ("<div style='background:#eee'>a</div>", {"filled"}),
        ("<div>a</div>", set()),
    ],
)
def test_elements_suggest_something_by_name_words_and_look(
    lay_out: LayOut, html: str, suggested: set[str]
) -> None:
    page = lay_out(html)
    node = page.find("body")[0].id + 1
    assert named(int(hints(page)[node]), HINTS) == suggested


@pytest.mark.parametrize(
    ("html", "tag", "part"),
    [
        ("<header>a</header>", "header", {"header"}),
        ("<article><header>a</header></article>", "header", set()),
        ("<section><footer>a</footer></section>", "footer", set()),
        ("<article><aside>a</aside></article>", "aside", {"aside"}),
        ("<article><div role=contentinfo>a</div></article>", "div", {"footer"}),
        ("<div role=banner>a</div>", "div", {"header"}),
        ("<div role=button>a</div>", "div", set()),
        ("<nav role=main>a</nav>", "nav", {"navigation", "main"}),
    ],
)
def test_landmarks_are_those_of_the_page_and_not_of_its_sections(
    lay_out: LayOut, html: str, tag: str, part: set[str]
) -> None:
    page = lay_out(html)
    assert named(int(landmarks(page)[page.find(tag)[0].id]), PARTS) == part
