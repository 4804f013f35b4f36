"""Readings that take longer than their limit, as commands report them."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import lines, run, save_small_page

from pagesight import cpu
from pagesight.errors import ReadingTimeout


@pytest.fixture
def out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def limited(_: object, seconds: float) -> None:
        raise ReadingTimeout(f"not read within {seconds:g} s of CPU time")

    monkeypatch.setattr("pagesight.document.limited", limited)
    monkeypatch.setattr(cpu, "limited", limited)


@pytest.mark.usefixtures("out_of_time")
@pytest.mark.parametrize("command", ["zones", "title", "outline", "article", "records"])
def test_a_command_whose_reading_takes_too_long_says_so(tmp_path: Path, command: str) -> None:
    page = save_small_page(tmp_path)
    done = run(command, "--json", "--reading-time", "3", page)
    assert [line["problem"] for line in lines(done.stdout)] == ["out of time"]
    assert f"{page}: {command}: out of time; see --reading-time" in done.stderr.decode()
    assert done.returncode == 0
    assert run(command, page).returncode == 0


@pytest.mark.usefixtures("out_of_time")
def test_each_reading_has_a_problem_of_its_own(tmp_path: Path) -> None:
    (line,) = lines(run("read", "--json", save_small_page(tmp_path)).stdout)
    assert {fields["problem"] for fields in line["readings"].values()} == {"out of time"}
    assert line["problem"] is None


@pytest.mark.usefixtures("out_of_time")
def test_a_tree_that_takes_too_long_is_a_failure(tmp_path: Path) -> None:
    done = run(
        "zones", "--json", "--tree", "vips", "--reading-time", "3", save_small_page(tmp_path)
    )
    assert [line["error"]["kind"] for line in lines(done.stdout)] == ["reading_timeout"]
    assert done.returncode == 1


@pytest.mark.usefixtures("out_of_time")
def test_learning_parts_has_the_time_of_a_reading_for_each_snapshot(tmp_path: Path) -> None:
    page = save_small_page(tmp_path)
    done = run("components", "learn", "--reading-time", "3", page, page)
    assert done.returncode == 1
    assert "not read within 6 s of CPU time" in done.stderr.decode()
