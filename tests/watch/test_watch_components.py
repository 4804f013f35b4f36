"""Watching with the components that are learned, not with those of a test."""

from __future__ import annotations

from pathlib import Path

from pagesight.render import AnyRenderer
from pagesight.watch import Status, Watch


def test_all_parts_that_are_learned_are_watched(
    database: str, embedded: AnyRenderer, tmp_path: Path
) -> None:
    rows = "".join('<tr class="row"><td>Tea</td><td>Sold out</td></tr>' for _ in range(30))
    path = tmp_path / "tea.html"
    path.write_text(
        "<!doctype html><title>Tea</title><h1>The tea house by the river</h1>"
        f"<table>{rows}</table><div id='hours'><h2>Hours</h2><p>Open from nine to five.</p></div>"
    )
    with Watch.open(database, renderer=embedded) as watch:
        parts = watch.add(path, select=["tr.row", "#hours"])
        seen = [watch.observation(part.id) for part in parts]
    assert len({one.xpath for one in seen}) == 31
    assert {(one.status, one.confidence) for one in seen} == {(Status.FOUND, 1.0)}
    assert sum("Open from nine to five." in one.text for one in seen) == 1
