"""The front door."""

from __future__ import annotations

from pathlib import Path

import pytest

import pagesight

TEA = b"<title>Tea</title><p>Green tea"


def test_many_pages_need_no_open_renderer() -> None:
    options = pagesight.RenderOptions(jobs=2)
    sources: list[bytes | Path] = [TEA, Path("no-such.html"), TEA]
    first, missing, last = pagesight.read_all(sources, renderer="embedded", options=options)
    assert isinstance(missing, pagesight.Failure)
    assert missing.error.kind == "source_not_found"
    assert isinstance(first, pagesight.Document)
    assert isinstance(last, pagesight.Document)
    assert first.page == last.page


def test_an_unknown_renderer_is_named() -> None:
    with pytest.raises(ValueError, match="no renderer 'lynx'; there are auto"):
        next(pagesight.read_all([TEA], renderer="lynx"))
