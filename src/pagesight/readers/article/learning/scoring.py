"""The scores of a reading against what is known of the article."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from pagesight.learning.calibration import Judged
from pagesight.learning.scores import Prf
from pagesight.readers.article.labelling.weights import CALIBRATED
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.names.persons import Name, same_person
from pagesight.readers.article.reading import Affiliation, ArticleReading, ArticleValue
from pagesight.segment.text import dice, dice_of_pairs, pairs, words

SAME = 0.8  # Dice from which two affiliations or references count as the same
NEARLY = 0.9  # Dice from which a title or an abstract is right
CONTAINED = 0.8  # of the words of a known reference that the text of a found one has to hold
SPELLED = 0.9  # of its letters, if words are glued together or taken apart


@dataclass(frozen=True, slots=True)
class ArticleScores:
    """Of one page or of many: Dice of title and abstract, counts of the lists."""

    title: tuple[float, ...] = ()
    authors: Prf = field(default_factory=Prf)
    affiliations: Prf = field(default_factory=Prf)
    abstract: tuple[float, ...] = ()
    references: Prf = field(default_factory=Prf)

    def __add__(self, other: ArticleScores) -> ArticleScores:
        return ArticleScores(*(getattr(self, name) + getattr(other, name) for name in CALIBRATED))

    def of(self, name: str) -> float:
        """The score of a field: the mean Dice of a text, or F of a list; 1 if nothing is known."""
        score = getattr(self, name)
        if isinstance(score, Prf):
            return score.f
        return float(np.mean(score)) if score else 1.0

    @property
    def known(self) -> dict[str, float]:
        """The scores of the fields of which something is known."""
        values = {name: getattr(self, name) for name in CALIBRATED}
        return {
            name: self.of(name)
            for name, value in values.items()
            if (value.wanted if isinstance(value, Prf) else value)
        }

    @property
    def mean(self) -> float:
        """The mean over the fields of which something is known."""
        return float(np.mean(list(self.known.values()) or [1.0]))


def score(reading: ArticleReading, truth: Truth) -> ArticleScores:
    """The scores of one page; fields of which nothing is known are left out."""
    places, cited = texts_of(scored_places(reading, truth)), texts_of(reading.references)
    return ArticleScores(
        title=(likeness(reading.title, truth.titles),) if truth.titles else (),
        authors=count_persons(truth.authors, names_of(reading)) if truth.authors else Prf(),
        affiliations=count_texts(truth.affiliations, places) if truth.affiliations else Prf(),
        abstract=(likeness(reading.abstract, [truth.abstract]),) if truth.abstract else (),
        references=count_references(truth.references, cited) if _cites(truth) else Prf(),
    )


def judged(reading: ArticleReading, truth: Truth) -> dict[str, Judged]:
    """For each field of which something is known the values that were read: how sure, and right."""
    known = {"title": truth.titles, "abstract": [truth.abstract] if truth.abstract else ()}
    values: dict[str, Judged] = {
        name: [(value.confidence, likeness(value, known[name]) >= NEARLY)]
        for name, value in (("title", reading.title), ("abstract", reading.abstract))
        if value and known[name]
    }
    if truth.authors:
        values["authors"] = [
            (author.confidence, any(same_person(name, known) for known in truth.authors))
            for author, name in zip(reading.authors, names_of(reading), strict=True)
        ]
    if truth.affiliations:
        values["affiliations"] = [
            (place.confidence, bool(count_texts(truth.affiliations, [place.text]).right))
            for place in scored_places(reading, truth)
        ]
    if _cites(truth):
        right = matched_references(truth.references, texts_of(reading.references))
        values["references"] = [
            (cited.confidence, rank in right) for rank, cited in enumerate(reading.references)
        ]
    return values


def _cites(truth: Truth) -> bool:
    """Whether it is known what the page cites, or that it shows no list."""
    return bool(truth.references) or "references" in truth.absent


def likeness(value: ArticleValue | None, known: Sequence[str]) -> float:
    """How similar a text is to the most similar of those that are right."""
    text = value.text if value else ""
    return max(dice(text, one) for one in known)


def texts_of(values: Iterable[ArticleValue]) -> list[str]:
    """What values say."""
    return [value.text for value in values]


def names_of(reading: ArticleReading) -> list[Name]:
    """The names of the authors."""
    return [Name(author.given, author.family) for author in reading.authors]


def scored_places(reading: ArticleReading, truth: Truth) -> list[Affiliation]:
    """The affiliations that were read, without those that the page holds but does not show."""
    return [
        place
        for place in reading.affiliations
        if count_texts(truth.affiliations, [place.text]).right
        or not count_texts(truth.held, [place.text]).right
    ]


def count_persons(wanted: Sequence[Name], found: Sequence[Name]) -> Prf:
    """Match persons one to one."""
    free = list(found)
    for name in wanted:
        if same := next((one for one in free if same_person(name, one)), None):
            free.remove(same)
    return Prf.of(wanted=len(wanted), found=len(found), right=len(found) - len(free))


def count_texts(wanted: Sequence[str], found: Sequence[str], same: float = SAME) -> Prf:
    """Match texts one to one, the most similar first; `same` is the Dice that counts as right."""
    ours, theirs = [pairs(text) for text in wanted], [pairs(text) for text in found]
    scores = sorted(
        (
            (-score, row, column)
            for row, one in enumerate(ours)
            for column, other in enumerate(theirs)
            if _may_match(one, other, same) and (score := dice_of_pairs(one, other)) >= same
        ),
    )
    rows: set[int] = set()
    columns: set[int] = set()
    for _, row, column in scores:
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
    return Prf.of(wanted=len(wanted), found=len(found), right=len(rows))


def _may_match(one: Counter[str], other: Counter[str], same: float) -> bool:
    """Whether the lengths alone allow that Dice."""
    short, long = sorted((one.total(), other.total()))
    return 2 * short >= same * (short + long)


def count_references(wanted: Sequence[str], found: Sequence[str]) -> Prf:
    """How many references there are, how many were found, and how many of those are right."""
    right = len(matched_references(wanted, found))
    return Prf.of(wanted=len(wanted), found=len(found), right=right)


def matched_references(wanted: Sequence[str], found: Sequence[str]) -> dict[int, int]:
    """Which of the found references is which of the wanted, by the words that they share.

    Tags hold a reference in parts, not as it is printed: its words have to be there, the order and
    what is printed besides do not count.
    """
    ours = [_telling(text) for text in wanted]
    theirs = [_telling(text) for text in found]
    index: dict[str, list[int]] = {}
    for rank, wanted_words in enumerate(theirs):
        for word in wanted_words:
            index.setdefault(word, []).append(rank)
    matched: dict[int, int] = {}
    for number, wanted_words in enumerate(ours):
        shared = Counter(
            rank for word in wanted_words for rank in index.get(word, ()) if rank not in matched
        )
        best = max(shared, key=lambda rank: _share(wanted_words, theirs[rank]), default=None)
        if best is not None and (
            _share(wanted_words, theirs[best]) >= CONTAINED
            or _are_spelled(wanted[number], found[best])
        ):
            matched[best] = number
    return matched


def _are_spelled(wanted: str, found: str) -> bool:
    """Whether the letters of a reference are there: some PDFs glue words, or take them apart."""
    letters, others = pairs(wanted), pairs(found)
    return (letters & others).total() >= SPELLED * max(letters.total(), others.total() / 2)


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
