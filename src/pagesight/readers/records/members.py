"""What is seen of each member of a group beside the others: whether it is a record like these."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.records.features import Seen, likeness
from pagesight.readers.records.groups import Group
from pagesight.segment.nodes import range_unions

Floats = NDArray[np.float64]
_SOME = ("pictures", "prices", "links", "headings", "buttons", "long")
SAME = 4.0  # px


def member_features(seen: Seen, group: Group) -> dict[str, Floats]:
    """The features of all members, by name."""
    pieces, units = seen.pieces, seen.units
    first, last = group.first, group.last
    box = range_unions(seen.corners, first, last)
    features: dict[str, Floats] = {}
    shown = {
        name: pieces.total(name, first, last)
        for name in (*_SOME, "characters", "pieces", "texts", "link characters", "picture area")
    }
    for name, values in (
        ("characters", shown["characters"]),
        ("pieces", shown["pieces"]),
        ("texts", shown["texts"]),
        ("width", box[:, 2] - box[:, 0]),
        ("height", box[:, 3] - box[:, 1]),
    ):
        features[name] = np.log1p(values)
        features[f"{name} beside others"] = np.log1p(values) - np.log1p(np.median(values))
    for name in _SOME:
        some = shown[name] > 0
        features[f"has {name}"] = some.astype(np.float64)
        features[f"{name} of others"] = np.full(len(group), some.mean())
        features[f"{name} unlike others"] = np.abs(some - some.mean())
    features["link share"] = shown["link characters"] / np.maximum(1, shown["characters"])
    features["link share beside others"] = features["link share"] - np.median(
        features["link share"]
    )
    features["alike"] = likeness(seen, group.heads)
    features["mean alike"] = np.full(len(group), features["alike"].mean())
    looks = [seen.looks[head] for head in group.heads.tolist()]
    counts = Counter(looks)
    features["same class"] = np.array([counts[look] / len(looks) for look in looks])
    parents = units.parent[group.heads].tolist()
    places = Counter(parents)
    features["in place"] = np.array([places[parent] / len(parents) for parent in parents])
    lefts = np.round(box[:, 0] / SAME).astype(np.int64)
    _, at, many = np.unique(lefts, return_inverse=True, return_counts=True)
    features["aligned"] = many[at] / len(group)
    gap = np.abs(np.diff(box[:, 1], append=box[-1:, 1]))
    features["after"] = np.log1p(np.minimum(gap, np.concatenate((gap[:1], gap[:-1]))))
    order = np.arange(len(group))
    features["first"], features["last"] = (order == 0) * 1.0, (order == len(group) - 1) * 1.0
    features["count"] = np.full(len(group), np.log(len(group)))
    texts = [
        " ".join(pieces.texts[a:b])[:200]
        for a, b in zip(first.tolist(), last.tolist(), strict=True)
    ]
    repeated = Counter(texts)
    features["repeated"] = np.array([float(repeated[text] > 1) for text in texts])
    sizes = pieces.total("sized", first, last) / np.maximum(1, shown["characters"])
    features["size beside others"] = np.log1p(sizes) - np.log1p(np.median(sizes))
    return features
