"""What was learned about records: which groups are lists, and which candidates are attributes."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.errors import ModelError
from pagesight.models.logistic import Platt, sigmoid
from pagesight.models.ranking import Ranker, softmax
from pagesight.models.weights import HINT, Weights, load_weights
from pagesight.readers.records.attributes import is_whole
from pagesight.readers.records.candidates import Candidate
from pagesight.readers.records.groups import Group, Joined
from pagesight.readers.records.lists import list_features
from pagesight.readers.records.members import joined_features
from pagesight.readers.records.pieces import divided
from pagesight.readers.records.sight import Sight

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Features = Mapping[str, Floats]

TASK = "records"
VERSION = 4
ATTRIBUTES = ("name", "image", "price", "description")
DETAIL_NAME, DETAIL_PRICE = "detail name", "detail price"
SEEN_DETAILS = ("detail image", DETAIL_PRICE, "detail description")
RECORD = "record"
DETAILS = (DETAIL_NAME, *SEEN_DETAILS)
LEAST_MEMBER = 0.3  # the probability from which a member is a record
NONE = "none"  # the feature of the answer that there is none
COLUMN, KIND = 3.0, 3.0  # how much the others of a column and of a kind count
TIE = 1e-6  # what tells candidates of one answer apart
ALIKE = 0.75  # the share of the items of a text that are of one kind, if it is a list
LIST = 3  # blocks of a text, from which on it is a list


class Choice(NamedTuple):
    """The candidate that is an attribute of a record, or -1; and how probable that is."""

    candidate: int
    chance: float
    margin: float = 0.0
    """How much better it is than no answer."""

    ahead: float = 0.0
    """How much better it is than the next answer."""


@dataclass(frozen=True)
class RecordsModel:
    """What is learned."""

    member: Ranker
    """Which members of a group are records like the others, as log odds."""

    lists: Ranker
    """Which group is the list that the page is about."""

    attributes: Mapping[str, Ranker]
    """By attribute of lists and of details: which candidate it is, if any."""

    kinds: Mapping[str, Ranker] = field(default_factory=dict)
    """By kind of page, as log odds."""

    judges: Mapping[str, Ranker] = field(default_factory=dict)
    """Whether records of a list, the price and the name of a product are right, as log odds."""

    curves: Mapping[str, Platt] = field(default_factory=dict)
    """From probabilities to confidences, by what they are of."""

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The attributes that somebody else has taught."""
        return tuple(name for name in self.attributes if name not in (*ATTRIBUTES, *DETAILS))

    @cached_property
    def _scores_of_none(self) -> dict[str, float]:
        """By attribute: the score of the answer that there is none."""
        return {name: _score_of_none(ranker) for name, ranker in self.attributes.items()}

    def used(self, attributes: Iterable[str]) -> frozenset[str]:
        """The features of candidates by which these attributes are chosen."""
        rankers = [self.attributes[name] for name in attributes if name in self.attributes]
        return frozenset[str]().union(*(ranker.used for ranker in rankers))

    def confidence(self, what: str, chance: float) -> float:
        """How probable it is that something is right which has this probability to the model."""
        return self.curves[what].of(chance) if what in self.curves else chance

    def judged(self, what: str, clues: Features) -> Floats:
        """How probable it is that values are right, by clues; `chance` is what was said of them."""
        if what not in self.judges:
            return clues["chance"]
        judge = self.judges[what]
        return sigmoid(judge.scores_of(table(judge, clues)))

    def filtered(self, sight: Sight, groups: Sequence[Group]) -> list[tuple[Group, Floats]]:
        """Groups without members that are not records, and the probabilities of the others."""
        if not groups:
            return []
        joined = Joined(groups)
        rows = table(self.member, joined_features(sight, joined, self.member.used))
        chances = sigmoid(self.member.scores_of(rows))
        whole = joined.least(chances) >= LEAST_MEMBER
        return [
            (group, some) if is_whole else _without_others(group, some)
            for group, some, is_whole in zip(
                groups, divided(chances, joined.size.tolist()), whole.tolist(), strict=True
            )
        ]

    def choose(
        self,
        attribute: str,
        features: Features,
        values: Sequence[Candidate],
        allowed: NDArray[np.bool_],
        records: int,
        told_apart: Ints | None = None,
    ) -> list[Choice]:
        """The attribute of each record: the candidate that suits best, as its column does.

        Candidates that are not `told_apart` by number are one answer.
        """
        ranker = self.attributes[attribute]
        where = np.flatnonzero(allowed)
        if not len(where):
            return [Choice(-1, 1.0)] * records
        margin = ranker.scores_of(table(ranker, features, where)) - self._scores_of_none[attribute]
        ends = np.array([0, len(where)])
        if records > 1:
            some = [values[at] for at in where.tolist()]
            column, kind, record = (
                np.array(numbers, dtype=np.int64)
                for numbers in (
                    [value.column for value in some],
                    [value.kind for value in some],
                    [value.record for value in some],
                )
            )
            margin = _with_others(margin, column, kind)
            ends = np.searchsorted(record, np.arange(records + 1))  # they are in order
        if told_apart is None:
            return _best_of_each(margin, where, ends)
        answers = told_apart[where]
        return [_best(margin[a:b], where[a:b], answers[a:b]) for a, b in pairwise(ends.tolist())]

    def to_json(self) -> dict[str, Any]:
        """As it is kept in a file."""
        return {
            "member": self.member.to_json(),
            "lists": self.lists.to_json(),
            "attributes": {name: ranker.to_json() for name, ranker in self.attributes.items()},
            "kinds": {name: ranker.to_json() for name, ranker in self.kinds.items()},
            "judges": {name: ranker.to_json() for name, ranker in self.judges.items()},
            "curves": {name: [curve.slope, curve.offset] for name, curve in self.curves.items()},
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> RecordsModel:
        """What `to_json` wrote."""
        rankers = {
            part: {name: Ranker.from_json(ranker) for name, ranker in fields[part].items()}
            for part in ("attributes", "kinds", "judges")
        }
        curves = {name: Platt(*map(float, curve)) for name, curve in fields["curves"].items()}
        member, lists = (Ranker.from_json(fields[name]) for name in ("member", "lists"))
        return cls(member, lists, **rankers, curves=curves)


def _without_others(group: Group, chances: Floats) -> tuple[Group, Floats]:
    """A group without members that are hardly records, unless hardly any are left."""
    kept = chances >= LEAST_MEMBER
    if kept.sum() < 2:
        kept[:] = True
    return group.only(kept), chances[kept]


def table(ranker: Ranker, features: Features, where: Ints | None = None) -> Floats:
    """Features as the rows that a ranker takes, of all cases or some; what it ignores is 0."""
    count = len(next(iter(features.values()))) if where is None else len(where)
    columns = np.zeros((len(ranker.features), count))
    for name, at in ranker.used.items():
        if name != NONE:
            columns[at] = features[name] if where is None else features[name][where]
    return columns.T


def _score_of_none(ranker: Ranker) -> float:
    row = np.array([[float(name == NONE) for name in ranker.features]])
    return float(ranker.scores_of(row)[0])


def _with_others(margin: Floats, column: Ints, kind: Ints) -> Floats:
    """The margins of candidates, averaged with those of their columns and of their kinds."""
    means = [
        weight * (np.bincount(at, margin) / (counts + 1))[at]
        for weight, of in ((COLUMN, column), (KIND, kind))
        for _, at, counts in (np.unique(of, return_inverse=True, return_counts=True),)
    ]
    joined: Floats = (margin + sum(means)) / (1 + (COLUMN + KIND) / 2)
    return joined


def _best_of_each(margin: Floats, where: Ints, ends: Ints) -> list[Choice]:
    """The best candidate of each record, or none if all are less probable than that."""
    choices = []
    for start, stop in pairwise(ends.tolist()):
        own = margin[start:stop]
        best = int(own.argmax()) if stop > start else -1
        top = max(0.0, float(own[best])) if stop > start else 0.0
        total = float(np.exp(own - top).sum()) + math.exp(-top)
        taken = best >= 0 and own[best] > 0
        choices.append(Choice(int(where[start + best]) if taken else -1, 1.0 / total))
    return choices


def _best(margin: Floats, where: Ints, answers: Ints) -> Choice:
    """The best candidate of the most probable answer."""
    chances = np.array(softmax([*margin.tolist(), 0.0]))
    _, at = np.unique(answers, return_inverse=True)
    totals = np.append(np.bincount(at, chances[:-1])[at], chances[-1])
    best = int(np.argmax(totals + TIE * chances))
    if best == len(where):
        return Choice(-1, float(totals[best]))
    others = margin[answers != answers[best]]
    ahead = float(margin[best] - others.max(initial=0.0))
    return Choice(int(where[best]), float(totals[best]), float(margin[best]), ahead)


def scored_lists(model: RecordsModel, sight: Sight, groups: Sequence[Group]) -> list[ScoredList]:
    """The groups as lists: without members that are not records, and with their scores."""
    kept = model.filtered(sight, groups)
    if not groups:
        return []
    columns = _filtered_columns(sight, groups, kept, model.lists.used)
    scores = model.lists.scores_of(table(model.lists, columns)).tolist()
    return [
        ScoredList(*some, score, _Row(columns, at))
        for at, (some, score) in enumerate(zip(kept, scores, strict=True))
    ]


@dataclass(frozen=True, eq=False, slots=True)
class _Row(Mapping[str, float]):
    """The features of one of several groups; most are never asked for."""

    columns: Features
    at: int

    def __getitem__(self, name: str) -> float:
        return float(self.columns[name][self.at])

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)


class ScoredList(NamedTuple):
    """A group that may be a list."""

    group: Group
    chances: Floats
    """Of its members."""

    score: float
    features: Mapping[str, float]


def filtered_features(
    sight: Sight, groups: Sequence[Group], kept: Sequence[tuple[Group, Floats]]
) -> list[dict[str, float]]:
    """The features of groups of which only some members were kept, with these probabilities."""
    return _rows(_filtered_columns(sight, groups, kept)) if groups else []


def _filtered_columns(
    sight: Sight,
    groups: Sequence[Group],
    kept: Sequence[tuple[Group, Floats]],
    wanted: Container[str] | None = None,
) -> dict[str, Floats]:
    columns = list_features(sight, [group for group, _ in kept], wanted)
    sums = [np.add.reduce(chances) for _, chances in kept]
    columns["chance"] = np.array(sums) / [len(chances) for _, chances in kept]
    columns["kept"] = np.array(
        [len(few) / len(all_) for (few, _), all_ in zip(kept, groups, strict=True)]
    )
    return columns


def _rows(columns: Features) -> list[dict[str, float]]:
    rows = np.stack(list(columns.values()), axis=1).tolist()
    return [dict(zip(columns, row, strict=True)) for row in rows]


def allowed(attribute: str, features: Features) -> NDArray[np.bool_]:
    """Which candidates may be an attribute at all."""
    picture = features["picture"] > 0
    if attribute == "image":
        return picture
    if attribute == "price":
        return np.asarray((features["is price"] > 0) | (features["part"] > 0))
    whole = is_whole(features)
    if attribute == "name":
        return np.asarray(whole & (features["is price"] == 0))
    if attribute != "description":  # somebody's own: what is marked may be a part of a line
        return ~picture
    outside = (features["in name"] == 0) & (features["around name"] == 0)
    flow = whole & (features["blocks around"] != 1)
    text = ~picture & (features["part"] == 0) & (features["pictures"] == 0)
    listed = text & (features["blocks"] >= LIST)
    if "children alike" in features:
        listed &= features["children alike"] >= ALIKE
    return np.asarray((flow | listed) & outside & (features["is price"] == 0))


@cache
def shipped_model() -> RecordsModel:
    """The model that comes with the package."""
    return _model_of(load_weights(TASK, VERSION))


def load_model(path: Path) -> RecordsModel:
    """A model that `pagesight train records` wrote into a file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path} cannot be read ({error.strerror or error})") from error
    return _model_of(Weights.from_bytes(data, task=TASK, features=VERSION))


def _model_of(weights: Weights) -> RecordsModel:
    try:
        return RecordsModel.from_json(weights.model)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"the weights of {TASK!r} are damaged ({error})", hint=HINT) from error
