"""Records as a reader would return them, taken from small pages by selectors."""

from __future__ import annotations

import numpy as np

from pagesight.page import Node, Page
from pagesight.readers.records.prices import amount_of
from pagesight.readers.records.reading import (
    Cell,
    Kind,
    Picture,
    Price,
    Record,
    RecordsReading,
    Region,
)
from pagesight.readers.value import Value
from pagesight.segment.selectors import elements_of

SHOP = """<!doctype html><html lang=en><title>Teapots</title>
<style>li { margin: 8px 0 } b { display: block }</style>
<nav><ul><li><a href=/new>New</a></li><li><a href=/sale>Sale</a></li></ul></nav>
<h1>Teapots</h1>
<ul class=list>
<li class="card col-4"><a href=/harrow><img src=harrow.png alt=Harrow width=40 height=40></a>
  <b class=title><a href=/harrow>Harrow teapot</a></b><span class=price>€38.00</span>
  <p class=text>Round, with a dripless spout.</p><i>212 reviews</i></li>
<li class="card col-4"><a href=/pine><img src=pine.png alt=Pine width=40 height=40></a>
  <b class=title><a href=/pine>Pine, "deep" green</a></b><del class=was>€52.00</del>
  <span class=price>€1,044.50</span><p class=text>Hand-painted band.</p><i>94 reviews</i></li>
<li class="card col-4"><b class=title><a href=/rill>Rill | glass</a></b>
  <span class=price>price on request</span><i>3 reviews</i></li>
</ul>
<section class=also><h2>Also bought</h2>
<ul><li class=small>Cup €3</li><li class=small>Lid €9</li></ul></section>"""

JOBS = """<!doctype html><title>Jobs</title><table>
<tr><th>Job</th><th>Place</th></tr>
<tr><td>Baker</td><td>Osterby</td></tr>
<tr><td>Smith</td><td>Norrhaven</td></tr>
</table>"""


def nodes(page: Page, css: str, row: Node | None = None) -> list[Node]:
    """What a selector matches, in a row or on the page."""
    within = np.array([row.id]) if row else None
    return [page[node] for node in elements_of(page).select(css, within).tolist()]


def value(page: Page, css: str, row: Node) -> Value | None:
    """The first text that a selector matches."""
    for node in nodes(page, css, row):
        return Value(text=node.text, confidence=0.9, place=node, box=node.box)
    return None


def price(page: Page, css: str, row: Node) -> Price | None:
    for node in nodes(page, css, row):
        amount, currency = amount_of(node.text)
        return Price(text=node.text, confidence=0.8, place=node, box=node.box,
                     amount=amount, currency=currency)  # fmt: skip
    return None


def picture(page: Page, row: Node) -> Picture | None:
    for node in nodes(page, "img", row):
        return Picture(text=node.attributes.get("alt", ""), confidence=0.9, place=node,
                       box=node.box, src=node.target or "")  # fmt: skip
    return None


def record(page: Page, row: Node, cells: str = "*", **selectors: str) -> Record:
    """A record with a name, a picture and prices where selectors lead to some."""
    found = nodes(page, cells, row)
    url = next((link.target for link in nodes(page, "a", row)), None)
    return Record(
        name=value(page, selectors.get("name", ".title"), row),
        image=picture(page, row),
        price=price(page, selectors.get("price", ".price"), row),
        old_price=price(page, "del", row),
        description=value(page, "p", row),
        url=url,
        cells=tuple(Cell(text=node.text, confidence=0.7, place=node, box=node.box, column=column)
                    for column, node in enumerate(found, start=1)),
        confidence=0.95,
        place=row,
        box=row.box,
    )  # fmt: skip


def shop(page: Page) -> RecordsReading:
    """What is on a page like `SHOP`."""
    others = tuple(record(page, row, "small") for row in nodes(page, ".small"))
    around = nodes(page, ".also")
    return RecordsReading(
        kind=Kind.LIST,
        confidence=0.99,
        records=tuple(record(page, row, "i") for row in nodes(page, ".card")),
        regions=(Region(records=others, confidence=0.6, place=around[0], box=around[0].box),),
    )


def jobs(page: Page) -> RecordsReading:
    """What is on a page like `JOBS`."""
    rows = [row for row in nodes(page, "tr") if nodes(page, "td", row)]
    records = tuple(record(page, row, "td") for row in rows)
    return RecordsReading(kind=Kind.LIST, confidence=0.9, records=records)
