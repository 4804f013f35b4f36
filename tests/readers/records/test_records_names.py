"""Names of single products: what may be one, what counts as right, and pages written to teach."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pagesight.page import Page
from pagesight.readers.records.groups import groups_of
from pagesight.readers.records.learning.corpus import mended_truth
from pagesight.readers.records.learning.examples import RecordsPage, _marked_rows, is_name
from pagesight.readers.records.learning.written_lists import Columns, Sections, TwoRows
from pagesight.readers.records.learning.written_products import Product
from pagesight.readers.records.name_clues import name_candidates
from pagesight.readers.records.prices import amount_of, spans
from pagesight.readers.records.reading import Kind
from pagesight.readers.records.sight import sight_of

LayOut = Callable[[str], Page]
SEEDS = range(12)


def seen(page: Page) -> dict[str, dict[str, float]]:
    """By text that may be a name: its features."""
    values, features = name_candidates(sight_of(page))
    return {
        value.text: {name: float(column[at]) for name, column in features.items()}
        for at, value in enumerate(values)
    }


def test_a_heading_of_several_parts_may_be_a_name_as_a_whole_and_a_price_may_not(
    lay_out: LayOut,
) -> None:
    texts = seen(
        lay_out(
            "<title>Osterby Quiet lamp - Lamps</title>"
            "<h1><span>Osterby</span> <span>Quiet lamp</span></h1><p>$79.50</p>"
        )
    )
    assert {"Osterby Quiet lamp", "Osterby", "Quiet lamp"} <= texts.keys()
    assert "$79.50" not in texts
    assert texts["Osterby Quiet lamp"]["whole heading"] == 1
    assert texts["Quiet lamp"]["whole heading"] == 0
    assert texts["Osterby Quiet lamp"]["begins title"] == 1


def test_texts_are_compared_with_the_title_and_with_what_the_largest_picture_is_called(
    lay_out: LayOut,
) -> None:
    texts = seen(
        lay_out(
            "<title>Quiet lamp | Osterby</title><h2>Hot deals</h2><b>Quiet lamp</b>"
            "<img src=a.png alt='Quiet lamp' width=300 height=300>"
        )
    )
    assert texts["Quiet lamp"]["shared"] > texts["Hot deals"]["shared"] == 0
    assert (texts["Quiet lamp"]["called"], texts["Hot deals"]["called"]) == (1, 0)


def test_a_title_goes_on_with_the_name_behind_a_brand(lay_out: LayOut) -> None:
    texts = seen(
        lay_out(
            "<title>Osterby - Quiet lamp, white | Lamps</title><h3><a href=/b>Osterby</a></h3>"
            "<h1>Quiet lamp</h1><p>A lamp for the desk.</p>"
        )
    )
    sides = {
        text: (known["title comes from"], known["title goes on"]) for text, known in texts.items()
    }
    assert sides["Osterby"] == (0, 1)
    assert sides["Quiet lamp"] == (1, 0)
    assert sides["A lamp for the desk."] == (0, 0)


def test_a_page_without_texts_has_no_names(lay_out: LayOut) -> None:
    assert seen(lay_out("<img src=a.png width=9 height=9>")) == {}


@pytest.mark.parametrize(
    ("text", "name", "right"),
    [
        ("Quiet lamp", "Quiet lamp", True),
        ("STORJORM Cabinet, white100x14 cm", "STORJORM Cabinet - white 100x14 cm", True),
        ("Osterby OFLEKI", "OFLEKI", True),  # the brand does not count
        ("OFLEKI", "Osterby OFLEKI", True),
        ("Carrier bag BabyBird One", "BabyBird One", True),  # what kind of thing it is
        ("Chinos, camel", "Chinos", True),
        ("Quiet lamp for the harbour at night, in winter and all year", "Quiet lamp", False),
        ("Cabinet - white 100x14 cm", "STORJORM Cabinet - white 100x14 cm", False),
        ("Osterby", "Osterby OFLEKI", False),
        ("Quiet", "Quiet harbour lamp", False),
        ("", "Quiet lamp", False),
    ],
)
def test_a_name_may_have_its_brand_and_its_kind_around_it(
    text: str, name: str, right: bool
) -> None:
    assert is_name(text, name, ["Osterby"]) is right


def test_labels_that_pages_do_not_show_are_left_out() -> None:
    truth = {"price": ["5.00"], "schema_org": [{"name": "elkor.lv", "price": "5.00"}]}
    assert mended_truth("www.elkor.lv", truth) == {
        "price": ["5.00"], "schema_org": [{"price": "5.00"}],
    }  # fmt: skip
    assert mended_truth("shop.example", truth) == truth
    assert "price" not in mended_truth("liveauctioneers.com", truth)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_written_product_shows_its_name_and_its_price(lay_out: LayOut, seed: int) -> None:
    product = Product(seed).page()
    page = lay_out(product.html)
    assert any(is_name(text, product.name) for text in seen(page))
    written = sight_of(page).pieces.texts
    amounts = {
        amount_of(text[start:stop]).amount for text in written for start, stop in spans(text)
    }
    assert product.price is None or product.price in amounts


@pytest.mark.parametrize("kind", [Columns, Sections, TwoRows])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_group_of_each_written_list_is_its_records(
    lay_out: LayOut, kind: type[Columns | Sections | TwoRows], seed: int
) -> None:
    page = lay_out(kind(seed).page())
    example = RecordsPage("", "", "", "", Kind.LIST, page, _marked_rows(page))
    assert len(example.seen) > 2
    assert max(example.score(group) for group in groups_of(example.sight)) == 1
