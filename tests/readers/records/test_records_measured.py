"""How pages of single products are judged: labels that are mended, and what is counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pagesight.page import Page
from pagesight.readers.records.learning.evaluation import details_table, order_table
from pagesight.readers.records.learning.examples import RecordsPage, mended
from pagesight.readers.records.learning.measure import (
    EXACT_NAME,
    MARKED_NAME,
    MARKED_PRICE,
    NAME,
    PRICE,
    SEEN,
    ReadRecords,
    measure,
)
from pagesight.readers.records.model import shipped_model
from pagesight.readers.records.reading import Kind

LayOut = Callable[[str], Page]
MARKUP = (
    '<script type="application/ld+json">{"@type": "Product", "name": "Quiet harbour lamp",'
    ' "offers": {"@type": "Offer", "price": "79.50", "priceCurrency": "USD"}}</script>'
)
PRODUCT = (
    "<title>Quiet harbour lamp</title><h1>Quiet harbour lamp</h1><img src=l.jpg width=300"
    " height=300><p>Price: <b>$79.50</b></p><button>Add to cart</button>"
)


@pytest.fixture
def judged(lay_out: LayOut) -> Callable[..., ReadRecords]:
    def read(html: str, **truth: Any) -> ReadRecords:
        page = RecordsPage(
            "lamp", "osterby", "shops", "dev", Kind.DETAIL, lay_out(html), truth=truth
        )
        return measure(shipped_model(), page)

    return read


def test_prices_and_names_are_counted_with_and_without_markup(
    judged: Callable[..., ReadRecords],
) -> None:
    read = judged(MARKUP + PRODUCT, price=["79.5"], name=["Quiet harbour lamp"])
    counted = (SEEN, PRICE, NAME, EXACT_NAME, MARKED_PRICE, MARKED_NAME)
    assert {name: read.rates[name].f for name in counted} == dict.fromkeys(counted, 1.0)
    table = details_table([read])
    assert all(name in table for name in counted)


def test_a_price_that_is_not_seen_is_missed(judged: Callable[..., ReadRecords]) -> None:
    read = judged(PRODUCT, price=["99.00"])
    assert (read.rates[SEEN].f, read.rates[PRICE].f) == (0, 0)
    assert MARKED_PRICE not in read.rates
    assert NAME not in read.rates


def test_names_may_be_alike(judged: Callable[..., ReadRecords]) -> None:
    read = judged(PRODUCT, name=["Quiet harbour lamp, brass"])
    assert (read.rates[NAME].f, read.rates[EXACT_NAME].f) == (1, 0)


def test_a_page_that_shows_nothing_is_missed(judged: Callable[..., ReadRecords]) -> None:
    read = judged(f"<title>x</title>{MARKUP}", price=["79.50"], name=["Quiet harbour lamp"])
    assert [read.rates[name].f for name in (PRICE, NAME, MARKED_PRICE)] == [0, 0, 0]


def test_thousands_that_a_label_takes_for_decimals_are_right(
    judged: Callable[..., ReadRecords],
) -> None:
    html = PRODUCT.replace("$79.50", "$229.990")
    assert judged(html, price=["229.99"]).rates[SEEN].f == 1
    assert judged(html, price=["228.99"]).rates[SEEN].f == 0


@pytest.mark.parametrize(
    ("label", "text"), [("RÃ©sine", "Résine"), ("Résine", "Résine"), ("A &amp;  B ", "A & B")]
)
def test_labels_in_a_wrong_encoding_are_mended(label: str, text: str) -> None:
    assert mended(label) == text


def test_the_order_of_right_and_wrong_is_that_of_lists_and_products_together() -> None:
    judged = {
        "name": [(0.9, True), (0.8, True), (0.7, False)],
        "detail name": [(0.95, False), (0.6, True)],
        "price": [(0.9, True)],
    }
    page = ReadRecords(name="a", scores={}, judged=judged, group="list-product", brand="a")
    rows = {line.split()[0]: line.split()[1:] for line in order_table([page]).splitlines()[2:]}
    assert rows["name"] == ["5", "2", "1.00", "0.00", "0.33"]
    assert rows["price"] == ["1", "0", "–", "–", "–"]
