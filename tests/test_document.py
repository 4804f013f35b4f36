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
from pagesight.jobs import MOST_JOBS
from pagesight.output.inspector import page_layers
from pagesight.segment.content import content_of
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


def test_wrong_use_of_many_fails_before_anything_is_read() -> None:
    with pytest.raises(TypeError, match="a source is"):
        pagesight.read_all([TEA, 3], renderer="embedded")  # type: ignore[list-item]
    with pytest.raises(TypeError):
        pagesight.read_all(3)  # type: ignore[arg-type]


def test_an_unknown_renderer_is_named() -> None:
    with pytest.raises(ValueError, match="no renderer 'lynx'; there are auto"):
        pagesight.read_all([TEA], renderer="lynx")


def test_many_are_read_by_as_many_jobs_as_the_program_has(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[int] = []

    def opened(name: str, options: pagesight.RenderOptions) -> pagesight.render.AnyRenderer:
        jobs.append(options.jobs)
        return pagesight.open_renderer(name, options)

    monkeypatch.setattr("os.cpu_count", lambda: 64)
    monkeypatch.setattr("pagesight.document.open_renderer", opened)
    pagesight.read_all([], renderer="embedded")
    pagesight.read_all([], renderer="embedded", options=pagesight.RenderOptions(jobs=2))
    assert jobs == [MOST_JOBS, 2]


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
        pagesight.read_all("tea.html")  # not one source for each letter


def test_options_are_for_a_renderer_that_is_opened() -> None:
    options = pagesight.RenderOptions(timeout=1)
    with (
        pagesight.open_renderer("embedded") as renderer,
        pytest.raises(TypeError, match="open_renderer"),
    ):
        pagesight.read(TEA, renderer=renderer, options=options)


def test_what_a_notebook_shows_of_zones_is_short() -> None:
    shown = repr(pagesight.read(TEA, renderer="embedded").zones)
    assert shown == "<ZonesReading 1 main>"


def tea() -> pagesight.Document:
    return pagesight.read(TEA, renderer="embedded", picture=True)


def test_a_reading_is_made_once() -> None:
    document = tea()
    assert document.title is document.reading("title")
    assert document.glance("title") is document.title
    assert document.glance("article").is_article is False
    assert document.article is not document.glance("outline")


def test_json_does_not_depend_on_what_was_asked_before() -> None:
    before, document = tea().to_json(), tea()
    assert document.article.is_article is False
    assert document.to_json() == before


def test_leaf_zones_are_worked_out_once_for_all_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[object] = []

    def counted(page: pagesight.Page) -> object:
        times.append(page)
        return content_of(page)

    monkeypatch.setattr("pagesight.segment.leaves.content_of", counted)
    document = tea()
    layers = page_layers(document.page, document.reading)
    assert {layer.name for layer in layers} >= {"blocks", "xycut", "headings", "article"}
    document.to_json()
    assert times == [document.page]


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        (TEA, None),
        (b"<title>404 Not Found</title><h1>Not Found</h1><p>nginx", "not found"),
        (b"<title>Just a moment</title><p>Checking your browser", "bot check"),
        (b"<title>404 Not Found</title>" + b"<p>Green tea from Japan" * 200, None),
    ],
)
def test_the_problem_of_a_page_is_that_of_its_title(html: bytes, problem: str | None) -> None:
    one, other = (pagesight.read(html, renderer="embedded") for _ in range(2))
    assert one.title.problem == problem
    assert one.problem == problem  # as the title has it
    assert other.problem == problem  # without the title


def test_the_repr_of_a_document_is_short() -> None:
    assert len(repr(tea())) < 80
    assert repr(tea()).startswith("<Document '<bytes>' <Page ")


def test_a_notebook_shows_a_table_and_a_picture() -> None:
    html = b"<title>Tea &amp; &lt;script&gt;</title><h1>Tea &amp; &lt;script&gt;</h1><p>Green tea"
    shown = pagesight.read(html, renderer="embedded", picture=True)._repr_html_()
    for name in ("zones", "title", "outline", "article", "records"):
        assert f">{name}</th>" in shown
    assert "Tea &amp; &lt;script&gt;" in shown
    assert "<script" not in shown
    assert "&lt;bytes&gt;" in shown
    assert "<img alt='' src='data:image/png;base64," in shown
    assert len(shown) < 100_000


def test_a_notebook_shows_what_is_wrong_with_a_page() -> None:
    shown = pagesight.read(b"<title>404 Not Found</title>", renderer="embedded")._repr_html_()
    assert "not found" in shown
    assert "<img" not in shown


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
