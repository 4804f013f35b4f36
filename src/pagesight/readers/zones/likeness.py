"""How much zones look like the parts of pages whose authors say what these are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.models.ranking import Ranker
from pagesight.page.columns import Array
from pagesight.readers.zones.features import PARTS, Features

Floats = NDArray[np.float64]

PIECE = "piece"  # of the main content: a zone in it
ADVERT = "advert"
LOOKS = (*PARTS, PIECE, ADVERT)
LIKENESSES = tuple(f"like {look}" for look in LOOKS)
SUREST = 6.0  # log odds beyond which nothing is learned


@dataclass(frozen=True, eq=False)
class Likeness:
    """Trees for each of `LOOKS`."""

    rankers: tuple[Ranker, ...]

    @property
    def features(self) -> tuple[str, ...]:
        return self.rankers[0].features

    def scores(self, table: Floats) -> Floats:
        """The log odds of each look for rows of features: (rows, looks)."""
        by_tree = self._together.scores_by_tree(table)
        return np.asarray(np.clip(np.add.reduceat(by_tree, self._starts).T, -SUREST, SUREST))

    @cached_property
    def _starts(self) -> list[int]:
        """Where the trees of each look begin among all."""
        return list(accumulate((len(ranker.trees) for ranker in self.rankers[:-1]), initial=0))

    @cached_property
    def _together(self) -> Ranker:
        """The trees of all looks: walking down all of them at once is faster."""
        return Ranker(self.features, tuple(tree for of in self.rankers for tree in of.trees))

    def of(self, seen: Features) -> dict[str, Array]:
        """`LIKENESSES` of these zones."""
        return dict(zip(LIKENESSES, self.scores(seen.table(self.features)).T, strict=True))

    def to_json(self) -> dict[str, Any]:
        """As it is kept in a file."""
        trees = [ranker.to_json()["trees"] for ranker in self.rankers]
        return {"features": list(self.features), "looks": dict(zip(LOOKS, trees, strict=True))}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Likeness:
        """What `to_json` wrote."""
        names, looks = fields["features"], fields["looks"]
        trees = [{"features": names, "trees": looks[look]} for look in LOOKS]
        return cls(tuple(Ranker.from_json(tree) for tree in trees))


def shares(scores: Floats) -> Floats:
    """The probabilities of all looks from their log odds, by row."""
    chances = 1 / (1 + np.exp(-scores))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))
