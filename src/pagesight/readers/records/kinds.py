"""What is seen of a whole page: whether it shows a list, one product, or something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pagesight.models.logistic import sigmoid
from pagesight.readers.records.model import RecordsModel, ScoredList
from pagesight.readers.records.reading import Kind
from pagesight.readers.records.sight import Sight

_OF_LIST = (
    "count", "characters share", "area share", "prices share", "pictures share", "with prices",
    "with pictures", "with links", "with headings", "with long", "with buttons", "characters",
    "link share", "alike", "distinct", "same class", "whole width", "whole height", "top", "chance",
    "columns", "digits", "in main", "in navigation", "in aside", "in footer", "size",
)  # fmt: skip


def page_features(
    sight: Sight, lists: Sequence[ScoredList], detail: Mapping[str, float]
) -> dict[str, float]:
    """The features of a page: of its best list, of the product that it may be about, and of all."""
    best = max(lists, key=lambda scored: scored.score, default=None)
    listed = {f"list {name}": best.features[name] if best else 0.0 for name in _OF_LIST}
    scores = sorted((scored.score for scored in lists), reverse=True)
    sums = {name: float(total[-1]) for name, total in sight.pieces.sums.items()}
    characters = max(1.0, sums["characters"])
    return {
        **listed,
        **{f"detail {name}": value for name, value in detail.items()},
        "best score": scores[0] if scores else 0.0,
        "margin": scores[0] - scores[1] if len(scores) > 1 else 0.0,
        "lists": float(np.log1p(len(scores))),
        **{name: float(np.log1p(sums[name])) for name in ("characters", "prices", "pictures",
           "headings", "buttons", "links", "long")},
        "link share": sums["link characters"] / characters,
        "long share": sums["long"] / max(1.0, sums["texts"]),
        "price share": sums["prices"] / max(1.0, sums["texts"]),
        "height": float(np.log(sight.height)),
    }  # fmt: skip


def kind_of(model: RecordsModel, features: Mapping[str, float]) -> tuple[Kind, float]:
    """The kind of a page, and how probable it is."""
    chances = {
        kind: float(sigmoid(ranker.scores([features])[0])) for kind, ranker in model.kinds.items()
    }
    best = max(chances, key=lambda kind: chances[kind], default=Kind.LIST)
    share = chances.get(best, 1.0) / max(1e-9, sum(chances.values()) or 1.0)
    return Kind(best), model.confidence("kind", share)
