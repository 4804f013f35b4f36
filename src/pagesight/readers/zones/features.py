"""What is seen of each zone, in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.page.columns import Array
from pagesight.readers.zones.candidates import Candidates
from pagesight.readers.zones.hints import HINTS, hints
from pagesight.segment.direction import is_right_to_left
from pagesight.segment.leaves import Leaves
from pagesight.segment.nodes import before

Floats = NDArray[np.float64]

VERSION = 1
SCREEN = 800.0  # px; heights and distances are seen relative to a screen
LARGE_FONT = 1.2  # of the usual font size: a heading
PARTS = ("header", "navigation", "main", "aside", "footer")  # of which pages consist
SHORT = 60  # characters; bold text of that length is a heading


@dataclass(frozen=True, eq=False)
class Features:
    """The features of all zones of a page: by name a number for each zone."""

    columns: Mapping[str, Array]

    def table(self, names: Sequence[str]) -> Floats:
        """The named features, a row for each zone."""
        return np.column_stack([self.columns[name] for name in names]).astype(np.float64)


def features(zones: Candidates) -> Features:
    """The features of the zones of a page."""
    leaves = zones.leaves
    return Features(
        {
            **_place(zones),
            **_content(zones, leaves),
            **_division(zones, leaves),
            **_hints(zones),
        }
    )


def weights(leaves: Leaves) -> Floats:
    """What each leaf counts: its characters; a picture of w x h is a line of that size."""
    area = (leaves.box[:, 2] * leaves.box[:, 3]).astype(np.float64)
    return np.where(
        leaves.characters > 0, leaves.characters, 1 + np.sqrt(area) / _usual_size(leaves)
    )


def _usual_size(leaves: Leaves) -> float:
    """The font size of the middle character."""
    order = np.argsort(leaves.font_size, kind="stable")
    characters = np.cumsum(leaves.characters[order])
    if len(characters) == 0 or characters[-1] == 0:
        return 16.0
    middle = np.searchsorted(characters, characters[-1] / 2)
    return max(float(leaves.font_size[order][middle]), 1.0)


def _place(zones: Candidates) -> dict[str, Array]:
    left, top, right, bottom = zones.corners.T
    width = max(float(right.max()), zones.leaves.page.info.size[0], 1.0)
    height = max(float(bottom.max()), 1.0)
    if is_right_to_left(zones.leaves):  # what was learned is of pages that begin at the left
        left, right = width - right, width - left
    return {
        "width": (right - left) / width,
        "left": left / width,
        "right": right / width,
        "height": np.log((bottom - top + 10) / SCREEN),
        "height_share": (bottom - top) / height,
        "top": np.log1p(np.maximum(top, 0) / SCREEN * 8),
        "bottom": np.log1p((height - bottom) / SCREEN * 8),
        "top_share": top / height,
        "bottom_share": 1 - bottom / height,
    }


def _content(zones: Candidates, leaves: Leaves) -> dict[str, Array]:
    def total(values: Array) -> Floats:
        sums = before(values.astype(np.float64))
        inside: Floats = sums[zones.last] - sums[zones.first]
        return inside

    size = _usual_size(leaves)
    characters, everything = total(leaves.characters), float(leaves.characters.sum())
    area = np.prod(zones.corners[:, 2:] - zones.corners[:, :2], axis=1) + 1
    pictures = np.prod(leaves.box[:, 2:], axis=1) * (
        (leaves.characters == 0) & (leaves.pictures > 0)
    )
    bold = (leaves.font_weight >= 600) & (leaves.characters < SHORT)
    heading = (leaves.font_size > LARGE_FONT * size) | (bold & (leaves.link_characters == 0))
    heading &= leaves.characters > 0
    share = (characters + 1) / (everything + 1)
    return {
        "characters": np.log1p(characters),
        "share": np.log(share),
        "share_of_parent": np.where(zones.parent >= 0, share / share[zones.parent], 1),
        "links": (total(leaves.link_characters) + 0.5) / (characters + 1),
        "pictures": np.minimum(total(pictures) / area, 1),
        "has picture": total(leaves.pictures) > 0,
        "density": np.log1p(characters * size**2 / area),
        "headings": np.log1p(total(heading)),
        "heading_first": _of_first(zones, heading),
    }


def _of_first(zones: Candidates, values: Array) -> Array:
    """The value of the first leaf of each zone."""
    return np.concatenate((values, np.zeros(1, values.dtype)))[zones.first]


def _division(zones: Candidates, leaves: Leaves) -> dict[str, Array]:
    line = 1.2 * _usual_size(leaves)
    around = np.where(zones.parent >= 0, zones.gap[zones.parent], SCREEN)
    children = np.bincount(zones.parent[1:], minlength=len(zones))
    changes = before((np.diff(_looks(leaves)) != 0).astype(np.float64))
    grounds = before((np.diff(leaves.background.astype(np.int64)) != 0).astype(np.float64))
    inside = np.maximum(zones.last - 1, zones.first)
    return {
        "gap": np.log1p(zones.gap / line),
        "gap_around": np.log1p(around / line),
        "gap_ratio": np.log((zones.gap + 2) / (around + 2)),
        "beside": zones.beside,
        "children": np.log1p(children),
        "leaves": np.log(np.maximum(zones.last - zones.first, 1)),
        "changes": _differences(changes, zones.first, inside) / np.maximum(inside - zones.first, 1),
        "grounds": np.log1p(_differences(grounds, zones.first, inside)),
        "depth": np.log1p(_depths(zones)),
        "whole": zones.whole,
    }


def _differences(sums: Floats, first: Array, last: Array) -> Floats:
    most = len(sums) - 1
    found: Floats = sums[np.minimum(last, most)] - sums[np.minimum(first, most)]
    return found


def _looks(leaves: Leaves) -> NDArray[np.int64]:
    """A number for the look of each leaf."""
    columns = (leaves.font_size, leaves.font_weight, leaves.color, leaves.background)
    _, look = np.unique(
        np.stack([c.astype(np.float64) for c in columns]), axis=1, return_inverse=True
    )
    return np.asarray(look, dtype=np.int64).ravel()


def _depths(zones: Candidates) -> Floats:
    depths = [0] * len(zones)
    for zone, above in enumerate(zones.parent.tolist()):
        if above >= 0:
            depths[zone] = depths[above] + 1
    return np.array(depths, dtype=np.float64)


def _hints(zones: Candidates) -> dict[str, Array]:
    """What zones are called, and how many zones inside are called so."""
    bits = own_hints(zones)
    columns: dict[str, Array] = {}
    for index, name in enumerate(HINTS):
        own = (bits >> index & 1).astype(np.float64)
        columns[f"is {name}"] = own
        columns[f"has {name}"] = np.log1p(
            _differences(before(own), np.arange(1, len(own) + 1), zones.end)
        )
    columns["is part"] = np.max([columns[f"is {name}"] for name in PARTS], axis=0)
    columns["parts"] = np.sum([columns[f"has {name}"] > 0 for name in PARTS], axis=0)
    return columns


def own_hints(zones: Candidates) -> NDArray[np.int64]:
    """The hints of the elements that hold all of a zone and nothing else; in leaves, of all."""
    page = zones.leaves.page
    of_node = hints(page)
    above, steps, elements = zones.parent.tolist(), of_node.tolist(), zones.element.tolist()
    parent = page.columns["parent"].tolist()
    found = np.zeros(len(zones), dtype=np.int64)
    for zone, around in enumerate(above):
        node, stop = elements[zone], elements[around] if around >= 0 else -1
        bits = 0
        while node != stop:
            bits |= steps[node]
            node = parent[node]
        found[zone] = bits
    leaf = np.flatnonzero(zones.is_leaf & (zones.last > zones.first))
    found[leaf] |= _inside_leaves(zones.leaves, of_node)[zones.first[leaf]]
    return found


def _inside_leaves(leaves: Leaves, of_node: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each leaf the hints of all nodes in it."""
    found = np.zeros(len(leaves), dtype=np.int64)
    inside = np.flatnonzero(leaves.leaf_of_node >= 0)
    np.bitwise_or.at(found, leaves.leaf_of_node[inside], of_node[inside])
    return found
