"""The quality gate of titles: floors that real pages must reach.

Scores are of models that have not learned from the pages that they are judged by. No floor is lower
than it once was. Those of kinds with some hundred pages are near to what chance does: the standard
deviation over eight seeds is 0.015 for collections and 0.009 for listings.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from pagesight.learning.calibration import calibration_error
from pagesight.learning.corpora import Corpora, digest
from pagesight.models.weights import load_weights
from pagesight.readers.title.features import VERSION
from pagesight.readers.title.learning.corpus import TitledPage, parsed_pages, rendered_pages
from pagesight.readers.title.learning.evaluation import with_baselines
from pagesight.readers.title.learning.training import TITLE, ChosenTitle, choose
from pagesight.readers.title.reader import shipped_model
from pagesight.readers.title.seed.methods import METHODS

pytestmark = pytest.mark.corpora

DIGEST = "f85f7173f4e24b05"  # other pages need floors of their own
FLOORS = {
    "article": 0.969, "collection": 0.86, "documentation": 0.879, "forum": 0.975, "human": 0.948,
    "listing": 0.85, "product": 0.91, "service": 0.808, "all": 0.915, "exact": 0.797,
}  # fmt: skip
BASELINES = {"title-tag": 0.73, "titlefinder-tf": 0.76, "tta-s3": 0.75, "tta": 0.76}
SAMPLE = 60
T = TypeVar("T")


@pytest.fixture(scope="module")
def read(corpora: Path) -> tuple[list[TitledPage], dict[str, list[float]]]:
    """All pages, and the scores of the baselines."""
    assert digest(corpora / "titles") == DIGEST, "the corpus has changed: set new floors"
    methods = {name: METHODS[name] for name in BASELINES}
    return with_baselines(parsed_pages(Corpora(corpora)), methods)


@pytest.fixture(scope="module")
def chosen(read: tuple[list[TitledPage], dict[str, list[float]]]) -> list[ChosenTitle]:
    return TITLE.calibrated(read[0], TITLE.held_out(read[0]))


@pytest.mark.parametrize("kind", FLOORS)
def test_fast_titles_reach_their_floors(kind: str, chosen: list[ChosenTitle]) -> None:
    if kind == "exact":
        score = statistics.mean(title.right for title in chosen)
    else:
        score = statistics.mean(e.likeness for e in chosen if kind in ("all", e.page.kind))
    assert score >= FLOORS[kind]


def test_confidence_is_calibrated(chosen: list[ChosenTitle]) -> None:
    right = [title.right for title in chosen]
    assert calibration_error([title.confidence for title in chosen], right) <= 0.04


@pytest.mark.parametrize("method", BASELINES)
def test_baselines_are_what_they_were(
    method: str, read: tuple[list[TitledPage], dict[str, list[float]]]
) -> None:
    assert statistics.mean(read[1][method]) >= BASELINES[method]


def test_the_shipped_weights_are_of_these_pages() -> None:
    weights = load_weights("title", VERSION)
    assert weights.corpus == DIGEST
    assert weights.scores["fast dice"] >= FLOORS["all"]
    assert weights.scores["seen dice"] >= 0.916
    assert weights.scores["seen exact"] >= 0.80
    assert weights.scores["fast, no address dice"] >= 0.91
    assert weights.scores["seen, no address dice"] >= 0.91


@pytest.mark.browser
def test_rendered_pages_are_read_with_the_shipped_weights(corpora: Path) -> None:
    model = shipped_model("seen")  # it knows these pages: this is a check of the way, not of it
    pages = rendered_pages(Corpora(corpora, "chromium"), take=partial(_sample, size=SAMPLE))
    scores = [choose(model, page).likeness for page in pages]
    assert len(scores) == SAMPLE
    assert statistics.mean(scores) >= 0.92  # measured: .924


def _sample(rows: Sequence[T], size: int) -> list[T]:
    return random.Random(0).sample(rows, size)
