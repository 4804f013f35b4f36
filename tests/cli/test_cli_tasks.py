"""`pagesight train` and `pagesight evaluate`: what all tasks share."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import run


@pytest.mark.parametrize("verb", ["train", "evaluate"])
def test_articles_need_their_corpora(verb: str, tmp_path: Path) -> None:
    done = run(verb, "article", "--corpora", tmp_path)
    assert done.returncode == 1
    assert b"no corpus 'articles'" in done.stderr


def test_where_weights_cannot_be_written_nothing_is_learned(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run("train", "title", "-o", tmp_path / "file/weights.json")
    assert done.returncode == 2
    assert b"cannot be used" in done.stderr


def test_where_nothing_is_learned_no_folder_is_left(tmp_path: Path) -> None:
    done = run("train", "title", "--corpora", tmp_path, "-o", tmp_path / "new/deep/weights.json")
    assert done.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_one_family_of_outlines_is_not_measured(tmp_path: Path) -> None:
    (tmp_path / "outlines").mkdir()
    (tmp_path / "outlines/tea.html").write_text("<h1>Tea</h1><p>Green tea")
    (tmp_path / "outlines/dev.jsonl").write_text('{"file": "tea.html", "family": "teas"}\n')
    cache = str(tmp_path / "cache")
    command = ("evaluate", "outline", "--corpora", tmp_path, "--renderer", "embedded")
    done = run(*command, PAGESIGHT_CACHE=cache)
    assert done.returncode == 1
    assert b"of one style family" in done.stderr
    assert done.stdout == b""


def test_a_page_that_is_missing_in_a_corpus_is_named(tmp_path: Path) -> None:
    (tmp_path / "titles").mkdir()
    (tmp_path / "titles/dev.jsonl").write_text('{"file": "no.html"}\n')
    done = run("evaluate", "title", "--corpora", tmp_path)
    assert done.returncode == 1
    assert done.stderr.decode().startswith(f"error: {tmp_path / 'titles/no.html'}: ")


@pytest.mark.parametrize("option", [("--bound",), ("--folds", "4")])
def test_options_that_a_task_does_not_know(option: tuple[str, ...]) -> None:
    done = run("evaluate", "title", *option)
    assert done.returncode == 2
    assert f"{option[0]} is not for 'title'" in done.stderr.decode()


def test_folds_of_one_part_are_refused() -> None:
    assert run("evaluate", "article", "--folds", "1").returncode == 2


@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_the_help_lists_the_tasks(command: str) -> None:
    shown = " ".join(run(command, "--help").stdout.decode().split())
    tasks = "article, components, outline, records, title or zones"
    assert f"The reading to {command}: {tasks}." in shown


def test_numbers_out_of_bounds_are_explained() -> None:
    done = run("evaluate", "article", "--folds", "1")
    assert done.returncode == 2
    assert "'1' is not a whole number of at least 2" in done.stderr.decode()
