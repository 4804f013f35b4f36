"""What is read of whole pages: lists, products, and pages that are neither."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from pagesight.page import Page
from pagesight.readers.records.reader import read_records
from pagesight.readers.records.reading import Kind, RecordsReading, unread
from pagesight.readers.records.stated import stated_product
from pagesight.readers.records.wrapper import read_with, wrapper_of

LayOut = Callable[[str], Page]
STYLE = """<style>
body { font: 14px sans-serif; margin: 0 } .card { float: left; width: 220px; margin: 10px }
h3 { font-size: 16px; margin: 4px 0 } img { width: 200px; height: 150px } s { color: #888 }
.price { font-weight: bold; color: #a00 } nav a { margin: 8px } .clear { clear: both }
</style>"""
ADJECTIVES = ["Quiet", "Blue", "Old", "Bright", "Small", "Tall", "Round", "Plain", "Warm", "Thin"]
NOUNS = ["harbour lamp", "garden chair", "oak table", "wool blanket", "copper kettle", "linen bag"]
NAV = (
    "<nav>"
    + "".join(f"<a href='/{name}'>{name}</a>" for name in ("Home", "Sale", "Help"))
    + "</nav>"
)
FOOT = (
    "<footer class='clear'><a href='/terms'>Terms</a> <a href='/jobs'>Jobs</a> © Osterby</footer>"
)


def name_of(at: int) -> str:
    return f"{ADJECTIVES[at % 10]} {NOUNS[at // 10 % 6]} no. {at}"


def card(at: int, picture: str = "src='{at}.jpg'") -> str:
    return (
        f"<div class='card'><a href='/p/{at}'><img {picture.format(at=at)} alt='{name_of(at)}'></a>"
        f"<h3><a href='/p/{at}'>{name_of(at)}</a></h3>"
        f"<p>Made by hand in batch {at * 7} of the year</p>"
        f"<s>${at + 40}.00</s> <span class='price'>${at + 20}.95</span>"
        "<button>Add to cart</button></div>"
    )


def shop(count: int, picture: str = "src='{at}.jpg'") -> str:
    cards = "".join(card(at, picture) for at in range(count))
    head = f"<!doctype html><title>Shop</title>{STYLE}{NAV}<h1>For the house</h1>"
    return f"{head}<main>{cards}</main>{FOOT}"


@pytest.fixture(scope="module")
def list_read(lay_out: LayOut) -> RecordsReading:
    return read_records(lay_out(shop(12)))


def test_a_list_of_products_is_a_list(list_read: RecordsReading) -> None:
    assert list_read.kind is Kind.LIST
    assert list_read.confidence > 0.5


def test_every_product_has_its_name_price_picture_and_address(list_read: RecordsReading) -> None:
    for at, record in enumerate(list_read.records):
        assert record.name
        assert record.name.text == name_of(at)
        assert record.price
        assert record.price.amount == at + 20.95
        assert record.price.currency == "$"
        assert record.image
        assert record.image.src.endswith(f"{at}.jpg")
        assert record.url
        assert record.url.endswith(f"/p/{at}")


def test_what_is_struck_out_is_the_old_price(list_read: RecordsReading) -> None:
    old = [record.old_price and record.old_price.amount for record in list_read.records]
    assert old == [at + 40 for at in range(12)]


def test_every_value_has_a_place_a_box_and_a_confidence(list_read: RecordsReading) -> None:
    for record in list_read.records:
        for value in (record.name, record.price, record.image):
            assert value
            assert value.xpath
            assert value.css
            assert value.box
            assert value.confidence is not None
            assert 0 <= value.confidence <= 1


def test_cells_of_one_kind_are_in_one_column(list_read: RecordsReading) -> None:
    columns = {
        cell.column
        for record in list_read.records
        for cell in record.cells
        if cell.text.startswith("Made by hand")
    }
    assert len(columns) == 1


def test_283_cards_are_283_records(lay_out: LayOut) -> None:
    assert len(read_records(lay_out(shop(283))).records) == 283


@pytest.mark.parametrize("picture", ["src='data:,' data-src='{at}.jpg'", "srcset='{at}.jpg 1x'"])
def test_pictures_that_are_loaded_later_have_their_address(lay_out: LayOut, picture: str) -> None:
    records = read_records(lay_out(shop(8, picture))).records
    sources = [record.image.src if record.image else "" for record in records]
    assert all(source.endswith(f"{at}.jpg") for at, source in enumerate(sources))


def test_a_picture_without_an_address_has_that_of_a_source_beside_it(lay_out: LayOut) -> None:
    late = "<picture><source data-srcset='late-{at}.webp 1x'><img src='data:,' "
    html = shop(8, "{at}")
    for at in range(8):
        html = html.replace(f"<img {at} ", late.format(at=at))
    records = read_records(lay_out(html)).records
    sources = [record.image.src if record.image else "" for record in records]
    assert [source[-11:] for source in sources] == [f"late-{at}.webp" for at in range(8)]


@pytest.mark.parametrize("end", ["…", "..."])
def test_names_that_the_page_cuts_off_are_whole_where_a_link_says_so(
    lay_out: LayOut, end: str
) -> None:
    html = shop(8)
    for at in range(8):
        name = name_of(at)
        html = html.replace(f">{name}</a></h3>", f" title='{name}'>{name[:12]}{end}</a></h3>")
    page = lay_out(html)
    reading = read_records(page)
    names = [record.name.text if record.name else "" for record in reading.records]
    assert names == [name_of(at) for at in range(8)]
    wrapper = wrapper_of(page, reading)
    assert wrapper.columns["name"].agreement == 1
    again = read_with(page, wrapper).records
    assert [record.name.text if record.name else "" for record in again] == names


def test_a_name_is_not_made_longer_by_what_begins_otherwise(lay_out: LayOut) -> None:
    html = shop(8)
    for at in range(8):
        html = html.replace(f">{name_of(at)}</a></h3>", f">Offer {name_of(at)[:9]}…</a></h3>")
    records = read_records(lay_out(html)).records
    assert {record.name.text[-1] for record in records if record.name} == {"…"}


def test_records_over_two_rows_of_a_table_are_whole(lay_out: LayOut) -> None:
    rows = "".join(
        f"<tr><td rowspan=2><img src='{at}.jpg' width=80 height=60></td>"
        f"<td><a href='/p/{at}'><b>{name_of(at)}</b></a></td></tr>"
        f"<tr><td>In stock since {1990 + at} <span>${at + 20}.95</span></td></tr>"
        for at in range(9)
    )
    html = f"<title>Shop</title>{NAV}<h1>For the house</h1><table>{rows}</table>{FOOT}"
    records = read_records(lay_out(html)).records
    assert [record.price and record.price.amount for record in records] == [
        at + 20.95 for at in range(9)
    ]
    assert [record.name and record.name.text for record in records] == [
        name_of(at) for at in range(9)
    ]


@pytest.mark.parametrize("classes", [("top", "low"), ("", "")])
@pytest.mark.parametrize(
    "between", ["<tr><td colspan=2><hr></td></tr>", "<tr class='gap'></tr>", ""]
)
def test_records_over_two_rows_are_whole(
    lay_out: LayOut, between: str, classes: tuple[str, str]
) -> None:
    top, low = (f"<tr class='{name}'>" if name else "<tr>" for name in classes)
    rows = between.join(
        f"{top}<td><a href='/p/{at}'>{name_of(at)}</a></td><td>Batch {at * 7}</td></tr>"
        f"{low}<td>Made by hand in {1990 + at}</td><td><b>${at + 20}.95</b></td></tr>"
        for at in range(9)
    )
    html = f"<title>Shop</title>{NAV}<h1>For the house</h1><table>{rows}</table>{FOOT}"
    records = read_records(lay_out(html)).records
    assert [record.price and record.price.amount for record in records] == [
        at + 20.95 for at in range(9)
    ]
    assert [record.url and record.url[-4:] for record in records] == [f"/p/{at}" for at in range(9)]


def test_rows_that_are_shaded_in_turn_are_records_of_their_own(lay_out: LayOut) -> None:
    rows = "".join(
        f"<tr class='{('odd', 'even')[at % 2]}'><td><a href='/p/{at}'>{name_of(at)}</a></td>"
        f"<td>Made by hand in {1990 + at}</td><td><b>${at + 20}.95</b></td></tr>"
        for at in range(9)
    )
    html = f"<title>Shop</title>{NAV}<h1>For the house</h1><table>{rows}</table>{FOOT}"
    assert len(read_records(lay_out(html)).records) == 9


def test_pictures_of_other_lists_have_their_address(lay_out: LayOut) -> None:
    text = "<p>The harbour is quiet in winter, and the ships lie still until the ice has gone.</p>"
    links = "".join(
        f"<li><img src='/{at}.jpg' width=90 height=60><a href='/{at}'>Winter {at}</a></li>"
        for at in range(6)
    )
    html = f"<title>Winter</title><article><h1>Winter</h1>{text * 12}</article><ul>{links}</ul>"
    reading = read_records(lay_out(html))
    assert reading.kind is Kind.OTHER
    sources = [
        cell.src
        for region in reading.regions
        for record in region.records
        for cell in record.cells
        if cell.src
    ]
    assert sources == [f"/{at}.jpg" for at in range(6)]


def test_links_in_the_lines_of_one_box_have_their_texts(lay_out: LayOut) -> None:
    words = ["Soups", "Cakes", "Bread", "Jam"]
    links = "<br>".join(f"<a href='/{word}'>{word}</a>" for word in words)
    text = "<p>A cake for the end of September, when the plums are ripe and cheap.</p>" * 3
    page = lay_out(f"<title>Cake</title><table><tr><td>{links}<td><h1>Cake</h1>{text}</table>")
    lists = [
        [[cell.text for cell in record.cells] for record in region.records]
        for region in read_records(page).regions
    ]
    assert [[word] for word in words] in lists


def test_a_record_leads_where_its_only_link_leads(lay_out: LayOut) -> None:
    cards = "".join(
        f"<div class='card'><h3>{name_of(at)}</h3><p>Made by hand</p><b>${at + 20}.95</b>"
        f"<a href='/more/{at}'>More</a></div>"
        for at in range(8)
    )
    reading = read_records(lay_out(f"<title>Shop</title>{STYLE}<main>{cards}</main>"))
    assert [record.url and record.url[-7:] for record in reading.records] == [
        f"/more/{at}" for at in range(8)
    ]


DETAIL = (
    f"<!doctype html><title>Quiet harbour lamp | Osterby</title>{STYLE}{NAV}"
    "<main><h1 style='font-size: 30px'>Quiet harbour lamp</h1><img src='lamp.jpg' style='width:"
    " 400px; height: 400px'><p>List price: <s>$99.00</s></p><p style='font-size: 24px'>Our price:"
    " <b>$79.50</b></p><button>Add to cart</button><p>A lamp for windows that look on the sea. It"
    " burns all night, and it does so without a sound, since its clockwork is made of felt.</p>"
    "<p>Shipping: $4.90</p></main>" + FOOT
)


def test_a_page_of_one_product_is_a_detail(lay_out: LayOut) -> None:
    reading = read_records(lay_out(DETAIL))
    assert reading.kind is Kind.DETAIL
    (record,) = reading.records
    assert record.name
    assert record.name.text == "Quiet harbour lamp"
    assert record.price
    assert record.price.amount == 79.5


STATED = (
    '<script type="application/ld+json">{"@type": "Product", "name": "Quiet harbour lamp, brass",'
    ' "offers": {"@type": "Offer", "price": "81.00", "priceCurrency": "EUR"}}</script>'
)


def test_markup_of_the_page_is_read_unless_it_is_ignored(lay_out: LayOut) -> None:
    page = lay_out(DETAIL.replace("<main>", STATED + "<main>"))
    (stated,) = read_records(page).records
    assert stated.price
    assert (stated.price.amount, stated.price.currency) == (81.0, "EUR")
    assert stated.name
    assert stated.name.text == "Quiet harbour lamp, brass"
    (seen,) = read_records(page, metadata="ignore").records
    assert seen.price
    assert seen.price.amount == 79.5


def test_of_several_stated_products_the_title_names_one(lay_out: LayOut) -> None:
    def item(name: str, price: int) -> str:
        return (
            "<div itemscope itemtype='https://schema.org/Product'>"
            "<i itemprop=brand itemscope itemtype='https://schema.org/Brand'>"
            f"<b itemprop=name>Osterby</b></i><b itemprop=name>{name}</b>"
            "<p itemprop=offers itemscope itemtype='https://schema.org/Offer'>"
            f"<b itemprop=price content={price}>{price}</b></p></div>"
        )

    stated = item("Garden chair", 45) + item("Quiet harbour lamp", 82)
    product = stated_product(lay_out(DETAIL.replace("<main>", stated + "<main>")))
    assert product
    assert (product.name, product.amount) == ("Quiet harbour lamp", 82.0)


@pytest.mark.parametrize(
    "data",
    ['{"@type": "Product", "offers": "cheap", "name": ["a", 1], "image": {"url": null}}',
     '{"@type": ["Product", 7], "offers": [{"price": {"a": 1}}], "name": null}',
     '{"@type": "Product", "offers": {"price": ' + "9" * 400 + "}}",
     '{"@type": "Product", "offers": {"price": NaN}}',
     '{"@type": "Product", "offers": {"price": true}}',
     '[[[{"@type": "Product"}]], null, 3, "x"]', '{"@graph": {"@graph": {"@type": 5}}}', "{broken"],
)  # fmt: skip
def test_odd_markup_states_nothing(lay_out: LayOut, data: str) -> None:
    script = f'<script type="application/ld+json">{data}</script>'
    product = stated_product(lay_out(f"<title>Lamp</title>{script}<p>Lamp</p>"))
    assert product is None or (product.name, product.amount) == (None, None)


@pytest.mark.parametrize(("price", "amount"), [("29.990", 29.99), ('"1,299.00"', 1299.0)])
def test_stated_prices_have_a_decimal_point(lay_out: LayOut, price: str, amount: float) -> None:
    data = f'{{"@type": "Product", "name": "A &amp; B", "offers": {{"price": {price}}}}}'
    page = lay_out(f'<script type="application/ld+json">{data}</script><p>Lamp</p>')
    product = stated_product(page)
    assert product
    assert (product.name, product.amount) == ("A & B", amount)


def test_a_text_is_neither(lay_out: LayOut) -> None:
    text = "<p>The harbour is quiet in winter, and the ships lie still until the ice has gone.</p>"
    html = f"<title>Winter</title>{NAV}<article><h1>Winter in the harbour</h1>{text * 12}</article>"
    reading = read_records(lay_out(html + FOOT))
    assert reading.kind is Kind.OTHER
    assert reading.records == ()


def test_a_page_that_shows_nothing_has_no_records(lay_out: LayOut) -> None:
    assert read_records(lay_out("<p></p>")).records == ()


def test_a_reading_is_plain_json(list_read: RecordsReading) -> None:
    fields = json.loads(json.dumps(list_read.to_json()))
    assert fields["kind"] == "list"
    first = fields["records"][0]
    assert {"xpath", "css", "box", "confidence", "name", "image", "price", "description", "url",
            "cells"} <= first.keys()  # fmt: skip
    assert {"text", "amount", "currency", "xpath", "box", "confidence"} <= first["price"].keys()


def test_a_page_that_takes_too_long_says_so(lay_out: LayOut) -> None:
    assert unread(lay_out("<p>x</p>"), "out of time").problem == "out of time"


def test_other_products_under_a_heading_of_their_own_are_another_list(lay_out: LayOut) -> None:
    bought = "".join(card(at) for at in range(30, 34))
    also = f"<section class='clear'><h2>Others also bought</h2><div>{bought}</div></section>"
    read = read_records(lay_out(shop(9).replace(FOOT, also + FOOT)))
    assert [record.name and record.name.text for record in read.records] == [
        name_of(at) for at in range(9)
    ]
    assert [len(region.records) for region in read.regions] == [4]
    assert all(0 < (region.confidence or 0) <= 1 for region in read.regions)


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("said", ["Customers also bought", "Das könnte Ihnen auch gefallen"])
def test_what_others_bought_is_not_the_main_list_even_if_it_is_larger(
    lay_out: LayOut, said: str, first: bool
) -> None:
    cards = [card(at).replace("class='card'", "class='of-list card'") for at in range(5)]
    main = f"<main><h1>Lamps</h1>{''.join(cards)}</main>"
    other = "".join(card(at).replace("class='card'", "class='also card'") for at in range(20, 30))
    beside = f"<section class='clear'><h2>{said}</h2>{other}</section><p class='clear'>"
    parts = (beside, main) if first else (main, beside)
    reading = read_records(lay_out(f"<!doctype html><title>Lamps</title>{STYLE}{''.join(parts)}"))
    names = [record.name.text if record.name else "" for record in reading.records]
    assert names == [name_of(at) for at in range(5)]
    assert 10 in [len(region.records) for region in reading.regions]


def test_an_order_in_which_a_list_is_sorted_is_no_heading(lay_out: LayOut) -> None:
    cards = [card(at).replace("class='card'", "class='of-list card'") for at in range(8)]
    main = f"<main><h1>Lamps</h1><p>Sort by: Recommended</p>{''.join(cards)}</main>"
    other = "".join(card(at).replace("class='card'", "class='also card'") for at in range(20, 24))
    beside = f"<section class='clear'><h2>Bestsellers</h2>{other}</section><p class='clear'>"
    reading = read_records(lay_out(f"<!doctype html><title>Lamps</title>{STYLE}{main}{beside}"))
    assert reading.records[0].name
    assert reading.records[0].name.text == name_of(0)


def test_a_carousel_that_runs_out_of_the_window_is_not_the_main_list(lay_out: LayOut) -> None:
    cards = "".join(card(at).replace("class='card'", "class='of-list card'") for at in range(6))
    row = "".join(f"<div style='flex: none; width: 240px'>{card(at)}</div>" for at in range(20, 32))
    carousel = f"<h2>News</h2><div style='display: flex; overflow-x: auto'>{row}</div>"
    html = f"<!doctype html><title>Lamps</title>{STYLE}{NAV}{carousel}<h1>Lamps</h1><main>{cards}"
    assert len(read_records(lay_out(html)).records) == 6


def test_the_only_result_of_a_search_is_the_record_and_no_menu_is(lay_out: LayOut) -> None:
    found = f"<h1>Results for “lamp”</h1><p>1 result</p>{card(0)}"
    links = "".join(f"<li><a href='?{at}'>{name_of(at)[:9]} (1)</a>" for at in range(4))
    html = f"<!doctype html><title>Osterby</title>{STYLE}{NAV}<ul>{links}</ul>{found}{FOOT}"
    (record,) = read_records(lay_out(html)).records
    assert record.name
    assert record.price
    assert (record.name.text, record.price.amount) == (name_of(0), 20.95)


def test_cards_of_another_class_under_a_heading_are_another_list(lay_out: LayOut) -> None:
    also = "".join(card(at).replace("class='", "class='also ", 1) for at in range(30, 34))
    read = read_records(lay_out(shop(9).replace(FOOT, f"<h2>Others also bought</h2>{also}{FOOT}")))
    assert len(read.records) == 9


def test_sections_of_one_list_are_one_list(lay_out: LayOut) -> None:
    sections = [
        f"<section class='clear'><h2>{kind}</h2><div>{''.join(map(card, ids))}</div></section>"
        for kind, ids in (("Light", range(6)), ("Seats", range(6, 12)))
    ]
    read = read_records(lay_out(f"<title>Shop</title>{STYLE}{NAV}{''.join(sections)}{FOOT}"))
    assert len(read.records) == 12


def test_a_row_of_headers_is_not_a_record(lay_out: LayOut) -> None:
    rows = "".join(
        f"<tr><td><a href='/p/{at}'>{name_of(at)}</a></td><td>{at} kg</td>"
        f"<td>${at + 9}.50</td></tr>"
        for at in range(12)
    )
    head = "<tr><th>Part</th><th>Weight</th><th>Price</th></tr>"
    read = read_records(lay_out(f"<title>Parts</title><h1>Parts</h1><table>{head}{rows}</table>"))
    assert [record.name and record.name.text for record in read.records] == [
        name_of(at) for at in range(12)
    ]


@pytest.mark.parametrize("own", ["post-{at} product", "card {parity}"], ids=["number", "in turn"])
def test_cards_with_classes_of_their_own_are_one_list_below_several_headings(
    lay_out: LayOut, own: str
) -> None:
    def section(number: int) -> str:
        cards = []
        for at in range(5 * number, 5 * number + 5):
            named = own.format(at=at, parity=("odd", "even")[at % 2])
            cards.append(
                card(at).replace("class='card'", f"class='{named}' style='float: left'", 1)
            )
        return f"<h2 class='clear'>Shelf {number}</h2>{''.join(cards)}"

    sections = "".join(section(number) for number in range(6))
    head = f"<!doctype html><title>Shop</title>{STYLE}{NAV}<h1>For the house</h1>"
    assert len(read_records(lay_out(f"{head}<main>{sections}</main>{FOOT}")).records) == 30
