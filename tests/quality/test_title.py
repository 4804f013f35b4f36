"""The quality gate of titles: floors that real pages must reach.

Scores are of models that have not learned from the pages that they are judged by. The floors are
what was measured, less a little for other versions of what lies below.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

from pagesight.models.weights import load_weights
from pagesight.readers.corpora import digest
from pagesight.readers.title.corpus import Labelled, parsed_pages, rendered_pages
from pagesight.readers.title.evaluation import calibration_error
from pagesight.readers.title.features import VERSION
from pagesight.readers.title.methods import METHODS
from pagesight.readers.title.reader import shipped_model
from pagesight.readers.title.text import similarity
from pagesight.readers.title.training import Chosen, choose, confidences, cross_validated

pytestmark = pytest.mark.corpora

DIGEST = "f85f7173f4e24b05"  # other pages need floors of their own
FLOORS = {
    "article": 0.96, "collection": 0.86, "documentation": 0.86, "forum": 0.965, "human": 0.93,
    "listing": 0.83, "product": 0.90, "service": 0.80, "all": 0.91, "exact": 0.77,
}  # fmt: skip
BASELINES = {"title-tag": 0.73, "titlefinder-tf": 0.76, "tta-s3": 0.75, "tta": 0.76}
SAMPLE = 60
T = TypeVar("T")


@pytest.fixture(scope="module")
def pages(corpora: Path) -> list[Labelled]:
    assert digest(corpora / "titles") == DIGEST, "the corpus has changed: set new floors"
    return list(parsed_pages(corpora))


@pytest.fixture(scope="module")
def chosen(pages: list[Labelled]) -> list[Chosen]:
    return cross_validated(pages)


@pytest.mark.parametrize("kind", FLOORS)
def test_fast_titles_reach_their_floors(kind: str, chosen: list[Chosen]) -> None:
    if kind == "exact":
        score = statistics.mean(each.right for each in chosen)
    else:
        score = statistics.mean(e.likeness for e in chosen if kind in ("all", e.page.kind))
    assert score >= FLOORS[kind]


def test_confidence_is_calibrated(chosen: list[Chosen]) -> None:
    right = np.array([each.right for each in chosen])
    assert calibration_error(confidences(chosen), right) <= 0.04


@pytest.mark.parametrize("method", BASELINES)
def test_baselines_are_what_they_were(method: str, pages: list[Labelled]) -> None:
    found = (METHODS[method](page.case.clues) for page in pages)
    titles = [candidates[0].text if candidates else "" for candidates in found]
    scores = [similarity(title, page.title) for title, page in zip(titles, pages, strict=True)]
    assert statistics.mean(scores) >= BASELINES[method]


def test_the_shipped_weights_are_of_these_pages() -> None:
    weights = load_weights("title", VERSION)
    assert weights.corpus == DIGEST
    assert weights.scores["fast dice"] >= FLOORS["all"]
    assert weights.scores["seen dice"] >= 0.905


@pytest.mark.browser
def test_rendered_pages_are_read_with_the_shipped_weights(corpora: Path) -> None:
    model = shipped_model("seen")  # it knows these pages: this is a check of the way, not of it
    pages = rendered_pages(corpora, renderer="chromium", take=partial(_sample, size=SAMPLE))
    assert statistics.mean(choose(page, model).likeness for page in pages) >= 0.93


def _sample(rows: Sequence[T], size: int) -> list[T]:
    return random.Random(0).sample(rows, size)
