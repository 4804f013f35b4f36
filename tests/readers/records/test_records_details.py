"""Pages about one product: what is seen around its prices, and what its markup states."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pagesight.page import Page
from pagesight.readers.records.details import detail_candidates
from pagesight.readers.records.price_clues import CLUES
from pagesight.readers.records.reader import read_records
from pagesight.readers.records.sight import sight_of

LayOut = Callable[[str], Page]
Clues = Callable[[str], dict[str, dict[str, float]]]


@pytest.fixture
def clues(lay_out: LayOut) -> Clues:
    """By price as it is written: its features."""

    def read(html: str) -> dict[str, dict[str, float]]:
        sight = sight_of(lay_out(f"<title>Quiet harbour lamp</title>{html}"))
        values, features = detail_candidates(sight)
        assert features.keys() >= CLUES
        return {
            value.text: {name: float(column[at]) for name, column in features.items()}
            for at, value in enumerate(values)
            if features["prices"][at] and len(value.text) < 12
        }

    return read


HEADING = "<h1>Quiet harbour lamp</h1>"


def test_words_in_front_of_prices_tell_them_apart(clues: Clues) -> None:
    seen = clues(
        f"{HEADING}<p>List price: <b>$99.00</b></p><p>Sie sparen: <b>$19.50</b></p>"
        "<p>Our price: <b>$79.50</b></p><p>Versand: <b>$4.90</b></p><p>ohne MwSt. <b>$66.81</b></p>"
    )
    against = {price: features["said against"] > 0 for price, features in seen.items()}
    assert against == {
        "$99.00": True, "$19.50": True, "$79.50": False, "$4.90": True, "$66.81": True,
    }  # fmt: skip
    assert seen["$79.50"]["said now before"] == 1
    assert seen["$79.50"]["after name, fit"] == 0


def test_the_nearest_label_counts_and_a_share_is_no_label(clues: Clues) -> None:
    seen = clues(f"{HEADING}<p>Shipping estimate:</p><p>Price:</p><b>$79.50</b>")
    assert seen["$79.50"]["said against"] == 0
    seen = clues(f"{HEADING}<p>16% off</p><b>€41.30</b> <b>€49.10</b>")
    assert seen["€41.30"]["said less before"] == 0


@pytest.mark.parametrize("said", ["-25%", "25 % off", "7.5折"])
def test_what_a_share_leaves_of_a_price_is_known(clues: Clues, said: str) -> None:
    seen = clues(f"{HEADING}<p>{said}</p><p>$99.95</p><p>$74.95</p><p>Gift wrap: $4.90</p>")
    sides = {
        price: (known["less a share"], known["before a share"]) for price, known in seen.items()
    }
    assert sides == {"$99.95": (0, 1), "$74.95": (1, 0), "$4.90": (0, 0)}


def test_the_lower_end_of_a_range_may_be_the_price(lay_out: LayOut) -> None:
    values, _ = detail_candidates(sight_of(lay_out(f"{HEADING}<p>352,00 – 376,45 €</p>")))
    assert {"352,00", "376,45 €"} <= {value.text for value in values}


def test_a_label_in_another_cell_of_the_row_is_seen_on_the_left(clues: Clues) -> None:
    labels = "<p>You save:</p><p>Our price:</p>"
    amounts = "<p><b>$19.50</b></p><p><b>$79.50</b></p>"
    seen = clues(f"{HEADING}<table><tr><td>{labels}</td><td>{amounts}</td></tr></table>")
    assert seen["$19.50"]["said less left"] == 1
    assert (seen["$79.50"]["said less left"], seen["$79.50"]["said now left"]) == (0, 1)


def test_a_list_price_is_the_sum_of_price_and_saving(clues: Clues) -> None:
    seen = clues(f"{HEADING}<p>$250.99</p><p>$107.97</p><p>$143.02</p><p>$6.99</p>")
    roles = {
        price: tuple(features[name] for name in ("minuend", "rest", "saving"))
        for price, features in seen.items()
    }
    assert roles == {
        "$250.99": (1, 0, 0), "$143.02": (0, 1, 0), "$107.97": (0, 0, 1), "$6.99": (0, 0, 0),
    }  # fmt: skip


def test_prices_of_other_products_are_in_places_alike_and_far_from_the_name(clues: Clues) -> None:
    others = "".join(
        f"<li><a href='/{at}'>Garden chair {at}</a><i class='cost'>${at}.50</i></li>"
        for at in range(3, 9)
    )
    seen = clues(
        f"{HEADING}<p>$79.50</p><button>Add to cart</button><p>Made by hand</p><ul>{others}</ul>"
    )
    assert seen["$79.50"]["classes alike"] < seen["$5.50"]["classes alike"]
    assert seen["$79.50"]["title before"] == 1
    assert seen["$79.50"]["title before"] > seen["$8.50"]["title before"]
    assert abs(seen["$79.50"]["pieces to cart"]) < abs(seen["$8.50"]["pieces to cart"])


def test_a_price_without_its_cents_is_known(clues: Clues) -> None:
    seen = clues(f"{HEADING}<p>$249.99</p><p><b>$249</b></p><p>$30</p>")
    elsewhere = {price: features["cents elsewhere"] for price, features in seen.items()}
    assert elsewhere == {"$249.99": 0, "$249": 1, "$30": 0}


def test_cents_behind_a_comma_belong_to_their_price(clues: Clues) -> None:
    seen = clues(f"{HEADING}<p>€ 10,<b>83</b>*</p>")
    assert any(price.startswith("€ 10,83") for price in seen)


def test_a_page_without_prices_or_texts_has_no_clues(lay_out: LayOut) -> None:
    _, features = detail_candidates(sight_of(lay_out("<img src=a.png width=9 height=9>")))
    assert all(np.isfinite(column).all() for column in features.values())


def stated(price: str) -> str:
    return (
        '<script type="application/ld+json">{"@type": "Product", "name": "Quiet harbour lamp",'
        f' "offers": {{"@type": "Offer", "price": "{price}", "priceCurrency": "USD"}}}}</script>'
    )


SALE = (
    "<h1>Quiet harbour lamp</h1><img src=l.jpg width=300 height=300><p>Was: <s>$99.00</s></p>"
    "<p>Now: <b>$79.50</b></p><button>Add to cart</button><p>In stock</p><p>Brand: Osterby</p>"
    "<p>4.5 out of 5</p><p>(12 reviews)</p>"
)


@pytest.mark.parametrize(
    ("price", "amount"), [("79.50", 79.5), ("99.00", 79.5), ("85.00", 85.0), ("120.00", 120.0)]
)
def test_a_stated_price_is_taken_unless_it_is_the_one_before(
    lay_out: LayOut, price: str, amount: float
) -> None:
    html = f"<title>Quiet harbour lamp</title>{stated(price)}{SALE}"
    (record,) = read_records(lay_out(html)).records
    assert record.price
    assert record.price.amount == amount


def test_a_product_has_its_rating_stock_brand_and_old_price(lay_out: LayOut) -> None:
    (record,) = read_records(
        lay_out(f"<title>Quiet harbour lamp</title>{stated('79.50')}{SALE}")
    ).records
    assert record.rating
    assert record.reviews
    assert record.availability
    assert record.brand
    assert record.old_price
    assert (record.rating.value, record.reviews.count) == (4.5, 12)
    assert (record.availability.state, record.brand.text) == ("in_stock", "Osterby")
    assert record.old_price.amount == 99.0
