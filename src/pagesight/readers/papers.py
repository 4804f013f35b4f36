"""PDFs that are articles: one document, one answer, whatever is asked about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagesight.segment.nodes import on_sheets

if TYPE_CHECKING:
    from pagesight.page import Page
    from pagesight.readers.article import ArticleReading


def article_of_pdf(page: Page) -> ArticleReading | None:
    """The article that a PDF is; None for HTML and for other PDFs."""
    if not on_sheets(page):
        return None
    from pagesight.readers.article.reader import may_be_article, read_article

    article = read_article(page) if may_be_article(page) else None
    return article if article and article.is_article else None
