"""What is seen of a group of units, in numbers: whether it is the list that the page is about."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.records.groups import KIN, RUNS, Group
from pagesight.readers.records.sight import Sight, median
from pagesight.readers.zones.features import HINTS

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
AROUND = ("header", "navigation", "main", "aside", "footer", "form", "list", "advert")
MOST_COMPARED = 60  # members of a group that are compared with each other
NEAR = 4.0  # px; edges that are no farther apart look aligned
COLUMN = 20.0  # px; columns are farther apart
_TAGS = {
    "li": {"li"}, "tr": {"tr"}, "td": {"td"}, "inline": {"a", "span", "b", "i"},
    "text": {"p", "h1", "h2", "h3", "h4", "h5", "h6", "br", "img"},
}  # fmt: skip
_INNER = ("pictures", "prices", "links")
_COUNTED = ("pictures", "prices", "links", "headings", "buttons", "long")


def list_features(sight: Sight, group: Group) -> dict[str, float]:
    """The features of a group."""
    shown = sight.pieces.totals(group.first, group.last)
    box = sight.boxes(group.first, group.last)
    some = np.linspace(0, len(group) - 1, min(len(group), MOST_COMPARED)).astype(np.int64)
    return {
        "count": float(np.log(len(group))),
        "kin": float(group.how == KIN),
        "runs": float(group.how == RUNS),
        **_of_page(sight, group, shown),
        **_of_members(sight, shown),
        **_of_boxes(sight, box),
        **_of_likeness(sight, group, some),
        **_of_inner(sight, group.heads[some]),
        **_in_turn(sight, group, shown),
        **_of_tags(sight, group),
    }


def _of_page(sight: Sight, group: Group, shown: dict[str, Floats]) -> dict[str, float]:
    """How much of the page, of what is around it, and of what is between its members it is."""
    sums, units = sight.pieces.sums, sight.units
    characters = float(shown["characters"].sum())
    ends = {
        "characters share": (0, -1),
        "of around": (units.first[group.around], units.last[group.around]),
        "of span": (group.first[0], group.last[-1]),
    }
    whole = {name: sums["characters"][b] - sums["characters"][a] for name, (a, b) in ends.items()}
    return {
        **{name: characters / max(1.0, float(size)) for name, size in whole.items()},
        "prices share": _share(shown["prices"], sums["prices"]),
        "pictures share": _share(shown["picture area"], sums["picture area"]),
        "places": float(np.log(len(set(units.parent[group.heads].tolist())))),
    }


def _share(part: Floats, sums: Floats) -> float:
    return float(part.sum()) / max(1.0, float(sums[-1]))


def _of_members(sight: Sight, shown: dict[str, Floats]) -> dict[str, float]:
    """What the members hold, and how much they differ in that."""
    characters = shown["characters"]
    written = max(1.0, float(characters.sum()))
    features = {
        "least characters": float(np.log1p(characters.min())),
        "characters spread": _spread(characters),
        "texts spread": _spread(shown["texts"]),
        "link share": float(shown["link characters"].sum()) / written,
        "digits": float(shown["digits"].sum()) / written,
        "size": float(shown["sized"].sum()) / written / sight.font_size,
        "prices": float(shown["prices"].mean()),
        "headings": float(shown["headings"].mean()),
        "links": float(np.log1p(shown["links"].mean())),
    }
    for name in ("characters", "texts", "pieces", "picture area"):
        features[name] = float(np.log1p(median(shown[name])))
    for name in _COUNTED:
        features[f"with {name}"] = float((shown[name] > 0).mean())
    return features


def _spread(values: Floats) -> float:
    mean = float(values.mean())
    return float(values.std()) / mean if mean > 0 else 0.0


def _of_boxes(sight: Sight, box: Floats) -> dict[str, float]:
    """Where the members are, and how regularly."""
    width, height = box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]
    left, top = box[:, :2].min(axis=0).tolist()
    right, bottom = box[:, 2:].max(axis=0).tolist()
    return {
        "area share": float((width * height).sum()) / (sight.width * sight.height),
        "width": float(np.log1p(median(width))),
        "width spread": _spread(width),
        "height": float(np.log1p(median(height))),
        "height spread": _spread(height),
        "left aligned": _aligned(box[:, 0]),
        "top aligned": _aligned(box[:, 1]),
        "columns": float(np.log(len(set(np.round(box[:, 0] / COLUMN).tolist())))),
        "x centre": (left + right) / 2 / sight.width,
        "whole width": (right - left) / sight.width,
        "top": top / sight.height,
        "top px": float(np.log1p(max(0.0, top))),
        "whole height": (bottom - top) / sight.height,
    }


def _aligned(edges: Floats) -> float:
    """The share of edges that others are next to."""
    steps = Counter(np.round(edges / NEAR).tolist())
    return sum(count for count in steps.values() if count > 1) / len(edges)


def _of_likeness(sight: Sight, group: Group, some: Ints) -> dict[str, float]:
    """How alike the members are in tags and classes, and how different in what they say."""
    alike = sight.likeness(group.heads[some])
    classes = Counter(sight.classes[head] for head in group.heads.tolist())
    spans = zip(group.first[some].tolist(), group.last[some].tolist(), strict=True)
    written = [[text for text in sight.pieces.texts[a:b] if text] for a, b in spans]
    return {
        "alike": float(alike.mean()),
        "least alike": float(alike.min()),
        "same class": classes.most_common(1)[0][1] / len(group),
        "distinct": len({tuple(texts) for texts in written}) / len(some),
        "distinct beginnings": len({tuple(texts[:1]) for texts in written}) / len(some),
    }


def _in_turn(sight: Sight, group: Group, shown: dict[str, Floats]) -> dict[str, float]:
    """How much members differ from the next and from the second next in what they hold.

    Where every other row of a table is of another kind, two rows are one record.
    """
    some = [shown[name] > 0 for name in (*_COUNTED, "bold", "digits")]
    units = sight.units
    count = np.array([len(units.children[head]) for head in group.heads.tolist()])
    holds = np.stack([*some, count % 2 > 0, count > 2])
    return {
        f"unlike {name}": float((holds[:, step:] != holds[:, :-step]).any(axis=0).mean())
        if len(group) > step
        else 0.0
        for name, step in (("next", 1), ("second", 2))
    }


def _of_inner(sight: Sight, heads: Ints) -> dict[str, float]:
    """How much the members look like lists of their own: rows of a grid do, records do not."""
    below = [
        [child for child in sight.units.children[head] if sight.tags[child][0] != "#"]
        for head in heads.tolist()
    ]
    children = np.array([unit for some in below if len(some) > 1 for unit in some], dtype=np.int64)
    if not len(children):
        return dict.fromkeys(("inner", "inner alike", *(f"inner {name}" for name in _INNER)), 0.0)
    first, last = sight.units.first[children], sight.units.last[children]
    return {
        "inner": len(children) / len(heads),
        "inner alike": float(sight.likeness(children[:MOST_COMPARED]).mean()),
        **{
            f"inner {name}": float((sight.pieces.total(name, first, last) > 0).mean())
            for name in _INNER
        },
    }


def _of_tags(sight: Sight, group: Group) -> dict[str, float]:
    """What the elements suggest."""
    tag, bits = sight.tags[int(group.heads[0])], int(sight.around[group.around])
    features = {f"tag {name}": float(tag in tags) for name, tags in _TAGS.items()}
    return features | {f"in {name}": float(bits >> HINTS.index(name) & 1) for name in AROUND}
