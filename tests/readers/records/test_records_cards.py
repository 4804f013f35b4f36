"""Attributes of records in cards: whole names, kinds of texts, and what says nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pagesight.page import Page
from pagesight.readers.records.attributes import attribute_features
from pagesight.readers.records.candidates import candidates
from pagesight.readers.records.cards import card_features
from pagesight.readers.records.groups import groups_of, whole_page
from pagesight.readers.records.learning.written import Shop, Table, Text
from pagesight.readers.records.members import member_features
from pagesight.readers.records.model import allowed
from pagesight.readers.records.sight import sight_of

LayOut = Callable[[str], Page]
CUT = "height: 20px; width: 100px; overflow: hidden; font-size: 16px; line-height: 20px"


def features_by_text(page: Page, name: str) -> dict[str, float]:
    """A feature of the candidates of a whole page, by their texts; the largest one counts."""
    sight = sight_of(page)
    values = candidates(sight, whole_page(sight))
    features = attribute_features(sight, whole_page(sight), values)
    table = card_features(sight, values, features, 1)
    known = zip(values, table[name].tolist(), strict=True)
    return {value.text: number for value, number in sorted(known, key=lambda pair: pair[1])}


@pytest.mark.browser
def test_a_name_is_whole_where_the_room_ends(see: LayOut) -> None:
    html = f"<h3 style='{CUT}'>Harbour lamp <b>made of copper</b> and glass</h3><p>Other</p>"
    sight = sight_of(see(html))
    assert "Harbour lamp made of copper and glass" in [
        sight.text(unit) for unit in range(len(sight.units))
    ]


def test_highlighted_words_keep_the_space_that_is_written(lay_out: LayOut) -> None:
    sight = sight_of(lay_out("<p><b>Home</b>/Garden <b>lamp</b>s</p><p>Other</p>"))
    assert "Home/Garden lamps" in [sight.text(unit) for unit in range(len(sight.units))]


def test_the_same_tag_class_and_look_is_one_kind_wherever_it_is(lay_out: LayOut) -> None:
    html = "<li><b class=n>Lamp</b><p>$1</p></li><li><div><b class=n>Chair</b><p>$2</p></div></li>"
    sight = sight_of(lay_out(f"<ul>{html}</ul>"))
    values = candidates(sight, whole_page(sight))
    kinds = {value.text: value.kind for value in values}
    columns = {value.text: value.column for value in values}
    assert kinds["Lamp"] == kinds["Chair"] != kinds["$1"]
    assert columns["Lamp"] != columns["Chair"]


@pytest.mark.parametrize(
    ("written", "price", "is_off"),
    [
        ("<b>$5.00</b> off", "$5.00", 1.0),
        ("$3.99 shipping", "$3.99", 1.0),
        ("$5.00 office lamp", "$5.00", 0.0),
        ("<b>$19.97</b>", "$19.97", 0.0),
    ],
)
def test_what_is_saved_is_not_the_price(
    lay_out: LayOut, written: str, price: str, is_off: float
) -> None:
    page = lay_out(f"<div><p>Lamp</p><p>{written}</p></div>")
    assert features_by_text(page, "said off")[price] == is_off


def test_what_a_unit_costs_is_known(lay_out: LayOut) -> None:
    page = lay_out("<h3>Mint tea</h3><p>Now £6.40</p><small>(£64.00/kg)</small>")
    per_unit = features_by_text(page, "per unit")
    assert (per_unit["£6.40"], per_unit["£64.00"]) == (0, 1)


def test_texts_are_numbered_as_they_are_read(lay_out: LayOut) -> None:
    page = lay_out("<div><h3>Lamp</h3><p>Made of copper</p><p>$12</p></div>")
    ranks = features_by_text(page, "text rank")
    assert [ranks[text] for text in ("Lamp", "Made of copper", "$12")] == [0, 1, 2]
    assert features_by_text(page, "text price after")["Made of copper"] == 1


def test_a_picture_says_where_in_its_words_a_name_is(lay_out: LayOut) -> None:
    page = lay_out("<div><img alt='Lamp Oslo for desks' width=50 height=50><p>Lamp Oslo</p></div>")
    assert features_by_text(page, "begins claim")["Lamp Oslo"] == 1
    assert features_by_text(page, "ends claim")["Lamp Oslo"] == 0


def test_a_price_is_not_a_name(lay_out: LayOut) -> None:
    sight = sight_of(lay_out("<div><h3>Lamp</h3><p>$12</p></div>"))
    values = candidates(sight, whole_page(sight))
    features = attribute_features(sight, whole_page(sight), values)
    names = [value.text for value, may in zip(values, allowed("name", features)) if may]  # noqa: B905
    assert names == ["Lamp"]


def test_rows_of_headers_are_told(lay_out: LayOut) -> None:
    rows = "".join(f"<tr><td>Lamp {at}</td><td>${at}</td></tr>" for at in range(3))
    sight = sight_of(lay_out(f"<table><tr><th>Name</th><th>Price</th></tr>{rows}</table>"))
    group = next(group for group in groups_of(sight) if len(group) == 4)
    assert member_features(sight, group)["header cells"].tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize("writer", [Shop, Text, Table])
def test_the_same_seed_writes_the_same_page(writer: type[Shop] | type[Text] | type[Table]) -> None:
    assert writer(7).page() == writer(7).page() != writer(8).page()


def test_written_names_come_before_their_descriptions() -> None:
    for seed in range(20):
        page = Shop(seed).page()
        first, other = page.find("itemprop=name"), page.find("itemprop=description ")
        assert first > 0
        assert other < 0 or first < other


def test_darkness_is_between_white_and_black(lay_out: LayOut) -> None:
    page = lay_out(
        "<div><p style='color: #000'>Black text</p><p style='color: #fff'>White</p></div>"
    )
    dark = features_by_text(page, "dark")
    assert np.isclose(dark["Black text"], 1)
    assert dark.get("White", 0) < 0.1
