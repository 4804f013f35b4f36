"""An article as a RIS record."""

from __future__ import annotations

from collections.abc import Iterator

from pagesight.output.text import one_line, text_of
from pagesight.readers.article import ArticleReading, Author


def ris(reading: ArticleReading) -> str:
    """One record of the type JOUR, or GEN for other works, one tag per line."""
    lines = [f"{tag}  - {one_line(text)}" for tag, text in _tags(reading) if text]
    kind = "JOUR" if reading.is_article else "GEN"
    return "\r\n".join((f"TY  - {kind}", *lines, "ER  - ", ""))


def _tags(reading: ArticleReading) -> Iterator[tuple[str, str]]:
    yield "TI", text_of(reading.title)
    for author in reading.authors:
        yield "AU", _name(author)
    for affiliation in reading.affiliations:
        yield "AD", affiliation.text
    yield "T2", text_of(reading.journal)
    yield "VL", text_of(reading.volume)
    yield "IS", text_of(reading.issue)
    first, _, last = text_of(reading.pages).partition("–")
    yield "SP", first
    yield "EP", last
    yield "PY", text_of(reading.year)
    yield "DO", text_of(reading.doi)
    yield "UR", reading.url or ""
    for keyword in reading.keywords:
        yield "KW", keyword.text
    yield "AB", text_of(reading.abstract)


def _name(author: Author) -> str:
    """``Family, Given, Suffix``; other commas would shift the parts."""
    parts = (author.family or author.text, author.given, author.suffix)
    return ", ".join(part.replace(",", "") for part in parts if part)
