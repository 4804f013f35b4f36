"""What all formats need of values that may not be there."""

from __future__ import annotations

from pagesight.readers.article import ArticleReading, Value


def text_of(value: Value | None) -> str:
    """The text of a value, empty where there is none."""
    return value.text if value else ""


def in_journal(reading: ArticleReading) -> str:
    """Where an article appeared: ``Annals of Tea 18 (3), 211–228, 2024``; empty if unknown."""
    issue = f"({reading.issue.text})" if reading.issue else ""
    volume = " ".join(filter(None, (text_of(reading.journal), text_of(reading.volume), issue)))
    parts = (volume, text_of(reading.pages), text_of(reading.year))
    return ", ".join(filter(None, parts)) if reading.journal else ""
