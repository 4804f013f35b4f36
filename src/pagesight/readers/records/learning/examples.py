"""Pages to learn records from: what is seen of them, and what is right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import Corpora, rows
from pagesight.page import Page
from pagesight.readers.records.attributes import attribute_features, beside
from pagesight.readers.records.candidates import Candidate, candidates
from pagesight.readers.records.details import detail_candidates
from pagesight.readers.records.groups import SIBLINGS, Group, groups_of
from pagesight.readers.records.learning.corpus import (
    PRODUCTS,
    ListPage,
    MarkedRecord,
    MarkedValue,
    brand_of,
    detail_pages,
    list_pages,
)
from pagesight.readers.records.members import member_features
from pagesight.readers.records.prices import amount_of, spans
from pagesight.readers.records.reading import Kind
from pagesight.readers.records.sight import Sight, sight_of
from pagesight.readers.title.address import registered_domain
from pagesight.segment.text import folded

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
LISTED, OTHER = "list-misc", "other"
TITLES = "titles"
NEITHER = ("article", "service", "forum", "documentation", "human")
EVERY = 3  # of the pages of the corpus `titles`, one is learned from
RIGHT, WRONG, NEITHER_WAY = 1, 0, -1


@dataclass(frozen=True, eq=False)
class RecordsPage:
    """A page whose kind is known, and of some the records or the product."""

    name: str
    brand: str
    group: str
    split: str
    kind: Kind
    page: Page
    records: tuple[MarkedRecord, ...] = ()
    ignored: tuple[int, ...] = ()
    truth: Mapping[str, Any] | None = None

    @cached_property
    def sight(self) -> Sight:
        return sight_of(self.page)

    @cached_property
    def groups(self) -> list[Group]:
        return groups_of(self.sight)

    @cached_property
    def members(self) -> list[dict[str, Floats]]:
        """The features of the members of each group."""
        return [member_features(self.sight, group) for group in self.groups]

    @cached_property
    def spans(self) -> tuple[Ints, Ints]:
        """For each record the first piece of what is known of it, and the piece after the last."""
        units = self.sight.units
        ends = []
        for record in self.seen:
            unit = int(units.of_node[record.node])
            known = [int(units.of_node[node]) for node in record.nodes]
            inside = [at for at in known if unit <= at < units.end[unit]] or [unit]
            ends.append((units.first[inside].min(), units.last[inside].max()))
        table = np.array(ends, dtype=np.int64).reshape(-1, 2)
        return table[:, 0], table[:, 1]

    @cached_property
    def seen(self) -> list[MarkedRecord]:
        """The records that are seen, in document order."""
        of_node = self.sight.units.of_node
        shown = [record for record in self.records if of_node[record.node] >= 0]
        return sorted(shown, key=lambda record: record.node)

    def matched(self, group: Group) -> Ints:
        """For each member of a group the record that it is, or -1.

        It is the record of which it holds all that is known, if it holds nothing of another.
        """
        first, last = self.spans
        match = np.full(len(group), -1)
        for at, (start, stop) in enumerate(zip(group.first, group.last, strict=True)):
            touched = np.flatnonzero((first < stop) & (last > start))
            if len(touched) == 1 and first[touched[0]] >= start and last[touched[0]] <= stop:
                match[at] = touched[0] if touched[0] not in match[:at] else -1
        return match

    def is_ignored(self, group: Group) -> NDArray[np.bool_]:
        """Which members count neither way."""
        nodes = self.sight.units.node[group.heads]
        inside = [(nodes >= node) & (nodes < self.page.end[node]) for node in self.ignored]
        return np.any(inside, axis=0) if inside else np.zeros(len(group), dtype=np.bool_)

    def score(self, group: Group) -> float:
        """F1 of the members of a group as records."""
        right = int((self.matched(group) >= 0).sum())
        counted = len(group) - int(self.is_ignored(group).sum())
        return 2 * right / max(1, counted + len(self.seen))

    @cached_property
    def scores(self) -> list[float]:
        return [self.score(group) for group in self.groups]

    @cached_property
    def marked(self) -> Group:
        """The records as a group."""
        units = self.sight.units
        heads = units.of_node[[record.node for record in self.seen]]
        return Group(0, SIBLINGS, heads, units.first[heads], units.last[heads])

    @cached_property
    def candidates(self) -> tuple[list[Candidate], dict[str, Floats]]:
        """What may be attributes of the marked records, and its features; their names are known."""
        values = candidates(self.sight, self.marked)
        features = attribute_features(self.sight, self.marked, values)
        names = {
            value.record: at
            for at, value in reversed(list(enumerate(values)))
            if self.judge("name", value, self.seen[value.record]) == RIGHT
        }
        return values, features | beside(self.sight, values, features, names)

    @cached_property
    def detail(self) -> tuple[list[Candidate], dict[str, Floats]]:
        """What may be attributes of the product that the page is about, and its features."""
        return detail_candidates(self.sight)

    def judge(self, attribute: str, value: Candidate, record: MarkedRecord) -> int:
        """Whether a candidate is an attribute of a record."""
        marked = record.values.get(attribute)
        if marked and self._is(attribute, value, marked):
            return RIGHT
        others = record.others.get(attribute, ())
        return NEITHER_WAY if any(self._is(attribute, value, other) for other in others) else WRONG

    def _is(self, attribute: str, value: Candidate, marked: MarkedValue) -> bool:
        units = self.sight.units
        unit = int(units.of_node[marked.node])
        if unit < 0 or value.picture != (attribute == "image"):
            return False
        nested = unit <= value.unit < units.end[unit] or value.unit <= unit < units.end[value.unit]
        if attribute == "image":
            return unit == value.unit
        if attribute == "price" and nested and len(spans(value.text)) == 1:
            amount = amount_of(value.text).amount
            return amount is not None and amount == amount_of(marked.text).amount
        return nested and folded(value.text) == folded(marked.text)

    def judge_detail(self, attribute: str, value: Candidate) -> bool:
        """Whether a candidate is what somebody said about the product of the page."""
        if attribute == "price":
            return amount_of(value.text).amount in self.stated_amounts
        said = self._said(attribute)
        if attribute == "image":
            return bool(value.text) and _file(value.text) in {_file(source) for source in said}
        text = folded(value.text)
        return any(is_alike(text, folded(other)) for other in said)

    @cached_property
    def stated_amounts(self) -> set[float | None]:
        """The price of the product, as far as it is known."""
        truth = self.truth or {}
        said = list(truth.get("price", ())) or self._said("price")
        amounts = {amount_of(str(price)).amount for price in said}
        return amounts - {None}

    @property
    def stated_names(self) -> list[str]:
        """The name of the product, as far as it is known."""
        return list((self.truth or {}).get("name", ())) or self._said("name")

    def _said(self, attribute: str) -> list[str]:
        """What the markup says, which is hidden from the features."""
        things = (self.truth or {}).get("schema_org", ())
        return [str(thing[attribute]) for thing in things[:1] if thing.get(attribute)]


def _file(address: str) -> str:
    return address.rstrip("/").rsplit("/", 1)[-1].split("?")[0]


def is_alike(text: str, other: str) -> bool:
    """Whether a text is most of another one, or begins like it."""
    shorter, longer = sorted((text, other), key=len)
    return bool(shorter) and longer.startswith(shorter) and 2 * len(shorter) >= len(longer)


def examples(corpora: Corpora) -> Iterator[RecordsPage]:
    """All pages: lists, details, and pages that are neither."""
    yield from map(of_list, list_pages(corpora))
    for page in detail_pages(corpora):
        kind = Kind.LIST if page.group == LISTED else Kind.DETAIL
        yield RecordsPage(
            page.name, page.brand, page.group, page.split, kind, page.page, truth=page.truth
        )
    yield from _neither(corpora)


def of_list(page: ListPage) -> RecordsPage:
    """A list of the corpus."""
    return RecordsPage(
        page.name, page.brand, page.group, page.split, Kind.LIST, page.page, page.records,
        page.ignored,
    )  # fmt: skip


def _neither(corpora: Corpora) -> Iterator[RecordsPage]:
    """Pages of the corpus `titles` that are neither lists nor products."""
    folder = corpora.folder_of(TITLES)
    listed = [row for row in rows(folder) if row["kind"] in NEITHER][::EVERY]
    for row, page in corpora.pages(folder, listed):
        brand = brand_of(registered_domain(row["url"].split("/")[2])) if row.get("url") else ""
        yield RecordsPage(row["file"], brand, OTHER, "train", Kind.OTHER, page)


def products(pages: Sequence[RecordsPage]) -> list[RecordsPage]:
    """The lists whose attributes are known."""
    return [page for page in pages if page.group == PRODUCTS and page.seen]
