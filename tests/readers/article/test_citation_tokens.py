"""The tokens of citations, what is seen of them, and their looks on a page."""

from __future__ import annotations

import numpy as np
import pytest
from small_labels import LayOut

from pagesight.errors import ModelError
from pagesight.readers.article.citations.labels import FIRST, LABEL_OF, LABELS, STATES
from pagesight.readers.article.citations.lines import citations_of
from pagesight.readers.article.citations.tokens import (
    MOST,
    Citation,
    Vocabulary,
    features,
    normal_gap,
    shape_of,
)
from pagesight.readers.article.citations.weights import CitationWeights, shipped_weights
from pagesight.readers.article.zones import article_zones

VOCABULARY = Vocabulary(["tea", "of"], [" ", ". ", "^"])


def column(slot: str, *texts: str) -> list[int]:
    """What is in a slot for each token of these texts."""
    at = list(VOCABULARY.sizes).index(slot)
    offset = sum(list(VOCABULARY.sizes.values())[:at])
    values = features([Citation.of(text) for text in texts], VOCABULARY)[:, at] - offset
    return [int(value) for value in values]


def test_words_numbers_and_addresses_are_tokens_and_signs_are_gaps() -> None:
    citation = Citation.of("O’Brien K. Tea12(3):4–9. https://doi.org/10.1/a(b).")
    assert citation.tokens == ("O’Brien", "K", "Tea12", "3", "4", "9", "https://doi.org/10.1/a(b")
    assert citation.gaps == ("", " ", ". ", "(", "):", "–", ". ", ").")
    assert [citation.text[start:end] for start, end in citation.spans] == list(citation.tokens)


def test_a_year_that_is_glued_to_a_journal_is_a_token() -> None:
    assert Citation.of("Chest2010;137").tokens == ("Chest", "2010", "137")


def test_no_citation_is_endless() -> None:
    assert len(Citation.of("a " * 100_000)) == MOST
    assert len(Citation.of("." * 100_000)) == 0


@pytest.mark.parametrize(
    ("token", "shape"),
    [
        ("2004", "year"), ("2004a", "year a"), ("9", "1 digit"), ("123456", "digits"),
        ("e123", "letter digits"), ("12S", "digits letter"), ("K", "A"), ("KM", "AB"),
        ("DNA", "ABC"), ("Geol", "Abcd"), ("of", "ab"), ("McKay", "AbCd"), ("茶", "other letters"),
        ("www.tea.org", "address"), ("PM25x", "mixed digits"),
    ],
)  # fmt: skip
def test_a_token_has_a_shape(token: str, shape: str) -> None:
    assert shape_of(token) == shape


def test_gaps_have_one_kind_of_quotes_dashes_and_spaces() -> None:
    assert normal_gap(",\u00a0 “") == ', "'
    assert normal_gap("—") == "-"


def test_a_token_sees_its_neighbours_and_none_of_other_citations() -> None:
    texts = ("Tea of tea", "of")
    assert column("word +0", *texts) == [2, 3, 2, 3]
    assert column("word -1", *texts) == [0, 2, 3, 0]
    assert column("word +1", *texts) == [3, 2, 0, 0]
    assert column("gap +0", *texts) == [4, 2, 2, 4]


def test_a_token_knows_how_many_sentences_and_years_came_before() -> None:
    assert column("sentence", "Tea. Of 1999. Tea") == [0, 3, 4, 7]
    assert column("enclosed", "Tea (of “tea”) cup") == [0, 2, 3, 0]


def test_what_names_begin_with_is_seen_by_all_tokens() -> None:
    shapes = len(set(column("shape +0", "A K Tea")))
    assert shapes == 2
    first, other = (
        column("order of names", "A King", "King A")[1],
        column("order of names", "King A")[0],
    )
    assert first != other


def test_nothing_has_no_features() -> None:
    assert features([Citation.of("")], VOCABULARY).shape == (0, len(VOCABULARY.sizes))


def test_italic_and_bold_tokens_are_seen_where_not_all_are_alike(lay_out: LayOut) -> None:
    page = lay_out("<p>King A. Tea. <i>J Tea</i> <b>12</b>, 9.</p><p><i>All the same 12</i></p>")
    zones = article_zones(page)
    first, second = citations_of(zones, [([zone], zones.texts[zone]) for zone in range(2)])
    assert dict(zip(first.tokens, first.looks, strict=True)) == {
        "King": 0, "A": 0, "Tea": 1, "J": 1, "12": 2, "9": 0
    }  # fmt: skip
    assert second.looks == ()


def test_first_tokens_of_parts_have_states_of_their_own() -> None:
    assert STATES[FIRST[LABELS.index("title")]] == "first of title"
    assert [LABELS[label] for label in LABEL_OF][: len(LABELS)] == list(LABELS)


def test_weights_come_back_as_they_were_written() -> None:
    weights = shipped_weights()
    again = CitationWeights.from_json(weights.to_json())
    assert np.array_equal(again.emission, weights.emission)
    assert again.calibration == weights.calibration


@pytest.mark.parametrize("part", ["words", "emission", "chain", "calibration"])
def test_damaged_weights_are_refused(part: str) -> None:
    model = shipped_weights().to_json()
    del model[part]
    with pytest.raises(ModelError, match="damaged"):
        CitationWeights.from_json(model)
