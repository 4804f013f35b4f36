"""The scores of a reading against what is known of the article."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from pagesight.readers.article.labelling.calibration import Judged
from pagesight.readers.article.learning.metrics import Counts, count_persons, count_texts
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.names.persons import Name, same_person
from pagesight.readers.article.reading import Affiliation, ArticleReading
from pagesight.segment.text import dice, words

NEARLY = 0.9  # Dice from which a title or an abstract is right
CONTAINED = 0.8  # of the words of a known reference that the text of a found one has to hold


@dataclass(frozen=True, slots=True)
class Scores:
    """Of one page or of many: Dice of title and abstract, counts of the lists."""

    title: tuple[float, ...] = ()
    abstract: tuple[float, ...] = ()
    authors: Counts = field(default_factory=Counts)
    affiliations: Counts = field(default_factory=Counts)
    references: Counts = field(default_factory=Counts)

    def __add__(self, other: Scores) -> Scores:
        return Scores(
            self.title + other.title,
            self.abstract + other.abstract,
            self.authors + other.authors,
            self.affiliations + other.affiliations,
            self.references + other.references,
        )


FIELD_SCORES: dict[str, Callable[[Scores], float]] = {
    "title": lambda scores: float(np.mean(scores.title)) if scores.title else 1.0,
    "authors": lambda scores: scores.authors.f1,
    "affiliations": lambda scores: scores.affiliations.f1,
    "abstract": lambda scores: float(np.mean(scores.abstract)) if scores.abstract else 1.0,
    "references": lambda scores: scores.references.f1,
}
"""By field its score: Dice of texts, F1 of lists."""


def mean_of(scores: Scores) -> float:
    """The mean over the fields of which something is known."""
    known = {
        "title": scores.title,
        "authors": scores.authors.wanted,
        "affiliations": scores.affiliations.wanted,
        "abstract": scores.abstract,
        "references": scores.references.wanted,
    }
    values = [FIELD_SCORES[name](scores) for name, is_known in known.items() if is_known]
    return float(np.mean(values)) if values else 1.0


def score(reading: ArticleReading, truth: Truth) -> Scores:
    """The scores of one page; fields of which nothing is known are left out."""
    title = reading.title.text if reading.title else ""
    abstract = reading.abstract.text if reading.abstract else ""
    persons = [Name(author.given, author.family) for author in reading.authors]
    found_places = [place.text for place in scored_places(reading, truth)]
    cited = [reference.text for reference in reading.references]
    return Scores(
        title=(max(dice(title, known) for known in truth.titles),) if truth.titles else (),
        abstract=(dice(abstract, truth.abstract),) if truth.abstract else (),
        authors=count_persons(truth.authors, persons) if truth.authors else Counts(),
        affiliations=count_texts(truth.affiliations, found_places)
        if truth.affiliations
        else Counts(),
        references=count_references(truth.references, cited) if truth.references else Counts(),
    )


def judged(reading: ArticleReading, truth: Truth) -> dict[str, Judged]:
    """For each field of which something is known the values that were read: how sure, and right."""
    known = {"title": truth.titles, "abstract": (truth.abstract or "",)}
    values = {
        name: [
            (
                value.confidence,
                max(dice(value.text, text) for text in known[name]) >= NEARLY,
            )
        ]
        for name, value in (("title", reading.title), ("abstract", reading.abstract))
        if value and any(known[name])
    }
    if truth.authors:
        values["authors"] = [
            (one.confidence, _is_author(Name(one.given, one.family), truth))
            for one in reading.authors
        ]
    if truth.affiliations:
        values["affiliations"] = [
            (one.confidence, bool(count_texts(truth.affiliations, [one.text]).right))
            for one in scored_places(reading, truth)
        ]
    if truth.references:
        cited = [one.text for one in reading.references]
        right = matched_references(truth.references, cited)
        sure = [one.confidence for one in reading.references]
        values["references"] = [(confidence, rank in right) for rank, confidence in enumerate(sure)]
    return values


def scored_places(reading: ArticleReading, truth: Truth) -> list[Affiliation]:
    """The affiliations that were read, without those that the page holds but does not show."""
    return [
        place
        for place in reading.affiliations
        if count_texts(truth.affiliations, [place.text]).right
        or not count_texts(truth.held, [place.text]).right
    ]


def _is_author(name: Name, truth: Truth) -> bool:
    return any(same_person(name, known) for known in truth.authors)


def count_references(wanted: Sequence[str], found: Sequence[str]) -> Counts:
    """How many references there are, how many were found, and how many of those are right."""
    return Counts(len(wanted), len(found), len(matched_references(wanted, found)))


def matched_references(wanted: Sequence[str], found: Sequence[str]) -> set[int]:
    """Which of the found references are wanted, matched one to one by the words that they share.

    Tags hold a reference in parts, not as it is printed: its words have to be there, the order and
    what is printed besides do not count.
    """
    ours = [_telling(text) for text in wanted]
    theirs = [_telling(text) for text in found]
    index: dict[str, list[int]] = {}
    for rank, wanted_words in enumerate(theirs):
        for word in wanted_words:
            index.setdefault(word, []).append(rank)
    free = set(range(len(theirs)))
    for wanted_words in ours:
        shared = Counter(
            rank for word in wanted_words for rank in index.get(word, ()) if rank in free
        )
        best = max(shared, key=lambda rank: _share(wanted_words, theirs[rank]), default=None)
        if best is not None and _share(wanted_words, theirs[best]) >= CONTAINED:
            free.discard(best)
    return set(range(len(theirs))) - free


def _telling(text: str) -> Counter[str]:
    """The words of a reference but the shortest: initials are glued in some, and spaced in others.

    What consists of short words only keeps them.
    """
    all_words = words(text)
    return Counter([word for word in all_words if len(word) > 2 or word.isdigit()] or all_words)


def _share(wanted: Counter[str], found: Counter[str]) -> float:
    """How much of a known reference is in a found one, and is not a small part of it."""
    common = (wanted & found).total()
    long = found.total() > 3 * wanted.total() + 60  # several references in one
    return 0.0 if long else common / max(wanted.total(), 1)
