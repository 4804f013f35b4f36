"""The progress bar: for people at a terminal only, with totals, pace and time left."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console
from running import run, save_small_page

from pagesight.cli import output, sources
from pagesight.cli.options import ReadingOptions
from pagesight.cli.output import Progress, pace


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Standard error as a terminal."""
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100, color_system=None)
    monkeypatch.setattr(output, "messages", lambda: console)
    monkeypatch.setenv("TERM", "xterm")
    return screen


@pytest.mark.parametrize(
    ("done", "total", "seconds", "shown"),
    [
        (0, 10, 0.0, "0:00:00"),
        (0, None, 3.2, "0:00:03"),
        (5, 10, 5.0, "1/s, 0:00:05 left"),
        (1, 100, 60.0, "0.017/s, 1:39:00 left"),
        (30, 90, 60.0, "0.5/s, 0:02:00 left"),
        (7, None, 2.0, "3.5/s, 0:00:02"),
        (5000, 1_000_000, 4.0, "1,250/s, 0:13:16 left"),
        (10, 10, 5.0, "2/s, 0:00:00 left"),
        (12, 10, 6.0, "2/s, 0:00:00 left"),  # the list has grown since
        (1, 2_000_000, 60.0, "0.017/s, 1388 days, 21:19:00 left"),
    ],
)
def test_pace(done: int, total: int | None, seconds: float, shown: str) -> None:
    assert pace(done, total, seconds) == shown


def test_time_left_shrinks_as_work_is_done() -> None:
    def left(done: int) -> str:
        return pace(done, 100, float(done)).split(", ")[1]

    assert [left(done) for done in (10, 50, 90)] == ["0:01:30 left", "0:00:50 left", "0:00:10 left"]


def test_a_bar_with_a_total(terminal: io.StringIO) -> None:
    with Progress(3) as bar:
        bar.advance()
        bar.advance()
    shown = terminal.getvalue()
    assert re.search(r"2/3 \d", shown)
    assert "left" in shown


def test_a_bar_without_a_total_counts(terminal: io.StringIO) -> None:
    with Progress(None) as bar:
        bar.advance()
    assert "1/?" in terminal.getvalue()
    assert "left" not in terminal.getvalue()


def test_a_bar_counts_on_more_as_it_is_told(terminal: io.StringIO) -> None:
    with Progress(None) as bar:
        bar.expect(2)
        bar.advance()
        bar.expect(3)
        bar.advance()
    shown = terminal.getvalue()
    assert re.search(r"2/5 \d", shown)
    assert "left" in shown


def test_one_source_has_no_bar(terminal: io.StringIO) -> None:
    with Progress(1) as bar:
        bar.advance()
        with bar.aside():
            pass
    assert terminal.getvalue() == ""


def test_a_pipe_has_no_bar(capfd: pytest.CaptureFixture[str]) -> None:
    with Progress(10) as bar:
        bar.advance()
        with bar.aside():
            pass
    assert capfd.readouterr() == ("", "")


def test_a_dumb_terminal_has_no_bar(terminal: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    with Progress(10) as bar:
        bar.advance()
    assert terminal.getvalue() == ""


def test_results_in_a_pipe_leave_the_bar_alone(terminal: io.StringIO) -> None:
    with Progress(10) as bar, bar.aside():
        written = terminal.getvalue()
    assert "0/10" in written


def test_the_total_counts_the_lines_of_a_list(terminal: io.StringIO, tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text("# teas\na.html\n\n{bad\nb.html\n")
    assert sources.total_of(ReadingOptions(manifest=str(listed))) == 3
    assert sources.total_of(ReadingOptions(sources=["x", "y"], manifest=str(listed))) == 5
    assert sources.total_of(ReadingOptions(sources=["x", "y"])) == 2


def test_what_cannot_be_counted_has_no_total(terminal: io.StringIO, tmp_path: Path) -> None:
    assert sources.total_of(ReadingOptions(manifest="-")) is None
    assert sources.total_of(ReadingOptions(manifest=str(tmp_path / "no-such.txt"))) is None


def test_nothing_is_counted_where_nobody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> int:
        raise AssertionError("the list was read twice")

    monkeypatch.setattr("pagesight.sources.manifest.count_entries", refuse)
    page = save_small_page(tmp_path)
    (tmp_path / "list.txt").write_text(f"{page.name}\n" * 2)
    assert run("title", "--json", "--from", tmp_path / "list.txt").returncode == 0


def test_a_list_at_a_terminal_shows_its_total(terminal: io.StringIO, tmp_path: Path) -> None:
    page = save_small_page(tmp_path)
    (tmp_path / "list.txt").write_text(f"{page.name}\n" * 7)
    assert run("title", "--json", "--from", tmp_path / "list.txt").returncode == 0
    assert "7/7" in terminal.getvalue()
