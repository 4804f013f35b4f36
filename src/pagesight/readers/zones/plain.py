"""Which zones are plain text: paragraphs and headings below each other, and nothing else.

People draw one block around plain text, however small the page is. The drawn pages are rich ones:
from them alone it cannot be learned that a page may be nothing but a text. Tables of data count as
plain text, too: their cells are read together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.zones.candidates import Candidates
from pagesight.readers.zones.hints import HINTS
from pagesight.segment.leaves import Leaves
from pagesight.segment.nodes import before

Flags = NDArray[np.bool_]

OTHERS = ("header", "navigation", "aside", "footer", "form", "advert")  # that are not text
BOXES = ("framed", "filled")
OVERLAP = 2.0  # px, from which on things below each other are not
MOSTLY = 0.7  # the share of characters in links, from which on a leaf is a link


def plain_text(zones: Candidates, hints: NDArray[np.int64], farthest: float) -> Flags:
    """For each zone whether it is plain text, in which nothing is more than `farthest` px apart.

    `hints` are those of the zones. What is in a box may be within a text, but not begin or end it.
    """
    distance, table = _distances(zones), _in_table(zones)
    beside = (distance < -OVERLAP) & ~table
    parts = before((beside | _named(hints, OTHERS)).astype(np.int64))
    some = parts[zones.end] > parts[np.arange(len(zones)) + 1]
    links = before(_is_link(zones.leaves).astype(np.int64))
    some |= links[zones.last] > links[zones.first]
    boxed = _at_the_edge(zones, _named(hints, BOXES) | _is_no_text(zones))
    plain: Flags = ~beside & ~some & ~boxed & (distance <= farthest)
    return plain | table


def _named(hints: NDArray[np.int64], names: tuple[str, ...]) -> Flags:
    bits = sum(1 << HINTS.index(name) for name in names)
    return np.asarray(hints & bits != 0)


def _distances(zones: Candidates) -> NDArray[np.float64]:
    """For each zone how far its children are apart from top to bottom, where that is most.

    Where any of them are beside each other, the px of height that they share, below 0.
    """
    below = np.argsort(zones.parent[1:], kind="stable") + 1
    one, other = below[:-1], below[1:]
    siblings = zones.parent[one] == zones.parent[other]
    one, other = one[siblings], other[siblings]
    top, bottom = zones.corners[:, 1], zones.corners[:, 3]
    apart = np.maximum(top[one], top[other]) - np.minimum(bottom[one], bottom[other])
    most, least = np.zeros(len(zones)), np.zeros(len(zones))
    np.maximum.at(most, zones.parent[one], apart)
    np.minimum.at(least, zones.parent[one], apart)
    return np.where(least < -OVERLAP, least, most)


def _in_table(zones: Candidates) -> Flags:
    """Which zones are in one table of data, or all of it."""
    if len(zones.leaves) == 0:
        return np.zeros(len(zones), dtype=np.bool_)
    table = zones.leaves.table
    first, last = table[zones.first], table[zones.last - 1]
    return np.asarray((first >= 0) & (first == last))


def _is_no_text(zones: Candidates) -> Flags:
    """Which zones are leaves without text."""
    textless = np.zeros(len(zones), dtype=np.bool_)
    leaf = np.flatnonzero(zones.is_leaf & (zones.last > zones.first))
    textless[leaf] = zones.leaves.characters[zones.first[leaf]] == 0
    return textless


def _is_link(leaves: Leaves) -> Flags:
    return np.asarray(leaves.link_characters > MOSTLY * leaves.characters)


def _at_the_edge(zones: Candidates, marked: Flags) -> Flags:
    """Which zones begin or end with a marked zone that is not all of them."""
    return _have_at(zones.first, zones, marked) | _have_at(zones.last, zones, marked)


def _have_at(edge: NDArray[np.int64], zones: Candidates, marked: Flags) -> Flags:
    """Which zones have a marked zone in them that shares this edge with them."""
    have = [False] * len(zones)
    parents, edges, flags = zones.parent.tolist(), edge.tolist(), marked.tolist()
    for zone in range(len(zones) - 1, 0, -1):
        above = parents[zone]
        if edges[zone] == edges[above]:
            have[above] |= have[zone] or flags[zone]
    return np.array(have, dtype=np.bool_)
