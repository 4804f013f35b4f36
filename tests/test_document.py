"""The front door."""

from __future__ import annotations

import time
from collections.abc import Iterator
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


def test_what_is_read_does_not_wait_for_the_next_source() -> None:
    given: list[object] = []

    def sources() -> Iterator[bytes | None]:
        yield TEA
        while not given:  # for ever, if nothing is given before the end
            time.sleep(0.01)
            yield None
        yield TEA

    for document in pagesight.read_all(sources(), renderer="embedded"):
        given += [document]
    assert len(given) == 2


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
