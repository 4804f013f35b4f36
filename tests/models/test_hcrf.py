"""Fields on trees against brute force over all labellings."""

from __future__ import annotations

from dataclasses import fields
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pagesight.models import hcrf
from pagesight.models.hcrf import (
    Forest,
    LabelledForest,
    TreeWeights,
    best_labels,
    decode,
    marginals,
    train,
)

Floats = NDArray[np.float64]
LABELS = (2, 3)
seeds = st.integers(0, 10_000)


def some_parents(random: np.random.Generator, size: int) -> NDArray[np.int64]:
    """Trees of any shape, each node after its parent; now and then another root."""
    parents = [int(random.integers(-1, node)) if node else -1 for node in range(size)]
    return np.array(parents, np.int64)


def some_forest(seed: int, size: int) -> Forest:
    """Trees with features of all kinds, those of pairs and triangles true or false."""
    random = np.random.default_rng(seed)
    parent = some_parents(random, size)
    inner = len(set(parent[parent >= 0].tolist()))
    flags = [random.integers(0, 2, (size, count)).astype(float) for count in (1, 2, 1)]
    return Forest(
        parent, random.normal(size=(size - inner, 2)), random.normal(size=(inner, 3)), *flags
    )


def some_weights(seed: int, forest: Forest, labels: tuple[int, int] = LABELS) -> TreeWeights:
    empty = TreeWeights.zeros(forest, labels)
    return empty.like(np.random.default_rng(seed + 1).normal(size=len(empty.to_vector())))


def labellings(forest: Forest, allowed: NDArray[np.bool_] | None = None) -> list[tuple[int, ...]]:
    spaces = [list(range(2, 5) if inner else range(2)) for inner in forest.is_inner]
    if allowed is not None:
        spaces = [
            [label for label in space if allowed[node, label]] for node, space in enumerate(spaces)
        ]
    return list(product(*spaces))


def counts(forest: Forest, labels: tuple[int, ...]) -> TreeWeights:
    """The features that a labelling has, clique by clique."""
    sums = TreeWeights.zeros(forest, LABELS)
    rows, last = [0, 0], dict[int, int]()
    for node, (label, parent) in enumerate(zip(labels, forest.parent.tolist(), strict=True)):
        kind = int(forest.is_inner[node])
        features, own = ((forest.leaf, sums.leaf), (forest.inner, sums.inner))[kind]
        own[:, label - 2 * kind] += features[rows[kind]]
        rows[kind] += 1
        if parent < 0:
            continue
        above = labels[parent] - 2
        sums.edge[:, above, label] += forest.edges[node]
        if parent in last:
            before = labels[last[parent]]
            sums.sibling[:, before, label] += forest.siblings[node]
            sums.triangle[:, above, before, label] += forest.triangles[node]
        last[parent] = node
    return sums


def total(weights: TreeWeights, forest: Forest, labels: tuple[int, ...]) -> float:
    return float(counts(forest, labels).to_vector() @ weights.to_vector())


def some_allowed(seed: int, forest: Forest) -> NDArray[np.bool_]:
    random = np.random.default_rng(seed + 2)
    allowed = random.random((len(forest), 5)) < 0.5
    allowed[:, [0, 2]] = True
    return allowed


@settings(deadline=None, max_examples=60)
@given(seeds, st.integers(1, 6), st.booleans())
def test_chances_are_sums_over_all_labellings(seed: int, size: int, partly: bool) -> None:
    forest = some_forest(seed, size)
    weights = some_weights(seed, forest)
    allowed = some_allowed(seed, forest) if partly else None
    every = labellings(forest, allowed)
    mass = np.exp([total(weights, forest, labels) for labels in every])
    expected, features = np.zeros((size, 5)), np.zeros(len(weights.to_vector()))
    for labels, share in zip(every, mass / mass.sum(), strict=True):
        expected[np.arange(size), labels] += share
        features += share * counts(forest, labels).to_vector()
    sums = marginals(weights, forest, allowed)
    assert sums.log_total == pytest.approx(np.log(mass.sum()))
    assert sums.labels == pytest.approx(expected)
    assert sums.expected.to_vector() == pytest.approx(features)


@settings(deadline=None, max_examples=60)
@given(seeds, st.integers(1, 6), st.booleans())
def test_the_best_labels_are_the_best_of_all(seed: int, size: int, partly: bool) -> None:
    forest = some_forest(seed, size)
    weights = some_weights(seed, forest)
    allowed = some_allowed(seed, forest) if partly else None
    best = max(labellings(forest, allowed), key=lambda labels: total(weights, forest, labels))
    assert tuple(decode(weights, forest, allowed).tolist()) == best


def test_many_combinations_are_tried_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    forest = some_forest(5, 300)
    weights = some_weights(5, forest)
    at_once = decode(weights, forest)
    monkeypatch.setattr(hcrf, "TRIED_AT_ONCE", 1)
    assert decode(weights, forest).tolist() == at_once.tolist()


def test_the_best_labels_come_with_their_chances() -> None:
    forest = some_forest(3, 40)
    weights = some_weights(3, forest)
    labels, chances = best_labels(weights, forest)
    assert chances == pytest.approx(marginals(weights, forest).labels[np.arange(40), labels])


@settings(deadline=None, max_examples=20)
@given(seeds)
def test_trees_do_not_know_of_each_other(seed: int) -> None:
    forests = [some_forest(seed + number, 12) for number in range(3)]
    weights = some_weights(seed, forests[0])
    alone = [marginals(weights, forest) for forest in forests]
    together = marginals(weights, Forest.joined(forests))
    assert together.labels == pytest.approx(np.concatenate([sums.labels for sums in alone]))
    assert together.log_total == pytest.approx(sum(sums.log_total for sums in alone))


@pytest.mark.parametrize("shape", ["wide", "deep", "bushy"])
def test_large_trees_with_strong_opinions_stay_exact(shape: str) -> None:
    size = 20_000 if shape != "deep" else 400
    above = {
        "wide": np.zeros(size),
        "deep": np.arange(-1, size - 1),
        "bushy": (np.arange(size) - 1) // 3,
    }
    parent = above[shape].astype(np.int64)
    parent[0] = -1
    random = np.random.default_rng(0)
    inner = len(np.unique(parent[1:]))
    forest = Forest.of(
        parent, 30 * random.normal(size=(size - inner, 2)), random.normal(size=(inner, 3))
    )
    weights = some_weights(1, forest)
    sums = marginals(weights, forest)
    assert np.isfinite(sums.log_total)
    assert sums.labels.sum(axis=1) == pytest.approx(np.ones(size))
    assert sums.expected.edge.sum() == pytest.approx(size - 1)


def some_examples(seed: int) -> list[LabelledForest]:
    forests = [some_forest(seed + number, 8) for number in range(3)]
    examples = [LabelledForest(forest, some_allowed(seed, forest)) for forest in forests]
    known = np.zeros((8, 5), np.bool_)
    known[np.arange(8), np.where(forests[0].is_inner, 3, 1)] = True
    return [*examples, LabelledForest(forests[0], known)]


@settings(deadline=None, max_examples=30)
@given(seeds)
def test_the_gradient_is_the_slope_of_the_loss(seed: int) -> None:
    examples = some_examples(seed)
    weights = some_weights(seed, examples[0].forest)
    batches = [hcrf._Batch([example], weights) for example in examples]
    vector = weights.to_vector()
    direction = np.random.default_rng(seed).normal(size=len(vector))

    def loss(vector: Floats) -> float:
        return sum(batch.loss(weights.like(vector))[0] for batch in batches)

    slope = sum(batch.loss(weights)[1] @ direction for batch in batches)
    ahead, behind = loss(vector + 1e-4 * direction), loss(vector - 1e-4 * direction)
    assert (ahead - behind) / 2e-4 == pytest.approx(slope, rel=1e-4, abs=1e-5)


def sampled_examples(weights: TreeWeights, count: int) -> list[LabelledForest]:
    examples = []
    for seed in range(count):
        forest = some_forest(seed, 30)
        labels = decode(weights, forest)
        examples.append(LabelledForest(forest, np.eye(5, dtype=np.bool_)[labels]))
    return examples


def test_training_recovers_labels_also_where_some_are_unknown() -> None:
    truth = some_weights(7, some_forest(0, 30))
    examples = sampled_examples(truth, 60)
    random = np.random.default_rng(1)
    for example in examples[20:40]:
        example.allowed[random.random(30) < 0.3] = True
    learned = train(examples[:40], LABELS, penalty=0.1)
    again = train(examples[:40], LABELS, penalty=0.1)
    assert learned.to_vector().tolist() == again.to_vector().tolist()
    right = [
        example.allowed[np.arange(30), decode(learned, example.forest)].mean()
        for example in examples[40:]
    ]
    assert np.mean(right) > 0.9


def test_training_goes_on_from_weights() -> None:
    examples = sampled_examples(some_weights(7, some_forest(0, 30)), 10)
    learned = train(examples, LABELS, steps=200)
    further = train(examples, LABELS, steps=1, start=learned)
    assert further.to_vector() == pytest.approx(learned.to_vector(), abs=0.05)


def test_a_node_without_labels_is_an_error() -> None:
    forest = some_forest(0, 4)
    with pytest.raises(ValueError, match="no label"):
        train([LabelledForest(forest, np.zeros((4, 5), np.bool_))], LABELS)


def test_no_trees_have_no_labels() -> None:
    forest = Forest.of(np.zeros(0), np.zeros((0, 2)), np.zeros((0, 3)))
    labels, chances = best_labels(TreeWeights.zeros(forest, LABELS), forest)
    assert labels.shape == chances.shape == (0,)


def test_weights_are_put_in_a_row_and_back() -> None:
    weights = some_weights(2, some_forest(2, 10))
    same = weights.like(weights.to_vector())
    for part in fields(weights):
        assert np.array_equal(getattr(same, part.name), getattr(weights, part.name))
