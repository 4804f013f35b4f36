"""The works that an article cites, as if each were an article that was read."""

from __future__ import annotations

from collections.abc import Iterator

from pagesight.readers.article import ArticleReading, ArticleValue, Author, CitedPart, Reference


def cited_works(reading: ArticleReading) -> Iterator[ArticleReading]:
    """The references of an article whose titles or journals are known, for bibliographies."""
    for reference in reading.references:
        if reference.title or reference.container:
            yield _work(reference)


def _work(reference: Reference) -> ArticleReading:
    authors = (
        Author(
            text=one.text,
            confidence=one.confidence,
            given=one.given,
            family=one.family,
            group=one.group,
        )
        for one in reference.authors
    )
    return ArticleReading(
        is_article=reference.container is not None,
        confidence=reference.confidence,
        title=_value(reference.title),
        authors=tuple(authors),
        journal=_value(reference.container),
        volume=_value(reference.volume),
        issue=_value(reference.issue),
        pages=_value(reference.pages),
        year=_stated(reference.year, reference.year_confidence),
        doi=_stated(reference.doi, reference.doi_confidence),
        url=None if reference.doi else reference.url,
    )


def _value(part: CitedPart | None) -> ArticleValue | None:
    return ArticleValue(text=part.text, confidence=part.confidence) if part else None


def _stated(text: str | None, confidence: float | None) -> ArticleValue | None:
    return ArticleValue(text=text, confidence=confidence or 0.0) if text else None
