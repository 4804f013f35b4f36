"""An article as CSL-JSON, the format of citation processors."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pagesight.output.bibtex import Keys
from pagesight.output.text import text_of
from pagesight.readers.article import ArticleReading, Author


def csl(readings: Iterable[ArticleReading]) -> str:
    """A list of items, as in CSL-JSON files; ids are distinct keys."""
    keys = Keys()
    items = [csl_item(reading, keys.new(reading)) for reading in readings]
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def csl_item(reading: ArticleReading, key: str) -> dict[str, Any]:
    """One item, without what is not known."""
    year = text_of(reading.year)
    item = {
        "id": key,
        "type": "article-journal" if reading.is_article else "document",
        "title": text_of(reading.title),
        "author": [_name(author) for author in reading.authors],
        "container-title": text_of(reading.journal),
        "volume": text_of(reading.volume),
        "issue": text_of(reading.issue),
        "page": text_of(reading.pages).replace("–", "-"),
        "issued": {"date-parts": [[int(year)]]} if year else None,
        "DOI": text_of(reading.doi),
        "URL": reading.url,
        "keyword": ", ".join(keyword.text for keyword in reading.keywords),
        "abstract": text_of(reading.abstract),
    }
    return {name: value for name, value in item.items() if value}


def _name(author: Author) -> dict[str, str]:
    if not author.given:
        return {"literal": author.family or author.text}
    parts = {"family": author.family, "given": author.given, "suffix": author.suffix}
    return {name: value for name, value in parts.items() if value}
