"""What tells kinds of zones apart beyond their own place and text.

Where links lead and how they look, what is beside a zone and before it, what its siblings
have in common with it, and what adverts and the ends of pages have: usual sizes, addresses, words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pagesight.page import NodeKind, Page
from pagesight.page.columns import Array
from pagesight.readers.zones.candidates import Candidates
from pagesight.readers.zones.words import TABLES
from pagesight.segment.leaves import Leaves
from pagesight.segment.nodes import (
    before,
    corners,
    inside,
    links_of,
    most_common,
    named,
    with_attribute,
)

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LONG = 100  # characters; from which on a leaf is prose
SHORT_TEXT = 25  # characters; what menus have
MOSTLY = 0.7  # the share of characters in links, from which on a leaf is a link
PICTURE = 5.0  # characters that a picture is worth
SCALE = 50.0  # of the share of prose before a zone, so that its logarithm tells the first lines
SAME_WIDTH = 6.0  # px; widths that differ by less look the same
WIDEST = 1e6  # px; what is wider is not seen
SIZE_OFF = 2.5  # px by which an advert may miss its usual size
LONGEST_NOTICE = 120  # characters; longer texts are about something else
LINE = 1.2  # font sizes from line to line

ADVERT_SIZES = np.array([size.split("x") for size in TABLES["adverts"]["sizes"].split()], float)
ADVERT_ADDRESS: list[str] = TABLES["adverts"]["addresses"]
NOTICES: Mapping[str, list[str]] = TABLES["notices"]
_FRAMES = frozenset({"iframe", "object", "embed", "ins"})
_CONTROLS = frozenset({"input", "select", "textarea", "button"})
_BETWEEN = "\n"  # which no word has
_HOST = re.compile(r"https?://([^/:?#]+)", re.IGNORECASE)

SURROUNDINGS = (
    *("link count", "per link", "link leaves", "short texts", "linked pictures", "abroad"),
    *("beside text", "beside at", "beside prose", "prose before"),
    *("siblings", "alike", "in row", "other ground", "lines", "uneven", "spread", "no text"),
    *("advert size", "advert address", "frames", "controls", "picture size"),
    *(f"says {name}" for name in NOTICES),
)


def surroundings(zones: Candidates, size: float) -> dict[str, Array]:
    """The features of all zones that `SURROUNDINGS` names; `size` is the usual font size."""
    sums = _Sums(zones)
    return {
        **_links(sums),
        **_beside(sums),
        **_siblings(zones),
        **_shape(sums, LINE * size),
        **_advert(sums),
        **{f"says {name}": sums.share(_says(sums.leaves, NOTICES[name])) for name in NOTICES},
    }


class _Sums:
    """The leaves of zones, and sums over them."""

    def __init__(self, zones: Candidates) -> None:
        self.zones, self.leaves = zones, zones.leaves
        leaves = zones.leaves
        self.characters = leaves.characters.astype(np.float64)
        self.picture = leaves.pictures > 0
        self.weight = self.characters + PICTURE * self.picture
        is_prose = (self.characters >= LONG) & (leaves.link_characters < 0.5 * self.characters)
        self.prose = np.where(is_prose, self.characters, 0)
        self.texts = np.maximum(self(self.characters > 0), 1)
        self.count = np.maximum(zones.last - zones.first, 1)

    def __call__(self, values: Array) -> Floats:
        """The sum of the values of the leaves of each zone."""
        sums = before(values.astype(np.float64))
        return np.asarray(sums[self.zones.last] - sums[self.zones.first])

    def share(self, leaf: Array) -> Floats:
        """The share of the texts of each zone that are in these leaves."""
        return self(leaf) / self.texts

    def deviation(self, values: Array) -> Floats:
        """How much the values of the leaves of each zone differ."""
        mean = self(values) / self.count
        return np.asarray(np.sqrt(np.maximum(self(values**2) / self.count - mean**2, 0)))


def _links(sums: _Sums) -> dict[str, Array]:
    leaves, page = sums.leaves, sums.leaves.page
    links = links_of(page)
    of_leaf = _counted(leaves, links)
    count = sums(of_leaf)
    heads = leaves.nodes[leaves.node_first[:-1]]
    leads = sums.picture & (inside(links, page.end)[heads] | (of_leaf > 0))
    is_link = leaves.link_characters > MOSTLY * sums.characters
    return {
        "link count": np.log1p(count),
        "per link": np.log1p(sums(sums.characters) / np.maximum(count, 1)),
        "link leaves": sums.share(is_link),
        "short texts": sums.share((sums.characters > 0) & (sums.characters < SHORT_TEXT)),
        "linked pictures": sums(leads) / np.maximum(sums(sums.picture), 1),
        "abroad": sums(_counted(leaves, _leading_abroad(page, links))) / np.maximum(count, 1),
    }


def _leading_abroad(page: Page, links: Array) -> Array:
    """The links to other sites, as far as addresses say so."""
    home = _HOST.match(page.info.url or "")
    site = ".".join(home[1].lower().split(".")[-2:]) if home else None
    nodes, addresses = with_attribute(page, "href")
    hosts = [_HOST.match(address) for address in addresses]
    leave = [host is not None and not (site and host[1].endswith(site)) for host in hosts]
    return np.intersect1d(links, nodes[np.array(leave, dtype=np.bool_)])


def _beside(sums: _Sums) -> dict[str, Array]:
    """What is at the same height as a zone, and how much prose comes before it."""
    zones, leaves = sums.zones, sums.leaves
    left, top, right, bottom = zones.corners.T
    width = max(float(right.max()), leaves.page.info.size[0], 1.0)
    edges = corners(leaves.box)
    across, down = (edges[:, :2] + edges[:, 2:]).T / 2
    order = np.argsort(down, kind="stable")
    first, last = (np.searchsorted(down[order], edge) for edge in (top - 0.01, bottom + 0.01))

    def others(values: Floats) -> Floats:
        """The sum of the values at the height of each zone, without its own."""
        total = before(values[order])
        return np.asarray(np.maximum(total[last] - total[first] - sums(values), 0))

    text, prose = others(sums.weight), max(sums.prose.sum(), 1)
    middle = others(sums.weight * across) / np.maximum(text, 0.5)
    if leaves.is_right_to_left:  # what was learned is of pages that begin at the left
        middle, left, right = width - middle, width - right, width - left
    return {
        "beside text": np.log((text + 10) / (sums(sums.weight) + 10)),
        "beside at": np.where(text > 0.5, (middle - (left + right) / 2) / width, 0),
        "beside prose": others(sums.prose) / prose,
        "prose before": np.log1p(SCALE * before(sums.prose)[zones.first] / prose),
    }


def _siblings(zones: Candidates) -> dict[str, Array]:
    parent, width = zones.parent, zones.corners[:, 2] - zones.corners[:, 0]
    children = np.bincount(parent[1:], minlength=len(zones))
    name = zones.leaves.page.columns["name"][zones.element]
    rough = np.round(np.minimum(width, WIDEST) / SAME_WIDTH).astype(np.int64)
    keys = np.stack((parent, rough, name))
    _, which, counts = np.unique(keys, axis=1, return_inverse=True, return_counts=True)
    return {
        "siblings": np.log1p(np.where(parent >= 0, children[parent], 1)),
        "alike": np.log1p(counts[which.ravel()] - 1),
        "in row": (parent >= 0) & zones.beside[parent],
    }


def _shape(sums: _Sums, line: float) -> dict[str, Array]:
    zones, leaves = sums.zones, sums.leaves
    width = max(float(zones.corners[:, 2].max()), leaves.page.info.size[0], 1.0)
    usual = most_common(leaves.background.astype(np.float64), sums.weight + 1)
    return {
        "other ground": sums((leaves.background != usual) * (sums.weight + 1))
        / np.maximum(sums(sums.weight + 1), 1),
        "lines": np.log1p((zones.corners[:, 3] - zones.corners[:, 1]) / line),
        "uneven": sums.deviation(np.log1p(sums.characters)),
        "spread": sums.deviation(leaves.box[:, 0].astype(np.float64)) / width,
        "no text": sums(sums.characters) == 0,
    }


def _advert(sums: _Sums) -> dict[str, Array]:
    """What adverts have; and controls, which they do not."""
    leaves, page = sums.leaves, sums.leaves.page
    size = np.sqrt(np.prod(leaves.box[:, 2:], axis=1, dtype=np.float64)) * sums.picture
    return {
        "advert size": sums(sums.picture & _has_advert_size(leaves)) / sums.count,
        "advert address": sums(_counted(leaves, _to_adverts(page)) > 0) / sums.count,
        "frames": np.log1p(sums(_counted(leaves, np.flatnonzero(named(page, _FRAMES))))),
        "controls": np.log1p(sums(_counted(leaves, np.flatnonzero(named(page, _CONTROLS))))),
        "picture size": np.log1p(sums(size) / np.maximum(sums(sums.picture), 1)),
    }


def _has_advert_size(leaves: Leaves) -> Flags:
    """Which leaves have one of the sizes in which adverts are sold."""
    off = np.abs(leaves.box[:, None, 2:] - ADVERT_SIZES).max(axis=2)
    return np.asarray(off.min(axis=1) <= SIZE_OFF)


def _to_adverts(page: Page) -> Array:
    """The nodes whose address is that of an advert."""
    named_so = [_those(*with_attribute(page, attribute)) for attribute in ("src", "href")]
    return np.unique(np.concatenate(named_so))


def _those(nodes: Array, addresses: Sequence[str]) -> Array:
    return np.asarray(nodes[holding(addresses, ADVERT_ADDRESS)])


def _counted(leaves: Leaves, nodes: Array) -> Floats:
    """How many of these nodes each leaf has; a node belongs to the first leaf inside of it."""
    leaf_of_node, page = leaves.leaf_of_node, leaves.page
    held = np.append(np.flatnonzero(leaf_of_node >= 0), len(page))
    first = held[np.searchsorted(held, nodes)]
    first = first[first < page.end[nodes]]
    return np.bincount(leaf_of_node[first], minlength=len(leaves)).astype(np.float64)


def _says(leaves: Leaves, words: Sequence[str]) -> Floats:
    """Which leaves have a short text with these words."""
    page = leaves.page
    is_text = (page.columns["kind"] == NodeKind.TEXT) & (leaves.leaf_of_node >= 0)
    nodes = np.flatnonzero(is_text)
    text = page.columns["text"][nodes]
    strings = ((index, page.strings[index]) for index in np.unique(text).tolist())
    short = [(index, string) for index, string in strings if len(string) <= LONGEST_NOTICE]
    found = np.flatnonzero(holding([string for _, string in short], words))
    said = [short[at][0] for at in found.tolist()]
    says = np.zeros(len(leaves))
    says[leaves.leaf_of_node[nodes[np.isin(text, said)]]] = 1
    return says


def holding(strings: Sequence[str], words: Sequence[str]) -> Flags:
    """Which strings hold one of these words, in small letters: all are searched at once."""
    lowered = [string.lower() for string in strings]
    everything = _BETWEEN.join(lowered)
    starts = before(np.array([len(string) + 1 for string in lowered], dtype=np.int64))
    found = np.zeros(len(strings), dtype=np.bool_)
    for word in words:
        at = everything.find(word)
        while at >= 0:
            string = int(np.searchsorted(starts, at, side="right")) - 1
            found[string] = True
            at = everything.find(word, int(starts[string + 1]))
    return found
