"""The reading `article`: title, authors, affiliations, abstract and references of an article."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagesight.lazy import offered
from pagesight.readers.registry import LayerSpec, Reading

if TYPE_CHECKING:
    from pagesight.readers.article.reader import read_article
    from pagesight.readers.article.reading import (
        Abstract,
        Affiliation,
        ArticleDate,
        ArticleReading,
        ArticleValue,
        Author,
        CitedAuthor,
        CitedPart,
        LabelledZone,
        Reference,
        Section,
    )

__all__ = [
    "READING",
    "Abstract",
    "Affiliation",
    "ArticleDate",
    "ArticleReading",
    "ArticleValue",
    "Author",
    "CitedAuthor",
    "CitedPart",
    "LabelledZone",
    "Reference",
    "Section",
    "read_article",
]

READING = Reading(
    name="article",
    question="what does the page say of the journal article that it shows?",
    read="pagesight.readers.article.reader:read_article",
    glance="pagesight.readers.article.reader:no_article",
    unread="pagesight.readers.article.reading:unread",
    lines="pagesight.cli.commands.article:lines",
    layers=(
        LayerSpec(
            name="article", title="Article", marks="pagesight.output.inspector.layers:article_marks"
        ),
    ),
    train="pagesight.readers.article.learning.training:train",
    evaluate="pagesight.readers.article.learning.evaluation:evaluate",
)

if not TYPE_CHECKING:
    __getattr__ = offered(__name__, __all__, "reading", "reader")
