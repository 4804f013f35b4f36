"""Which units of a page may be the records of a list."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pagesight.page import Page
from pagesight.readers.records.candidates import candidates, first_address
from pagesight.readers.records.groups import Group, groups_of, whole_page
from pagesight.readers.records.sight import Sight, sight_of

LayOut = Callable[[str], Page]
NAMES = ["Harbour lamp", "Garden chair", "Oak table", "Wool blanket"]


def card(name: str) -> str:
    return f"<div class='card'><h3>{name}</h3><p>A fine thing for every house</p><b>$12</b></div>"


def texts_of(sight: Sight, group: Group) -> list[str]:
    spans = zip(group.first.tolist(), group.last.tolist(), strict=True)
    return [sight.joined(first, last) for first, last in spans]


def found(page: Page, records: list[str]) -> bool:
    """Whether some group has just these texts."""
    sight = sight_of(page)
    return any(texts_of(sight, group) == records for group in groups_of(sight))


CARDS = [f"{name} A fine thing for every house $12" for name in NAMES]


@pytest.mark.parametrize(
    "html",
    [
        "".join(map(card, NAMES)),
        f"<div>{card(NAMES[0])}{card(NAMES[1])}</div><div>{card(NAMES[2])}{card(NAMES[3])}</div>",
        f"<section>{card(NAMES[0])}<div>{''.join(map(card, NAMES[1:]))}</div></section>",
        "<table>" + "".join(f"<tr><td>{name}<tr><td>A fine thing for every house <b>$12</b>"
                            for name in NAMES) + "</table>",
        "".join(f"<h3>{name}</h3><p>A fine thing for every house</p><b>$12</b>" for name in NAMES),
    ],
    ids=["siblings", "rows", "nested", "two rows each", "headings and what follows"],
)  # fmt: skip
def test_records_are_found_however_they_are_laid_out(lay_out: LayOut, html: str) -> None:
    page = lay_out(f"<nav><a>Home</a> <a>Shop</a></nav><main>{html}</main>")
    assert found(page, CARDS)


def test_two_rows_of_different_kinds_are_one_record(lay_out: LayOut) -> None:
    rows = "".join(
        f"<tr class='name'><td>{name}</td></tr>"
        f"<tr class='rest'><td>A fine thing for every house <b>$12</b></td></tr>"
        for name in NAMES
    )
    assert found(lay_out(f"<table>{rows}</table>"), CARDS)


def test_elements_around_the_same_content_are_one_unit(lay_out: LayOut) -> None:
    sight = sight_of(lay_out("<main><div><p><b>Lamp</b></p></div><p>Chair</p></main>"))
    assert [sight.text(unit) for unit in range(len(sight.units))] == ["Lamp Chair", "Lamp", "Chair"]


def test_raised_cents_are_behind_a_point(lay_out: LayOut) -> None:
    html = "<p><span>$</span>19<sup style='font-size: 8px'>97</sup></p><p>Other</p>"
    sight = sight_of(lay_out(html))
    assert "$19.97" in [sight.text(unit) for unit in range(len(sight.units))]


def test_two_prices_in_one_text_are_two_candidates(lay_out: LayOut) -> None:
    sight = sight_of(lay_out("<p>Lamp</p><p>$56.25 $39.97</p>"))
    values = candidates(sight, whole_page(sight))
    assert [value.text for value in values if value.part] == ["$56.25", "$39.97"]


def test_the_same_place_of_several_records_is_one_column(lay_out: LayOut) -> None:
    sight = sight_of(lay_out("".join(map(card, NAMES))))
    group = next(group for group in groups_of(sight) if texts_of(sight, group) == CARDS)
    columns = {value.column for value in candidates(sight, group) if value.text == "$12"}
    assert len(columns) == 1


def test_a_page_that_shows_nothing_has_no_groups(lay_out: LayOut) -> None:
    assert groups_of(sight_of(lay_out("<p></p>"))) == []


def test_no_runs_begin_in_the_middle_of_others(lay_out: LayOut) -> None:
    html = "".join(f"<dt>{name}</dt><dd>A fine thing for every house</dd>" for name in NAMES)
    sight = sight_of(lay_out(f"<dl>{html}</dl>"))
    pairs = [texts_of(sight, group) for group in groups_of(sight)]
    assert [f"{name} A fine thing for every house" for name in NAMES] in pairs
    assert not [texts for texts in pairs if texts[0].endswith(NAMES[1])]


@pytest.mark.parametrize(
    ("attribute", "value", "address"),
    [
        ("srcset", "\n a.jpg 1x, b.jpg 2x", "a.jpg"),
        ("srcset", ", a.jpg", "a.jpg"),
        ("src", "my pic.jpg", "my pic.jpg"),
        ("src", "w_300,h_200/a.jpg", "w_300,h_200/a.jpg"),
        ("data-srcset", "", ""),
    ],
)
def test_the_first_address_of_a_set_counts(attribute: str, value: str, address: str) -> None:
    assert first_address(attribute, value) == address
