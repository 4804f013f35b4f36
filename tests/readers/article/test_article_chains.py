"""The orders in which the parts of an article may be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pagesight.models.chain import Chain, best_labels, chain_sums
from pagesight.readers.article.labelling.labels import (
    LABELS,
    NEVER,
    ON_SCREEN,
    ORDERS,
    decode,
    limited,
    order_of,
    possible,
    shares_of_orders,
)

AT = {label: number for number, label in enumerate(LABELS)}
ARTICLE = ["before", "title", "author", "affiliation", "abstract", "body", "reference"]
LETTER = ["before", "title", "body", "author", "affiliation", "reference"]
NOTE = ["before", "title", "body", "reference", "author", "affiliation", "after"]
RECORD = ["before", "title", "author", "abstract", "keywords", "after", "after"]
MARGIN = ["before", "affiliation", "dates", "title", "author", "abstract", "body"]


def some_chain(random: np.random.Generator) -> Chain:
    size = len(LABELS)
    return Chain(random.normal(size=(size, size)), random.normal(size=size), np.zeros(size))


INDIFFERENT = Chain(
    np.zeros((len(LABELS), len(LABELS))), np.zeros(len(LABELS)), np.zeros(len(LABELS))
)


def scores_for(labels: list[str]) -> NDArray[np.float64]:
    scores = np.zeros((len(labels), len(LABELS)))
    scores[range(len(labels)), [AT[label] for label in labels]] = 12.0
    return scores


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 40), st.floats(0.1, 60), st.booleans(), st.integers(0, 2**32 - 1))
def test_the_likeliest_order_decides_by_its_share_and_its_sum(
    length: int, scale: float, sheets: bool, seed: int
) -> None:
    random = np.random.default_rng(seed)
    chain, shares = some_chain(random), random.normal(size=len(ORDERS))
    scores = random.normal(scale=scale, size=(length, len(LABELS)))
    alone = [chain_sums([limited(chain, order)], scores[:, None]) for order in ORDERS]
    totals = [float(sums.log_total[0, 0]) for sums in alone]
    best = max(
        range(len(ORDERS) if sheets else ON_SCREEN), key=lambda rank: shares[rank] + totals[rank]
    )
    labels, (confidence, soft) = decode(chain, shares, scores, sheets=sheets)
    assert labels.tolist() == best_labels(limited(chain, ORDERS[best]), scores)[0].tolist()
    np.testing.assert_allclose(confidence, alone[best].labels[:, 0, 0], atol=1e-9)
    np.testing.assert_allclose(soft.sum(axis=1), 1.0, atol=1e-9)
    assert ((soft >= 0) & (soft <= 1 + 1e-9)).all()


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        (ARTICLE, "article"),
        (LETTER, "signed"),
        (NOTE, "undersigned"),
        (RECORD, "record"),
        (MARGIN, "margin"),
    ],
)
def test_labels_have_the_first_order_that_allows_them(labels: list[str], order: str) -> None:
    assert order_of(labels) == order


@pytest.mark.parametrize("labels", [ARTICLE, LETTER, NOTE, MARGIN])
def test_strong_evidence_finds_the_order(labels: list[str]) -> None:
    shares = shares_of_orders([ARTICLE] * 98)
    numbers, chances = decode(INDIFFERENT, shares, scores_for(labels), sheets=True)
    assert [LABELS[number] for number in numbers] == labels
    confidence, soft = chances[:, np.arange(len(numbers)), numbers]
    assert (confidence > 0.9).all()
    assert (soft < confidence).all()


def test_weak_evidence_does_not_change_the_order() -> None:
    scores = scores_for(LETTER)
    scores[3:5] = 0.0
    scores[3, [AT["author"], AT["body"]]] = 2.0, 1.0
    numbers, _ = decode(INDIFFERENT, shares_of_orders([ARTICLE] * 98), scores, sheets=True)
    assert "author" not in [LABELS[number] for number in numbers[3:]]


def test_no_page_begins_with_authors_unless_in_the_margin() -> None:
    for order in ORDERS:
        follows, first = possible(order)
        assert follows[AT["before"], AT["title"]]
        assert first[AT["affiliation"]] == (order == "margin")
        assert not first[AT["author"]]


def test_what_an_order_forbids_is_never_scored() -> None:
    chain = some_chain(np.random.default_rng(1))
    follows, first = possible("article")
    ordered = limited(chain, "article")
    assert (ordered.transition[~follows] == NEVER).all()
    assert (ordered.start[~first] == NEVER).all()
    assert (ordered.transition[follows] == chain.transition[follows]).all()


def test_on_screen_nothing_comes_before_the_title() -> None:
    shares = shares_of_orders([ARTICLE] * 98)
    numbers, _ = decode(INDIFFERENT, shares, scores_for(MARGIN), sheets=False)
    assert [LABELS[number] for number in numbers[:4]] == ["before"] * 3 + ["title"]


def test_shares_of_orders_sum_to_one() -> None:
    shares = np.exp(shares_of_orders([ARTICLE, ARTICLE, LETTER]))
    assert shares.sum() == pytest.approx(1)
    assert shares[0] > shares[1] > shares[2] > 0


def test_an_empty_page_has_no_labels() -> None:
    empty = np.zeros((0, len(LABELS)))
    labels, (confidence, soft) = decode(INDIFFERENT, np.zeros(len(ORDERS)), empty, sheets=True)
    assert len(labels) == len(confidence) == len(soft) == 0
