"""Working through sources: what is said, what fails, and what is closed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import run, save_small_page

from pagesight.cli import sources
from pagesight.cli.options import ReadingOptions, RendererName
from pagesight.cli.sources import NO_CHROMIUM, arriving, read_sources, requests_of, work_through
from pagesight.document import Document, Failure
from pagesight.errors import BadManifest, NotAPage, SourceNotFound
from pagesight.render import opening
from pagesight.sources import Request

HTML = b"<title>Tea</title><p>Green tea"


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    return save_small_page(tmp_path)


@pytest.fixture
def no_chromium(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pagesight.render.chromium.discovery.find_browser", lambda: None)


@pytest.mark.usefixtures("no_chromium")
def test_doing_without_chromium_is_said_once(tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_bytes(HTML)
    done = run("title", "--json", "a.html", "b.html", "a.html", cwd=tmp_path)
    assert (done.returncode, done.stderr.decode()) == (0, f"{NO_CHROMIUM}\n")


@pytest.mark.usefixtures("no_chromium")
def test_nobody_misses_chromium_for_a_saved_page(page_file: Path) -> None:
    assert run("title", "--json", page_file).stderr == b""


@pytest.mark.usefixtures("no_chromium")
def test_who_asks_for_the_embedded_renderer_gets_no_notice() -> None:
    done = run("title", "--json", "--renderer", "embedded", "-", stdin=HTML)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_renderer_is_closed_whatever_happens(
    page_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = []
    monkeypatch.setattr(opening.AnyRenderer, "close", lambda _: closed.append(True))
    options = ReadingOptions(sources=[str(page_file)] * 3, renderer=RendererName.EMBEDDED)
    assert len([*read_sources(options)]) == 3
    results = read_sources(options)
    next(results)
    assert isinstance(results, Iterator)
    results.close()  # type: ignore[attr-defined]
    assert closed == [True, True]


def test_requests_are_in_order_and_failures_in_their_place(tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text('b.html\n{\n{"source": "c.html", "root": "site"}\n')
    options = ReadingOptions(sources=["a.html"], manifest=str(listed), root=Path("everywhere"))
    a, b, bad, c = requests_of(options)
    assert a == Request(source="a.html", root=Path("everywhere"))
    assert b == Request(source=tmp_path / "b.html", root=Path("everywhere"))
    assert c == Request(source=tmp_path / "c.html", root=tmp_path / "site")
    assert isinstance(bad, Failure)
    assert bad.source == f"{listed}:2"
    assert isinstance(bad.error, BadManifest)


def test_a_list_that_cannot_be_read_is_one_failure(tmp_path: Path) -> None:
    (failure,) = requests_of(ReadingOptions(manifest=str(tmp_path / "no-such.txt")))
    assert isinstance(failure, Failure)
    assert isinstance(failure.error, SourceNotFound)


def test_failures_are_counted_and_passed_on(
    page_file: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    used: list[str] = []
    failed: list[Failure] = []

    def use(document: Document) -> None:
        used.append(document.source)
        if len(used) == 2:
            raise NotAPage("not for me", hint="give me another")
        if len(used) == 3:
            raise ZeroDivisionError("oops")

    page = str(page_file)
    options = ReadingOptions(sources=[page, "no-such.html", page, page, page])
    assert work_through(options, use, failed.append) == 3
    assert used == [page] * 4
    kinds = [failure.error.kind for failure in failed]
    assert kinds == ["source_not_found", "not_a_page", "unexpected_error"]
    assert capfd.readouterr().err.splitlines()[:3] == [
        "error: no-such.html: there is no such file",
        f"error: {page}: not for me",
        "  hint: give me another",
    ]


def test_a_full_disk_is_not_an_error_of_a_page(page_file: Path) -> None:
    def use(_: Document) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        work_through(ReadingOptions(sources=[str(page_file)]), use)


def test_a_file_that_cannot_be_read_is_an_error_of_a_page(page_file: Path) -> None:
    def use(_: Document) -> None:
        raise PermissionError(13, "Permission denied", "weights.json")

    assert work_through(ReadingOptions(sources=[str(page_file)]), use) == 1


def test_failures_as_json(tmp_path: Path) -> None:
    failure = Failure("tea.html", NotAPage("empty", hint="write something"))
    assert sources.failure_fields(failure) == {
        "source": "tea.html",
        "error": {"kind": "not_a_page", "message": "empty", "hint": "write something"},
    }


# Things that arrive one by one.


def test_items_arrive_in_order() -> None:
    assert [item for item in arriving(range(1000)) if item is not None] == [*range(1000)]


def test_moments_without_an_item_are_marked() -> None:
    release = threading.Event()

    def slow() -> Iterator[str]:
        yield "first"
        release.wait(60)
        yield "second"

    items = arriving(slow())
    assert next(item for item in items if item) == "first"
    assert next(items) is None
    release.set()
    assert [item for item in items if item] == ["second"]


def test_an_error_of_the_items_is_raised_where_they_go() -> None:
    def failing() -> Iterator[int]:
        yield 1
        raise ValueError("no more")

    items = (item for item in arriving(failing()) if item is not None)
    assert next(items) == 1
    with pytest.raises(ValueError, match="no more"):
        next(items)
