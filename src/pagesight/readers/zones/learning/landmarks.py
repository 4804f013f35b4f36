"""Pages whose authors name their parts: what such parts look like.

They are named by elements or roles; where a page has none of these for a part, by an `id` or a
class that says nothing else. Adverts have no other names. The names are hidden from the features,
and on every second page, or where they are the name, all words in `id` and `class` as well: so
pages that name their parts teach how to read those that do not. Zones within the main content are
learned from, too: they are pieces of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import Corpora, Row, rows
from pagesight.learning.task import Measured, Task
from pagesight.models.boosting import Boosting, Logistic, boost
from pagesight.page import Page
from pagesight.readers.records.learning.corpus import brand_of
from pagesight.readers.title.address import PageAddress
from pagesight.readers.zones.candidates import Candidates, candidates
from pagesight.readers.zones.features import (
    NAMING,
    PARTS,
    VERSION,
    Features,
    bits_of,
    features,
    hints,
    landmark_bits,
    words_of,
)
from pagesight.readers.zones.likeness import LOOKS, PIECE, Likeness, shares
from pagesight.readers.zones.model import KIND_FEATURES, KINDS, MEDIUM, ZonesModel
from pagesight.readers.zones.surroundings import TABLES
from pagesight.segment.leaves import leaf_zones
from pagesight.segment.nodes import before, inside, with_attribute

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SOURCES = {
    "records": "lists.jsonl",
    "titles": "dev.jsonl",
    "outlines": "dev.jsonl",
    "snapshots": "dev.jsonl",
}
UNSTYLED = "titles"  # whose stylesheets were not kept, except those in pages
LEAST_STYLE = 5000  # bytes of style in a page, from which on it looks as it should
OF_SITE = 3  # pages
OF_LOOK = 3  # zones on a page
LARGEST_PIECES = 30  # of the main content, from which those to learn from are taken
LEAST_TEXT = 20  # characters of a piece without pictures
MOST_OF_PARENT = 0.9  # of its characters: what has more is the same zone again
TREES = Boosting(trees=80, depth=3, rate=0.15, features=0.25)
PAGES_SEEN = 0.6  # the share of pages that each tree sees

_SERVICE = re.compile(r"/|__|\s")  # what follows a brand: "Tea House/Terms of Service"
_STYLE = re.compile(rb"<style[^>]*>(.*?)</style>", re.DOTALL | re.IGNORECASE)
WORDS, NO_WORDS = ("id", "class"), ()  # attributes that may name zones
NAMES = {LOOKS.index(look): re.compile(name) for look, name in TABLES["names"].items()}
LARGEST_NAMED = 0.5  # of the characters of a page: what holds more is not named for what it is
UNNAMED, TWICE = -1, -2  # instead of a look: of what has no name, and of what has several
MENU, ENDS = LOOKS.index("navigation"), (LOOKS.index("header"), LOOKS.index("footer"))
ROWS = (*(look for look in LOOKS if look != PIECE), "menu in header", "menu in footer")
"""The parts of which is measured as what they are shown."""

_ELEMENTS = frozenset({"header", "nav", "main", "aside", "footer", "article", "section"})
_NEUTRAL = "div"


@dataclass(frozen=True, eq=False)
class NamedPage:
    """Zones of a page that its author names."""

    name: str
    site: str
    looks: Ints  # of each zone, as in `LOOKS`
    table: Floats  # their features, without the names
    zones: Candidates

    @cached_property
    def row(self) -> Ints:
        """The innermost named part around each leaf, as in `ROWS`, or `UNNAMED`."""
        return named_parts(self.zones)

    def shown(self, model: ZonesModel, *, with_names: bool = False) -> Floats:
        """The share of the characters of each part (row) that the default shows as each kind."""
        zones = self.zones
        if not with_names:
            zones = candidates(leaf_zones(nameless(self.zones.leaves.page)))
        seen = features(zones)
        blocks = model.blocks(zones, seen, MEDIUM)
        kinds = model.kinds(seen, blocks).argmax(axis=1)
        kind = np.repeat(kinds, (zones.last - zones.first)[blocks])
        known, table = self.row != UNNAMED, np.zeros((len(ROWS), len(KINDS) + 1))
        characters = self.zones.leaves.characters
        np.add.at(table, (self.row[known], kind[known]), characters[known])
        return np.asarray(table / max(table.sum(), 1))


def named_pages(corpora: Corpora) -> list[NamedPage]:
    """Some pages of each site that name their parts."""
    return [page for corpus in SOURCES for page in _named_pages(corpora, corpus)]


def _named_pages(corpora: Corpora, corpus: str) -> Iterator[NamedPage]:
    listed = few_of_each_site(corpora, corpus)
    for number, (row, page) in enumerate(corpora.pages(corpora.folder_of(corpus), listed)):
        zones = candidates(leaf_zones(page))
        named = named_zones(zones)
        if len(named.zones):
            table = hidden_features(zones, NO_WORDS).of(named.zones).table(KIND_FEATURES)
            if number % 2 == 0:
                seen = ~named.by_words
                with_words = hidden_features(zones, WORDS).of(named.zones[seen])
                table[seen] = with_words.table(KIND_FEATURES)
            yield NamedPage(
                name=f"{corpus}/{row['file']}",
                site=site_of(row),
                looks=named.looks,
                table=table,
                zones=zones,
            )


def few_of_each_site(corpora: Corpora, corpus: str) -> list[Row]:
    """Some pages of each site that are seen as their authors styled them."""
    folder, met, few = corpora.folder_of(corpus), Counter[str](), []
    for row in rows(folder, SOURCES[corpus]):
        if corpus == UNSTYLED and not _has_style(folder / row["file"]):
            continue
        met[site_of(row)] += 1
        if met[site_of(row)] <= OF_SITE:
            few.append(row)
    return few


def _has_style(path: Path) -> bool:
    return sum(map(len, _STYLE.findall(path.read_bytes()))) > LEAST_STYLE


def site_of(row: Row) -> str:
    """The brand whose page it is, in any country and of any service, or the family of its style."""
    if (family := row.get("family")) and not row.get("site"):
        return str(family)
    name = row.get("site") or PageAddress(row.get("url")).host or ""
    return brand_of(_SERVICE.split(str(name), maxsplit=1)[0])


def hidden_features(zones: Candidates, attributes: Sequence[str]) -> Features:
    """The features of zones as if no element or role named them."""
    return features(zones, hints(zones.leaves.page, parts=False, attributes=attributes))


def nameless(page: Page) -> Page:
    """The page as if its author had named nothing, neither by elements nor by attributes."""
    strings = [*page.strings, _NEUTRAL]
    elements, attributes = (
        [at for at, string in enumerate(page.strings) if string in names]
        for names in (_ELEMENTS, NAMING)
    )
    columns, kept = dict(page.columns), ~np.isin(page.columns["attr_name"], attributes)
    columns["name"] = columns["name"].copy()
    columns["name"][np.isin(columns["name"], elements)] = strings.index(_NEUTRAL)
    columns["attr_first"] = before(kept)[columns["attr_first"]]
    columns["attr_name"] = columns["attr_name"][kept]
    columns["attr_value"] = columns["attr_value"][kept]
    return Page(columns, strings, page.info)


def named_parts(zones: Candidates) -> Ints:
    """The innermost named part around each leaf, as in `ROWS`, or `UNNAMED`."""
    bits, seen = landmark_bits(zones), features(zones)
    words = _named_by_words(zones, bits, seen)
    looks = np.where(bits & (bits - 1) > 0, TWICE, UNNAMED)
    for look in range(len(LOOKS)):
        by_element = np.flatnonzero(bits == 1 << look)
        by_words = _outermost(zones, np.flatnonzero(words == 1 << look))
        looks[by_element if len(by_element) else by_words] = look
    leaf = np.flatnonzero(zones.is_leaf & (zones.last > zones.first))
    leaf = leaf[np.argsort(zones.first[leaf])]
    part = _inherited(zones, looks)[leaf]
    around = _inherited(zones, np.where(looks == MENU, UNNAMED, looks))[leaf]
    rows = np.array([*map(_row_of_look, range(len(LOOKS))), UNNAMED, UNNAMED])[part]
    for row, end in enumerate(ENDS, start=len(ROWS) - len(ENDS)):
        rows[(part == MENU) & (around == end)] = row
    return rows


def _row_of_look(look: int) -> int:
    return ROWS.index(LOOKS[look]) if LOOKS[look] in ROWS else UNNAMED


def _inherited(zones: Candidates, looks: Ints) -> Ints:
    """The looks of zones, those without a name as around them."""
    known = looks.tolist()
    for zone, above in enumerate(zones.parent.tolist()):
        if known[zone] == UNNAMED and above >= 0:
            known[zone] = known[above]
    return np.array(known, dtype=np.int64)


class NamedZones(NamedTuple):
    """Zones with what their authors name them."""

    zones: Ints
    looks: Ints
    by_words: NDArray[np.bool_]  # whether an `id` or a class is the name


def named_zones(zones: Candidates) -> NamedZones:
    """Zones that are named, some of each look, and pieces of the main content."""
    bits, seen = landmark_bits(zones), features(zones)
    words = _named_by_words(zones, bits, seen)
    named = []
    for look, name in enumerate(LOOKS):
        is_piece = name == PIECE
        found = _pieces(zones, bits, seen) if is_piece else np.flatnonzero(bits == 1 << look)
        by_words = not len(found)
        if by_words:
            found = _outermost(zones, np.flatnonzero(words == 1 << look))
        found = _some(found, OF_LOOK)
        named.append((found, np.full(len(found), look), np.full(len(found), by_words)))
    return NamedZones(*map(np.concatenate, zip(*named, strict=True)))


def _named_by_words(zones: Candidates, bits: Ints, seen: Features) -> Ints:
    """By zone the looks that an `id` or a class names, as bits; none where an element does."""
    page = zones.leaves.page
    of_node = np.zeros(len(page), dtype=np.int64)
    for attribute in WORDS:
        for node, value in zip(*with_attribute(page, attribute), strict=True):
            for name in [value] if attribute == "id" else value.split():
                words = words_of(name).strip()
                of_node[node] |= sum(1 << look for look, n in NAMES.items() if n.search(words))
    columns = seen.columns
    shown = (columns["characters"] > 0) | columns["has picture"]
    is_part = shown & (columns["share"] < np.log(LARGEST_NAMED)) & (bits == 0)
    return np.where(is_part, bits_of(zones, of_node), 0)


def _outermost(zones: Candidates, named: Ints) -> Ints:
    """Those of them that are not in the next larger zone that is named."""
    return np.asarray(named[~np.isin(zones.parent[named], named)])


def _some(zones: Ints, most: int) -> Ints:
    """At most so many, at even distances."""
    if len(zones) <= most:
        return zones
    return np.asarray(zones[np.linspace(0, len(zones) - 1, most).astype(np.int64)])


def _pieces(zones: Candidates, bits: Ints, seen: Features) -> Ints:
    """Some of the larger zones in the main content that are not in a part of their own."""
    main = 1 << PARTS.index("main")
    in_main = inside(np.flatnonzero(bits == main), zones.end)
    in_other = inside(np.flatnonzero((bits & ~main) > 0), zones.end)
    columns = seen.columns
    has_content = (np.expm1(columns["characters"]) > LEAST_TEXT) | columns["has picture"]
    is_piece = in_main & ~in_other & (bits == 0) & has_content
    pieces = np.flatnonzero(is_piece & (columns["share_of_parent"] < MOST_OF_PARENT))
    size = (zones.last - zones.first)[pieces]
    return _some(pieces[np.argsort(-size, kind="stable")[:LARGEST_PIECES]], OF_LOOK)


def fit(pages: Sequence[NamedPage]) -> Likeness:
    """What the parts of pages look like."""
    table = np.concatenate([page.table for page in pages])
    looks = np.concatenate([page.looks for page in pages])
    page_of_row = np.repeat(np.arange(len(pages)), [len(page.looks) for page in pages])
    counts = np.ones(len(looks))
    return Likeness(
        tuple(
            boost(
                KIND_FEATURES,
                table,
                Logistic(looks == look, counts, page_of_row, PAGES_SEEN),
                TREES,
            )
            for look in range(len(LOOKS))
        )
    )


@dataclass(frozen=True, kw_only=True)
class ReadNames(Measured):
    """What zones of a page look like to a model that had not seen its site."""

    wanted: Ints
    read: Ints


def measure(model: Likeness, page: NamedPage) -> ReadNames:
    """How often the looks of zones are what their authors name them."""
    chances = shares(model.scores(page.table))
    read = chances.argmax(axis=1)
    right = read == page.looks
    sure = chances.max(axis=1).tolist()
    return ReadNames(
        name=page.name,
        scores={"looks": float(right.mean())},
        judged={"looks": list(zip(sure, right.tolist(), strict=True))},
        wanted=page.looks,
        read=read,
    )


LANDMARKS = Task(
    name="landmarks",
    version=VERSION,
    labels=LOOKS,
    corpus="records",
    index=SOURCES["records"],
    examples=named_pages,
    group=lambda page: page.site,
    fit=fit,
    measure=measure,
    to_json=Likeness.to_json,
    folds=3,
)
