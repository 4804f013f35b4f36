from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page import Page
from pagesight.readers.zones.candidates import _parents, _spans, candidates
from pagesight.readers.zones.features import HINTS, features, hints, weights
from pagesight.segment import leaf_zones

See = Callable[[str], Page]


def divided(ranks: list[int], first: int, last: int) -> list[tuple[int, int]]:
    """The spans in preorder that come of dividing at all borders of the lowest rank, again."""
    borders = ranks[first : last - 1]
    if not borders:
        return [(first, last)]
    cuts = [first + i + 1 for i, rank in enumerate(borders) if rank == min(borders)]
    found = [(first, last)]
    for start, stop in zip([first, *cuts], [*cuts, last], strict=True):
        found += divided(ranks, start, stop)
    return found


@given(st.lists(st.integers(0, 4), max_size=12))
def test_borders_of_the_lowest_rank_divide_first(ranks: list[int]) -> None:
    first, last, border = _spans(np.array(ranks, dtype=np.int64), len(ranks) + 1)
    spans = list(zip(first.tolist(), last.tolist(), strict=True))
    assert spans == divided(ranks, 0, len(ranks) + 1)
    for (start, stop), at in zip(spans, border.tolist(), strict=True):
        assert at == -1 if stop - start == 1 else ranks[at] == min(ranks[start : stop - 1])
    for zone, above in enumerate(_parents(last).tolist()):
        around = [
            i for i, (a, b) in enumerate(spans[:zone]) if a <= first[zone] and last[zone] <= b
        ]
        assert above == (around[-1] if around else -1)


@pytest.mark.browser
def test_elements_around_the_same_content_are_one_zone(see: See) -> None:
    zones = candidates(leaf_zones(see("<div><div><section><p>one<p>two</section></div></div>")))
    assert len(zones) == 3
    assert [zones.leaves.page.name(node) for node in zones.element.tolist()] == [
        "section",
        "p",
        "p",
    ]
    assert zones.whole.tolist() == [True, True, True]


@pytest.mark.browser
def test_children_are_grouped_by_gaps(see: See) -> None:
    page = see("<p>a</p><p>b</p><p style='margin-top:90px'>c</p><p>d</p>")
    zones = candidates(leaf_zones(page))
    spans = set(zip(zones.first.tolist(), zones.last.tolist(), strict=True))
    assert {(0, 4), (0, 2), (2, 4)} <= spans
    assert not zones.whole[1]


@pytest.mark.browser
def test_a_heading_belongs_to_what_follows(see: See) -> None:
    page = see("<p>a</p><h2 style='margin:16px 0 24px'>b</h2><p>c</p><p>d</p>")
    zones = candidates(leaf_zones(page))
    spans = set(zip(zones.first.tolist(), zones.last.tolist(), strict=True))
    assert (1, 4) in spans
    assert (0, 2) not in spans


@pytest.mark.browser
def test_text_that_goes_on_around_a_float(see: See) -> None:
    page = see("<div><b>start <i style='float:right'>aside</i></b> end</div><p>more")
    zones = candidates(leaf_zones(page))
    inside = zones.parent >= 0
    around = zones.element[zones.parent[inside]]
    assert (around <= zones.element[inside]).all()
    assert (zones.element[inside] < page.end[around]).all()
    assert np.isfinite(features(zones).table(["width", "is part"])).all()


@pytest.mark.browser
def test_features_are_numbers_on_every_page(see: See) -> None:
    for html in ("<body>", "<p>word", "<img width=9 height=9>", "<input><hr>", "<p>a" * 50):
        zones = candidates(leaf_zones(see(html)))
        columns = features(zones).columns
        assert all(len(column) == len(zones) for column in columns.values())
        assert np.isfinite(features(zones).table(list(columns))).all()
        assert (weights(zones.leaves) > 0).all()


@pytest.mark.browser
def test_hints_are_read_from_names_and_words(see: See) -> None:
    page = see("<nav></nav><p class=siteFooter></p><b id=left-col_2></b><i class=canvas></i>")
    masks = dict(zip((node.tag for node in page), hints(page).tolist(), strict=True))
    said = {tag: {name for bit, name in enumerate(HINTS) if masks[tag] >> bit & 1} for tag in "pbi"}
    assert said == {"p": {"paragraph", "footer", "wrapper"}, "b": {"aside"}, "i": set()}
    assert masks["nav"] == 1 << HINTS.index("navigation")
