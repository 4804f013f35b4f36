"""The parts of the references of a page, with confidences: as readings have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from pagesight.models.logistic import Platt
from pagesight.readers.article.citations.parser import Parts, Person, parse
from pagesight.readers.article.citations.tokens import Citation
from pagesight.readers.article.citations.weights import CitationWeights
from pagesight.readers.article.names.persons import divide, is_group
from pagesight.readers.article.reading import CitedAuthor, CitedPart

AT_END, INSIDE = 0.99, 0.9  # probabilities of identifiers, before calibration


class CitedFields(TypedDict, total=False):
    """The parts of a reference."""

    authors: tuple[CitedAuthor, ...]
    title: CitedPart
    container: CitedPart
    volume: CitedPart
    issue: CitedPart
    pages: CitedPart
    year: str
    year_confidence: float
    doi: str
    doi_confidence: float


def cited_fields(
    citations: Sequence[Citation], dois: Sequence[str | None], weights: CitationWeights
) -> list[CitedFields]:
    """The parts of each citation; identifiers may be in links, and are given."""
    curves = weights.calibration
    return [
        _fields(parts, doi, one.text, curves)
        for parts, doi, one in zip(parse(citations, weights), dois, citations, strict=True)
    ]


def chance_of_doi(text: str, doi: str) -> float:
    """How probable an identifier is: after one in the text, the rest of it may follow."""
    _, written, after = text.partition(doi)
    return INSIDE if written and any(map(str.isalnum, after)) else AT_END


def _fields(parts: Parts, doi: str | None, text: str, curves: Mapping[str, Platt]) -> CitedFields:
    fields: CitedFields = {
        "authors": tuple(_author(who, curves["authors"]) for who in parts.authors)
    }
    for name in ("title", "container", "volume", "issue", "pages"):
        if part := parts.parts.get(name):
            fields[name] = CitedPart(part.text, curves[name].of(part.chance))
    if year := parts.parts.get("year"):
        fields["year"], fields["year_confidence"] = year.text, curves["year"].of(year.chance)
    if doi:
        fields["doi"] = doi
        fields["doi_confidence"] = curves["doi"].of(chance_of_doi(text, doi))
    return fields


def _author(who: Person, curve: Platt) -> CitedAuthor:
    given, family = who.given, who.family
    group = who.group or (not given and is_group(who.text))
    if not given and not group:
        given, family = divide(who.text)
    return CitedAuthor(who.text, curve.of(who.chance), given, family or who.text, group)
