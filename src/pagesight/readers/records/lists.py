"""What is seen of a group of units, in numbers: whether it is the list that the page is about."""

from __future__ import annotations

from collections.abc import Container, Sequence

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.records.groups import KIN, RUNS, Group, Joined
from pagesight.readers.records.pieces import divided
from pagesight.readers.records.sight import Sight
from pagesight.readers.zones.features import HINTS
from pagesight.segment.nodes import before

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
_TYPICAL = ("characters", "texts", "pieces", "picture area")
_COUNTED = ("pictures", "prices", "links", "headings", "buttons", "long")


def list_features(
    sight: Sight, groups: Sequence[Group], wanted: Container[str] | None = None
) -> dict[str, Floats]:
    """The features of groups, by name; what takes long is 0 if it is not `wanted`."""
    joined = Joined(groups)
    shown = sight.pieces.totals(joined.first, joined.last)
    box = sight.boxes(joined.first, joined.last)
    compared = [_few(group) for group in groups]
    how = np.array([group.how for group in groups])
    return {
        "count": np.log(joined.size),
        "kin": (how == KIN).astype(np.float64),
        "runs": (how == RUNS).astype(np.float64),
        **_of_page(sight, joined, shown),
        **_of_members(sight, joined, shown),
        **_of_boxes(sight, joined, box),
        **_of_likeness(sight, joined, compared, wanted),
        **_of_inner(sight, [group.heads for group in compared]),
        **_in_turn(sight, joined, shown),
        **_of_tags(sight, groups),
    }


def _few(group: Group) -> Group:
    """A group with as many of its members as are compared with each other, evenly spread."""
    if len(group) <= MOST_COMPARED:
        return group
    return group.at(np.linspace(0, len(group) - 1, MOST_COMPARED).astype(np.int64))


def _of_page(sight: Sight, joined: Joined, shown: dict[str, Floats]) -> dict[str, Floats]:
    """How much of the page, of what is around it, and of what is between its members each is."""
    sums, units = sight.pieces.sums, sight.units
    around = np.array([group.around for group in joined.groups], dtype=np.int64)
    total, last = sight.pieces.total, joined.start + joined.size - 1
    whole = {
        "characters share": sums["characters"][-1],
        "of around": total("characters", units.first[around], units.last[around]),
        "of span": total("characters", joined.first[joined.start], joined.last[last]),
    }
    characters = joined.sum(shown["characters"])
    return {
        **{name: characters / np.maximum(1.0, size) for name, size in whole.items()},
        "prices share": joined.sum(shown["prices"]) / max(1.0, sums["prices"][-1]),
        "pictures share": joined.sum(shown["picture area"]) / max(1.0, sums["picture area"][-1]),
        "places": np.log(joined.distinct(units.parent[joined.heads])),
    }


def _of_members(sight: Sight, joined: Joined, shown: dict[str, Floats]) -> dict[str, Floats]:
    """What the members hold, and how much they differ in that."""
    characters = shown["characters"]
    written = np.maximum(1.0, joined.sum(characters))
    features = {
        "least characters": np.log1p(joined.least(characters)),
        "characters spread": joined.spread(characters),
        "texts spread": joined.spread(shown["texts"]),
        "link share": joined.sum(shown["link characters"]) / written,
        "digits": joined.sum(shown["digits"]) / written,
        "size": joined.sum(shown["sized"]) / written / sight.font_size,
        "prices": joined.mean(shown["prices"]),
        "headings": joined.mean(shown["headings"]),
        "links": np.log1p(joined.mean(shown["links"])),
    }
    medians = np.log1p(joined.median(np.stack([shown[name] for name in _TYPICAL])))
    some = joined.mean(np.stack([shown[name] for name in _COUNTED]) > 0)
    return {
        **features,
        **dict(zip(_TYPICAL, medians, strict=True)),
        **{f"with {name}": share for name, share in zip(_COUNTED, some, strict=True)},
    }


def _of_boxes(sight: Sight, joined: Joined, box: Floats) -> dict[str, Floats]:
    """Where the members are, and how regularly."""
    sides = (box[:, 2:] - box[:, :2]).T
    (width, height), (usual_width, usual_height) = sides, np.log1p(joined.median(sides))
    left, top = joined.least(box[:, :2].T)
    right, bottom = joined.most(box[:, 2:].T)
    return {
        "area share": joined.sum(width * height) / (sight.width * sight.height),
        "width": usual_width,
        "width spread": joined.spread(width),
        "height": usual_height,
        "height spread": joined.spread(height),
        "left aligned": joined.mean(joined.alike(np.round(box[:, 0] / NEAR)) > 1),
        "top aligned": joined.mean(joined.alike(np.round(box[:, 1] / NEAR)) > 1),
        "columns": np.log(joined.distinct(np.round(box[:, 0] / COLUMN))),
        "x centre": (left + right) / 2 / sight.width,
        "whole width": (right - left) / sight.width,
        "top": top / sight.height,
        "top px": np.log1p(np.maximum(0.0, top)),
        "whole height": (bottom - top) / sight.height,
    }


def _of_likeness(
    sight: Sight, joined: Joined, few: Sequence[Group], wanted: Container[str] | None
) -> dict[str, Floats]:
    """How alike the members are in tags and classes, and how different in what they say."""
    alike = sight.likeness([group.heads for group in few])
    compared = Joined(few)
    ends, distinct = (compared.first, compared.last), np.zeros(len(few))
    if wanted is None or "distinct" in wanted:
        distinct = compared.distinct(sight.said(*ends)) / compared.size
    return {
        "alike": np.array([np.add.reduce(each) for each in alike]) / compared.size,
        "least alike": compared.least(np.concatenate(alike)),
        "same class": joined.most(joined.alike(sight.class_number[joined.heads])) / joined.size,
        "distinct": distinct,
        "distinct beginnings": compared.distinct(sight.begun(*ends)) / compared.size,
    }


def _in_turn(sight: Sight, joined: Joined, shown: dict[str, Floats]) -> dict[str, Floats]:
    """How much members differ from the next and from the second next in what they hold.

    Where every other row of a table is of another kind, two rows are one record.
    """
    some = [shown[name] > 0 for name in (*_COUNTED, "bold", "digits")]
    count = sight.count_below[joined.heads]
    holds = np.stack([*some, count % 2 > 0, count > 2])
    features = {}
    for name, step in (("next", 1), ("second", 2)):
        unlike = np.zeros(len(joined.heads))
        same_group = joined.group[step:] == joined.group[:-step]
        unlike[:-step] = (holds[:, step:] != holds[:, :-step]).any(axis=0) & same_group
        features[f"unlike {name}"] = joined.sum(unlike) / np.maximum(1, joined.size - step)
    return features


def distinct_share(sight: Sight, group: Group) -> float:
    """How different the members of a group are in what they say: the feature "distinct" of one."""
    few, texts = _few(group), sight.pieces.texts
    ends = zip(few.first.tolist(), few.last.tolist(), strict=True)
    return len({tuple(filter(None, texts[start:stop])) for start, stop in ends}) / len(few)


def _of_inner(sight: Sight, heads: Sequence[Ints]) -> dict[str, Floats]:
    """How much the members look like lists of their own: rows of a grid do, records do not."""
    elements, start = sight.elements_below
    head = np.concatenate(heads)
    size = start[head + 1] - start[head]
    size[size < 2] = 0
    of_head = np.repeat(np.arange(len(head)), size)
    ahead = before(size)
    units = elements[start[head[of_head]] + np.arange(len(of_head)) - ahead[of_head]]
    ends = before(np.array([len(some) for some in heads]))
    count = ahead[ends[1:]] - ahead[ends[:-1]]
    below = divided(units, count.tolist())
    alike = sight.likeness([units[:MOST_COMPARED] for units in below])
    group = np.repeat(np.arange(len(below)), count)
    first, last = sight.units.first[units], sight.units.last[units]
    return {
        "inner": count / [len(some) for some in heads],
        "inner alike": np.array([np.add.reduce(each) for each in alike])
        / np.array([max(1, len(each)) for each in alike]),
        **{
            f"inner {name}": np.bincount(
                group, sight.pieces.total(name, first, last) > 0, len(below)
            )
            / np.maximum(1, count)
            for name in _INNER
        },
    }


def _of_tags(sight: Sight, groups: Sequence[Group]) -> dict[str, Floats]:
    """What the elements suggest."""
    head = [sight.tags[int(group.heads[0])] for group in groups]
    bits = sight.around(np.array([group.around for group in groups], dtype=np.int64))
    features = {
        f"tag {name}": np.array([tag in tags for tag in head], dtype=np.float64)
        for name, tags in _TAGS.items()
    }
    return features | {
        f"in {name}": (bits >> HINTS.index(name) & 1).astype(np.float64) for name in AROUND
    }
