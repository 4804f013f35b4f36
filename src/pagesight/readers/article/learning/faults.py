"""What is wrong with a reading, in words, for those who want to know why a score is low."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pagesight.readers.article.learning.metrics import count_texts
from pagesight.readers.article.learning.scoring import count_references, scored_places
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.names.persons import Name, same_person
from pagesight.readers.article.reading import ArticleReading
from pagesight.segment.text import dice

FINE = 0.995  # the Dice from which nothing is said
MOST = 3  # of what is missing or too much
LONGEST = 70  # characters of a text
BEFORE = 20  # of a title, before what is wrong


def faults(reading: ArticleReading, truth: Truth) -> Iterator[str]:
    """A line for each field that is not as it should be."""
    title = reading.title.text if reading.title else ""
    if truth.titles and max(dice(title, known) for known in truth.titles) < FINE:
        yield _titles(title, truth.titles[0])
    yield from _persons(truth.authors, [Name(a.given, a.family) for a in reading.authors])
    if truth.affiliations:
        places = [place.text for place in scored_places(reading, truth)]
        right = [count_texts([text], places).right for text in truth.affiliations]
        found = [count_texts(truth.affiliations, [text]).right for text in places]
        yield from _list("affiliations", truth.affiliations, right, places, found)
    abstract = reading.abstract.text if reading.abstract else ""
    if truth.abstract and (likeness := dice(abstract, truth.abstract)) < FINE:
        sizes = f"{len(abstract.split())} words for {len(truth.abstract.split())}"
        yield f"abstract: {likeness:.2f}, {sizes}: {_short(abstract)}"
    if truth.references:
        cited = [reference.text for reference in reading.references]
        right = [count_references([text], cited).right for text in truth.references]
        found = [count_references(truth.references, [text]).right for text in cited]
        yield from _list("references", truth.references, right, cited, found)


def _titles(found: str, wanted: str) -> str:
    """Two titles, from where they differ on."""
    pairs = enumerate(zip(found, wanted, strict=False))
    differ = next((at for at, (one, other) in pairs if one != other), min(len(found), len(wanted)))
    same = max(differ - BEFORE, 0)
    mark = "…" if same else ""
    shown = f"{mark}{_short(found[same:])}" if found else "none"
    return f"title: {shown}; should be: {mark}{_short(wanted[same:])}"


def _persons(wanted: Sequence[Name], read: Sequence[Name]) -> Iterator[str]:
    if wanted:
        right = [any(same_person(name, other) for other in read) for name in wanted]
        found = [any(same_person(name, other) for other in wanted) for name in read]
        yield from _list("authors", _named(wanted), right, _named(read), found)


def _named(names: Sequence[Name]) -> list[str]:
    return [f"{name.given} {name.family}".strip() for name in names]


def _list(
    field: str,
    wanted: Sequence[str],
    right: Sequence[bool | int],
    read: Sequence[str],
    found: Sequence[bool | int],
) -> Iterator[str]:
    """What of a list is missing, and what is too much."""
    missing = [text for text, is_right in zip(wanted, right, strict=True) if not is_right]
    wrong = [text for text, is_found in zip(read, found, strict=True) if not is_found]
    if missing:
        yield f"{field}: {len(missing)} of {len(wanted)} missing: {_some(missing)}"
    if wrong:
        yield f"{field}: {len(wrong)} of {len(read)} wrong: {_some(wrong)}"


def _some(texts: Sequence[str]) -> str:
    return "; ".join(map(_short, texts[:MOST])) + (" …" if len(texts) > MOST else "")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
