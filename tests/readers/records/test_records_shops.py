"""Pages in the manner of well-known shop systems and portals; nothing was learned from them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagesight.page import Page
from pagesight.readers.records.reader import read_records
from pagesight.readers.records.reading import RecordsReading

FOLDER = Path(__file__).parent / "shops"
NAMES = sorted(path.stem for path in FOLDER.glob("*.html"))
STYLES = re.compile(r"<style>.*?</style>", re.DOTALL)
_NAMED = "the shop is the first heading, and taken for the name of the product"
_PLANS = "three plans with prices are taken for a list"
_MANY = "the price of one of many is taken"
_PLACE = "where something is offered, above its name, is taken for the name"
_BRAND = "the name is read without the brand in front of it, in one heading with it"
MISREAD = {
    ("tools_german_old", "styled"): _NAMED,
    ("tools_german_old", "bare"): _NAMED,
    ("raised_cents", "bare"): "without styles, cents are not raised",
    ("other_plans", "styled"): _PLANS,
    ("list_parts", "styled"): _MANY,
    ("list_parts", "bare"): _MANY,
    ("list_wholesale_table", "styled"): _MANY,
    ("list_wholesale_table", "bare"): "without styles, a table of prices is one product",
    ("list_classifieds_swedish", "styled"): _PLACE,
    ("list_classifieds_swedish", "bare"): _PLACE,
    ("list_two_rows", "styled"): "what describes a record in its second row is taken for its name",
    ("list_two_rows", "bare"): "what describes a record in its second row is taken for its name",
    ("marketplace_turkish", "styled"): _BRAND,
    ("marketplace_turkish", "bare"): _BRAND,
    ("furniture_two_lines", "bare"): "a name of two lines is read without the first",
    ("configurator_like", "bare"): "without styles, the lowest price of a choice is taken",
    ("magento_like", "bare"): "without styles, the price without tax is taken",
    ("sold_out", "bare"): "without styles, what another product costs is taken",
    ("list_flats_dutch", "bare"): "without styles, a town is no less of a name than a street",
}


def labelled(name: str) -> tuple[dict[str, Any], str]:
    """What is right on a page, which its first comment says, and its HTML."""
    html = (FOLDER / f"{name}.html").read_text(encoding="utf-8")
    comment, _, rest = html.removeprefix("<!--").partition("-->")
    return json.loads(comment), rest


def said(reading: RecordsReading) -> dict[str, Any]:
    """What a reading says, in the words of the labels."""
    names = [record.name.text if record.name else "" for record in reading.records]
    prices = [record.price.amount if record.price else None for record in reading.records]
    if reading.kind == "detail":
        return {"kind": "detail", "name": names[0], "price": prices[0]}
    return {"kind": reading.kind.value, "names": names, "prices": prices}


def pages() -> list[object]:
    """All pages with their styles and without; what is known to be misread has to fail."""
    return [
        pytest.param(
            name,
            look,
            marks=pytest.mark.xfail(strict=True, reason=MISREAD[name, look]),
        )
        if (name, look) in MISREAD
        else (name, look)
        for name in NAMES
        for look in ("styled", "bare")
    ]


@pytest.mark.parametrize(("name", "look"), pages())
def test_a_page_of_a_brand_that_nobody_knows_is_read(
    name: str, look: str, lay_out: Callable[[str], Page]
) -> None:
    labels, html = labelled(name)
    page = lay_out(html if look == "styled" else STYLES.sub("", html))
    reading = said(read_records(page, metadata="ignore"))
    assert {key: reading[key] for key in labels} == labels
