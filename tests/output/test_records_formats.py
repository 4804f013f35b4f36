"""Records as CSV, Markdown, JSON-LD and Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO, StringIO
from typing import Any

import pytest

from listed import JOBS, SHOP, jobs, shop
from pagesight.output.records_csv import records_csv
from pagesight.output.records_jsonld import records_jsonld
from pagesight.output.records_markdown import records_markdown
from pagesight.output.records_parquet import records_parquet
from pagesight.output.records_table import Listed, Row, cells_of, unnamed_columns
from pagesight.page import Page
from pagesight.readers.records import (
    Availability,
    Cell,
    Kind,
    Price,
    Rating,
    Record,
    RecordsReading,
    Reviews,
    Stock,
    UnitPrice,
)
from pagesight.readers.value import Value

LayOut = Callable[[str], Page]
NOTHING = Listed("none", RecordsReading(kind=Kind.OTHER, confidence=0.9))


@pytest.fixture(scope="module")
def teapots(lay_out: LayOut) -> Listed:
    return Listed("shop", shop(lay_out(SHOP)))


@pytest.fixture(scope="module")
def openings(lay_out: LayOut) -> Listed:
    return Listed("jobs", jobs(lay_out(JOBS)))


def cell(column: int, text: str) -> Cell:
    return Cell(text=text, confidence=None, column=column)


def value(text: str) -> Value:
    return Value(text=text, confidence=None)


@pytest.fixture
def rated() -> Listed:
    """A list of one thing with all that is read of things."""
    record = Record(
        name=value("Tea"),
        price=Price(text="€3.80", confidence=None, amount=3.8, currency="€"),
        unit_price=UnitPrice(text="€7.60/kg", confidence=None, amount=7.6, currency="€", per="kg"),
        rating=Rating(text="4.5 of 5", confidence=None, value=4.5, best=5.0),
        reviews=Reviews(text="(12)", confidence=None, count=12),
        availability=Availability(text="In stock", confidence=None, state=Stock.IN),
        brand=value("Osterby"),
    )
    return Listed("tea", RecordsReading(kind=Kind.LIST, confidence=1, records=(record,)))


def test_csv_has_a_line_for_each_record(teapots: Listed, openings: Listed) -> None:
    header, *lines = csv.reader(StringIO(records_csv([teapots, NOTHING, openings])))
    assert header == [*Row._fields, "column_1", "column_2"]
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    assert [row["source"] for row in rows] == ["shop"] * 3 + ["jobs"] * 2
    assert [row["name"] for row in rows[:3]] == [
        "Harrow teapot", 'Pine, "deep" green', "Rill | glass",
    ]  # fmt: skip
    assert [row["price"] for row in rows[:3]] == ["38.0", "1044.5", ""]
    assert (rows[1]["old_price"], rows[1]["currency"]) == ("52.0", "€")
    assert rows[2]["price_text"] == "price on request"
    assert rows[0]["column_1"] == "212 reviews"
    assert (rows[3]["column_1"], rows[3]["column_2"]) == ("Baker", "Osterby")


def test_attributes_of_ones_own_are_columns() -> None:
    records = tuple(
        Record(values={"place": value(place), "price": value("much")} if place else {})
        for place in ("Osterby", "")
    )
    listed = Listed("jobs", RecordsReading(kind=Kind.LIST, confidence=1, records=records))
    header, *lines = csv.reader(StringIO(records_csv([listed])))
    assert header == [*Row._fields, "place", "own_price"]
    assert [line[-2:] for line in lines] == [["Osterby", "much"], ["", ""]]
    head, _, first, _ = records_markdown([listed]).splitlines()
    assert (head, first) == ("| place | price |", "| Osterby | much |")


def test_what_is_seen_beside_a_price_is_in_all_tables(rated: Listed) -> None:
    header, line = csv.reader(StringIO(records_csv([rated])))
    row = dict(zip(header, line, strict=True))
    names = ("unit_price", "unit", "rating", "best_rating", "reviews", "availability", "brand")
    assert [row[name] for name in names] == [
        "7.6", "kg", "4.5", "5.0", "12", "in_stock", "Osterby",
    ]  # fmt: skip
    head, _, first = records_markdown([rated]).splitlines()
    assert head == (
        "| Name | Price | Unit price | Unit | Rating | of | Reviews | Availability | Brand |"
    )
    assert first == r"| Tea | €3.80 | 7.6 | kg | 4.5 | 5 | 12 | in\_stock | Osterby |"


def test_what_is_seen_beside_a_price_is_in_json_ld(rated: Listed) -> None:
    (listed,) = json.loads(records_jsonld([rated]))["@graph"]
    assert listed["itemListElement"][0]["item"] == {
        "@type": "Product",
        "name": "Tea",
        "brand": {"@type": "Brand", "name": "Osterby"},
        "aggregateRating": {
            "@type": "AggregateRating", "ratingValue": 4.5, "bestRating": 5.0, "reviewCount": 12,
        },
        "offers": {
            "@type": "Offer",
            "price": 3.8,
            "priceCurrency": "EUR",
            "availability": "https://schema.org/InStock",
            "priceSpecification": {
                "@type": "UnitPriceSpecification", "price": 7.6, "priceCurrency": "EUR",
                "unitText": "kg",
            },
        },
    }  # fmt: skip


def test_csv_of_nothing_is_its_header() -> None:
    assert records_csv([NOTHING]) == ",".join(Row._fields) + "\r\n"


def test_a_text_of_many_lines_is_one_in_a_table() -> None:
    record = Record(cells=(cell(1, "a\n b"), cell(1, "c"), cell(2, " ")))
    assert cells_of(record) == {1: "a b c"}


def test_columns_that_repeat_a_name_are_left_out(teapots: Listed) -> None:
    records = [
        replace(record, cells=(cell(1, record.name.text), cell(2, "new")))
        for record in teapots.reading.records
        if record.name
    ]
    assert unnamed_columns(records) == [2]


def test_markdown_has_the_columns_that_are_not_empty(teapots: Listed) -> None:
    header, line, *rows = records_markdown([teapots]).splitlines()
    assert header == "| Name | Price | Price before | Description | Image | Column 1 |"
    assert line == "| --- | --- | --- | --- | --- | --- |"
    assert len(rows) == 3
    assert rows[2] == r"| [Rill \| glass](</rill>) | price on request |  |  |  | 3 reviews |"
    assert "![](<harrow.png>)" in rows[0]


def test_several_pages_are_headings_in_markdown(openings: Listed) -> None:
    text = records_markdown([openings, NOTHING])
    assert text == (
        "# jobs\n\n| Column 1 | Column 2 |\n| --- | --- |\n| Baker | Osterby |\n"
        "| Smith | Norrhaven |\n\n# none\n\n(no records)\n"
    )


def test_an_address_cannot_end_a_cell_of_markdown(teapots: Listed) -> None:
    record = replace(teapots.reading.records[0], url="/a b|c>d\n", image=None)
    reading = RecordsReading(kind=Kind.LIST, confidence=1, records=(record,))
    assert "[Harrow teapot](</a%20b%7Cc%3Ed>)" in records_markdown([Listed("shop", reading)])


def test_a_list_is_an_item_list_of_products(teapots: Listed) -> None:
    document = json.loads(records_jsonld([teapots, NOTHING]))
    assert document["@context"] == "https://schema.org"
    (listed,) = document["@graph"]
    assert (listed["@type"], listed["numberOfItems"]) == ("ItemList", 3)
    assert [item["position"] for item in listed["itemListElement"]] == [1, 2, 3]
    first, _, last = (item["item"] for item in listed["itemListElement"])
    assert first == {
        "@type": "Product",
        "name": "Harrow teapot",
        "image": "harrow.png",
        "description": "Round, with a dripless spout.",
        "url": "/harrow",
        "offers": {"@type": "Offer", "price": 38.0, "priceCurrency": "EUR"},
    }
    assert "offers" not in last  # a price without a number is not an offer


def test_a_list_without_prices_is_one_of_things(openings: Listed) -> None:
    (listed,) = json.loads(records_jsonld([openings]))["@graph"]
    assert listed["itemListElement"][0]["item"] == {"@type": "Thing", "name": "Baker Osterby"}


def test_a_page_about_one_thing_is_a_product(teapots: Listed) -> None:
    one = replace(teapots.reading.records[0], price=None)
    reading = RecordsReading(kind=Kind.DETAIL, confidence=1, records=(one,))
    (product,) = json.loads(records_jsonld([Listed("one", reading)]))["@graph"]
    assert (product["@type"], product["name"]) == ("Product", "Harrow teapot")


@pytest.mark.parametrize(
    ("sign", "code"), [("€", "EUR"), ("USD", "USD"), ("$", None), ("kr", None), (None, None)]
)
def test_a_currency_is_stated_where_it_is_clear(
    teapots: Listed, sign: str | None, code: str | None
) -> None:
    record = teapots.reading.records[0]
    assert record.price
    record = replace(record, price=replace(record.price, currency=sign))
    reading = RecordsReading(kind=Kind.DETAIL, confidence=1, records=(record,))
    (product,) = json.loads(records_jsonld([Listed("one", reading)]))["@graph"]
    assert product["offers"].get("priceCurrency") == code


def test_parquet_has_a_row_for_each_record(teapots: Listed, openings: Listed) -> None:
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(BytesIO(records_parquet([teapots, openings])))
    assert table.column_names == [*Row._fields, "box", "cells", "values"]
    rows = table.to_pylist()
    assert [row["price"] for row in rows] == [38.0, 1044.5, None, None, None]
    assert rows[3]["cells"] == [{"column": 1, "text": "Baker"}, {"column": 2, "text": "Osterby"}]
    empty = parquet.read_table(BytesIO(records_parquet([NOTHING])))
    assert (empty.schema, empty.num_rows) == (table.schema, 0)
