"""Texts of runs of pieces, which are parts of the joined text of the page."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pagesight.page import Page
from pagesight.readers.records.prices import CART, CART_BEGUN
from pagesight.readers.records.sight import sight_of
from pagesight.readers.zones.features import HINTS, hints

LayOut = Callable[[str], Page]
PAGE = """
<main role=main><p>Lamp <b>of</b> <i>copper</i><img width=9 height=9><b>now</b> <u>3</u><b>.</b>
<i>50</i></p><p><span>$</span>19<sup style="font-size: 8px">97</sup> <b>,</b><i>20</i> each</p>
<div class=sidebar><p>1<b>.</b><i>25</i></p><p>Chair</p></div></main>
"""


def test_runs_of_a_page_are_parts_of_the_whole(lay_out: LayOut) -> None:
    sight = sight_of(lay_out(PAGE))
    joining, count = sight._joining, len(sight.pieces.texts)
    runs = [(first, last) for first in range(count) for last in range(first, count + 1)]
    assert len(runs) > 100
    for first, last in runs:
        assert sight.joined(first, last) == joining._joined_anew(first, last, 0)
    assert "$19.97" in {sight.joined(first, last) for first, last in runs}


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Add to my shopping basket", True), ("add to order", True), ("put to bag", True),
        ("buy", True), ("Buy now", True), ("buy it now", True), ("to buy", False),
        ("buyers", False), ("winkelwagen", True), ("winkel", False), ("Jetzt kaufen", True),
        ("adaugă în coș", True), ("pre-order", True), ("add to list", False), ("в корзину", True),
    ],
)  # fmt: skip
def test_what_is_written_on_buttons_to_buy_something(text: str, is_one: bool) -> None:
    assert bool(CART.search(text.lower())) == is_one
    assert any(begun in text.lower() for begun in CART_BEGUN) >= is_one


def test_what_is_around_units_suggests_what_all_hints_of_the_page_do(lay_out: LayOut) -> None:
    page = lay_out(PAGE)
    sight = sight_of(page)
    units, of_node = sight.units, hints(page).tolist()
    told = sight.around(np.arange(len(units))).tolist()
    looks = 1 << HINTS.index("framed") | 1 << HINTS.index("filled")
    for node, bits in zip(units.inner.tolist(), told, strict=True):
        wanted = 0
        while node >= 0:
            wanted |= of_node[node]
            node = page.parents[node]
        assert bits == wanted & ~looks
    assert any(told)
