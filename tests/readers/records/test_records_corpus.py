"""The corpus of records: from XPaths to nodes, and what the vision tree can express."""

from __future__ import annotations

import builtins
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pagesight.errors import CorpusNotFound
from pagesight.learning.corpora import Corpora
from pagesight.page import Page
from pagesight.readers.records.learning.bound import bound, bound_table
from pagesight.readers.records.learning.corpus import (
    NOT_MARKED,
    PARTLY_MARKED,
    ListPage,
    MarkedCell,
    MarkedValue,
    brand_of,
    detail_pages,
    list_pages,
)
from pagesight.readers.records.learning.places import Content, Places
from pagesight.readers.records.learning.xpaths import Paths
from pagesight.segment.vips import vision_tree

LayOut = Callable[[str], Page]
CARD = """<li class="card"><img width="80" height="80" src="{number}.png">
  <p><a href="/{number}">Tea number {number}</a> <i>new</i></p>
  <p><span class="old">$30</span> <span class="now">$2{number}</span></p></li>"""
LIST = f"""<!doctype html><title>Teas</title>
<style>li {{ margin: 9px }} .old {{ text-decoration: line-through }}</style>
<h1>Teas</h1><ul>{"".join(CARD.format(number=number) for number in range(3))}</ul>
<table><tr><td>Also <b>bought</b></table>"""


def marked(number: int, group: str) -> dict[str, Any]:
    """A line of the corpus says this of a card."""
    card = f"/html/body/ul/li[{number + 1}]"
    if group == "list-other":
        cells = [
            {"column": 0, "text": f"Tea number {number}", "xpath": f"{card}/p[1]/a"},
            {"column": 1, "text": "fragrant", "xpath": None},
        ]
        return {"xpath": card, "cells": cells, "image": f"{card}/img"}
    return {
        "xpath": card,
        "name": {"xpath": f"{card}/p[1]/a", "text": f"Tea number {number}"},
        "price": {"xpath": f"{card}/p[2]/span[2]", "text": f"$2{number}"},
        "price_alt": [{"xpath": f"{card}/p[2]/span[1]", "text": "$30"}],
        "image": {"xpath": f"{card}/img", "src": f"{number}.png"},
        "description": None,
    }


@pytest.fixture
def corpora(tmp_path: Path) -> Corpora:
    """Two lists and a product."""
    folder = tmp_path / "records"
    folder.mkdir()
    (folder / "page.html").write_text(LIST)
    site = {"file": "page.html", "site": "www.tea.co.uk", "split": "train"}
    lines: list[dict[str, Any]] = [
        {**site, "group": group, "records": [marked(number, group) for number in range(3)]}
        for group in ("list-product", "list-other")
    ]
    lines[0]["ignore"] = ["/html/body/table/tr/td"]
    lines[1]["records"].append({"xpath": "/html/body/ol", "cells": [], "image": None})
    (folder / "lists.jsonl").write_text("\n".join(map(json.dumps, lines)))
    detail = {**site, "group": "detail-misc", "truth": {"name": "Teas"}}
    (folder / "details.jsonl").write_text(json.dumps(detail))
    return Corpora(folder=tmp_path, renderer="embedded")


@pytest.fixture
def lists(corpora: Corpora) -> list[ListPage]:
    return list(list_pages(corpora))


def test_records_and_their_values_are_nodes_of_the_page(lists: list[ListPage]) -> None:
    products = lists[0]
    page, record = products.page, products.records[1]
    assert page[record.node].xpath == "/html/body/ul/li[2]"
    shown = {name: page[value.node].text for name, value in record.values.items()}
    assert shown == {"name": "Tea number 1", "price": "$21", "image": ""}
    assert page[record.values["image"].node].tag == "img"
    assert record.values["image"].text == "1.png"
    assert [page[other.node].text for other in record.others["price"]] == ["$30"]
    assert [page[node].text for node in products.ignored] == ["Also bought"]
    assert products.brand == "tea"


def test_cells_have_columns_and_maybe_places(lists: list[ListPage]) -> None:
    others = lists[1]
    name, nowhere = others.records[2].cells
    assert (name.column, name.text) == (0, "Tea number 2")
    assert name.node is not None
    assert others.page[name.node].text == "Tea number 2"
    assert nowhere == MarkedCell(1, "fragrant", None)
    assert set(others.records[2].nodes) == {name.node, others.records[2].values["image"].node}


def test_records_that_are_not_on_the_page_are_lost(lists: list[ListPage]) -> None:
    assert [len(page.records) for page in lists] == [3, 3]
    assert [page.lost for page in lists] == [0, 1]


def test_what_is_beside_records_of_a_list_that_is_partly_marked_counts_neither_way(
    corpora: Corpora, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = corpora.folder_of("records")
    row = json.loads((folder / "lists.jsonl").read_text().split("\n")[1])
    row["records"] = row["records"][:2]
    (folder / "lists.jsonl").write_text(json.dumps(row))
    monkeypatch.setitem(PARTLY_MARKED, "page.html", "a tea is not marked")
    (page,) = list_pages(corpora)
    assert [page.page.text(node) for node in page.ignored] == ["Tea number 2 new\n$30 $22"]


def test_lists_whose_marks_are_wrong_are_left_out(
    corpora: Corpora, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(NOT_MARKED, "page.html", "marks of another page")
    assert list(list_pages(corpora)) == []


def test_single_products_come_with_what_is_known(corpora: Corpora) -> None:
    (page,) = detail_pages(corpora)
    assert page.truth == {"name": "Teas"}
    assert page.brand == "tea"


@pytest.mark.parametrize(
    ("site", "brand"),
    [("www.shop.co.uk", "shop"), ("shop.de", "shop"), ("store.shop.com", "shop")],
)
def test_a_brand_is_the_same_in_all_countries(site: str, brand: str) -> None:
    assert brand_of(site) == brand


@pytest.mark.parametrize(
    ("source", "xpath", "text"),
    [
        ("<table><tr><td>a<td>b</table>", "//td[2]", "b"),  # tbody is added
        ("<table><div>moved</div><tr><td>in a cell</table>", "//td", "in a cell"),
        ("<p>one<p>two<div>three</div></p>", "//div", "three"),  # an empty p is added
        ("<p><b>bold<p>both</b> plain", "//p[2]", "both plain"),  # b is doubled
        ("<svg><clipPath id=c></clipPath></svg><h2>below</h2>", "//h2", "below"),
        ("<iframe srcdoc='<h2>inside</h2>'></iframe><h2>after</h2>", "//h2", "after"),
    ],
)
def test_trees_of_other_parsers_are_aligned(
    source: str, xpath: str, text: str, tmp_path: Path, lay_out: LayOut
) -> None:
    file = tmp_path / "page.html"
    file.write_text(f"<!doctype html><body>{source}")
    page = lay_out(file.read_text())
    node = Paths(page, file).node(xpath)
    assert node is not None
    assert page[node].text == text


def test_without_lxml_there_is_a_hint(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lay_out: LayOut
) -> None:
    page, real = lay_out("<p>tea"), builtins.__import__

    def without(name: str, *rest: Any, **options: Any) -> Any:
        if name == "lxml":
            raise ModuleNotFoundError(name)
        return real(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(CorpusNotFound) as error:
        Paths(page, tmp_path)
    assert error.value.hint == "pip install lxml"


def test_elements_have_places_in_a_tree(lists: list[ListPage]) -> None:
    page, record = lists[0].page, lists[0].records[1]
    tree = vision_tree(page, 10, for_records=True)
    places = Places(Content(page), tree)
    zone = places.zone(record.node)
    assert zone is not None
    assert tree[zone].element.id == record.node
    (leaf,) = places.leaves(record.values["price"].node)
    assert tree[leaf].text == "$21"
    assert places.zone(record.values["price"].node) == leaf
    first, second = page.find("p")[:2]
    assert [tree[each].text.strip() for each in places.leaves(second.id)] == ["$30", "$20"]
    assert places.is_whole(second.id)
    coarse = Places(Content(page), vision_tree(page, 1))
    assert coarse.leaves(first.id) == [0]
    assert not coarse.is_whole(first.id)
    assert coarse.zone(first.id) is None
    assert not places.is_seen(page.find("title")[0].id)


def test_records_are_zones_and_values_leaves_in_the_tree_for_records(
    lists: list[ListPage],
) -> None:
    shares = bound(lists)
    assert shares["record"]["number"] == 3
    assert shares["record"]["10 for records"] == shares["other record"]["10 for records"] == 1
    assert shares["name"]["10 for records"] == shares["price"]["10 for records"] == 1
    assert shares["name"]["8"] == 0  # with the word beside it


def test_values_of_several_leaves_count_when_they_are_joined(lists: list[ListPage]) -> None:
    page, record = lists[0], lists[0].records[0]
    line = page.page.find("p")[0]
    whole = replace(record, values={"name": MarkedValue(line.id, line.text)})
    shares = bound([replace(page, records=(whole,))])
    assert shares["name"]["10"] == 0
    assert shares["name, joined"]["10"] == 1


def test_the_bound_is_a_table(corpora: Corpora) -> None:
    lines = bound_table(corpora).splitlines()
    assert lines[1].split("  ")[-1] == "10 for records"
    assert [line.split()[-1] for line in lines if line.startswith("record")] == ["1.000"]
