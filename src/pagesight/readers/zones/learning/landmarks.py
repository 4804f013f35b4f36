"""Pages whose authors name their parts, by elements or roles: what such parts look like.

The names are hidden from the features, and on every second page all words in `id` and `class` as
well: so pages that name their parts teach how to read those that do not. Zones within the main
content are learned from, too: they are pieces of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import Corpora, Row, rows
from pagesight.learning.task import Measured, Task
from pagesight.models.boosting import Boosting, Logistic, boost
from pagesight.readers.title.address import PageAddress, registered_domain
from pagesight.readers.zones.candidates import Candidates, candidates
from pagesight.readers.zones.features import (
    PARTS,
    VERSION,
    Features,
    features,
    hints,
    landmark_bits,
)
from pagesight.readers.zones.likeness import LOOKS, PIECE, Likeness, shares
from pagesight.readers.zones.model import KIND_FEATURES
from pagesight.segment.leaves import leaf_zones
from pagesight.segment.nodes import inside

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

_STYLE = re.compile(rb"<style[^>]*>(.*?)</style>", re.DOTALL | re.IGNORECASE)
WORDS, NO_WORDS = ("id", "class"), ()  # attributes that may name zones


@dataclass(frozen=True, eq=False)
class NamedPage:
    """Zones of a page that its author names."""

    name: str
    site: str
    looks: Ints  # of each zone, as in `LOOKS`
    table: Floats  # their features, without the names


def named_pages(corpora: Corpora) -> list[NamedPage]:
    """Some pages of each site that name their parts."""
    return [page for corpus in SOURCES for page in _named_pages(corpora, corpus)]


def _named_pages(corpora: Corpora, corpus: str) -> Iterator[NamedPage]:
    folder = corpora.folder_of(corpus)
    listed = list(_few_of_each_site(folder, corpus, rows(folder, SOURCES[corpus])))
    for number, (row, page) in enumerate(corpora.pages(folder, listed)):
        zones = candidates(leaf_zones(page))
        chosen, looks = named_zones(zones)
        if len(chosen):
            attributes = WORDS if number % 2 == 0 else NO_WORDS
            table = hidden_features(zones, attributes).of(chosen).table(KIND_FEATURES)
            yield NamedPage(f"{corpus}/{row['file']}", site_of(row), looks, table)


def _few_of_each_site(folder: Path, corpus: str, listed: Sequence[Row]) -> Iterator[Row]:
    met: Counter[str] = Counter()
    for row in listed:
        if corpus == UNSTYLED and not _has_style(folder / row["file"]):
            continue
        met[site_of(row)] += 1
        if met[site_of(row)] <= OF_SITE:
            yield row


def _has_style(path: Path) -> bool:
    return sum(map(len, _STYLE.findall(path.read_bytes()))) > LEAST_STYLE


def site_of(row: Row) -> str:
    """The site of a page, or the family of its style."""
    stated = row.get("site") or row.get("family")
    return str(stated or registered_domain(PageAddress(row.get("url")).host) or "")


def hidden_features(zones: Candidates, attributes: Sequence[str]) -> Features:
    """The features of zones as if no element or role named them."""
    return features(zones, hints(zones.leaves.page, parts=False, attributes=attributes))


def named_zones(zones: Candidates) -> tuple[Ints, Ints]:
    """Zones that are named, some of each look, and their looks."""
    bits = landmark_bits(zones)
    chosen, looks = [], []
    for look, part in enumerate(PARTS):
        named = np.flatnonzero(bits == 1 << PARTS.index(part))
        chosen.append(_some(named, OF_LOOK))
        looks.append(np.full(len(chosen[-1]), look))
    pieces = _pieces(zones, bits)
    looks.append(np.full(len(pieces), LOOKS.index(PIECE)))
    return np.concatenate((*chosen, pieces)), np.concatenate(looks)


def _some(zones: Ints, most: int) -> Ints:
    """At most so many, at even distances."""
    if len(zones) <= most:
        return zones
    return np.asarray(zones[np.linspace(0, len(zones) - 1, most).astype(np.int64)])


def _pieces(zones: Candidates, bits: Ints) -> Ints:
    """Some of the larger zones in the main content that are not in a part of their own."""
    main = 1 << PARTS.index("main")
    in_main = inside(np.flatnonzero(bits == main), zones.end)
    in_other = inside(np.flatnonzero((bits & ~main) > 0), zones.end)
    seen = features(zones).columns
    has_content = (np.expm1(seen["characters"]) > LEAST_TEXT) | seen["has picture"]
    is_piece = in_main & ~in_other & (bits == 0) & has_content
    pieces = np.flatnonzero(is_piece & (seen["share_of_parent"] < MOST_OF_PARENT))
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
