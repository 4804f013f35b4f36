"""Prices in texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.readers.records.prices import amount_of, is_price, point_of, spans, unit_of


@pytest.mark.parametrize(
    ("text", "prices"),
    [
        ("$19.99", ["$19.99"]),
        ("from 1.299,00 € a month", ["1.299,00 €"]),
        ("Was $56.25 $39.97", ["$56.25", "$39.97"]),
        ("CDN$ 2.19", ["CDN$ 2.19"]),
        ("1 529 ₽", ["1 529 ₽"]),
        ("CHF 20.–", ["CHF 20.–"]),
        ("Free", ["Free"]),
        ("Free shipping on all orders", []),
        ("144 грн.", ["144 грн."]),
        ("Model TL210, 12 megapixels, 2016", []),
        ("10 reviews", []),
        ("5,99 € 6,99 €", ["5,99 €", "6,99 €"]),
        ("19,00 € 2 Farben", ["19,00 €"]),
        ("₹1,23,456", ["₹1,23,456"]),
        ("$5 100 ml", ["$5"]),
        ("$12 150 reviews", ["$12"]),
        ("1,299円", ["1,299円"]),
        ("63.07 Lei", ["63.07 Lei"]),
        ("131 990 тг.", ["131 990 тг."]),
        ("47 405 Р", ["47 405 Р"]),
        ("352,00 б.р.", ["352,00 б.р."]),
        ("270,00 Kn", ["270,00 Kn"]),
        ("Kr. 299,00", ["Kr. 299,00"]),
        ("144 Грн.", ["144 Грн."]),
        ("statt 4.50 CHF 2.25", ["CHF 2.25"]),
        ("$5.00 off", []),
        ("5 € Rabatt", []),
        ("10 € de réduction", []),
        ("Save 10 €", []),
        ("You save: $38.00", []),
        ("Sie sparen bis zu 20 €", []),
        ("from 3 × 9.99 €", []),
        ("4 payments of $25.00", []),
        ("save on this: now $5.00", ["$5.00"]),
        ("$20.00 $5.00 off", ["$20.00"]),
        ("2 for $5", ["$5"]),
        ("1: $0.0412", ["$0.0412"]),
        ("0,045 € je Stück", ["0,045 €"]),
        ("bez DPH 8 990,-", ["8 990,-"]),
        ("149.–", ["149.–"]),
        ("3.-5. May", []),
        ("1.- Introduction", []),
        ("22,90 €33,99 €", ["22,90 €", "33,99 €"]),
        ("92,99 €1500 W 87,63 €", ["92,99 €", "87,63 €"]),
        ("4.50 €17.99", ["€17.99"]),
        ("4.90 £18.00 £15.00", ["£18.00", "£15.00"]),
        ("1,99 €2,99 €3,99 €4,99 €5,99 €", ["1,99 €", "2,99 €", "3,99 €", "4,99 €", "5,99 €"]),
        ("2.00 €9.99 only €5", ["€9.99", "€5"]),
        ("in 1848,— he", []),
    ],
)
def test_prices_are_found_in_texts(text: str, prices: list[str]) -> None:
    assert [text[start:stop] for start, stop in spans(text)] == prices


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("$1,299.50", 1299.5, "$"),
        ("1.299,50 €", 1299.5, "€"),
        ("CDN$ 2.19", 2.19, "CDN$"),
        ("EUR 15", 15.0, "EUR"),
        ("gratis", 0.0, None),
        ("₹1,23,456", 123456.0, "₹"),
        ("1.299 €", 1299.0, "€"),
        ("€0.112", 0.112, "€"),
        ("$1.2345", 1.2345, "$"),
    ],
)
def test_a_price_has_an_amount_and_a_currency(
    text: str, amount: float, currency: str | None
) -> None:
    assert amount_of(text) == (amount, currency)


@pytest.mark.parametrize(
    ("around", "language", "amount"),
    [
        (["€1,090.00"], "en", 1.87),
        (["€12.50", "€0.355"], "", 1.87),
        (["€1,090.00"], "de", 1870.0),  # a point is said by its prices, not by its language
        (["12,50 €"], "", 1870.0),
        (["€12.50", "12,50 €"], "en", 1870.0),
        (["€12"], "en", 1870.0),  # as many shops of other countries say that they are English
    ],
)
def test_other_prices_say_whether_a_price_is_in_thousands(
    around: list[str], language: str, amount: float
) -> None:
    assert amount_of("€1.870", point_of(around, language)).amount == amount
    assert amount_of("€1.870,–", point_of(around, language)).amount == 1870


def test_a_text_around_a_price_is_not_a_price() -> None:
    assert is_price("$5")
    assert not is_price("only $5 today")


@given(st.text(alphabet="$€ .,0123456789EURkx", max_size=300))
def test_prices_are_in_their_text_and_apart(text: str) -> None:
    ends = [0, *(end for span in spans(text) for end in span), len(text)]
    assert ends == sorted(ends)


@pytest.mark.parametrize(
    ("before", "after", "unit"),
    [
        ("", "/kg", "kg"),
        ("", " per 100 g)", "100 g"),
        ("1 l = ", "", "1 l"),
        ("", " per month", None),
        ("", "", None),
    ],
)
def test_a_price_may_be_for_a_unit(before: str, after: str, unit: str | None) -> None:
    assert unit_of(before, after) == unit
