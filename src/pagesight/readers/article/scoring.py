"""The scores of a reading against what is known of the article."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from pagesight.readers.article.metrics import Counts, Name, count_persons, count_texts
from pagesight.readers.article.reading import ArticleReading
from pagesight.readers.article.text import dice, words
from pagesight.readers.article.truth import Truth

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


def score(reading: ArticleReading, truth: Truth) -> Scores:
    """The scores of one page; fields of which nothing is known are left out."""
    title = reading.title.text if reading.title else ""
    abstract = reading.abstract.text if reading.abstract else ""
    persons = [Name(author.given, author.family) for author in reading.authors]
    found_places = [place.text for place in reading.affiliations]
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


def count_references(wanted: Iterable[str], found: Iterable[str]) -> Counts:
    """Match references one to one by the words that they share.

    Tags hold a reference in parts, not as it is printed: its words have to be there, the order and
    what is printed besides do not count.
    """
    ours = [_telling(text) for text in wanted]
    theirs = [_telling(text) for text in found]
    index: dict[str, list[int]] = {}
    for rank, own in enumerate(theirs):
        for word in own:
            index.setdefault(word, []).append(rank)
    free = set(range(len(theirs)))
    right = 0
    for own in ours:
        shared = Counter(rank for word in own for rank in index.get(word, ()) if rank in free)
        best = max(shared, key=lambda rank: _share(own, theirs[rank]), default=None)
        if best is not None and _share(own, theirs[best]) >= CONTAINED:
            free.discard(best)
            right += 1
    return Counts(len(ours), len(theirs), right)


def _telling(text: str) -> Counter[str]:
    """The words of a reference but the shortest: initials are glued in some, and spaced in others.

    What consists of short words only keeps them.
    """
    own = words(text)
    return Counter([word for word in own if len(word) > 2 or word.isdigit()] or own)


def _share(wanted: Counter[str], found: Counter[str]) -> float:
    """How much of a known reference is in a found one, and is not a small part of it."""
    common = (wanted & found).total()
    long = found.total() > 3 * wanted.total() + 60  # several references in one
    return 0.0 if long else common / max(wanted.total(), 1)
