"""The quality gate of outlines: floors for headings and levels on pages made blind."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagesight.models.weights import load_weights
from pagesight.readers.corpora import digest
from pagesight.readers.outline.corpus import CORPUS, folds, labelled_pages
from pagesight.readers.outline.evaluation import Tally
from pagesight.readers.outline.features import VERSION
from pagesight.readers.outline.metrics import mean
from pagesight.readers.outline.reading import TASK, Seen
from pagesight.readers.outline.training import held_out

pytestmark = [pytest.mark.corpora, pytest.mark.browser]

DIGEST = "8369d9cc94ddd52f"  # the floors hold for these pages
# The first fold; reached: 0.928, 0.939, 0.798 and 0.825.
IDENTIFICATION_FLOOR, HIERARCHY_FLOOR, ORDER_FLOOR, EXACT_FLOOR = 0.92, 0.93, 0.78, 0.80
# All five folds, as training found them; reached: 0.932, 0.936 and 0.811.
SHIPPED_FLOORS = {"identification F": 0.93, "hierarchy F": 0.93, "exact level": 0.80}


@pytest.fixture(scope="module")
def found(corpora: Path) -> Tally:
    """The first fold of families, read by what was learned from the others."""
    assert digest(corpora / CORPUS) == DIGEST, "the corpus has changed: set new floors"
    pages = list(labelled_pages(corpora / CORPUS, renderer="chromium"))
    part = folds(pages)[0]
    tally = Tally()
    levels = held_out(pages, [Seen.of(page.blocks) for page in pages], part)
    for index, found in zip(part, levels, strict=True):
        tally.add(pages[index].name, *pages[index].items(found))
    return tally


def test_headings_are_found(found: Tally) -> None:
    assert mean(found.identification).f >= IDENTIFICATION_FLOOR


def test_levels_are_right(found: Tally) -> None:
    assert mean(found.hierarchy).f >= HIERARCHY_FLOOR
    assert mean(found.order).f >= ORDER_FLOOR
    assert found.exact_shares()[0] >= EXACT_FLOOR


def test_the_shipped_weights_are_of_these_pages() -> None:
    weights = load_weights(TASK, VERSION)
    assert weights.corpus == DIGEST
    for name, floor in SHIPPED_FLOORS.items():
        assert weights.scores[name] >= floor
