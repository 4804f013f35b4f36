"""What is seen of a whole page: whether it shows a list, one product, or something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pagesight.models.logistic import sigmoid
from pagesight.readers.records.details import Detail
from pagesight.readers.records.model import RecordsModel, ScoredList
from pagesight.readers.records.page_clues import page_clues
from pagesight.readers.records.price_clues import carts_of
from pagesight.readers.records.reading import Kind
from pagesight.readers.records.sight import Sight

LARGE = 0.7  # of the largest picture: as large
_OF_LIST = (
    "count", "characters share", "area share", "prices share", "pictures share", "with prices",
    "with pictures", "with links", "with headings", "with long", "with buttons", "characters",
    "link share", "alike", "distinct", "same class", "whole width", "whole height", "top", "chance",
    "columns", "digits", "in main", "in navigation", "in aside", "in footer", "size",
)  # fmt: skip


def page_features(sight: Sight, lists: Sequence[ScoredList], detail: Detail) -> dict[str, float]:
    """The features of a page: of its best list, of the product that it may be about, and of all."""
    best = max(lists, key=lambda scored: scored.score, default=None)
    listed = {f"list {name}": best.features[name] if best else 0.0 for name in _OF_LIST}
    scores = sorted((scored.score for scored in lists), reverse=True)
    sums = {name: float(total[-1]) for name, total in sight.pieces.sums.items()}
    characters = max(1.0, sums["characters"])
    return {
        **listed,
        **{f"detail {name}": value for name, value in detail.features.items()},
        **_product_and_list(sight, best, detail),
        **page_clues(sight, detail.headline),
        "carts": float(np.log1p(len(carts_of(sight)))),
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


def _product_and_list(sight: Sight, best: ScoredList | None, detail: Detail) -> dict[str, float]:
    """Where the name and the price of the product are: in the best list, in front or behind."""
    price = detail.value("detail price") if "detail price" in detail.chosen else None
    units = {"name": detail.headline, "price": price.unit if price else -1}
    pieces = len(sight.units.content.nodes)
    features: dict[str, float] = {}
    for name, unit in units.items():
        place = int(sight.units.first[unit]) if unit >= 0 else -1
        group = best.group if best else None
        inside = group is not None and bool(((group.first <= place) & (place < group.last)).any())
        ahead = (
            (int(group.first[0]) - place) / max(1, pieces)
            if group is not None and unit >= 0
            else 0.0
        )
        features |= {f"{name} in list": float(inside), f"{name} before list": ahead}
    area = sight.pieces.area * sight.pieces.picture
    most = float(area.max(initial=0.0))
    features["largest picture"] = float(np.log1p(most))
    features["pictures as large"] = float(np.log1p((area > LARGE * most).sum()))
    return features


def kind_of(model: RecordsModel, features: Mapping[str, float]) -> tuple[Kind, float]:
    """The kind of a page, and how probable it is."""
    chances = {
        kind: float(sigmoid(ranker.scores([features])[0])) for kind, ranker in model.kinds.items()
    }
    best = max(chances, key=lambda kind: chances[kind], default=Kind.LIST)
    share = chances.get(best, 1.0) / max(1e-9, sum(chances.values()) or 1.0)
    return Kind(best), model.confidence("kind", share)
