"""A loader for LangChain: pages become documents of the text that is seen.

from pagesight.integrations.langchain import PagesightLoader

documents = PagesightLoader(["page.html", "https://example.com/"]).load()
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document as TextDocument

from pagesight.document import Document, Failure, read_all
from pagesight.integrations.text import main_text
from pagesight.sources import Request


class PagesightLoader(BaseLoader):
    """Loads pages from paths, addresses or bytes; what cannot be read raises its error.

    With `skip_failures`, it is left out instead.
    """

    def __init__(
        self,
        sources: Iterable[str | Path | bytes | Request],
        *,
        renderer: str = "auto",
        skip_failures: bool = False,
    ) -> None:
        self.sources = list(sources)
        self.renderer = renderer
        self.skip_failures = skip_failures

    def lazy_load(self) -> Iterator[TextDocument]:
        """One document for each page, in the order of the sources."""
        for result in read_all(self.sources, renderer=self.renderer):
            if not isinstance(result, Failure):
                yield _text_document(result)
            elif not self.skip_failures:
                raise result.error


def _text_document(document: Document) -> TextDocument:
    title = document.title.title
    metadata = {
        "source": document.page.url or document.source,
        "title": title.text if title else None,
        "language": document.page.head.language,
        "headings": [heading.text for heading in document.outline.headings],
    }
    return TextDocument(page_content=main_text(document), metadata=metadata)
