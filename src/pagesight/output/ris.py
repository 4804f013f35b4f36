"""An article as a RIS record."""

from __future__ import annotations

from collections.abc import Iterator

from pagesight.readers.article import ArticleReading, Author


def ris(reading: ArticleReading) -> str:
    """One record of the type JOUR; each tag on a line of its own."""
    lines = [f"{tag}  - {' '.join(text.split())}" for tag, text in _tags(reading) if text]
    return "\r\n".join(("TY  - JOUR", *lines, "ER  - ", ""))


def _tags(reading: ArticleReading) -> Iterator[tuple[str, str]]:
    yield "TI", reading.title.text if reading.title else ""
    for author in reading.authors:
        yield "AU", _name(author)
    for affiliation in reading.affiliations:
        yield "AD", affiliation.text
    yield "PY", reading.year or ""
    yield "DO", reading.doi or ""
    yield "UR", reading.url or ""
    for keyword in reading.keywords:
        yield "KW", keyword.text
    yield "AB", reading.abstract.text if reading.abstract else ""


def _name(author: Author) -> str:
    """``Family, Given, Suffix``; commas of its own would move the parts."""
    parts = (author.family or author.text, author.given, author.suffix)
    return ", ".join(part.replace(",", "") for part in parts if part)
