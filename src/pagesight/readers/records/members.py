"""What is seen of each member of a group beside the others: whether it is a record like these."""

from __future__ import annotations

from collections.abc import Container

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.derived import once_per_page
from pagesight.readers.records.groups import Group, Joined
from pagesight.readers.records.sight import Sight, sight_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_SOME = ("pictures", "prices", "links", "headings", "buttons", "long")
NEAR = 4.0  # px; edges that are no farther apart look aligned


def member_features(sight: Sight, group: Group) -> dict[str, Floats]:
    """The features of all members of a group, by name."""
    return joined_features(sight, Joined([group]))


def joined_features(
    sight: Sight, joined: Joined, wanted: Container[str] | None = None
) -> dict[str, Floats]:
    """The features of all members of several groups, by name; `wanted` are those that matter."""
    shown = sight.pieces.totals(joined.first, joined.last)
    box = sight.boxes(joined.first, joined.last)
    order = np.arange(len(joined.heads)) - joined.start[joined.group]
    count = joined.size[joined.group]
    alike = np.concatenate(sight.likeness([group.heads for group in joined.groups]))
    return {
        **_beside_others(joined, shown, box),
        **_unlike_others(joined, shown),
        **_of_place(sight, joined, box),
        "alike": alike,
        "mean alike": joined.mean(alike)[joined.group],
        "same class": joined.alike(sight.class_number[joined.heads]) / count,
        **{
            name: of_members(sight, joined)
            for name, of_members in (("repeated", _repeated), ("header cells", _header_cells))
            if wanted is None or name in wanted
        },
        "first": (order == 0).astype(np.float64),
        "last": (order == count - 1).astype(np.float64),
        "count": np.log(count),
    }


def _repeated(sight: Sight, joined: Joined) -> Floats:
    """Which members say what another one says."""
    return (joined.alike(sight.said(joined.first, joined.last)) > 1).astype(np.float64)


def _header_cells(sight: Sight, joined: Joined) -> Floats:
    return header_cells(sight, joined.heads)


def _beside_others(joined: Joined, shown: dict[str, Floats], box: Floats) -> dict[str, Floats]:
    """How much larger or smaller each is than the one in the middle."""
    written = np.maximum(1, shown["characters"])
    sizes = {
        **{name: shown[name] for name in ("characters", "pieces", "texts")},
        "width": box[:, 2] - box[:, 0],
        "height": box[:, 3] - box[:, 1],
        "size": shown["sized"] / written,
    }
    logs = np.log1p(np.stack(list(sizes.values())))
    links = shown["link characters"] / written
    compared = np.concatenate((logs, links[None]))
    beside = compared - joined.median(compared)[:, joined.group]
    return {
        **{name: log for name, log in zip(sizes, logs, strict=True) if name != "size"},
        **{f"{name} beside others": by for name, by in zip(sizes, beside[:-1], strict=True)},
        "link share": links,
        "link share beside others": beside[-1],
    }


def _unlike_others(joined: Joined, shown: dict[str, Floats]) -> dict[str, Floats]:
    """What each has, and what others have."""
    some = np.stack([shown[name] > 0 for name in _SOME]).astype(np.float64)
    share = joined.mean(some)[:, joined.group]
    unlike = np.abs(some - share)
    features: dict[str, Floats] = {}
    for at, name in enumerate(_SOME):
        features[f"has {name}"] = some[at]
        features[f"{name} of others"] = share[at]
        features[f"{name} unlike others"] = unlike[at]
    return features


def _of_place(sight: Sight, joined: Joined, box: Floats) -> dict[str, Floats]:
    """Whether each is where others are."""
    count = joined.size[joined.group]
    gap = np.abs(np.diff(box[:, 1], append=box[-1:, 1]))
    gap[joined.start + joined.size - 1] = 0
    ahead = np.concatenate((gap[:1], gap[:-1]))
    ahead[joined.start] = gap[joined.start]
    return {
        "in place": joined.alike(sight.units.parent[joined.heads]) / count,
        "aligned": joined.alike(np.round(box[:, 0] / NEAR)) / count,
        "after": np.log1p(np.minimum(gap, ahead)),
    }


def header_cells(sight: Sight, heads: Ints) -> Floats:
    """The share of cells that are headers, of units that are rows of a table."""
    return _header_share(sight.units.page)[heads]


@once_per_page
def _header_share(page: Page) -> Floats:
    sight = sight_of(page)
    headers = np.flatnonzero([tag == "th" for tag in sight.tags])
    count = np.bincount(np.maximum(0, sight.units.parent[headers]), minlength=len(sight.units))
    return np.asarray(count / np.maximum(1, sight.count_below))
