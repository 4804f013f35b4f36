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
    wanted, names = truth.authors, names_of(reading)
    if wanted:
        yield from _list(
            "authors", _named(wanted), _named(names), *_right(count_persons, wanted, names)
        )
    if truth.affiliations:
        places = texts_of(scored_places(reading, truth))
        right = _right(count_texts, truth.affiliations, places)
        yield from _list("affiliations", truth.affiliations, places, *right)
    if truth.abstract and (alike := likeness(reading.abstract, [truth.abstract])) < FINE:
        sizes = f"{len(abstract.split())} words for {len(truth.abstract.split())}"
        yield f"abstract: {alike:.2f}, {sizes}: {_short(abstract)}"
    if truth.references:
        cited = texts_of(reading.references)
        right = _right(count_references, truth.references, cited)
        yield from _list("references", truth.references, cited, *right)


def _right(
    count: Callable[[Sequence[Some], Sequence[Some]], Prf],
    wanted: Sequence[Some],
    read: Sequence[Some],
) -> tuple[list[bool], list[bool]]:
    """Which of the wanted values were read, and which of those that were read are wanted."""
    found = [count([value], read).right > 0 for value in wanted]
    return found, [count(wanted, [value]).right > 0 for value in read]


def _titles(found: str, wanted: str) -> str:
    """Two titles, from where they differ on."""
    pairs = enumerate(zip(found, wanted, strict=False))
    differ = next((at for at, (one, other) in pairs if one != other), min(len(found), len(wanted)))
    same = max(differ - BEFORE, 0)
    mark = "…" if same else ""
    shown = f"{mark}{_short(found[same:])}" if found else "none"
    return f"title: {shown}; should be: {mark}{_short(wanted[same:])}"


def _named(names: Sequence[Name]) -> list[str]:
    return [f"{name.given} {name.family}".strip() for name in names]


def _list(
    field: str,
    wanted: Sequence[str],
    read: Sequence[str],
    found: Sequence[bool],
    right: Sequence[bool],
) -> Iterator[str]:
    """What of a list is missing, and what is too much."""
    missing = [text for text, is_found in zip(wanted, found, strict=True) if not is_found]
    wrong = [text for text, is_right in zip(read, right, strict=True) if not is_right]
    if missing:
        yield f"{field}: {len(missing)} of {len(wanted)} missing: {_some(missing)}"
    if wrong:
        yield f"{field}: {len(wrong)} of {len(read)} wrong: {_some(wrong)}"


def _some(texts: Sequence[str]) -> str:
    return "; ".join(map(_short, texts[:MOST])) + (" …" if len(texts) > MOST else "")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
