"""Weight files: what they hold, and which are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.errors import ModelError
from pagesight.models.weights import FORMAT, Weights, load_weights

WEIGHTS = Weights(
    task="tea",
    features=3,
    corpus="0123456789abcdef",
    command="pagesight train tea",
    labels=("green", "black"),
    scores={"f1": 0.5},
    model={"b": [1.5, 2], "a": {"ü": None}},
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers()
PLAIN = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_a_file_has_one_line_per_piece_in_ascii() -> None:
    data = WEIGHTS.to_bytes()
    lines = data.decode("ascii").splitlines()
    assert lines[1] == f'"format": {FORMAT},'
    assert lines[-2] == '"model": {"a": {"\\u00fc": null}, "b": [1.5, 2]}'
    assert len(lines) == 10
    assert json.loads(data)["labels"] == ["green", "black"]


@given(st.dictionaries(st.text(), PLAIN, max_size=4), st.lists(st.text(), max_size=3))
def test_weights_come_back(model: dict[str, Any], labels: list[str]) -> None:
    weights = replace(WEIGHTS, model=model, labels=tuple(labels))
    assert Weights.from_bytes(weights.to_bytes(), task="tea", features=3) == weights


def test_the_order_of_a_model_does_not_change_its_file() -> None:
    turned = replace(WEIGHTS, model=dict(reversed([*WEIGHTS.model.items()])))
    assert turned.to_bytes() == WEIGHTS.to_bytes()


@pytest.mark.parametrize(("task", "features"), [("milk", 3), ("tea", 4)])
def test_weights_of_another_task_or_version_are_refused(task: str, features: int) -> None:
    with pytest.raises(ModelError, match="the weights are for 'tea' with features 3") as caught:
        Weights.from_bytes(WEIGHTS.to_bytes(), task=task, features=features)
    assert caught.value.hint


def _without_scores(fields: dict[str, Any]) -> None:
    del fields["scores"]


def _with_more(fields: dict[str, Any]) -> None:
    fields["milk"] = 1


def _of_the_future(fields: dict[str, Any]) -> None:
    fields["format"] = FORMAT + 1


def _without_labels(fields: dict[str, Any]) -> None:
    fields["labels"] = None


@pytest.mark.parametrize(
    "change",
    [_without_scores, _with_more, _of_the_future, _without_labels],
    ids=lambda c: c.__name__,
)
def test_files_with_other_fields_are_damaged(change: Callable[[dict[str, Any]], None]) -> None:
    fields = json.loads(WEIGHTS.to_bytes())
    change(fields)
    with pytest.raises(ModelError, match="the weights of 'tea' are damaged"):
        Weights.from_bytes(json.dumps(fields).encode(), task="tea", features=3)


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"null", b"\xff", WEIGHTS.to_bytes()[:-5]])
def test_files_that_are_something_else_are_damaged(data: bytes) -> None:
    with pytest.raises(ModelError, match="are damaged"):
        Weights.from_bytes(data, task="tea", features=3)


def test_a_reading_without_weights() -> None:
    with pytest.raises(ModelError, match="there are no weights for 'tea'"):
        load_weights("tea", 1)
