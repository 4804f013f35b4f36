from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from listed import JOBS, SHOP, jobs, nodes, record, shop
from pagesight.errors import WrapperError, WrapperMisfit
from pagesight.page import Page
from pagesight.readers.records.reading import Kind, Price, Record, RecordsReading
from pagesight.readers.records.wrapper import Wrapper, read_with, rows_selector, wrapper_of
from pagesight.readers.value import Value
from pagesight.segment.selectors import elements_of

LayOut = Callable[[str], Page]


def listed(page: Page, css: str, **options: Any) -> RecordsReading:
    records = tuple(record(page, row, **options) for row in nodes(page, css))
    return RecordsReading(kind=Kind.LIST, confidence=1, records=records)


def selectors(wrapper: Wrapper) -> dict[str, str]:
    return {name: column.css for name, column in wrapper.columns.items()}


def test_a_list_of_products_has_short_selectors(lay_out: LayOut) -> None:
    page = lay_out(SHOP)
    wrapper = wrapper_of(page, shop(page), "shop.html")
    assert (wrapper.row_selector, wrapper.rows, wrapper.source) == (".card", 3, "shop.html")
    assert selectors(wrapper) == {
        "name": ".title", "price": ".price", "old_price": ".was", "image": "img", "url": "a",
        "description": ".text", "column_1": "i",
    }  # fmt: skip
    taken = {name: (column.attribute, column.text) for name, column in wrapper.columns.items()}
    assert (taken["image"], taken["url"]) == (("src", None), ("href", None))
    assert taken["name"] == (None, "all")
    shares = {name: (column.coverage, column.agreement) for name, column in wrapper.columns.items()}
    assert shares["name"] == (1, 1)
    assert shares["old_price"] == (1 / 3, 1)


def test_a_wrapper_reads_again_what_it_was_made_of(lay_out: LayOut) -> None:
    page = lay_out(SHOP)
    reading = shop(page)
    again = read_with(page, wrapper_of(page, reading))
    assert again.fit.share == 1
    assert again.fit.rows == len(again.records) == 3
    for one, other in zip(again.records, reading.records, strict=True):
        assert _plain(one) == _plain(other)
        assert (one.xpath, one.box) == (other.xpath, other.box)


def _plain(one: Record) -> list[object]:
    prices = [price and (price.text, price.amount, price.currency)
              for price in (one.price, one.old_price)]  # fmt: skip
    texts = [value and value.text for value in (one.name, one.description)]
    cells = [(cell.column, cell.text) for cell in one.cells]
    return [prices, texts, cells, one.url, one.image and (one.image.src, one.image.text)]


def test_a_header_is_not_a_row(lay_out: LayOut) -> None:
    page = lay_out(JOBS)
    wrapper = wrapper_of(page, jobs(page))
    assert wrapper.row_selector == "tr:has(td)"
    assert selectors(wrapper) == {"column_1": "td", "column_2": "td:nth-child(2)"}
    cells = [[cell.text for cell in one.cells] for one in read_with(page, wrapper).records]
    assert cells == [["Baker", "Osterby"], ["Smith", "Norrhaven"]]


def test_what_is_around_the_rows_tells_them_from_others(lay_out: LayOut) -> None:
    page = lay_out("<ul><li>menu<li>more</ul><ul id=found><li title=r>one<li title=r>two</ul>")
    assert wrapper_of(page, listed(page, "[title]")).row_selector == "#found li"


def test_an_advert_among_the_rows_is_left_out(lay_out: LayOut) -> None:
    page = lay_out("<ul><li title=r>one<li class=ad>buy<li title=r>two</ul>")
    assert wrapper_of(page, listed(page, "[title]")).row_selector == "li:not(.ad)"


def test_rows_of_two_kinds_have_two_selectors(lay_out: LayOut) -> None:
    page = lay_out(
        "<div class=big title=r>one</div><p>text</p><div class=card title=r>two</div>"
        "<div class=card title=r>three</div><div>not a row</div>"
    )
    assert wrapper_of(page, listed(page, "[title]")).row_selector == ".big, .card"


def test_rows_that_nothing_tells_from_others_are_selected_by_place(lay_out: LayOut) -> None:
    page = lay_out("<div><p title=r>one<p>no<p title=r>two<p>no</div>")
    wrapper = wrapper_of(page, listed(page, "[title]"))
    assert [page.text(node) for node in elements_of(page).select(wrapper.row_selector)] == [
        "one", "two",
    ]  # fmt: skip


def test_classes_that_a_program_made_are_not_preferred(lay_out: LayOut) -> None:
    page = lay_out("<p class='css-1x2y3z item'>one</p><p class='css-1x2y3z item'>two</p>")
    assert wrapper_of(page, listed(page, "p")).row_selector == ".item"


def test_values_in_the_row_after_the_first_are_found(lay_out: LayOut) -> None:
    page = lay_out(
        "<table><tr class=one><td class=title>A<tr><td class=price>€1"
        "<tr class=one><td class=title>B<tr><td class=price>€2</table>"
    )
    second = [record(page, row).price for row in nodes(page, "tr:not(.one)")]
    first = listed(page, ".one", cells="none").records
    records = tuple(replace(one, price=price) for one, price in zip(first, second, strict=True))
    reading = RecordsReading(kind=Kind.LIST, confidence=1, records=records)
    wrapper = wrapper_of(page, reading)
    assert selectors(wrapper) == {"name": ".title", "price": ":scope + tr .price"}
    prices = [one.price.text for one in read_with(page, wrapper).records if one.price]
    assert prices == ["€1", "€2"]


def test_a_lazy_picture_is_found_where_its_address_is(lay_out: LayOut) -> None:
    page = lay_out(
        "<p><img src=x.gif data-src=a.png width=9><p><img src=x.gif data-src=b.png width=9>"
    )
    records = tuple(
        Record(image=replace(one.image, src=f"{name}.png"), place=one.place)
        for one, name in zip(listed(page, "p").records, "ab", strict=True)
        if one.image
    )
    reading = RecordsReading(kind=Kind.LIST, confidence=1, records=records)
    assert wrapper_of(page, reading).columns["image"].attribute == "data-src"


def test_text_beside_other_elements_is_taken_alone(lay_out: LayOut) -> None:
    page = lay_out("<p>Tea <b>new</b></p><p>Cup <b>old</b></p>")
    records = tuple(
        Record(name=replace(one.name, text=one.name.text[:3]), place=one.place)
        for one in listed(page, "p", name="p").records
        if one.name
    )
    reading = RecordsReading(kind=Kind.LIST, confidence=1, records=records)
    column = wrapper_of(page, reading).columns["name"]
    assert (column.css, column.text, column.agreement) == (":scope", "own", 1)


def test_a_page_about_one_thing_is_a_row(lay_out: LayOut) -> None:
    page = lay_out("<h1>Tea</h1><p class=price>Now only €5</p><p class=price>€9 before</p>")
    (name,), (now, _) = nodes(page, "h1"), nodes(page, ".price")
    price = Price(text="€5", confidence=1, place=now, amount=5.0, currency="€")
    one = Record(
        name=Value(text="Tea", confidence=1, place=name), price=price, url="/tea", place=page.root
    )
    wrapper = wrapper_of(page, RecordsReading(kind=Kind.DETAIL, confidence=1, records=(one,)))
    assert (wrapper.row_selector, wrapper.kind) == ("html", Kind.DETAIL)
    assert selectors(wrapper) == {"name": "h1", "price": ".price"}
    assert wrapper.columns["price"].agreement == 1
    again = read_with(lay_out("<h1>Cup</h1><p class=price>Now only €7"), wrapper)
    assert again.kind is Kind.DETAIL
    assert again.records[0].price
    assert (again.records[0].price.text, again.records[0].price.amount) == ("€7", 7)


def test_a_page_of_another_kind_is_a_misfit(lay_out: LayOut) -> None:
    page = lay_out(SHOP)
    wrapper = wrapper_of(page, shop(page))
    with pytest.raises(WrapperMisfit, match="no rows"):
        read_with(lay_out("<p>Something else"), wrapper)
    with pytest.raises(WrapperMisfit, match="in 2 rows there is"):
        read_with(lay_out("<p class=card>Visa<p class=card>Gift <a href=/>card</a>"), wrapper)


def test_a_page_with_more_rows_and_fewer_values_fits(lay_out: LayOut) -> None:
    page = lay_out(SHOP)
    wrapper = wrapper_of(page, shop(page))
    row = "<li class=card><a href=/x class=title>Cup</a><b class=price>€2</b><p class=text>x</p>"
    reading = read_with(lay_out(f"<ul>{row * 5}</ul>"), wrapper)
    assert (len(reading.records), reading.fit.filled["image"]) == (5, 0)
    assert reading.confidence == reading.fit.share < 1


def test_a_wrapper_survives_its_file(lay_out: LayOut) -> None:
    page = lay_out(SHOP)
    wrapper = wrapper_of(page, shop(page))
    again = Wrapper.from_json(json.loads(json.dumps(wrapper.to_json())))
    assert again.row_selector == wrapper.row_selector
    assert again.columns["name"] == wrapper.columns["name"]


@pytest.mark.parametrize(
    "fields", [None, [], {}, {"version": 1}, {"version": 2, "columns": {}, "row_selector": "p"},
               {"version": 1, "columns": {"name": {"xpath": "//p"}}, "row_selector": "p"},
               {"version": 1, "columns": {"name": {"css": 5}}, "row_selector": "p"},
               {"version": 1, "columns": {"name": {"css": "b", "coverage": "x"}},
                "row_selector": "p"},
               {"version": 1, "columns": {"name": "b"}, "row_selector": "p"},
               {"version": 1, "columns": {}, "row_selector": None}],
)  # fmt: skip
def test_a_file_that_is_not_a_wrapper_is_an_error(fields: Any) -> None:
    with pytest.raises(WrapperError):
        Wrapper.from_json(fields)


def test_a_selector_that_is_not_understood_is_an_error(lay_out: LayOut) -> None:
    with pytest.raises(WrapperError, match="not understood"):
        read_with(lay_out("<p>"), Wrapper(row_selector="p:is(b)", rows=1))


def test_there_is_no_wrapper_of_nothing(lay_out: LayOut) -> None:
    page = lay_out("<p>one<br>two")
    with pytest.raises(WrapperError, match="no records"):
        wrapper_of(page, RecordsReading(kind=Kind.OTHER, confidence=1))
    texts = [node for node in page if node.tag == "#text" and node.visible]
    reading = RecordsReading(
        kind=Kind.LIST, confidence=1, records=tuple(Record(place=text) for text in texts)
    )
    assert len(texts) == 2
    with pytest.raises(WrapperError, match="elements of their own"):
        wrapper_of(page, reading)


item = st.tuples(
    st.booleans(),  # whether it is a record
    st.sampled_from(["li", "div", "p"]),
    st.lists(st.sampled_from(["a", "b", "big", "md:w-1", "css-1a2b"]), max_size=3),
    st.integers(0, 2),  # how deep it is
)


@settings(max_examples=40)
@given(st.lists(item, min_size=1, max_size=9).filter(lambda items: any(one[0] for one in items)))
def test_a_selector_matches_exactly_the_records_of_any_list(
    lay_out: LayOut, items: list[tuple[bool, str, list[str], int]]
) -> None:
    html = "".join(
        "<div class=a>" * deep
        + f"<{tag} class='{' '.join(classes)}' title={'yes' if is_record else 'no'}>text</{tag}>"
        + "</div>" * deep
        for is_record, tag, classes, deep in items
    )
    page = lay_out(f"<section id=all>{html}</section><section><li class=a>text</li></section>")
    elements = elements_of(page)
    rows = elements.select('[title="yes"]')
    assert np.array_equal(elements.select(rows_selector(elements, rows)), rows)


def test_parsel_finds_the_same(lay_out: LayOut) -> None:
    parsel: Any = pytest.importorskip("parsel")
    page = lay_out(SHOP)
    wrapper = wrapper_of(page, shop(page))
    rows = parsel.Selector(SHOP).css(wrapper.row_selector)
    names = [row.css(f"{wrapper.columns['name'].css} ::text").get() for row in rows]
    assert names == [one.name.text for one in shop(page).records if one.name]
