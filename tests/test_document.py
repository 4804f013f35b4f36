"""The front door."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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


@pytest.mark.parametrize(
    "wrong",
    [{"jobs": 0}, {"timeout": -1.0}, {"timeout": float("nan")}, {"max_nodes": 0},
     {"viewport": (0, 800)}],
)  # fmt: skip
def test_options_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        pagesight.RenderOptions(**wrong)
