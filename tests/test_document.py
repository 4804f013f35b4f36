"""The front door."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pagesight
from pagesight.document import read_arriving
from pagesight.sources import Request

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


def test_what_is_read_does_not_wait_for_the_next_request() -> None:
    given: list[object] = []

    def requests() -> Iterator[Request | None]:
        yield Request(source=TEA)
        while not given:  # for ever, if nothing is given before the end
            time.sleep(0.01)
            yield None
        yield Request(source=TEA)

    with pagesight.open_renderer("embedded") as renderer:
        for document in read_arriving(requests(), renderer):
            given += [document]
    assert len(given) == 2


@pytest.mark.parametrize("wrong", [None, 3])
def test_what_is_no_source(wrong: Any) -> None:
    with pytest.raises(TypeError, match="a source is"):
        list(pagesight.read_all([TEA, wrong], renderer="embedded"))


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


def test_one_source_is_not_many() -> None:
    with pytest.raises(TypeError, match="read takes one"):
        next(pagesight.read_all("tea.html"))  # not one source for each letter


def test_options_are_for_a_renderer_that_is_opened() -> None:
    options = pagesight.RenderOptions(timeout=1)
    with (
        pagesight.open_renderer("embedded") as renderer,
        pytest.raises(TypeError, match="open_renderer"),
    ):
        pagesight.read(TEA, renderer=renderer, options=options)


def test_what_a_notebook_shows_of_zones_is_short() -> None:
    shown = repr(pagesight.read(TEA, renderer="embedded").zones)
    assert shown.startswith("ZonesReading(tree=<ZoneTree ")
    assert "array(" not in shown


def test_notebooks_complete_all_names() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import pagesight; print(*dir(pagesight))"],
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    assert set(pagesight.__all__) <= set(done.stdout.split())


def test_the_types_of_a_program_that_uses_it(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("import pagesight\npagesight.raed('tea.html')\npagesight.read(3)\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", program],
        capture_output=True, check=False, text=True,
        env={**os.environ, "MYPYPATH": str(Path(pagesight.__file__).parents[1])},
    )  # fmt: skip
    assert 'Module has no attribute "raed"' in done.stdout
    assert 'Argument 1 to "read" has incompatible type "int"' in done.stdout
