"""Articles of publishers that are never learned from, labelled by hand by what a visitor sees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pagesight.errors import CorpusNotFound
from pagesight.learning.corpora import Corpora, rows
from pagesight.learning.scores import Prf
from pagesight.learning.task import Measured
from pagesight.readers.article.learning.scoring import count_texts, texts_of
from pagesight.readers.article.reader import read_article
from pagesight.readers.article.reading import ArticleReading
from pagesight.segment.text import folded, words

FRESH = "fresh/articles"
BEGINNING = 5  # words by which the first and the last reference of a list are recognised
SAME = 0.9  # Dice of affiliations
_LINKED = re.compile(  # how a reference ends that a link has been taken for a part of
    r"\b(?:scholar|cross ?ref|pub ?med|medline|search|view|article|highwire|abstract|full text|"
    r"science|ads|cas|isi|publisher|context|download|pdf)\W*$",
    re.IGNORECASE,
)


def read_fresh(corpora: Corpora) -> list[Measured]:
    """How well the weights of this version read these pages; none if the corpus is missing."""
    try:
        folder = corpora.folder_of(FRESH)
    except CorpusNotFound:
        return []
    listed = rows(folder, "labels.jsonl")
    return [
        Measured(
            name=row["file"], scores=scores(read_article(page, metadata="ignore"), row["labels"])
        )
        for row, page in corpora.pages(folder, listed)
    ]


def scores(reading: ArticleReading, labels: Mapping[str, Any]) -> dict[str, float]:
    """How much of each field is right; fields that nobody has labelled have no score."""
    title = reading.title.text if reading.title else ""
    abstract = reading.abstract.text if reading.abstract else ""
    result = {
        "title exact": float(_letters(title) == _letters(labels["title"])),
        "authors": count_texts(labels["authors"], [who.name for who in reading.authors], 1.0).f,
        "affiliations": _places(reading, labels).f,
        "is article": float(reading.is_article),
    }
    if begins := labels.get("abstract_start"):
        whole = _letters(abstract)
        inner = whole.startswith(_letters(begins)), whole.endswith(_letters(labels["abstract_end"]))
        result["abstract whole"] = float(all(inner))
    if count := labels.get("n_references"):
        cited = texts_of(reading.references)
        ends = zip((cited[:1], cited[-1:]), ("first_reference", "last_reference"), strict=True)
        right = all(text and _begins(text[0], labels[end]) for text, end in ends)
        result["references whole"] = float(len(cited) == count and right)
        result["references clean"] = sum(not _LINKED.search(text) for text in cited) / (
            max(count, len(cited))
        )
    return result


def _places(reading: ArticleReading, labels: Mapping[str, Any]) -> Prf:
    """What the page holds but does not show, or may be written in two ways, counts neither way."""
    stated = [labels.get(key) or () for key in ("affiliations_hidden", "affiliations_or")]
    several = ([one] if isinstance(one, str) else one for part in stated for one in part)
    wanted, free = labels["affiliations"], [text for texts in several for text in texts]
    places = [
        text
        for text in texts_of(reading.affiliations)
        if count_texts(wanted, [text], SAME).right or not count_texts(free, [text], SAME).right
    ]
    return count_texts(wanted, places, SAME)


def _begins(text: str, label: str) -> bool:
    beginning = " ".join(words(label)[:BEGINNING])
    return beginning in " ".join(words(text))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, folded(text)))
