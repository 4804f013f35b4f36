"""What records show beside a name and a price: ratings, reviews, stock, brands, unit prices."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pagesight.page import Page
from pagesight.readers.records.extras import Extras, extras_of, stretch_of, with_extra
from pagesight.readers.records.groups import whole_page
from pagesight.readers.records.reading import Price, Record, Stock
from pagesight.readers.records.sight import sight_of

LayOut = Callable[[str], Page]
STYLE = """<style>.stars { display: block; width: 100px; height: 20px }
.stars span { display: block; height: 20px } .fill-80 { width: 80px } .fill-46 { width: 46px }
</style>"""


@pytest.fixture
def extras(lay_out: LayOut) -> Callable[[str], Extras]:
    def read(html: str) -> Extras:
        sight = sight_of(
            lay_out(f"{STYLE}<div><h3>Copper kettle</h3>{html}<p>Made by hand</p></div>")
        )
        page = whole_page(sight)
        return extras_of(sight, stretch_of(sight, 0, 0, int(page.last[0])), "Copper kettle")

    return read


@pytest.mark.parametrize(
    ("html", "value", "best"),
    [
        ("<p>4.5 out of 5 stars</p>", 4.5, 5),
        ("<p>4,5 von 5</p>", 4.5, 5),
        ("<p>4,5 sur 5 étoiles</p>", 4.5, 5),
        ("<p>4.5 de 5 estrellas</p>", 4.5, 5),
        ("<p>4,5 из 5</p>", 4.5, 5),
        ("<p>8.7/10</p>", 8.7, 10),
        ("<p>★★★★☆</p>", 4, 5),
        ("<i aria-label='Rated 4.2 out of 5'></i>", 4.2, 5),
        ("<i aria-label='3.5 stars'></i>", 3.5, 5),
        ("<i title='Bewertung: 4,1'></i>", 4.1, 5),
        ("<img alt='4 Sterne' src='s.png' width=80 height=16>", 4, 5),
        ("<i class='icon star-4'></i>", 4, 5),
        ("<i class='a-icon a-star-4-5'></i>", 4.5, 5),
        ("<p class='star-rating Three'></p>", 3, 5),
        ("<div class='stars'><span class='fill-80'></span></div>", 4, 5),
        ("<div class='stars'><span class='fill-46'></span></div>", 2.3, 5),
    ],
)
def test_ratings_are_read(
    extras: Callable[[str], Extras], html: str, value: float, best: float
) -> None:
    rating = extras(html).rating
    assert rating
    assert (rating.value, rating.best) == (value, best)
    assert rating.xpath


@pytest.mark.parametrize(
    "html",
    [
        "<p>Page 1 of 5</p>",
        "<p>4/5/2024</p>",
        "<p>Pack of 5, 10 from 10</p>",
        "<p>Hotel with 4 stars nearby</p>",
        "<p>Save 4 of 50 plants</p>",
        "<p>★★★★★</p>",
        "<p>6 out of 5 of nothing</p>",
        "<p>0 out of 5</p>",
        "<i class='star-1'></i><i class='star-2'></i><i class='star-3'></i>",
        "<p>4 out of 5</p><p>3 out of 5</p>",
        "<div class='starter-kit'><span class='fill-80'></span></div>",
        "<div class='stars'><span class='whole'></span></div>",
    ],
)
def test_what_is_not_one_rating_is_none(extras: Callable[[str], Extras], html: str) -> None:
    assert extras(html).rating is None


@pytest.mark.parametrize(
    ("html", "count"),
    [
        ("<p>123 reviews</p>", 123),
        ("<p>1.234 Bewertungen</p>", 1234),
        ("<p>(12 avis)</p>", 12),
        ("<p><b>45</b> opiniones</p>", 45),
        ("<p>1 customer review</p>", 1),
        ("<p>Reviews (2,345)</p>", 2345),
        ("<p>17 отзывов</p>", 17),
        ("<i aria-label='4.2 out of 5'></i><span>(123)</span>", 123),
        ("<p>4.2 out of 5</p><p>(1.2k)</p>", 1200),
        ("<p>★★★☆☆</p><p>(<b>7</b>)</p>", 7),
    ],
)
def test_the_number_of_reviews_is_read(
    extras: Callable[[str], Extras], html: str, count: int
) -> None:
    reviews = extras(html).reviews
    assert reviews
    assert reviews.count == count


@pytest.mark.parametrize(
    "html", ["<p>(123)</p>", "<p>Write the first review</p>", "<p>5 reviews</p><p>9 reviews</p>"]
)
def test_other_numbers_are_not_reviews(extras: Callable[[str], Extras], html: str) -> None:
    assert extras(html).reviews is None


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("In stock", Stock.IN),
        ("Sofort lieferbar", Stock.IN),
        ("En stock, expédié sous 24 h", Stock.IN),
        ("В наличии", Stock.IN),
        ("Out of stock", Stock.OUT),
        ("Derzeit nicht lieferbar", Stock.OUT),
        ("Épuisé", Stock.OUT),
        ("Нет в наличии", Stock.OUT),
        ("Sold out", Stock.OUT),
        ("Only 3 left in stock", Stock.LIMITED),
        ("Nur noch 2 auf Lager", Stock.LIMITED),
        ("Pre-order now", Stock.PREORDER),
    ],
)
def test_what_is_said_about_the_stock_is_read(
    extras: Callable[[str], Extras], text: str, state: Stock
) -> None:
    availability = extras(f"<p>{text}</p>").availability
    assert availability
    assert (availability.text, availability.state) == (text, state)


@pytest.mark.parametrize(
    "html",
    [
        "<p>Is it in stock?</p>",
        "<p>Notify me when in stock</p>",
        "<label><input type=checkbox> In stock</label>",
        "<p>In stock</p><p>Sold out</p>",
        "<p>Stock photo</p>",
        "<p>In stock:</p>",
    ],
)
def test_what_is_not_a_fact_about_the_stock_is_none(
    extras: Callable[[str], Extras], html: str
) -> None:
    assert extras(html).availability is None


@pytest.mark.parametrize(
    "html",
    [
        "<p>Brand: Osterby</p>",
        "<p>Hersteller: Osterby</p>",
        "<p><b>Marque :</b> <a href='/o'>Osterby</a></p>",
        "<table><tr><th>Marca:</th><td>Osterby</td></tr></table>",
        "<p class='product-brand'>Osterby</p>",
        "<span class='brand-name'><a href='/o'>Osterby</a></span>",
    ],
)
def test_brands_that_are_called_so_are_read(extras: Callable[[str], Extras], html: str) -> None:
    brand = extras(html).brand
    assert brand
    assert brand.text == "Osterby"


@pytest.mark.parametrize(
    "html",
    [
        "<p>A new brand of kettle</p>",
        "<p class='brand'>Copper kettle</p>",
        "<p class='brand'>$5.00</p>",
        "<p class='brand'>One</p><p class='brand'>Two</p>",
    ],
)
def test_other_words_are_not_brands(extras: Callable[[str], Extras], html: str) -> None:
    assert extras(html).brand is None


@pytest.mark.parametrize(
    ("text", "amount", "per"),
    [
        ("3,99 € / kg", 3.99, "kg"),
        ("(12,50 € / 100 g)", 12.5, "100 g"),
        ("$0.25/oz", 0.25, "oz"),
        ("£1.20 per litre", 1.2, "litre"),
        ("1 kg = 7,98 €", 7.98, "1 kg"),
        ("0,45 € pro Stück", 0.45, "Stück"),
    ],
)
def test_unit_prices_are_read(
    extras: Callable[[str], Extras], text: str, amount: float, per: str
) -> None:
    price = extras(f"<p>{text}</p>").unit_price
    assert price
    assert (price.amount, price.per) == (amount, per)


@pytest.mark.parametrize("text", ["$25 per month", "$5.00", "€20 / night", "5 kg for $3"])
def test_other_prices_are_not_unit_prices(extras: Callable[[str], Extras], text: str) -> None:
    assert extras(f"<p>{text}</p>").unit_price is None


@pytest.mark.parametrize(
    ("html", "amount"),
    [
        ("<s>$30.00</s> <b>$20.00</b>", 30.0),
        ("<p>List price: $30.00</p><b>$20.00</b>", 30.0),
        ("<b>$20.00</b> <p>UVP 30,00 €</p>", 30.0),
        ("<p>statt</p><p>30,00 €</p><b>$20.00</b>", 30.0),
        ("<p>You save: $30.00</p><b>$20.00</b>", None),
        ("<p>With cover $30.00</p><b>$20.00</b>", None),
        ("<s>$10.00</s> <b>$20.00</b>", None),
        ("<p>$20.00</p><p>$30.00</p><p>-33%</p>", 30.0),
        ("<p>$20.00</p><p>$30.00</p><p>-10%</p>", None),
    ],
)
def test_the_price_before_is_struck_out_or_called_so(
    lay_out: LayOut, html: str, amount: float | None
) -> None:
    sight = sight_of(lay_out(f"<div>{html}</div>"))
    stretch = stretch_of(sight, 0, 0, int(whole_page(sight).last[0]))
    price = Price(text="$20.00", confidence=None, amount=20.0, currency="$")
    old = with_extra(sight, stretch, Record(price=price)).old_price
    assert (old.amount if old else None) == amount
