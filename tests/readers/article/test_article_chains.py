"""The orders in which the parts of an article may stand."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagesight.models.crf import Crf
from pagesight.models.crf import FieldWeights as Weights
from pagesight.readers.article.labelling.chains import (
    CHAINS,
    NEVER,
    chain_of,
    decode,
    possible,
    priors,
    sums,
    weights_of,
)
from pagesight.readers.article.labelling.labels import LABELS

AT = {label: number for number, label in enumerate(LABELS)}
ARTICLE = ["before", "title", "author", "affiliation", "abstract", "body", "reference"]
LETTER = ["before", "title", "body", "author", "affiliation", "reference"]
NOTE = ["before", "title", "body", "reference", "author", "affiliation", "after"]
MARGIN = ["before", "affiliation", "dates", "title", "author", "abstract", "body"]


def weights(labels: int, random: np.random.Generator) -> Weights:
    return Weights(
        random.normal(size=(1, labels)),
        random.normal(size=(labels, labels)),
        random.normal(size=labels),
        random.normal(size=labels),
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_the_likelihood_sums_over_all_labellings(length: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    family = [weights(3, random) for _ in range(2)]
    scores = random.normal(scale=3, size=(length, 3))
    for own, found in zip(family, sums(family, scores)[0], strict=True):
        paths = [_score(own, scores, path) for path in product(range(3), repeat=length)]
        assert found == pytest.approx(np.logaddexp.reduce(paths))


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 40), st.floats(0.1, 60), st.integers(0, 2**32 - 1))
def test_all_chains_at_once_say_what_each_says_alone(length: int, scale: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    family = [weights(5, random) for _ in range(3)]
    scores = random.normal(scale=scale, size=(length, 5))
    likelihoods, posterior = sums(family, scores)
    for chain, own in enumerate(family):
        alone, total = Crf(own).posterior(scores)
        np.testing.assert_allclose(posterior[:, chain], alone, atol=1e-9)
        assert likelihoods[chain] == pytest.approx(total)


def test_long_chains_of_what_there_is_not_are_no_problem() -> None:
    random = np.random.default_rng(0)
    own = replace(weights(4, random), transition=np.full((4, 4), NEVER))
    scores = random.normal(scale=200, size=(3_000, 4))
    likelihoods, posterior = sums([own], scores)
    assert np.isfinite(likelihoods).all()
    np.testing.assert_allclose(posterior.sum(axis=2), 1)


def _score(own: Weights, scores: np.ndarray, path: tuple[int, ...]) -> float:
    moves = sum(own.transition[one, other] for one, other in pairwise(path))
    seen = scores[range(len(path)), path].sum()
    return float(own.start[path[0]] + moves + seen + own.stop[path[-1]])


@pytest.mark.parametrize(
    ("labels", "chain"),
    [
        (ARTICLE, "article"),
        (LETTER, "signed"),
        (NOTE, "undersigned"),
        (MARGIN, "margin"),
    ],
)
def test_each_order_has_its_chain(labels: list[str], chain: str) -> None:
    assert chain_of(labels) == chain


@pytest.mark.parametrize("labels", [ARTICLE, LETTER, NOTE, MARGIN])
def test_the_likeliest_chain_is_taken(labels: list[str]) -> None:
    size = len(LABELS)
    field = Crf(
        Weights(np.zeros((1, size)), np.zeros((size, size)), np.zeros(size), np.zeros(size))
    )
    scores = np.zeros((len(labels), size))
    scores[range(len(labels)), [AT[label] for label in labels]] = 12.0
    numbers, confidence = decode(field, priors([ARTICLE] * 98), scores, sheets=True)
    assert [LABELS[number] for number in numbers] == labels
    assert (confidence > 0.9).all()


def test_weak_evidence_does_not_change_the_order() -> None:
    size = len(LABELS)
    field = Crf(
        Weights(np.zeros((1, size)), np.zeros((size, size)), np.zeros(size), np.zeros(size))
    )
    scores = np.zeros((len(LETTER), size))
    scores[range(len(LETTER)), [AT[label] for label in LETTER]] = 12.0
    scores[3:5] = 0.0
    scores[3, [AT["author"], AT["body"]]] = 2.0, 1.0
    numbers, _ = decode(field, priors([ARTICLE] * 98), scores, sheets=True)
    assert "author" not in [LABELS[number] for number in numbers[3:]]


def test_no_page_begins_with_authors_unless_in_the_margin() -> None:
    for chain in CHAINS:
        follows, first = possible(chain)
        assert follows[AT["before"], AT["title"]]
        assert first[AT["affiliation"]] == (chain == "margin")
        assert not first[AT["author"]]


def test_what_a_chain_forbids_is_never_scored() -> None:
    own = weights(len(LABELS), np.random.default_rng(1))
    follows, first = possible("article")
    limited = weights_of(own, "article")
    assert (limited.transition[~follows] == NEVER).all()
    assert (limited.start[~first] == NEVER).all()
    assert (limited.transition[follows] == own.transition[follows]).all()


def test_on_screen_nothing_comes_before_the_title() -> None:
    size = len(LABELS)
    field = Crf(
        Weights(np.zeros((1, size)), np.zeros((size, size)), np.zeros(size), np.zeros(size))
    )
    scores = np.zeros((len(MARGIN), size))
    scores[range(len(MARGIN)), [AT[label] for label in MARGIN]] = 12.0
    numbers, _ = decode(field, priors([ARTICLE] * 98), scores, sheets=False)
    assert [LABELS[number] for number in numbers[:4]] == ["before"] * 3 + ["title"]


def test_priors_are_shares() -> None:
    found = np.exp(priors([ARTICLE, ARTICLE, LETTER]))
    assert found.sum() == pytest.approx(1)
    assert found[0] > found[1] > found[2] > 0


def test_an_empty_page_has_no_labels() -> None:
    size = len(LABELS)
    field = Crf(weights(size, np.random.default_rng(1)))
    labels, confidence = decode(field, np.zeros(len(CHAINS)), np.zeros((0, size)), sheets=True)
    assert len(labels) == len(confidence) == 0
