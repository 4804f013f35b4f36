"""The figures of the paper, for a corpus of two small pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pagesight.learning.corpora import Corpora
from pagesight.watch.seed.tables import FETCHES, figure_tables


@pytest.fixture
def corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpora:
    """A page that has one block more on its third day, listed twice on its first one."""
    monkeypatch.setenv("PAGESIGHT_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "snapshots"
    folder.mkdir()
    listed = [_snapshot(folder, day, blocks) for day, blocks in enumerate((2, 2, 3, 2), start=1)]
    other = {**listed[0], "site": "other.example", "kind": "terms"}
    again = {**listed[0], "time": "2022-01-01T18"}
    lines = map(json.dumps, [*reversed(listed), again, other])
    (folder / "dev.jsonl").write_text("\n".join(lines))
    return Corpora(folder=tmp_path, renderer="embedded")


def _snapshot(folder: Path, day: int, blocks: int) -> dict[str, str]:
    parts = [f"<div>block{number} of day{day}</div>" for number in range(blocks)]
    (folder / f"{day}.html").write_text("".join(parts))
    return {"file": f"{day}.html", "site": "tea.example", "time": f"2022-01-0{day}", "kind": "home"}


def test_figures_of_the_pages_of_a_kind(corpora: Corpora) -> None:
    assert figure_tables(corpora, ("home",)) == [
        "Figure 4: number of web components\n"
        "             components by fetch  as many as most  kept\n"
        "tea.example              2 2 3 2                3     3",
        "Figure 5: components and the sizes of their ICVs\n"
        "             strong  weak  of these empty  words, median  most  all  pictures\n"
        "tea.example       2     0               0            1.0     1    2         0",
    ]


def test_only_the_last_fetches_are_looked_at(corpora: Corpora) -> None:
    folder = corpora.folder_of("snapshots")
    listed = [_snapshot(folder, day, 2) for day in range(1, FETCHES + 5)]
    listed = [{**row, "time": f"2022-{day:02}"} for day, row in enumerate(listed)]
    (folder / "dev.jsonl").write_text("\n".join(map(json.dumps, listed)))
    figure_4, _ = figure_tables(corpora)
    assert figure_4.splitlines()[-1].split()[1:-2] == FETCHES * ["2"]
