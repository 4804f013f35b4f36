"""Wrappers: CSS selectors for the records of a page and for their attributes.

What was read on one page becomes a selector for rows and one for each column, relative to a row.
They are made of tags and classes, checked on the page itself, and can be used on other pages of the
site: here, in Scrapy, or in parsel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from pagesight.errors import WrapperError, WrapperMisfit
from pagesight.page import Node, NodeKind, Page
from pagesight.page.head import join
from pagesight.readers.records.candidates import first_address
from pagesight.readers.records.pieces import amount_on
from pagesight.readers.records.prices import spans
from pagesight.readers.records.reading import (
    Cell,
    Kind,
    Picture,
    Price,
    Record,
    RecordsReading,
)
from pagesight.readers.records.selector_candidates import (
    column_candidates,
    row_candidates,
    way_to,
)
from pagesight.readers.records.values import CALLED, begun
from pagesight.readers.value import Addressed, ToJson, Value
from pagesight.segment.selectors import Elements, Ints, SelectorError, elements_of

VERSION = 1
NAMED = ("name", "price", "old_price", "image", "url", "description")
"""The columns that have names, in the order in which they are written."""

CELL = "column_"  # and a number: the columns that have none
ALL, OWN = "all", "own"
POINTERS = ("src", "data-src", "data-original", "srcset", "data-srcset", "poster", "href", "data")
ENOUGH = 0.5  # of what was filled on the first page has to be filled on another one


@dataclass(frozen=True, kw_only=True)
class Column(ToJson):
    """How to get one value of a record."""

    css: str
    """A selector relative to the row; the first match counts."""

    attribute: str | None = None
    """The attribute that has the value; None if that is the text."""

    text: str | None = ALL
    """``own``: without the text of elements inside. None for attributes."""

    coverage: float = 1.0
    """The share of rows in which it finds something."""

    agreement: float = 1.0
    """The share of the values of the reading that it finds."""

    @classmethod
    def of(cls, fields: Any) -> Column:
        """A column of a file; raises `TypeError` if it is none."""
        shares = {name: float(fields.get(name, 1.0)) for name in ("coverage", "agreement")}
        return cls(**{**fields, **shares, "css": _string(fields, "css")})


def _string(fields: Any, name: str = "row_selector") -> str:
    if not isinstance(fields[name], str):
        raise TypeError(f"{name} is a selector")
    return str(fields[name])


@dataclass(frozen=True, kw_only=True)
class Wrapper(ToJson):
    """How to get the records of a page, and of others that are built alike."""

    version: int = VERSION
    source: str | None = None
    kind: Kind = Kind.LIST
    row_selector: str
    rows: int
    """How many records there were, which are exactly what the selector matches there."""

    columns: dict[str, Column] = field(default_factory=dict)

    @classmethod
    def from_json(cls, fields: Any) -> Wrapper:
        """The wrapper that `to_json` wrote; raises `WrapperError` if it is none."""
        try:
            if fields["version"] != VERSION:
                raise WrapperError(f"this wrapper is of version {fields['version']}, not {VERSION}")
            columns = {str(name): Column.of(column) for name, column in fields["columns"].items()}
            kind = Kind(fields.get("kind", Kind.LIST))
            known = {name: fields.get(name) for name in ("source", "rows")}
            return cls(**known, row_selector=_string(fields), kind=kind, columns=columns)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise WrapperError("this is not a wrapper", hint="make one with --wrapper") from error


@dataclass(frozen=True, kw_only=True)
class Fit(ToJson):
    """How much a wrapper finds on a page."""

    rows: int
    filled: dict[str, float]
    """By column: the share of rows in which there is something."""

    share: float
    """How much is filled, of what was filled on the page that the wrapper was made of."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class WrappedReading(RecordsReading):
    """What a wrapper found."""

    fit: Fit


class Target(NamedTuple):
    """What a column should lead to in a row: an element, and what is taken from it."""

    element: int
    value: str
    attribute: str | None = None
    priced: bool = False
    """Whether the value is the first price in the text, and not the whole text."""

    def is_in(self, text: str) -> bool:
        """Whether this is what was meant, where a column has led to a text."""
        return _line(price_in(text) if self.priced else text) == _line(self.value)


# From a reading to a wrapper


def wrapper_of(page: Page, reading: RecordsReading, source: str | None = None) -> Wrapper:
    """The wrapper of what was read on a page; raises `WrapperError` if there can be none."""
    elements = elements_of(page)
    rows = _rows(page, reading.records)
    order = np.argsort(rows)
    records = [reading.records[at] for at in order.tolist()]
    rows = rows[order]
    maker = _Maker(page, elements, rows)
    columns = {name: maker.column(targets) for name, targets in maker.targets(records)}
    return Wrapper(
        source=page.url or source,
        kind=reading.kind,
        row_selector=rows_selector(elements, rows),
        rows=len(rows),
        columns={name: column for name, column in columns.items() if column},
    )


def _rows(page: Page, records: Sequence[Record]) -> Ints:
    """The element of each record."""
    if not records:
        raise WrapperError("there are no records to make selectors of")
    found = [_element(record.place) for record in records]
    rows = np.array([row for row in found if row is not None], dtype=np.int64)
    ends = page.end[np.sort(rows)]
    if len(rows) < len(records) or (np.sort(rows)[1:] < ends[:-1]).any():
        raise WrapperError("the records are not elements of their own, so no selector tells them")
    return rows


def _element(place: Addressed | None) -> int | None:
    """The element of a place: of a text, the one around it; of a document, all of it."""
    if not isinstance(place, Node):
        return None
    inside = (child for child in place.children if child.kind is NodeKind.ELEMENT)
    node = next(inside, None) if place.kind is NodeKind.DOCUMENT else place
    while node is not None and node.kind is not NodeKind.ELEMENT:
        node = node.parent
    return node.id if node else None


def rows_selector(elements: Elements, rows: Ints) -> str:
    """The shortest selector that matches exactly these elements."""
    if whole := _best_row(elements, rows, rows):
        return whole
    looks: dict[object, list[int]] = {}
    for row in rows.tolist():
        looks.setdefault((elements.page.name(row), elements.classes[row]), []).append(row)
    parts: list[str] = []
    for alike in looks.values():
        part = _best_row(elements, np.array(alike), rows)
        parts += [part] if part else [way_to(elements, row) for row in alike]
    return ", ".join(dict.fromkeys(parts))


def _best_row(elements: Elements, wanted: Ints, allowed: Ints) -> str | None:
    """The best selector that matches all that is wanted, and nothing that is not allowed."""
    for selector in row_candidates(elements, wanted, allowed):
        matched = elements.select(selector)
        if np.isin(wanted, matched).all() and np.isin(matched, allowed).all():
            return selector
    return None


@dataclass(frozen=True, eq=False)
class _Maker:
    """Makes the columns of some rows."""

    page: Page
    elements: Elements
    rows: Ints
    values: dict[tuple[int, str | None, str | None], str] = field(default_factory=dict)
    """What was taken from elements before; most selectors lead to the same ones."""

    @cached_property
    def links(self) -> Ints:
        """The links of all rows."""
        return self.elements.select("a[href]", self.rows)

    def targets(self, records: Sequence[Record]) -> Iterator[tuple[str, list[Target | None]]]:
        """By column: what it should lead to in each row."""
        known: set[int] = set()
        for name in NAMED:
            found = [self._target(name, record, row) for record, row in self._pairs(records)]
            known |= {target.element for target in found if target}
            yield name, found
        numbers = sorted({cell.column for record in records for cell in record.cells})
        for number in numbers:
            cells = [_cell_of(record, number) for record in records]
            found = [self._of_cell(cell) for cell in cells]
            elsewhere = sum(target is not None and target.element not in known for target in found)
            if elsewhere > sum(target is not None for target in found) / 2:
                yield f"{CELL}{number}", found

    def _pairs(self, records: Sequence[Record]) -> Iterator[tuple[Record, int]]:
        return zip(records, self.rows.tolist(), strict=True)

    def _target(self, name: str, record: Record, row: int) -> Target | None:
        if name == "url":
            return self._link(record.url, row)
        value: Value | None = getattr(record, name)
        element = _element(value.place) if value else None
        if value is None or element is None:
            return None
        if isinstance(value, Picture):
            return self._picture(element, value.src)
        shown = Target(element, value.text, priced=isinstance(value, Price))
        is_cut = begun(self.page.text(element)) is not None and begun(value.text) is None
        return (is_cut and self._called(row, value.text)) or shown

    def _called(self, row: int, text: str) -> Target | None:
        """What in a row is called so: a name that the row itself shows without its end."""
        for node in range(row, int(self.page.end[row])):
            for name, value in self.page.attributes(node).items():
                if name in CALLED and _line(value) == text:
                    return Target(node, text, name)
        return None

    def _of_cell(self, cell: Cell | None) -> Target | None:
        element = _element(cell.place) if cell else None
        if cell is None or element is None:
            return None
        if self.page.name(element) == "img":
            return self._picture(element, self.page.target(element) or "")
        return Target(element, cell.text) if cell.text.strip() else None

    def _picture(self, element: int, address: str) -> Target | None:
        """Which attribute in an element leads to a picture, or of the sources beside it."""
        above = self.page.parents[element]
        if above >= 0 and self.page.name(above) == "picture":
            element = above
        for node in range(element, int(self.page.end[element])):
            for name, value in self.page.attributes(node).items():
                if name in POINTERS and _absolute(self.page, name, value) == address:
                    return Target(node, address, name)
        return None

    def _link(self, address: str | None, row: int) -> Target | None:
        """The first link of a row that leads to an address."""
        links = self.links[slice(*np.searchsorted(self.links, [row, self.page.end[row]]))].tolist()
        found = (link for link in links if address and self.page.target(link) == address)
        return next((Target(link, address or "", "href") for link in found), None)

    def column(self, targets: list[Target | None]) -> Column | None:
        """The selector that agrees with most rows, and among these the best."""
        there = [target for target in targets if target]
        if not there:
            return None
        attribute = Counter(target.attribute for target in there).most_common(1)[0][0]
        pairs = [(row, target.element if target else None)
                 for row, target in zip(self.rows.tolist(), targets, strict=True)]  # fmt: skip
        best, most = None, -1
        for css in column_candidates(self.elements, pairs):
            column = Column(css=css, attribute=attribute, text=None if attribute else ALL)
            right = self._right(column, targets)
            if right > most:
                best, most = column, right
            if right == len(targets):
                break
        return self._measured(best, targets) if best else None

    def _right(self, column: Column, targets: list[Target | None]) -> int:
        """In how many rows a column leads where it should, or nowhere where there is nothing."""
        found = matches_by_row(self.elements, column.css, self.rows)
        return sum(
            node == (target.element if target else None)
            or bool(target and node and target.is_in(self._value(column, node)))
            for node, target in zip(found, targets, strict=True)
        )

    def _measured(self, column: Column, targets: list[Target | None]) -> Column:
        """A column with how far it can be relied on."""
        found = matches_by_row(self.elements, column.css, self.rows)
        versions = [column] if column.attribute else [column, replace(column, text=OWN)]
        agreed = [self._agreeing(version, found, targets) for version in versions]
        best = agreed.index(max(agreed))
        return replace(
            versions[best],
            coverage=sum(node is not None for node in found) / len(found),
            agreement=agreed[best] / sum(target is not None for target in targets),
        )

    def _agreeing(
        self, column: Column, found: list[int | None], targets: list[Target | None]
    ) -> int:
        return sum(
            target.is_in(self._value(column, node))
            for node, target in zip(found, targets, strict=True)
            if target and node is not None
        )

    def _value(self, column: Column, node: int) -> str:
        key = (node, column.attribute, column.text)
        if key not in self.values:
            self.values[key] = value_of(self.page, column, node) or ""
        return self.values[key]


def _cell_of(record: Record, number: int) -> Cell | None:
    return next((cell for cell in record.cells if cell.column == number), None)


def price_in(text: str) -> str:
    """The first price in a text; the text if there is none."""
    found = spans(text)
    return text[slice(*found[0])] if found else text


def _line(text: str) -> str:
    return " ".join(text.split())


def _absolute(page: Page, attribute: str, value: str) -> str | None:
    """The address that an attribute names; the first one of a srcset."""
    address = first_address(attribute, value)
    return join(page.head.base, address) if address else None


# From a wrapper to a reading


def matches_by_row(elements: Elements, css: str, rows: Ints) -> list[int | None]:
    """The first element that a selector matches in each row."""
    matched = elements.select(css, rows)
    at = np.searchsorted(rows, matched, side="right") - 1
    found: list[int | None] = [None] * len(rows)
    for row, node in zip(at[::-1].tolist(), matched[::-1].tolist(), strict=True):
        found[row] = node
    return found


def value_of(page: Page, column: Column, node: int) -> str | None:
    """What a column takes from an element; None if there is nothing."""
    if column.attribute:
        value = page.attribute(node, column.attribute)
        if value is None or column.attribute in CALLED:
            return _line(value or "") or None
        return _absolute(page, column.attribute, value) or value
    if column.text == OWN:
        texts = [child for child in page[node].children if child.kind is NodeKind.TEXT]
        return " ".join(_line(child.own_text) for child in texts if child.visible).strip() or None
    return page.text(node) or None


def read_with(page: Page, wrapper: Wrapper) -> WrappedReading:
    """The records that a wrapper finds; raises `WrapperMisfit` if it finds hardly anything."""
    elements = elements_of(page)
    try:
        rows = elements.select(wrapper.row_selector)
        found = {name: matches_by_row(elements, column.css, rows)
                 for name, column in wrapper.columns.items()}  # fmt: skip
    except SelectorError as error:
        raise WrapperError(str(error), hint="see docs/records.md for what is known") from error
    values = [
        {name: _found(page, wrapper.columns[name], nodes[at]) for name, nodes in found.items()}
        for at in range(len(rows))
    ]
    fit = _fit(wrapper, values)
    if fit.share < ENOUGH:
        raise WrapperMisfit(_misfit(fit), hint="make a wrapper of this page with --wrapper")
    records = tuple(
        _record(page, row, fields) for row, fields in zip(rows.tolist(), values, strict=True)
    )
    return WrappedReading(kind=wrapper.kind, confidence=fit.share, records=records, fit=fit)


def _found(page: Page, column: Column, node: int | None) -> Value | None:
    text = None if node is None else value_of(page, column, node)
    if node is None or text is None:
        return None
    return Value(text=text, confidence=None, place=page[node], box=page[node].box)


def _fit(wrapper: Wrapper, values: list[dict[str, Value | None]]) -> Fit:
    filled = {
        name: sum(fields[name] is not None for fields in values) / len(values) if values else 0.0
        for name in wrapper.columns
    }
    usual = {name: column.coverage for name, column in wrapper.columns.items()}
    kept = sum(min(filled[name], usual[name]) for name in filled)
    share = kept / sum(usual.values()) if any(usual.values()) else float(bool(values))
    return Fit(rows=len(values), filled=filled, share=share)


def _misfit(fit: Fit) -> str:
    if not fit.rows:
        return "the wrapper does not fit: it finds no rows"
    share = f"{fit.share:.0%} of what its columns should find"
    return f"the wrapper does not fit: in {fit.rows} rows there is {share}"


def _record(page: Page, row: int, fields: dict[str, Value | None]) -> Record:
    named: dict[str, Any] = {
        name: make(page, value) for name, make in _MAKERS.items() if (value := fields.get(name))
    }
    return Record(**named, cells=tuple(_cells(fields)), place=page[row], box=page[row].box)


def _price(page: Page, value: Value) -> Price:
    text, place, box = price_in(value.text).strip(), value.place, value.box
    amount, currency = amount_on(page, text)
    return Price(text=text, confidence=None, place=place, box=box, amount=amount, currency=currency)


def _image(page: Page, value: Value) -> Picture:
    called = page.attribute(value.place.id, "alt") if isinstance(value.place, Node) else None
    place, box = value.place, value.box
    return Picture(text=called or "", confidence=None, place=place, box=box, src=value.text)


def _cells(fields: dict[str, Value | None]) -> Iterator[Cell]:
    for name, value in fields.items():
        number = name.removeprefix(CELL)
        if value and number != name and number.isdecimal():
            text, place, box = value.text, value.place, value.box
            yield Cell(text=text, confidence=None, place=place, box=box, column=int(number))


_MAKERS: dict[str, Callable[[Page, Value], object]] = {
    "name": lambda _, value: value,
    "description": lambda _, value: value,
    "price": _price,
    "old_price": _price,
    "image": _image,
    "url": lambda _, value: value.text,
}
