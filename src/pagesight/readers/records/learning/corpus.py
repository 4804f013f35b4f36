"""The corpus of records: lists whose records people have marked, and pages of single products."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from pagesight.learning.corpora import Corpora, Row, rows
from pagesight.page import Page
from pagesight.readers.records.learning.xpaths import Paths
from pagesight.readers.title.address import registered_domain

CORPUS = "records"
LISTS, DETAILS = "lists.jsonl", "details.jsonl"
PRODUCTS, OTHERS = "list-product", "list-other"
NOT_NAMED = {
    "alibaba.com": "the markup has the title of the document, with words for search engines",
    "elkor.lv": "the markup has the name of the site as that of the product",
    "ifixit.com": "the markup has a longer name, for search engines",
    "lesraffineurs.com": "the markup has another name than the page",
    "merylarnett.com": "the markup has the name of the site behind that of the product",
    "vmzona.com": "the markup has an English name, the page a Bulgarian one",
}
"""Sites whose names of products are not what their pages show, and why: they are not measured."""

NOT_TITLED = {
    "steampowered.com": "the title has the name of the shop behind that of the product",
}
"""Sites whose titles, in the corpus `titles`, are not names of their products, and why."""

NOT_PRICED = {
    "liveauctioneers.com": "an auction: the label is a bid of that day, the markup an estimate",
}
"""Sites whose labels are not prices of products, and why: they are not measured."""

MISPLACED = {
    "details/amazon-com-3fdef86c.html": "a list of what sells best, called a product",
    "details/gamexchange-co-uk-af26752e.html": "one game with its price, called a list",
}
"""Pages of the other kind than the corpus says, and why."""

PARTLY_MARKED = {
    "lists/discogs-com/012/page.html": "5 of 50 records are not marked",
    "lists/discogs-com/014/page.html": "14 of 50 records are not marked",
    "lists/premierleague-com/028/page.html": "10 of 21 pieces of news are not marked",
    "lists/premierleague-com/029/page.html": "8 of 12 pieces of news are not marked",
    "lists/premierleague-com/030/page.html": "10 of 32 pieces of news are not marked",
    "lists/tumblr-com/169/page.html": "21 of 35 posts are not marked",
    "lists/tumblr-com/160/page.html": "3 of 37 posts are not marked",
    "lists/youtube-com/001/page.html": "the first of 20 films is not marked",
    "lists/ted-com/084/page.html": "1 of 12 results is not marked",
    "lists/bulbagarden-net/091/page.html": "the first of 20 results and another are not marked",
    "lists/medlineplus-gov/117/page.html": "the last of 10 results is not marked",
    "lists/medscape-com/120/page.html": "1 of 15 results is not marked",
    "lists/en-wikipedia-org/165/page.html": "1 of 20 results is not marked",
    "lists/linkedin-com/172/page.html": "the first of 10 persons is not marked",
    "lists/wsj-com/199/page.html": "1 of 20 results is not marked",
    "lists/usatoday-com/200/page.html": "the first of 18 results is not marked",
    "lists/usatoday-com/201/page.html": "the first of 20 results is not marked",
    "lists/usatoday-com/202/page.html": "the first of 20 results and another are not marked",
    "lists/southwest-com/239/page.html": "the last of 10 results is not marked",
    "lists/msn-com/306/page.html": "1 of 13 results is not marked",
    "lists/scribd-com/016/page.html": "of two books of one name, one is marked twice",
    "lists/wwe-com/042/page.html": "of two results of one name, one is marked twice",
    "lists/timesofindia-indiatimes-com/209/page.html": "of two articles of one name, one is marked "
    "twice",
    "lists/businessinsider-com/273/page.html": "of two articles of one name, one is marked twice",
    "lists/instructables-com/293/page.html": "of two guides of one name, one is marked twice",
    "lists/gsmarena-com/305/page.html": "of telephones of one name, one is marked twice",
}
"""Lists of which some records are marked: what is beside these counts neither way."""

NOT_MARKED = {
    "lists/ancestry-com/328/page.html": "the first record is marked twice, others with the next",
}
"""Lists whose marks are not those of their records, and why: they are left out."""

ATTRIBUTES = ("name", "image", "price", "description")


@dataclass(frozen=True)
class MarkedValue:
    """A value of a record: the element that shows it, and its text, or the address of a picture."""

    node: int
    text: str


@dataclass(frozen=True)
class MarkedCell:
    """A text of a record that has no name, in the column of texts like it."""

    column: int
    text: str
    node: int | None  # where the people who wrote it down did not say


@dataclass(frozen=True)
class MarkedRecord:
    """A record that somebody marked."""

    node: int
    values: Mapping[str, MarkedValue]
    """By attribute; those that the record does not show are missing."""

    others: Mapping[str, tuple[MarkedValue, ...]]
    """Other answers that are neither right nor wrong, by attribute."""

    cells: tuple[MarkedCell, ...] = ()
    last: int | None = None
    """The last of its elements, if it consists of several."""

    @property
    def nodes(self) -> list[int]:
        """The elements of all that is known of the record."""
        cells = [cell.node for cell in self.cells if cell.node is not None]
        return [value.node for value in self.values.values()] + cells


@dataclass(frozen=True, eq=False)
class ListPage:
    """A page with a list of records."""

    name: str
    site: str
    group: str  # PRODUCTS or OTHERS
    split: str
    page: Page
    records: tuple[MarkedRecord, ...]
    ignored: tuple[int, ...]
    """Elements that look like records and are not part of the list."""

    lost: int
    """How many labels name elements that a browser does not make."""

    @property
    def brand(self) -> str:
        return brand_of(self.site)


@dataclass(frozen=True, eq=False)
class DetailPage:
    """A page of a single product, and what is known of it, by name; nothing says where it is."""

    name: str
    site: str
    group: str
    split: str
    page: Page
    truth: Mapping[str, Any]

    @property
    def brand(self) -> str:
        return brand_of(self.site)


def brand_of(site: str) -> str:
    """The brand of a site in any country: ``www.shop.co.uk`` and ``shop.de`` are both ``shop``."""
    return registered_domain(site).split(".")[0]


def list_pages(corpora: Corpora, groups: Sequence[str] = (PRODUCTS, OTHERS)) -> Iterator[ListPage]:
    """The lists of the corpus that can be rendered, in its order."""
    folder = corpora.folder_of(CORPUS)
    listed = [
        row
        for row in rows(folder, LISTS)
        if row["group"] in groups and row["file"] not in NOT_MARKED
    ]
    for row, page in corpora.pages(folder, listed):
        yield _list_page(row, page, Paths(page, folder / row["file"]))


def detail_pages(corpora: Corpora) -> Iterator[DetailPage]:
    """The pages of single products that can be rendered."""
    folder = corpora.folder_of(CORPUS)
    for row, page in corpora.pages(folder, rows(folder, DETAILS)):
        yield DetailPage(**_source(row), page=page, truth=mended_truth(row["site"], row["truth"]))


def mended_truth(site: str, truth: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is known of a product, without what its page does not show."""
    domain = registered_domain(site)
    wrong = {
        name for name, sites in (("name", NOT_NAMED), ("price", NOT_PRICED)) if domain in sites
    }
    if not wrong:
        return truth
    things = [_without(thing, wrong) for thing in truth.get("schema_org", ())]
    return {**_without(truth, wrong), "schema_org": things}


def _without(facts: Mapping[str, Any], names: Set[str]) -> dict[str, Any]:
    return {name: fact for name, fact in facts.items() if name not in names}


def _list_page(row: Row, page: Page, paths: Paths) -> ListPage:
    marked = [record for each in row["records"] if (record := _record(each, paths))]
    records = _once(page, marked)
    ignored = [node for xpath in row.get("ignore", ()) if (node := paths.node(xpath)) is not None]
    if row["file"] in PARTLY_MARKED:
        ignored += _beside(page, [record.node for record in records])
    return ListPage(
        **_source(row),
        page=page,
        records=tuple(records),
        ignored=tuple(ignored),
        lost=paths.missed,
    )


def _once(page: Page, records: Sequence[MarkedRecord]) -> list[MarkedRecord]:
    """The records without those that are in another one, or are another one."""
    kept: list[MarkedRecord] = []
    for record in sorted(records, key=lambda record: record.node):
        if not kept or record.node >= page.end[kept[-1].node]:
            kept.append(record)
    return kept


def _beside(page: Page, nodes: Sequence[int]) -> list[int]:
    """The elements beside marked ones that are called the same and are not marked."""
    parents, names = page.columns["parent"], page.columns["name"]
    kinds = {(int(parents[node]), int(names[node])) for node in nodes}
    alike = [node for node, kind in enumerate(zip(parents.tolist(), names.tolist(), strict=True))
             if kind in kinds]  # fmt: skip
    return sorted(set(alike) - set(nodes))


def _source(row: Row) -> dict[str, str]:
    return {"name": row["file"], **{key: row[key] for key in ("site", "group", "split")}}


def _record(marked: Row, paths: Paths) -> MarkedRecord | None:
    """A record of the corpus; None where its element is not on the page."""
    values = {name: _value(marked.get(name), paths) for name in ATTRIBUTES}
    others = {
        name: tuple(filter(None, (_value(other, paths) for other in marked.get(f"{name}_alt", ()))))
        for name in ATTRIBUTES
    }
    cells = [
        MarkedCell(cell["column"], cell["text"], paths.node(cell["xpath"]))
        for cell in marked.get("cells", ())
    ]
    node = paths.node(marked["xpath"])
    if node is None:
        return None
    known = {name: value for name, value in values.items() if value}
    return MarkedRecord(node, known, others, tuple(cells))


def _value(marked: Row | str | None, paths: Paths) -> MarkedValue | None:
    """A value of the corpus; pictures of other lists are XPaths alone."""
    facts = {"xpath": marked} if isinstance(marked, str) else marked or {}
    node = paths.node(facts.get("xpath"))
    return None if node is None else MarkedValue(node, facts.get("text") or facts.get("src") or "")
