"""Pages to learn records from: what is seen of them, and what is right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import Corpora, rows
from pagesight.page import NodeKind, Page
from pagesight.readers.records.attributes import attribute_features, beside
from pagesight.readers.records.candidates import Candidate, candidates
from pagesight.readers.records.cards import card_features
from pagesight.readers.records.details import detail_candidates
from pagesight.readers.records.groups import SIBLINGS, Group, groups_of
from pagesight.readers.records.learning.corpus import (
    MISPLACED,
    NOT_TITLED,
    PRODUCTS,
    ListPage,
    MarkedRecord,
    MarkedValue,
    brand_of,
    detail_pages,
    list_pages,
    mended_truth,
)
from pagesight.readers.records.learning.written import (
    BRAND,
    written_lists,
    written_pages,
    written_products,
    written_tables,
    written_texts,
)
from pagesight.readers.records.members import member_features
from pagesight.readers.records.name_clues import name_candidates
from pagesight.readers.records.pieces import pieces_of
from pagesight.readers.records.price_clues import LONGEST_NAME, words_of
from pagesight.readers.records.prices import amount_of, spans
from pagesight.readers.records.reading import Kind
from pagesight.readers.records.sight import Sight, sight_of
from pagesight.readers.records.stated import stated_product
from pagesight.readers.title.address import registered_domain
from pagesight.segment.content import content_of
from pagesight.segment.text import folded

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
LISTED, OTHER, WRITTEN = "list-misc", "other", "written"
TITLES = "titles"
OF_TITLES = (
    (Kind.DETAIL, ("product",), "titles-product"),
    (Kind.OTHER, ("article", "service", "forum", "documentation", "human"), OTHER),
)
"""What the kinds of pages of the corpus `titles` are.

Those that it calls listings and collections are left out: many are portals, and nobody can tell
whether a portal shows one list or none.
"""

LEAST_NAMED = 0.5  # the share of the title's words that is seen; other pages wait for scripts
RIGHT, WRONG, NEITHER_WAY = 1, 0, -1
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}\.\d{3}(?![\d.,])")


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
            if record.last is not None:
                inside.append(int(units.of_node[record.last]))
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
        features |= card_features(self.sight, values, features, len(self.marked))
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

    @cached_property
    def names(self) -> tuple[list[Candidate], dict[str, Floats]]:
        """What may be the name of the product that the page is about, and its features."""
        return name_candidates(self.sight)

    def judge_detail(self, attribute: str, value: Candidate) -> bool:
        """Whether a candidate is what somebody said about the product of the page."""
        if attribute == "price":
            return not self.stated_amounts.isdisjoint(_readings(value.text))
        if attribute == "name":
            return self.is_named(value.text)
        said = self._said(attribute)
        if attribute == "image":
            return bool(value.text) and _file(value.text) in {_file(source) for source in said}
        text = folded(value.text)
        return any(is_alike(text, folded(other)) for other in said)

    @cached_property
    def stated_amounts(self) -> set[float | None]:
        """The price of the product, as far as it is known: to people, or else to the markup."""
        return self.told_amounts or _amounts(self._said("price"))

    @cached_property
    def told_amounts(self) -> set[float | None]:
        """The price of the product that people have told."""
        return _amounts((self.truth or {}).get("price", ()))

    def is_told(self, amount: float | None) -> bool:
        """Whether people have told this price; labels have 229.99 where it is 229990."""
        return amount in self.told_amounts or (amount or 0.0) / 1000 in self.told_amounts

    @property
    def stated_names(self) -> list[str]:
        """The name of the product, as far as it is known."""
        return list((self.truth or {}).get("name", ())) or self._said("name")

    def is_named(self, text: str) -> bool:
        """Whether a text is the name of the product, with its brand and kind around it or not."""
        truth = self.truth or {}
        brands = [*truth.get("brand", ()), *truth.get("manufacturer", ())]
        return any(is_name(text, name, brands) for name in self.stated_names)

    def _said(self, attribute: str) -> list[str]:
        """What the markup says, which is hidden from the features."""
        things = (self.truth or {}).get("schema_org", ())
        return [mended(str(thing[attribute])) for thing in things[:1] if thing.get(attribute)]


def _amounts(prices: Iterable[object]) -> set[float | None]:
    return {amount_of(str(price)).amount for price in prices} - {None, 0.0}


def mended(text: str) -> str:
    """A label without the marks of a wrong encoding: ``RÃ©sine`` is ``Résine``; and on one line."""
    try:
        decoded = text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        decoded = text
    return " ".join(unescape(decoded).split())


def _readings(price: str) -> set[float | None]:
    """What a price amounts to; labels have 229.99 where a page says $229.990."""
    thousands = _THOUSANDS.search(price)
    return {amount_of(price).amount} | ({float(thousands[0])} if thousands else set())


def _file(address: str) -> str:
    return address.rstrip("/").rsplit("/", 1)[-1].split("?")[0]


def is_alike(text: str, other: str) -> bool:
    """Whether a text is most of another one, or begins like it."""
    shorter, longer = sorted((text, other), key=len)
    return bool(shorter) and longer.startswith(shorter) and 2 * len(shorter) >= len(longer)


def is_name(text: str, name: str, brands: Iterable[str] = ()) -> bool:
    """Whether a text names what a name names: it has its letters and digits, and few others.

    A brand in front does not count, and alone is not a name. Else half of the text at least is the
    name, in front of words for its make or behind words for its kind; or the text is half of the
    name at least, from the beginning.
    """
    wanted, answers = ({letters(some)} for some in (name, text))
    makers = {letters(brand) for brand in brands} - wanted
    if not makers.isdisjoint(answers):
        return False
    for brand in sorted(makers):
        for some in (wanted, answers):
            some |= {full.removeprefix(brand) for full in some}
    return any(_is_mostly(*pair) for pair in product(answers, wanted) if all(pair))


def _is_mostly(answer: str, wanted: str) -> bool:
    if len(answer) < len(wanted):
        return wanted.startswith(answer) and 2 * len(answer) >= len(wanted)
    around = answer.startswith(wanted) or answer.endswith(wanted)
    return around and 2 * len(wanted) >= len(answer)


def letters(text: str) -> str:
    """The letters and digits of a text, folded: how a name is punctuated does not matter."""
    return "".join(filter(str.isalnum, folded(text)))


def examples(corpora: Corpora) -> Iterator[RecordsPage]:
    """All pages: lists, details, and pages that are neither."""
    yield from map(of_list, list_pages(corpora))
    for page in detail_pages(corpora):
        kind = (Kind.DETAIL, Kind.LIST)[(page.group == LISTED) != (page.name in MISPLACED)]
        if len(content_of(page.page).nodes):
            yield RecordsPage(
                page.name, page.brand, page.group, page.split, kind, page.page, truth=page.truth
            )
    yield from _of_titles(corpora)


def of_list(page: ListPage) -> RecordsPage:
    """A list of the corpus."""
    return RecordsPage(
        page.name, page.brand, page.group, page.split, Kind.LIST, page.page, page.records,
        page.ignored,
    )  # fmt: skip


def _of_titles(corpora: Corpora) -> Iterator[RecordsPage]:
    """Pages of the corpus `titles`: products, and what is neither a product nor a list.

    Nobody has marked records on them. People have said what pages are called, mostly as their
    products are; what one costs, the markup of its page may state.
    """
    folder = corpora.folder_of(TITLES)
    for kind, wanted, group in OF_TITLES:
        listed = [row for row in rows(folder) if row["kind"] in wanted]
        for row, page in corpora.pages(folder, listed):
            site = row["url"].split("/")[2] if row.get("url") else ""
            brand = brand_of(registered_domain(site)) if site else ""
            truth = _product(page, site, row["title"]) if kind is Kind.DETAIL else None
            if kind is Kind.OTHER or _shows(page, row["title"]):
                yield RecordsPage(row["file"], brand, group, "train", kind, page, truth=truth)


def _shows(page: Page, title: str) -> bool:
    """Whether the words of a title are seen on a page."""
    wanted = words_of(title)
    return len(wanted & words_of(" ".join(pieces_of(page).texts))) >= LEAST_NAMED * len(wanted)


def _product(page: Page, site: str, title: str) -> Mapping[str, Any]:
    """What is known of the product of a page: what people call the page, and what markup states.

    What they call it counts if a text of the page does.
    """
    truth = mended_truth(site, _stated(page))
    texts = _short_texts(page)
    told = registered_domain(site) not in NOT_TITLED and any(is_name(text, title) for text in texts)
    names = [title] if told else []
    names += [thing["name"] for thing in truth.get("schema_org", ()) if thing.get("name")]
    return {**truth, "name": names}


def _short_texts(page: Page) -> list[str]:
    """The texts that may be names on a page."""
    sight = sight_of(page)
    known = sight.listed.characters
    return [sight.text(unit) for unit in range(len(known)) if known[unit] <= LONGEST_NAME]


def _stated(page: Page) -> dict[str, Any]:
    """What the markup of a page states about its product, as a label."""
    stated = stated_product(page)
    if stated is None or not stated.amount:
        return {}
    return {"schema_org": [{"name": stated.name, "price": str(stated.amount)}]}


def products(pages: Sequence[RecordsPage]) -> list[RecordsPage]:
    """The lists whose attributes are known."""
    return [page for page in pages if page.group == PRODUCTS and page.seen]


def written_examples() -> list[RecordsPage]:
    """Lists written by chance, which teach attributes and are never measured."""
    return [
        RecordsPage(name, name, WRITTEN, "train", Kind.LIST, page, _marked_parts(page))
        for name, page in written_pages()
    ]


def written_groups() -> list[RecordsPage]:
    """Lists written by chance, which teach what is a record and are never measured."""
    return [
        RecordsPage(name, name, WRITTEN, "train", Kind.LIST, page, _marked_rows(page))
        for name, page in written_lists()
    ]


def _marked_rows(page: Page) -> tuple[MarkedRecord, ...]:
    """The records of a page that says itself where each begins, and where some end."""
    elements = np.flatnonzero(page.columns["kind"] == NodeKind.ELEMENT).tolist()
    begun = [node for node in elements if "itemscope" in page.attributes(node)]
    ended = [node for node in elements if "itemref" in page.attributes(node)]
    lasts: Sequence[int | None] = ended or [None] * len(begun)
    pairs = zip(begun, lasts, strict=True)
    return tuple(MarkedRecord(node, {}, {}, last=last) for node, last in pairs)


def written_details() -> list[RecordsPage]:
    """Products written by chance, which teach names and prices and are never measured."""
    return [
        RecordsPage(
            name, name, WRITTEN, "train", Kind.DETAIL, page,
            truth={"name": [truth.name], "price": [f"{truth.price:.2f}"] if truth.price else []},
        )
        for name, page, truth in written_products()
    ]  # fmt: skip


def written_kinds() -> list[RecordsPage]:
    """Texts, lists and products written by chance, which teach what kind a page is."""
    lists = [*written_tables(), *written_lists(), *list(written_pages())[::2]]
    named = [(name, page) for name, page, _ in written_products()][::6]
    return [
        RecordsPage(name, name, WRITTEN, "train", kind, page)
        for kind, some in ((Kind.OTHER, written_texts()), (Kind.LIST, lists), (Kind.DETAIL, named))
        for name, page in some
    ]


def _marked_parts(page: Page) -> tuple[MarkedRecord, ...]:
    """The records of a page that says itself what is what."""
    elements = np.flatnonzero(page.columns["kind"] == NodeKind.ELEMENT).tolist()
    said = {node: page.attributes(node) for node in elements}
    records = []
    for node in (node for node, known in said.items() if "itemscope" in known):
        parts = [
            (said[inner]["itemprop"], MarkedValue(inner, page.text(inner)))
            for inner in range(node, int(page.end[node]))
            if "itemprop" in said.get(inner, ())
        ]
        values = {name: value for name, value in parts if name != BRAND}
        brands = tuple(value for name, value in parts if name == BRAND)
        records.append(MarkedRecord(node, values, {"description": brands}))
    return tuple(records)
