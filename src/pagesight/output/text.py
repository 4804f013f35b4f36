"""What all formats need: values that may be missing, and texts that may contain anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagesight.readers.article import ArticleReading, ArticleValue, CitedPart

_CONTROLS = {code: None for code in (*range(32), *range(127, 160)) if not chr(code).isspace()}


def one_line(text: str) -> str:
    """Text on one line, without characters that could control a terminal."""
    return " ".join(text.translate(_CONTROLS).split())


def text_of(value: ArticleValue | CitedPart | None) -> str:
    """The text of a value, empty where there is none."""
    return value.text if value else ""


def in_journal(reading: ArticleReading) -> str:
    """Where an article appeared: ``Annals of Tea 18 (3), 211–228, 2024``; empty if unknown."""
    issue = f"({reading.issue.text})" if reading.issue else ""
    volume = " ".join(filter(None, (text_of(reading.journal), text_of(reading.volume), issue)))
    parts = (volume, text_of(reading.pages), text_of(reading.year))
    return ", ".join(filter(None, parts)) if reading.journal else ""
