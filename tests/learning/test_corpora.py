from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagesight.errors import CorpusNotFound, PagesightError
from pagesight.learning.corpora import (
    Corpora,
    digest,
    rendered,
    request_of,
    rows,
)
from pagesight.page import Page


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGESIGHT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def teas(tmp_path: Path) -> Path:
    """A corpus of two pages, one of which is missing."""
    folder = tmp_path / "teas"
    folder.mkdir()
    (folder / "green.html").write_text("<h1>Green tea</h1>")
    listed: list[dict[str, Any]] = [
        {"file": "green.html", "url": "https://tea.org/green"},
        {"file": "black.html"},
    ]
    (folder / "dev.jsonl").write_text("\n".join(map(json.dumps, listed)) + "\n\n")
    return folder


def test_a_corpus_is_found_by_name(teas: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Corpora(teas.parent).folder_of("teas") == teas
    monkeypatch.setenv("PAGESIGHT_CORPORA", str(teas.parent))
    assert Corpora().folder_of("teas") == teas


def test_a_corpus_that_is_not_there(teas: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CorpusNotFound, match="no corpus 'milks'"):
        Corpora(teas.parent).folder_of("milks")
    monkeypatch.delenv("PAGESIGHT_CORPORA", raising=False)
    with pytest.raises(CorpusNotFound, match="no corpora given"):
        Corpora().folder_of("teas")


def test_lines_are_pages(teas: Path) -> None:
    green, black = rows(teas)
    assert request_of(teas, green).url == "https://tea.org/green"
    assert request_of(teas, black).source == teas / "black.html"
    assert request_of(teas, {**black, "root": "files"}).root == teas / "files"


def test_line_separators_in_texts_do_not_end_a_line(teas: Path) -> None:
    (teas / "dev.jsonl").write_text('{"file": "a", "title": "two\u2028lines"}', encoding="utf-8")
    assert rows(teas) == [{"file": "a", "title": "two\u2028lines"}]


@pytest.mark.parametrize("text", ["[1]", "{", '"tea"'])
def test_what_is_not_a_list_of_pages_is_refused(text: str, teas: Path) -> None:
    (teas / "dev.jsonl").write_text(text)
    with pytest.raises(CorpusNotFound, match="not a list of pages"):
        rows(teas)


def test_corpora_differ_by_their_lists(teas: Path) -> None:
    before = digest(teas)
    (teas / "dev.jsonl").write_text("{}")
    assert digest(teas) != before


def test_pages_are_rendered_in_order_and_failures_stated(teas: Path) -> None:
    requests = [request_of(teas, row) for row in rows(teas)]
    page, error = rendered(requests, renderer="embedded")
    assert isinstance(page, Page)
    assert isinstance(error, PagesightError)
    assert "black.html" in str(error)


def test_pages_that_cannot_be_rendered_are_left_out(teas: Path) -> None:
    ((row, page),) = Corpora(None, "embedded").pages(teas, rows(teas))
    assert row["file"] == "green.html"
    assert page.info.url == "https://tea.org/green"


def test_progress_counts_pages_that_fail_as_well(teas: Path) -> None:
    heard: list[int] = []
    corpora = Corpora(None, "embedded", heard.append, lambda: heard.append(-1))
    assert len([*corpora.pages(teas, rows(teas))]) == 1
    assert heard == [2, -1, -1]
    assert [*corpora.worked_on(["a"])] == ["a"]
    assert heard[3:] == [1, -1]


def test_bytes_may_be_changed_before_they_are_rendered(teas: Path) -> None:
    corpora = Corpora(None, "embedded")
    changed = corpora.pages(teas, rows(teas), change=lambda data: data.replace(b"Green", b"White"))
    ((_, page),) = changed
    assert "White tea" in page.root.text
    ((_, page),) = corpora.pages(teas, rows(teas))
    assert "Green tea" in page.root.text
