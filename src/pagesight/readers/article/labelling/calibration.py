"""How often values are right that the model is so sure of: a curve for each field.

A value is read from zones, but more than their labels tells whether it is right. The curves come
from pages that were read by weights which had not seen their publishers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pagesight.models.logistic import Platt
from pagesight.readers.article.reading import ArticleReading, ArticleValue

CALIBRATED = ("title", "authors", "affiliations", "abstract", "references")


def calibrated(reading: ArticleReading, curves: Mapping[str, Platt]) -> ArticleReading:
    """The reading with the confidences that these curves give its fields."""
    changed: dict[str, Any] = {}
    for name, curve in curves.items():
        field = getattr(reading, name)
        if isinstance(field, ArticleValue):
            (changed[name],) = _mapped([field], curve)
        elif field:
            changed[name] = tuple(_mapped(field, curve))
    return replace(reading, **changed)


def _mapped(values: Sequence[ArticleValue], curve: Platt) -> list[ArticleValue]:
    mapped = curve.confidence([value.confidence for value in values]).tolist()
    return [replace(value, confidence=sure) for value, sure in zip(values, mapped, strict=True)]
