"""The loader for LangChain, with LangChain."""

from __future__ import annotations

import pytest

pytest.importorskip("langchain_core", reason="LangChain is not installed")

from archives import page
from pagesight.errors import NotAPage
from pagesight.integrations.langchain import PagesightLoader

SOURCES = [page(1), b"\x89PNG\r\n\x1a\n", page(2)]


def test_pages_become_documents() -> None:
    loader = PagesightLoader(SOURCES, renderer="embedded", skip_failures=True)
    first, second = loader.load()
    assert first.metadata["title"] == "The tea house number 1 by the river"
    assert second.metadata["headings"][0] == "The tea house number 2 by the river"
    assert "light the stove" in first.page_content


def test_what_cannot_be_read_is_an_error() -> None:
    with pytest.raises(NotAPage):
        PagesightLoader(SOURCES, renderer="embedded").load()
