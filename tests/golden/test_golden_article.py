"""The article among the examples is read as `article.json` has it, which was checked by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from digest import GOLDEN, RENDERERS, REPOSITORY, source_of

import pagesight
from pagesight.readers.article import ArticleReading, ArticleValue, Reference

EXAMPLE = "journal-article"
RIGHT: dict[str, Any] = json.loads((GOLDEN / EXAMPLE / "article.json").read_text("utf-8"))
VALUES = ("title", "doi", "year", "journal", "volume", "issue", "pages")


@pytest.fixture(scope="module")
def read() -> Callable[[str], dict[str, Any]]:
    """What the example gives now, rendered once for all its fields."""

    @cache
    def reader(renderer: str) -> dict[str, Any]:
        source = REPOSITORY / source_of(EXAMPLE)
        return said(pagesight.read(source, renderer=renderer).article)

    return reader


def said(reading: ArticleReading) -> dict[str, Any]:
    """The texts of a reading."""
    sections = reading.abstract.sections if reading.abstract else ()
    return {
        "is_article": reading.is_article,
        **{name: _text(getattr(reading, name)) for name in VALUES},
        "authors": [
            {
                "given": author.given,
                "family": author.family,
                "email": author.email,
                "corresponding": author.corresponding,
                "affiliations": list(author.affiliations),
            }
            for author in reading.authors
        ],
        "affiliations": {place.id: place.text for place in reading.affiliations},
        "abstract": {section.heading: section.text for section in sections},
        "keywords": [keyword.text for keyword in reading.keywords],
        "references": [reference.text for reference in reading.references],
        "parts": [_parts(reference) for reference in reading.references],
        "dates": {one.kind: one.date for one in reading.dates},
    }


def _parts(reference: Reference) -> list[str | None]:
    """The authors, title, container, volume, issue, pages and year of a reference."""
    names = "; ".join(f"{who.family}, {who.given}".strip(", ") for who in reference.authors)
    fields = ("title", "container", "volume", "issue", "pages")
    texts = (getattr(reference, name) for name in fields)
    return [names, *(part.text if part else None for part in texts), reference.year]


def _text(value: ArticleValue | None) -> str | None:
    return value.text if value else None


@pytest.mark.parametrize(
    "renderer",
    [pytest.param(RENDERERS[0], marks=pytest.mark.browser), RENDERERS[1]],
)
@pytest.mark.parametrize("field", RIGHT)
def test_a_field_is_right(field: str, renderer: str, read: Callable[[str], dict[str, Any]]) -> None:
    assert read(renderer)[field] == RIGHT[field]


def test_every_field_is_compared() -> None:
    assert list(said(ArticleReading(is_article=False, confidence=0.0))) == list(RIGHT)
