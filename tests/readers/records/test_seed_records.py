"""The published model on small pages: labels, features, baselines, and all of it together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from pagesight.page import Page
from pagesight.readers.records.learning.corpus import MarkedRecord, MarkedValue
from pagesight.readers.records.learning.examples import RecordsPage
from pagesight.readers.records.learning.table3 import on_details, on_lists, summed, written
from pagesight.readers.records.reading import Kind
from pagesight.readers.records.seed.depta import Depta
from pagesight.readers.records.seed.details import detail_page, tally_detail
from pagesight.readers.records.seed.elements import ElementType, vision_of
from pagesight.readers.records.seed.features import likeness_of
from pagesight.readers.records.seed.grids import Gridded, depta_records, grid_of, repeated_in
from pagesight.readers.records.seed.labels import LabelSpace, MarkedTree, marked_tree
from pagesight.readers.records.seed.methods import (
    Detector,
    Found,
    Joint,
    Method,
    SeedPage,
    Separate,
    Value,
    thinned,
)
from pagesight.readers.records.seed.scores import ALL, RECORDS, Tally, matched, tally_page

LayOut = Callable[[str], Page]
ATTRIBUTES = ("name", "image", "price")
TEAS = ("Green tea of the hills", "Black tea", "White tea in a tin", "Oolong", "Mint leaves, dried")
STYLE = "<style>li { margin: 30px; border: 1px solid } h3 { font-size: 20px }</style>"
CARD = """<li class="{brand}"><img src="/pictures/{number}001.jpg" width="90" height="90">
  <div><h3><a href="/{number}">{name}</a></h3><p>{price}</p></div><p>Add to cart</p></li>"""


def shop(brand: str, names: Sequence[str] = TEAS) -> str:
    cards = "".join(
        CARD.format(brand=brand, number=number, name=name, price=f"${number + 4}.50")
        for number, name in enumerate(names)
    )
    bar = "".join(f"<p><a href='/{word}'>{word}</a></p>" for word in ("Home", "Shop", "Help"))
    return f"""<!doctype html><title>{brand}</title>{STYLE}<nav>{bar}</nav>
      <h1>All teas of {brand}</h1><ul>{cards}</ul><footer><p>About us</p><p>Imprint</p></footer>"""


def records_of(page: Page) -> list[MarkedRecord]:
    """The cards of a page as somebody would have marked them."""
    return [
        MarkedRecord(
            card.id,
            {
                "name": _value(page, card.xpath + "/div/h3/a"),
                "image": _value(page, card.xpath + "/img"),
                "price": _value(page, card.xpath + "/div/p"),
            },
            {},
        )
        for card in page
        if card.tag == "li"
    ]


def _value(page: Page, xpath: str) -> MarkedValue:
    node = next(node for node in page if node.xpath == xpath)
    return MarkedValue(node.id, node.text)


def marked_page(page: Page, brand: str, ignored: Sequence[int] = ()) -> SeedPage:
    return SeedPage(page, brand, marked_tree(vision_of(page), records_of(page), ignored))


@pytest.fixture(scope="module")
def shops(lay_out: LayOut) -> list[SeedPage]:
    """Three shops."""
    return [marked_page(lay_out(shop(brand)), brand) for brand in ("one", "two", "three")]


def texts(page: SeedPage, leaves: Sequence[int] | frozenset[int]) -> list[str]:
    return [page.vision.texts[page.vision.rank[leaf]] for leaf in sorted(leaves)]


def test_records_are_zones_and_values_are_leaves(shops: list[SeedPage]) -> None:
    marked = shops[0].marked
    assert len(marked.records) == len(TEAS)
    assert texts(shops[0], marked.records[1]) == ["", "Black tea", "$5.50", "Add to cart"]
    assert texts(shops[0], marked.values[1]["price"]) == ["$5.50"]


def test_combinations_of_attributes_have_labels_if_they_are_not_rare(
    shops: list[SeedPage],
) -> None:
    space = LabelSpace.of((page.vision, page.marked) for page in shops)
    assert set(space.leaf) == {*ATTRIBUTES, "note"}
    assert "con name+price" in space.inner
    assert "con image+name" not in space.inner
    assert space.holding(frozenset({"image", "name", "price"}), frozenset()) == ["con name+price"]
    assert space.holding(frozenset(), frozenset()) == ["note block"]


def label_of(page: SeedPage, space: LabelSpace, zone: int) -> list[str]:
    allowed = space.allowed(page.vision, page.marked)[zone]
    return [name for name, may in zip((*space.leaf, *space.inner), allowed, strict=True) if may]


def test_blocks_around_and_beside_records_have_the_labels_of_table_1(
    shops: list[SeedPage],
) -> None:
    page = shops[0]
    space = LabelSpace.of([(page.vision, page.marked)])
    tree = page.vision.tree
    assert label_of(page, space, page.marked.tops[2]) == ["data record"]
    assert label_of(page, space, int(tree.parent[page.marked.tops[2]])) == ["data region"]
    assert label_of(page, space, 0) == ["info block"]
    home, about = (
        int(page.vision.leaves[page.vision.texts.index(text)]) for text in ("Home", "About us")
    )
    assert label_of(page, space, home) == ["note"]
    assert label_of(page, space, int(tree.parent[home])) == ["nav bar"]
    assert label_of(page, space, int(tree.parent[about])) == ["page tail"]


def test_nobody_knows_what_is_in_ignored_parts(lay_out: LayOut) -> None:
    page = lay_out(shop("one"))
    nav = next(node.id for node in page if node.tag == "nav")
    ignoring = marked_page(page, "one", [nav])
    space = LabelSpace.of([(ignoring.vision, ignoring.marked)])
    home = int(ignoring.vision.leaves[ignoring.vision.texts.index("Home")])
    assert label_of(ignoring, space, home) == list(space.leaf)
    assert label_of(ignoring, space, int(ignoring.vision.tree.parent[home])) == list(space.inner)


def test_a_price_of_several_leaves_is_all_of_them(lay_out: LayOut) -> None:
    raised = "<p id=p>$<b>19</b><sup style='font-size: 9px'>97</sup></p>"
    page = lay_out("<p>Tea</p>" * 7 + raised)
    price = next(node for node in page if node.attributes.get("id") == "p")
    record = MarkedRecord(0, {"price": MarkedValue(price.id, "$19.97")}, {})
    vision = vision_of(page)
    (values,) = marked_tree(vision, [record], ()).values
    assert len(values["price"]) == 3
    columns = vision.elements[vision.rank[sorted(values["price"])]]
    alone = vision.elements[vision.texts.index("Tea")]
    assert ((columns == 1).all(axis=0) & (alone == 0)).any()  # they are a price together


def test_elements_have_the_types_of_the_paper(lay_out: LayOut) -> None:
    page = lay_out("""<img src=a.png width=50 height=50><br><img src=a.jpg width=50 height=50><br>
      <img src=x123.gif width=50 height=50><p>text<p><a href=x>link</a><p>$ 5<p><input>""")
    kinds = ElementType
    assert vision_of(page).types == [
        kinds.IMAGE, kinds.JPEG_IMAGE, kinds.CODED_IMAGE, kinds.TEXT, kinds.LINK_TEXT,
        kinds.DOLLAR_TEXT, kinds.NOTE_TEXT,
    ]  # fmt: skip


def test_repeated_elements_are_told_from_aligned_ones(shops: list[SeedPage]) -> None:
    page = shops[0]
    repeated = likeness_of(page.page).repeated
    for flags in (repeated, repeated_in(page, page.marked.records)):
        shown = {
            text: tuple(flags[at]) for at, text in enumerate(page.vision.texts) if text.strip()
        }
        assert shown["Add to cart"] == (1, 0)
        assert shown["Black tea"] == (0, 1)
        assert shown["Home"] == (0, 0)


def test_depta_finds_runs_of_similar_trees(lay_out: LayOut) -> None:
    page = lay_out(shop("one"))
    depta = Depta(page)
    heads = [page[int(depta.units.node[record[0]])].tag for record in depta.records()]
    assert heads == ["li"] * len(TEAS)
    columns = depta.columns(depta.records())
    shown = [[depta.sight.text(unit) for unit in column.values()] for column in columns]
    assert sorted(TEAS) in map(sorted, shown)
    assert ["Add to cart"] * len(TEAS) in shown


def test_depta_finds_records_of_two_elements_and_divides_rows(lay_out: LayOut) -> None:
    pairs = "".join(
        f"<h3><img src={n}.jpg width=40 height=40><b>Tea {n}</b></h3><p>${n} <i>a</i> <u>b</u></p>"
        for n in range(3)
    )
    page = lay_out(f"<div>{pairs}</div>")
    assert [len(record) for record in Depta(page).records()] == [2, 2, 2]
    cell = "<div><img src=1.jpg width=40 height=40><p>Tea</p></div>"
    rows = f"<section>{cell * 3}</section>" * 2
    found = Depta(lay_out(f"<div>{rows}</div>")).records()
    assert len(found) == 6


def test_regions_without_pictures_and_prices_are_noise(lay_out: LayOut) -> None:
    assert not Depta(lay_out("<ul>" + "<li><b>a</b><i>b</i></li>" * 4 + "</ul>")).records()


def test_a_grid_has_rows_and_places_in_them() -> None:
    box = np.array([[50.0, 2, 10, 10], [0, 0, 40, 12], [0, 30, 40, 10]])
    row, column = grid_of(box)
    assert row[0] == row[1] < row[2]
    assert column.tolist() == [1, 0, 0]
    wide = np.array([[10.0 * at, 0, 9, 9] for at in range(6)])
    row, column = grid_of(wide)
    assert len(set(zip(row.tolist(), column.tolist(), strict=True))) == 6
    assert column.max() == 2


def test_a_thinned_page_keeps_some_records_and_all_else(lay_out: LayOut) -> None:
    page = marked_page(lay_out(shop("many", [f"Tea {number}" for number in range(12)])), "many")
    zones = thinned(page)
    kept = np.isin(page.marked.tops, zones)
    assert kept.sum() == 5
    assert kept[0]
    assert kept[-1]
    leaves = frozenset(zones[page.vision.tree.is_leaf[zones]].tolist())
    assert page.vision.leaves[page.vision.texts.index("Imprint")] in leaves


MARKED = MarkedTree(
    records=(frozenset({1, 2, 3}), frozenset({4, 5, 6})),
    tops=(0, 3),
    values=(
        {"name": frozenset({1}), "price": frozenset({2})},
        {"name": frozenset({4}), "price": frozenset({5})},
    ),
    others=({}, {"price": frozenset({6})}),
    ignored=frozenset({9}),
)


def test_a_record_holds_all_of_one_and_nothing_of_another() -> None:
    one, half, both = frozenset({1, 2}), frozenset({4}), frozenset({1, 2, 4, 5})
    assert matched([one, half, both, one], MARKED) == [0, None, None, None]


def test_what_counts_neither_way_is_not_counted() -> None:
    values = {1: Value("name", 1.0), 2: Value("price", 1.0), 4: Value("name", 1.0),
              6: Value("price", 1.0), 9: Value("name", 1.0), 3: Value("name", 1.0)}  # fmt: skip
    tally = Tally()
    tally_page(tally, Found([*MARKED.records, frozenset({9})], values), MARKED, ("name", "price"))
    assert tally.counts[RECORDS] == {"right": 2, "read": 2, "marked": 2}
    assert tally.counts["name"] == {"right": 2, "read": 3, "marked": 2}
    assert tally.counts["price"] == {"right": 1, "read": 1, "marked": 2}
    assert tally.counts[ALL]["right"] == 1  # of the first record, 3 is not a name
    assert tally.f1("name") == pytest.approx(0.8)
    assert tally.mean_f1(("name", "price")) == pytest.approx((0.8 + 2 / 3) / 2)


def methods() -> dict[str, Method]:
    return {
        "HCRF": Joint(steps=8),
        "HCRF_S": Separate(Detector(steps=8), steps=8),
        "2D": Gridded(depta_records, shared=True, steps=8),
    }


def test_all_methods_learn_what_shops_have_in_common(shops: list[SeedPage]) -> None:
    tallies = on_lists(shops, 3, methods)
    for name in ("HCRF", "2D"):
        assert tallies[name].f1(RECORDS) == 1
        assert tallies[name].mean_f1(ATTRIBUTES) > 0.8
    assert tallies["HCRF_S"].counts[RECORDS]["marked"] == 15
    text = written(tallies, "Teas", (RECORDS, *ATTRIBUTES))
    assert text.startswith("Teas\n")
    assert "BLK_IA" in text
    assert summed([tally.counts for tally in tallies.values()])[RECORDS]["marked"] == 45


DETAIL = """<!doctype html><title>{name}</title><p><a href=/>Home</a></p><div><h1>{name}</h1>
  <img src=1.jpg width=200 height=200><p>{price}</p><p>Add to cart</p></div>
  <p>Others bought</p><div><p>{other}</p><p>$99</p></div>"""


def detail(lay_out: LayOut, brand: str, name: str, price: str) -> RecordsPage:
    page = lay_out(DETAIL.format(name=name, price=price, other="Milk"))
    truth = {"name": [name], "price": [price]}
    return RecordsPage(name, brand, "detail", "train", Kind.DETAIL, page, truth=truth)


def test_names_and_prices_of_products_are_placed(lay_out: LayOut) -> None:
    page = detail_page(detail(lay_out, "tea", "Green tea", "$5"))
    assert page
    (values,) = page.marked.values
    assert texts(page, values["name"]) == ["Green tea"]
    assert texts(page, values["price"]) == ["$5"]
    assert "Home" not in texts(page, page.marked.records[0])
    assert detail_page(detail(lay_out, "tea", "Green tea", "priceless")) is None


def test_of_several_values_of_a_product_the_most_certain_counts() -> None:
    marked = MarkedTree(
        records=(frozenset({1, 2}),),
        tops=(0,),
        values=({"name": frozenset({1}), "price": frozenset({2})},),
        others=({"name": frozenset({1, 7}), "price": frozenset({2})},),
        ignored=frozenset(),
    )
    tally = Tally()
    values = {3: Value("name", 0.4), 7: Value("name", 0.8), 5: Value("price", 0.9)}
    tally_detail(tally, Found([], values), marked)
    assert tally.counts["name"] == {"right": 1, "read": 1, "marked": 1}
    assert tally.counts["price"] == {"right": 0, "read": 1, "marked": 1}
    assert tally.counts[ALL]["right"] == 0


def test_products_are_read_with_and_without_a_tree(lay_out: LayOut) -> None:
    pages = [
        page
        for brand, name in (("a", "Green tea"), ("b", "Old cheese"), ("c", "Fresh bread"))
        if (page := detail_page(detail(lay_out, brand, name, "$5")))
    ]
    tallies = on_details([], pages[:2], pages[2:])
    for tally in tallies.values():
        assert tally.counts["name"] == {"right": 1, "read": 1, "marked": 1}
