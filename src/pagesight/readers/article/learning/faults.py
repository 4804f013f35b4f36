"""What is wrong with a reading, in words, for those who want to know why a score is low."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from pagesight.learning.scores import Prf
from pagesight.readers.article.learning.metrics import count_persons, count_texts
from pagesight.readers.article.learning.scoring import (
    count_references,
    likeness,
    names_of,
    scored_places,
    texts_of,
)
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.names.persons import Name
from pagesight.readers.article.reading import ArticleReading

FINE = 0.995  # the Dice from which nothing is said
MOST = 3  # of what is missing or too much
LONGEST = 70  # characters of a text
BEFORE = 20  # of a title, before what is wrong

Some = TypeVar("Some", str, Name)


def faults(reading: ArticleReading, truth: Truth) -> Iterator[str]:
    """A line for each field that is not as it should be."""
    title, abstract = (value.text if value else "" for value in (reading.title, reading.abstract))
    if truth.titles and likeness(reading.title, truth.titles) < FINE:
        yield _titles(title, truth.titles[0])
    if truth.abstract and (alike := likeness(reading.abstract, [truth.abstract])) < FINE:
        sizes = f"{len(abstract.split())} words for {len(truth.abstract.split())}"
        yield f"abstract: {alike:.2f}, {sizes}: {_short(abstract)}"
    places, cited = texts_of(scored_places(reading, truth)), texts_of(reading.references)
    yield from _list("authors", truth.authors, names_of(reading), count_persons)
    yield from _list("affiliations", truth.affiliations, places, count_texts)
    yield from _list("references", truth.references, cited, count_references)


def _titles(found: str, wanted: str) -> str:
    """Two titles, from where they differ on."""
    pairs = enumerate(zip(found, wanted, strict=False))
    differ = next((at for at, (one, other) in pairs if one != other), min(len(found), len(wanted)))
    same = max(differ - BEFORE, 0)
    mark = "…" if same else ""
    shown = f"{mark}{_short(found[same:])}" if found else "none"
    return f"title: {shown}; should be: {mark}{_short(wanted[same:])}"


def _list(
    field: str,
    wanted: Sequence[Some],
    read: Sequence[Some],
    count: Callable[[Sequence[Some], Sequence[Some]], Prf],
) -> Iterator[str]:
    """What of a list is missing, and what is too much; nothing if nothing is known of it."""
    missing = [value for value in wanted if not count([value], read).right]
    wrong = [value for value in read if wanted and not count(wanted, [value]).right]
    if missing:
        yield f"{field}: {len(missing)} of {len(wanted)} missing: {_some(missing)}"
    if wrong:
        yield f"{field}: {len(wrong)} of {len(read)} wrong: {_some(wrong)}"


def _some(values: Sequence[str | Name]) -> str:
    texts = [value if isinstance(value, str) else value.whole for value in values[:MOST]]
    return "; ".join(map(_short, texts)) + (" …" if len(values) > MOST else "")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
