"""The quality gate of the renderers: floors that real pages must reach."""

from __future__ import annotations

import hashlib
import statistics
from dataclasses import astuple, fields
from pathlib import Path

import pytest

from agreement import Agreement, agreement
from corpora import sample
from pagesight.document import Document, read_all
from pagesight.render import AnyRenderer, RenderOptions, open_renderer

pytestmark = [pytest.mark.corpora, pytest.mark.browser]

PAGES = 16  # of each corpus; benchmarks/render.py takes more
# The floors hold for these pages: other corpora need floors of their own.
DIGESTS = {"outlines": "8369d9cc94ddd52f", "titles": "f85f7173f4e24b05"}
FLOORS = {
    "coverage": 0.98,
    "above": 0.985,
    "left_of": 0.96,
    "font_size": 0.96,
    "bold": 0.98,
    "visibility": 0.98,
}


@pytest.fixture(scope="module", params=["outlines", "titles"])
def compared(
    request: pytest.FixtureRequest, corpora: Path, chromium: AnyRenderer
) -> list[Agreement]:
    """How far embedded agrees with chromium on a sample of a corpus."""
    digest = hashlib.sha256((corpora / request.param / "dev.jsonl").read_bytes()).hexdigest()
    assert digest.startswith(DIGESTS[request.param]), "the corpus has changed: set new floors"
    requests = sample(request.param, PAGES)
    with open_renderer("embedded", RenderOptions(jobs=2)) as embedded:
        seen = list(read_all(requests, renderer=embedded))
    expected = list(read_all(requests, renderer=chromium))
    return [
        agreement(one.page, other.page)
        for one, other in zip(expected, seen, strict=True)
        if isinstance(one, Document) and isinstance(other, Document)
    ]


@pytest.mark.parametrize("measure", [field.name for field in fields(Agreement)])
def test_embedded_agrees_with_chromium(measure: str, compared: list[Agreement]) -> None:
    index = [field.name for field in fields(Agreement)].index(measure)
    values = [astuple(each)[index] for each in compared]
    known = [value for value in values if value == value]

    assert len(compared) == PAGES
    assert statistics.median(known) >= FLOORS[measure]
