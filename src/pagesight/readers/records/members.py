"""What is seen of each member of a group beside the others: whether it is a record like these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.records.groups import Group
from pagesight.readers.records.sight import Sight, median

Floats = NDArray[np.float64]
_SOME = ("pictures", "prices", "links", "headings", "buttons", "long")
NEAR = 4.0  # px; edges that are no farther apart look aligned


def member_features(sight: Sight, group: Group) -> dict[str, Floats]:
    """The features of all members, by name."""
    shown = sight.pieces.totals(group.first, group.last)
    box = sight.boxes(group.first, group.last)
    order = np.arange(len(group))
    alike = sight.likeness(group.heads)
    return {
        **_beside_others(shown, box),
        **_unlike_others(shown),
        **_of_place(sight, group, box),
        "alike": alike,
        "mean alike": np.full(len(group), alike.mean()),
        "same class": _shares([sight.classes[head] for head in group.heads.tolist()]),
        "repeated": _repeated(sight, group),
        "header cells": header_cells(sight, group),
        "first": (order == 0).astype(np.float64),
        "last": (order == len(group) - 1).astype(np.float64),
        "count": np.full(len(group), np.log(len(group))),
    }


def _beside_others(shown: dict[str, Floats], box: Floats) -> dict[str, Floats]:
    """How much larger or smaller each is than the one in the middle."""
    written = np.maximum(1, shown["characters"])
    sizes = {
        **{name: shown[name] for name in ("characters", "pieces", "texts")},
        "width": box[:, 2] - box[:, 0],
        "height": box[:, 3] - box[:, 1],
        "size": shown["sized"] / written,
    }
    logs = {name: np.log1p(values) for name, values in sizes.items()}
    features = {f"{name} beside others": log - median(log) for name, log in logs.items()}
    links = shown["link characters"] / written
    return {
        **{name: log for name, log in logs.items() if name != "size"},
        **features,
        "link share": links,
        "link share beside others": links - median(links),
    }


def _unlike_others(shown: dict[str, Floats]) -> dict[str, Floats]:
    """What each has, and what others have."""
    some = np.stack([shown[name] > 0 for name in _SOME]).astype(np.float64)
    share = np.broadcast_to(some.mean(axis=1, keepdims=True), some.shape)
    unlike = np.abs(some - share)
    features: dict[str, Floats] = {}
    for at, name in enumerate(_SOME):
        features[f"has {name}"] = some[at]
        features[f"{name} of others"] = share[at]
        features[f"{name} unlike others"] = unlike[at]
    return features


def _of_place(sight: Sight, group: Group, box: Floats) -> dict[str, Floats]:
    """Whether each is where others are."""
    gap = np.abs(np.diff(box[:, 1], append=box[-1:, 1]))
    return {
        "in place": _shares(sight.units.parent[group.heads].tolist()),
        "aligned": _shares(np.round(box[:, 0] / NEAR).tolist()),
        "after": np.log1p(np.minimum(gap, np.concatenate((gap[:1], gap[:-1])))),
    }


def _shares(values: Sequence[Hashable]) -> Floats:
    """The share of values that are the same as each."""
    counts = Counter(values)
    return np.array([counts[value] / len(values) for value in values])


def header_cells(sight: Sight, group: Group) -> Floats:
    """The share of cells that are headers, of members that are rows of a table."""
    below = [sight.units.children[head] for head in group.heads.tolist()]
    return np.array(
        [sum(sight.tags[unit] == "th" for unit in cells) / max(1, len(cells)) for cells in below]
    )


def _repeated(sight: Sight, group: Group) -> Floats:
    """Which members say what another one says."""
    spans = zip(group.first.tolist(), group.last.tolist(), strict=True)
    said = [tuple(filter(None, sight.pieces.texts[a:b])) for a, b in spans]
    counts = Counter(said)
    return np.array([float(counts[texts] > 1) for texts in said])
