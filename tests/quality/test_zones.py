"""The quality gate of zones: floors that the blocks of real pages must reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagesight.learning.corpora import Corpora, digest
from pagesight.readers.zones.learning.corpus import CORPUS
from pagesight.readers.zones.learning.evaluation import OURS, Evaluation, evaluation
from pagesight.readers.zones.learning.training import drawn_examples, lists_beside

pytestmark = [pytest.mark.corpora, pytest.mark.browser]

DIGEST = "7513f79b6c9bcf53"  # the floors hold for these pages
# Cross-validated by site; reached: 0.925 and 0.868.
F_FLOORS = {1: 0.91, 2: 0.865}
# Above the best of all others, at whatever degree of coherence; reached: 0.051 and 0.121.
LEAD_FLOORS = {1: 0.03, 2: 0.10}
RAND_FLOORS = {1: 0.74, 2: 0.785}  # reached: 0.748 and 0.790
KIND_FLOOR = 0.695  # reached: 0.714
KIND_F_FLOOR = 0.635  # the mean over kinds; reached: 0.664
CALIBRATION_CEILING = 0.06  # reached: 0.041


@pytest.fixture(scope="module")
def found(corpora: Path) -> Evaluation:
    assert digest(corpora / CORPUS) == DIGEST, "the corpus has changed: set new floors"
    real = Corpora(corpora, "chromium")
    examples = drawn_examples(real)
    return evaluation(examples, lists_beside(examples, real))


@pytest.mark.parametrize("level", [1, 2])
def test_blocks_are_those_that_people_draw(level: int, found: Evaluation) -> None:
    ours = found.mean(level, OURS)
    assert ours.f >= F_FLOORS[level]
    assert ours.rand >= RAND_FLOORS[level]


@pytest.mark.parametrize("level", [1, 2])
def test_ours_leads(level: int, found: Evaluation) -> None:
    assert found.lead(level) >= LEAD_FLOORS[level]


def test_kinds_are_those_that_people_name(found: Evaluation) -> None:
    assert found.kinds.accuracy >= KIND_FLOOR
    assert found.kinds.accuracy > 2 * found.kinds.majority
    assert found.kinds.accuracy > found.kinds.by_names + 0.15
    assert found.kinds.mean_f >= KIND_F_FLOOR
    assert found.kinds.calibration_error <= CALIBRATION_CEILING
