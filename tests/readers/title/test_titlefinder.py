from __future__ import annotations

import math

import pytest

from pagesight.readers.title.seed import titlefinder


def test_cosine_of_term_frequencies() -> None:
    assert titlefinder.cosine({"tea": 1, "shop": 1}, {"tea": 1}) == pytest.approx(1 / math.sqrt(2))
    assert titlefinder.cosine({"tea": 1}, {"milk": 1}) == 0.0


def test_rare_words_count_more() -> None:
    rarity = titlefinder.inverse_frequency([{"tea": 1, "shop": 1}, {"shop": 2}])
    assert rarity == {"tea": math.log(3), "shop": math.log(1.5)}
    assert titlefinder.weighted({"tea": 2, "new": 1}, rarity) == {
        "tea": 2 * math.log(3),
        "new": 1.0,
    }


def test_overlap_adds_what_the_document_has() -> None:
    assert titlefinder.overlap({"tea": 1.0, "shop": 9.0}, {"tea": 2.0, "milk": 5.0}) == 2.0


@pytest.mark.parametrize("measure", ["tf", "tf-idf", "overlap"])
def test_the_text_most_like_the_tag(measure: str) -> None:
    texts = ["Home", "Green tea from Japan", "All about milk"]
    assert titlefinder.title("Green tea from Japan | Shop", texts, measure) == texts[1]
    assert titlefinder.title("Coffee", texts, measure) is None
