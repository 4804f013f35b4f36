"""The reading `article`: title, authors, affiliations, abstract and references of an article."""

from pagesight.readers.article.reading import (
    Abstract,
    Affiliation,
    ArticleReading,
    Author,
    LabelledZone,
    Reference,
    Section,
    Value,
)

__all__ = [
    "Abstract",
    "Affiliation",
    "ArticleReading",
    "Author",
    "LabelledZone",
    "Reference",
    "Section",
    "Value",
]
