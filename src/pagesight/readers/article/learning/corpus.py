"""The pages to learn from: the corpus, labelled by tags and JATS files, and layouts of our own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import Corpora, Row, rows
from pagesight.readers.article.labelling.features import features
from pagesight.readers.article.learning.alignment import Labelling, align
from pagesight.readers.article.learning.marks import marked
from pagesight.readers.article.learning.truth import Truth, truth_of_jats, truth_of_tags
from pagesight.readers.article.zones import Zones, article_zones
from pagesight.segment.text import words
from pagesight.sources import Request

CORPUS = "articles"
INDEX = "articles.jsonl"
SPLITS = ("train", "dev", "pdf")
LAYOUTS = Path(__file__).parent / "layouts"  # pages by hand; those called other_… show no article
OTHERS = "titles"  # pages of all kinds
OTHERS_SHARE = 3  # one in so many is looked at
ONE_OF_SIX = "html/jmir-mhealth-and-uhealth-c2e4257b14.html"  # authors is all that its tags name
_PUBLISHER = re.compile(rb"<publisher-name[^>]*>([^<]*)<")


@dataclass(frozen=True, eq=False)
class ArticlePage:
    """A page of the corpus with its labels."""

    name: str
    publisher: str
    split: str  # one of SPLITS
    zones: Zones
    labelling: Labelling
    marked: Truth | None = None
    """With what was marked by hand: values are judged by it, labels are not learned from it."""

    @property
    def truth(self) -> Truth:
        """What a visitor sees of the article, as far as it is known."""
        return self.marked or self.labelling.truth

    @cached_property
    def features(self) -> NDArray[np.float32]:
        return np.stack(list(features(self.zones).values()), axis=1).astype(np.float32)

    @property
    def house(self) -> str:
        """The publisher by the first word of its name: branches and PDFs are of the same house."""
        return (words(self.publisher) or [""])[0]

    @property
    def usable(self) -> bool:
        """Whether enough is known of it to learn from."""
        return "title" in self.labelling.known


def article_pages(corpora: Corpora, *, splits: Sequence[str] = SPLITS) -> Iterator[ArticlePage]:
    """The pages and PDFs of these splits that can be rendered."""
    folder = corpora.folder_of(CORPUS)
    listed = [row for row in rows(folder, INDEX) if row["split"] in splits]
    listed += _sheets(folder) if "pdf" in splits else []
    for row, page in corpora.pages(folder, listed):
        truth = truth_of_tags(row["meta"]) if "meta" in row else truth_of_jats(row["jats"])
        if row["file"] == ONE_OF_SIX:
            truth = replace(truth, authors=())
        zones = article_zones(page)
        more = marked(truth, page, row["file"]) if row["split"] == "train" else truth
        yield ArticlePage(
            name=row["file"],
            publisher=row["publisher"],
            split=row["split"],
            zones=zones,
            labelling=align(zones, truth),
            marked=None if more is truth else align(zones, more).truth,
        )


def _sheets(folder: Path) -> Iterator[Row]:
    """The PDFs of the corpus; each has its JATS file beside it."""
    for path in sorted((folder / "pdf").glob("*.pdf")):
        jats = path.with_suffix(".xml")
        named = _PUBLISHER.search(jats.read_bytes())
        publisher = named[1].decode("utf-8", "replace").strip() if named else path.stem
        file = str(path.relative_to(folder))
        yield {"file": file, "publisher": publisher, "split": "pdf", "jats": jats}


def other_pages(corpora: Corpora) -> Iterator[tuple[bool, Zones]]:
    """Pages that are not journal articles, and whether each may be learned from, by its host."""
    folder = corpora.folder_of(OTHERS)
    listed = [row for row in rows(folder) if _digest(row["url"]) % OTHERS_SHARE == 0]
    for row, page in corpora.pages(folder, listed):
        host = urlsplit(row["url"]).hostname or ""
        yield _digest(host) % 2 == 0, article_zones(page)


def laid_out(corpora: Corpora) -> Iterator[tuple[bool, Zones]]:
    """Pages in layouts of our own, and whether each shows an article or only parts of some."""
    paths = sorted(LAYOUTS.glob("*.html"))
    requests = [Request(source=path.read_bytes()) for path in paths]
    for path, page in corpora.rendered(paths, requests):
        yield not path.stem.startswith("other_"), article_zones(page)


def _digest(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)
