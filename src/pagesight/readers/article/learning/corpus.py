"""The corpus of articles: pages and PDFs, with the labels that their tags and JATS files give."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import corpus_folder, rendered, request_of, rows
from pagesight.page import Page
from pagesight.readers.article.labelling.features import features
from pagesight.readers.article.learning.alignment import Labelling, align
from pagesight.readers.article.learning.truth import Truth, truth_of_jats, truth_of_tags
from pagesight.readers.article.zones import Zones, article_zones
from pagesight.segment.text import words
from pagesight.sources import Request

CORPUS = "articles"
INDEX = "articles.jsonl"
SPLITS = ("train", "dev", "pdf")
OTHERS = "titles"  # pages of all kinds
OTHERS_SHARE = 3  # one in so many is looked at
PDF = "pdf "  # before the names of publishers of PDFs
_PUBLISHER = re.compile(rb"<publisher-name[^>]*>([^<]*)<")


@dataclass(frozen=True, eq=False)
class ArticlePage:
    """A page of the corpus with its labels."""

    name: str
    publisher: str
    split: str  # one of SPLITS
    zones: Zones
    labelling: Labelling

    @cached_property
    def features(self) -> NDArray[np.float32]:
        return features(self.zones).astype(np.float32)

    @property
    def house(self) -> str:
        """The publisher by the first word of its name: branches and PDFs are of the same house."""
        return (words(self.publisher.removeprefix(PDF)) or [""])[0]

    @property
    def texts(self) -> Sequence[str]:
        return self.zones.texts

    @property
    def usable(self) -> bool:
        """Whether enough is known of it to learn from."""
        return "title" in self.labelling.known


def article_pages(
    corpora: Path | None,
    *,
    splits: Sequence[str] = SPLITS,
    renderer: str = "auto",
    advance: Callable[[], None] = lambda: None,
) -> Iterator[ArticlePage]:
    """The pages and PDFs of these splits that can be rendered."""
    folder = corpus_folder(CORPUS, corpora)
    listed = [row for row in rows(folder, INDEX) if row["split"] in splits]
    requests = [request_of(folder, row) for row in listed]
    found = rendered(requests, renderer=renderer, advance=advance)
    for row, page in zip(listed, found, strict=True):
        if isinstance(page, Page):
            truth = truth_of_tags(row["meta"])
            yield _labelled(row["file"], row["publisher"], row["split"], page, truth)
    files = sorted((folder / "pdf").glob("*.pdf")) if "pdf" in splits else []
    found = rendered([Request(source=path) for path in files], renderer=renderer, advance=advance)
    for path, page in zip(files, found, strict=True):
        if isinstance(page, Page):
            jats = path.with_suffix(".xml")
            said = _PUBLISHER.search(jats.read_bytes())
            publisher = PDF + (said[1].decode("utf-8", "replace").strip() if said else path.stem)
            yield _labelled(path.name, publisher, "pdf", page, truth_of_jats(jats))


def _labelled(name: str, publisher: str, split: str, page: Page, truth: Truth) -> ArticlePage:
    zones = article_zones(page)
    return ArticlePage(name, publisher, split, zones, align(zones, truth))


def other_pages(
    corpora: Path | None, *, renderer: str = "auto", advance: Callable[[], None] = lambda: None
) -> Iterator[tuple[bool, Zones]]:
    """Pages that are no journal articles, and whether each may be learned from, by its host."""
    folder = corpus_folder(OTHERS, corpora)
    listed = [row for row in rows(folder) if _digest(row["url"]) % OTHERS_SHARE == 0]
    found = rendered(
        [request_of(folder, row) for row in listed], renderer=renderer, advance=advance
    )
    for row, page in zip(listed, found, strict=True):
        if isinstance(page, Page):
            host = urlsplit(row["url"]).hostname or ""
            yield _digest(host) % 2 == 0, article_zones(page)


def _digest(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)


def folds(pages: Sequence[ArticlePage], count: int) -> list[list[ArticlePage]]:
    """Pages in groups of about the same size; a publisher is in one of them only."""
    by_publisher: dict[str, list[ArticlePage]] = {}
    for page in pages:
        by_publisher.setdefault(page.house, []).append(page)
    groups: list[list[ArticlePage]] = [[] for _ in range(count)]
    for _, own in sorted(by_publisher.items(), key=lambda each: (-len(each[1]), each[0])):
        min(groups, key=len).extend(own)
    return groups
