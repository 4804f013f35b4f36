"""The block of a pipeline of datatrove, with datatrove."""

from __future__ import annotations

import pytest

pytest.importorskip("datatrove", reason="datatrove is not installed")

from datatrove.data import Document

from archives import page
from pagesight.integrations.datatrove import PagesightBlock


def test_documents_of_html_become_documents_of_text() -> None:
    block = PagesightBlock(readings=("title", "outline"))
    given = [
        Document(text=page(1).decode(), id="1", metadata={"url": "https://tea.example/1"}),
        Document(text="", id="2"),
        Document(text=page(3).decode(), id="3"),
    ]
    first, third = block.run(iter(given))
    assert (first.id, third.id) == ("1", "3")
    assert "light the stove" in first.text
    assert "<" not in first.text
    read = first.metadata["pagesight"]
    assert read["url"] == "https://tea.example/1"
    assert read["readings"]["title"]["title"]["text"] == "The tea house number 1 by the river"
    assert set(read["readings"]) == {"title", "outline"}
    counts = {name: stat.total for name, stat in block.stats.stats.items()}
    assert (counts["total"], counts["forwarded"], counts["not_a_page"]) == (3, 2, 1)
