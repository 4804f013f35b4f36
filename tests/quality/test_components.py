"""The quality gate of components: floors for pages of brands that were not learned from."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagesight.learning.corpora import Corpora, digest
from pagesight.models.weights import load_weights
from pagesight.watch.components.learning.corpus import (
    CORPUS,
    HOME_REDESIGN,
    NEW_DESIGN,
    SAME,
    SCRAMBLED,
    pairs,
)
from pagesight.watch.components.learning.judging import GONE, OURS, judged
from pagesight.watch.components.learning.methods import ours
from pagesight.watch.components.model import TASK, VERSION, shipped_model

# The floors hold for these pages: other corpora need floors of their own.
DIGEST = "d66cec195e4fedc2"
FLOORS = {
    f"{SAME}: best": 0.98,
    f"{NEW_DESIGN}: best": 0.92,
    f"{SCRAMBLED}: best": 0.94,
    f"{HOME_REDESIGN}: best": 0.92,
}  # the share of parts for which the best candidate is the right one
SITES = ("faz.net", "ASUS/Privacy Policy", "eharmony/Terms of Service", "Hily/Trackers Policy")
LEAST_RIGHT, MOST_WRONG = 0.88, 0.01  # of the parts of these sites, with the shipped weights


def test_the_shipped_weights_say_what_they_reached_on_brands_left_out() -> None:
    scores = load_weights(TASK, VERSION).scores
    assert {name: scores[name] for name in FLOORS if scores[name] < FLOORS[name]} == {}


@pytest.mark.corpora
@pytest.mark.browser
def test_parts_are_found_and_hardly_any_is_mistaken(corpora: Path) -> None:
    assert digest(corpora / CORPUS) == DIGEST, "the corpus has changed: set new floors"
    method = {OURS: ours(shipped_model())}
    found = [
        outcome
        for turn, pair in enumerate(pairs(Corpora(corpora, "chromium"), only=SITES))
        if pair.parts
        for outcome in judged(pair, method, turn)
    ]
    there = [each for each in found if each.setting != GONE]
    assert len(there) > 250
    assert sum(each.right for each in there) >= LEAST_RIGHT * len(there)
    assert sum(each.wrong for each in found) <= MOST_WRONG * len(found)
