"""Wrappers: selectors made of the marked records of a page, used on it and on others of its brand.

    python benchmarks/wrappers.py [--most 3]

The records are those that people have marked, so that only the selectors are judged.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, islice, permutations

from corpora import corpora_folder
from pagesight.errors import WrapperError, WrapperMisfit
from pagesight.learning.corpora import Corpora
from pagesight.page import Node
from pagesight.readers.records import Cell, Kind, Picture, Price, Record, RecordsReading
from pagesight.readers.records.learning.corpus import ListPage, MarkedRecord, list_pages
from pagesight.readers.records.prices import amount_of
from pagesight.readers.records.wrapper import Wrapper, read_with, wrapper_of
from pagesight.readers.value import Value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=3, help="pages of each brand")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    pages = list_pages(Corpora(corpora_folder(), "chromium"))
    for _, same in groupby(pages, key=lambda page: (page.brand, page.group)):
        counts.update(measured(list(islice(same, options.most))))
    print(f"pages {counts['pages']}, with a wrapper {counts['made']}")
    print(f"by places among siblings {counts['placed']}, of several selectors {counts['several']}")
    print(f"on other pages of the brand: {counts['pairs']} pairs, misfits {counts['misfits']}")
    print(f"  exactly the records {counts['exact'] / counts['pairs']:.3f}")
    print(f"  precision {counts['right'] / counts['found']:.3f}")
    print(f"  recall {counts['right'] / counts['wanted']:.3f}")


def measured(pages: list[ListPage]) -> Iterator[str]:
    """What happens on the pages of a brand, one word for each time."""
    made: dict[str, Wrapper] = {}
    for page in pages:
        yield "pages"
        try:
            made[page.name] = wrapper = wrapper_of(page.page, marked(page))
        except WrapperError:
            continue
        yield "made"
        yield from ["several"] * ("," in wrapper.row_selector)
        yield from ["placed"] * (":nth" in wrapper.row_selector)
    for one, other in permutations(pages, 2):
        if one.name in made:
            yield from _used(made[one.name], other)


def _used(wrapper: Wrapper, page: ListPage) -> Iterator[str]:
    wanted = {record.node for record in page.records}
    found: set[int] = set()
    yield "pairs"
    try:
        places = [record.place for record in read_with(page.page, wrapper).records]
        found = {place.id for place in places if isinstance(place, Node)}
    except WrapperMisfit:
        yield "misfits"
    yield from ["exact"] * (found == wanted)
    yield from ["right"] * len(found & wanted)
    yield from ["found"] * len(found)
    yield from ["wanted"] * len(wanted)


def marked(page: ListPage) -> RecordsReading:
    """What people have marked, as a reader would return it."""
    records = tuple(_record(page, record) for record in page.records)
    return RecordsReading(kind=Kind.LIST, confidence=1.0, records=records)


def _record(page: ListPage, record: MarkedRecord) -> Record:
    nodes = {name: page.page[value.node] for name, value in record.values.items()}
    name, image = nodes.get("name"), nodes.get("image")
    price, description = nodes.get("price"), nodes.get("description")
    cells = [(cell.column, page.page[cell.node]) for cell in record.cells if cell.node is not None]
    return Record(
        name=_value(name) if name else None,
        image=Picture(text="", confidence=1.0, place=image, src=image.target or "")
        if image
        else None,
        price=_price(price) if price else None,
        description=_value(description) if description else None,
        cells=tuple(
            Cell(text=node.text, confidence=1.0, place=node, column=column)
            for column, node in cells
        ),
        place=page.page[record.node],
    )


def _value(node: Node) -> Value:
    return Value(text=node.text, confidence=1.0, place=node)


def _price(node: Node) -> Price:
    amount, currency = amount_of(node.text)
    return Price(text=node.text, confidence=1.0, place=node, amount=amount, currency=currency)


if __name__ == "__main__":
    main()
