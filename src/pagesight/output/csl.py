"""An article as CSL-JSON, the format of citation processors."""

from __future__ import annotations

import json
from typing import Any

from pagesight.output.bibtex import key
from pagesight.readers.article import ArticleReading, Author


def csl(reading: ArticleReading) -> str:
    """A list with one item, as CSL-JSON files are."""
    return json.dumps([csl_item(reading)], ensure_ascii=False, indent=2) + "\n"


def csl_item(reading: ArticleReading) -> dict[str, Any]:
    """The item itself; what is not known is left out."""
    item = {
        "id": key(reading),
        "type": "article-journal",
        "title": reading.title.text if reading.title else None,
        "author": [_name(author) for author in reading.authors],
        "issued": {"date-parts": [[int(reading.year)]]} if reading.year else None,
        "DOI": reading.doi,
        "URL": reading.url,
        "keyword": ", ".join(keyword.text for keyword in reading.keywords),
        "abstract": reading.abstract.text if reading.abstract else None,
    }
    return {name: value for name, value in item.items() if value}


def _name(author: Author) -> dict[str, str]:
    if not author.given:
        return {"literal": author.family or author.text}
    parts = {"family": author.family, "given": author.given, "suffix": author.suffix}
    return {name: value for name, value in parts.items() if value}
