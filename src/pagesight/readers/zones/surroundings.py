"""What tells kinds of zones apart beyond their own place and text.

Where links lead and how they look, what is beside a zone and before it, what its siblings
have in common with it, and what adverts and the ends of pages have: usual sizes, addresses, words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.columns import Array
from pagesight.page.words import Searched
from pagesight.readers.zones.candidates import Candidates
from pagesight.segment.leaves import Leaves
from pagesight.segment.nodes import (
    before,
    corners,
    distinct,
    inside,
    links_of,
    most_common,
    named,
    numbered,
    with_attribute,
)

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

TABLES: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    (files("pagesight") / "data" / "zone-words.toml").read_text(encoding="utf-8")
)
"""The tables of words by which zones are read; to change them is to train again."""

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
_HOST = re.compile(r"https?://([^/:?#]+)", re.IGNORECASE)

SURROUNDINGS = (
    *("link count", "per link", "link leaves", "short texts", "linked pictures", "abroad"),
    *("beside text", "beside at", "beside prose", "prose before"),
    *("siblings", "alike", "in row", "other ground", "lines", "uneven", "spread", "no text"),
    *("advert size", "advert address", "frames", "controls", "picture size"),
    *(f"says {name}" for name in NOTICES),
)


class Sums:
    """The leaves of zones, and sums over them."""

    def __init__(self, zones: Candidates) -> None:
        self.zones, self.leaves = zones, zones.leaves
        leaves = zones.leaves
        self.characters = leaves.characters.astype(np.float64)
        self.picture = leaves.pictures > 0
        self.weight = self.characters + PICTURE * self.picture
        is_prose = (self.characters >= LONG) & (leaves.link_characters < 0.5 * self.characters)
        self.prose = np.where(is_prose, self.characters, 0)
        self.all_characters, self.linked, self.all_texts, self.pictures, self.weights = self(
            self.characters, leaves.link_characters, self.characters > 0, self.picture, self.weight
        )
        self.texts = np.maximum(self.all_texts, 1)
        self.count = np.maximum(zones.last - zones.first, 1)

    def __call__(self, *values: Array) -> Floats:
        """The sums of values of the leaves of each zone, a row for each kind of value."""
        sums = np.zeros((len(values), len(self.leaves) + 1))
        np.cumsum(np.array(values, dtype=np.float64), axis=1, out=sums[:, 1:])
        return np.asarray(sums[:, self.zones.last] - sums[:, self.zones.first])


def surroundings(sums: Sums, size: float) -> dict[str, Array]:
    """The features of all zones that `SURROUNDINGS` names; `size` is the usual font size."""
    return {
        **_links(sums),
        **_beside(sums),
        **_siblings(sums.zones),
        **_shape(sums, LINE * size),
        **_advert(sums),
        **_notices(sums),
    }


def _links(sums: Sums) -> dict[str, Array]:
    leaves, page = sums.leaves, sums.leaves.page
    links = links_of(page)
    of_leaf = _counted(leaves, links)
    leads = sums.picture & (inside(links, page.end)[leaves.heads] | (of_leaf > 0))
    is_link = leaves.link_characters > MOSTLY * sums.characters
    short = (sums.characters > 0) & (sums.characters < SHORT_TEXT)
    count, linked, shorts, leading, abroad = sums(
        of_leaf, is_link, short, leads, _counted(leaves, _leading_abroad(page, links))
    )
    return {
        "link count": np.log1p(count),
        "per link": np.log1p(sums.all_characters / np.maximum(count, 1)),
        "link leaves": linked / sums.texts,
        "short texts": shorts / sums.texts,
        "linked pictures": leading / np.maximum(sums.pictures, 1),
        "abroad": abroad / np.maximum(count, 1),
    }


def _leading_abroad(page: Page, links: Array) -> Array:
    """The links to other sites, as far as addresses say so."""
    home = _HOST.match(page.info.url or "")
    site = ".".join(home[1].lower().split(".")[-2:]) if home else None
    nodes, addresses = with_attribute(page, "href")
    hosts = [_HOST.match(address) for address in addresses]
    leave = np.zeros(len(page), dtype=np.bool_)
    leave[nodes] = [host is not None and not (site and host[1].endswith(site)) for host in hosts]
    return np.asarray(links[leave[links]])


def _beside(sums: Sums) -> dict[str, Array]:
    """What is at the same height as a zone, and how much prose comes before it."""
    zones, leaves = sums.zones, sums.leaves
    left, top, right, bottom = zones.corners.T
    width = max(float(right.max()), leaves.page.info.size[0], 1.0)
    edges = corners(leaves.box)
    across, down = (edges[:, :2] + edges[:, 2:]).T / 2
    order = np.argsort(down, kind="stable")
    first, last = (np.searchsorted(down[order], edge) for edge in (top - 0.01, bottom + 0.01))

    values = np.stack((sums.weight, sums.weight * across, sums.prose))
    total = np.zeros((len(values), len(leaves) + 1))
    np.cumsum(values[:, order], axis=1, out=total[:, 1:])
    # at the height of each zone, without its own
    others = np.maximum(total[:, last] - total[:, first] - sums(*values), 0)
    text, prose = others[0], max(sums.prose.sum(), 1)
    middle = others[1] / np.maximum(text, 0.5)
    if leaves.is_right_to_left:  # what was learned is of pages that begin at the left
        middle, left, right = width - middle, width - right, width - left
    return {
        "beside text": np.log((text + 10) / (sums.weights + 10)),
        "beside at": np.where(text > 0.5, (middle - (left + right) / 2) / width, 0),
        "beside prose": others[2] / prose,
        "prose before": np.log1p(SCALE * before(sums.prose)[zones.first] / prose),
    }


def _siblings(zones: Candidates) -> dict[str, Array]:
    parent, width = zones.parent, zones.corners[:, 2] - zones.corners[:, 0]
    children = np.bincount(parent[1:], minlength=len(zones))
    name = zones.leaves.page.columns["name"][zones.element]
    rough = np.round(np.minimum(width, WIDEST) / SAME_WIDTH).astype(np.int64)
    which = numbered(parent, rough, name)
    alike = np.bincount(which)[which]
    return {
        "siblings": np.log1p(np.where(parent >= 0, children[parent], 1)),
        "alike": np.log1p(alike - 1),
        "in row": (parent >= 0) & zones.beside[parent],
    }


def _shape(sums: Sums, line: float) -> dict[str, Array]:
    zones, leaves = sums.zones, sums.leaves
    width = max(float(zones.corners[:, 2].max()), leaves.page.info.size[0], 1.0)
    weight = sums.weight + 1
    usual = most_common(leaves.background.astype(np.float64), weight)
    lengths, lefts = np.log1p(sums.characters), leaves.box[:, 0].astype(np.float64)
    totals = sums(
        (leaves.background != usual) * weight, weight, lengths, lengths**2, lefts, lefts**2
    )
    means = totals[2:] / sums.count
    uneven, spread = np.sqrt(np.maximum(means[1::2] - means[::2] ** 2, 0))
    return {
        "other ground": totals[0] / np.maximum(totals[1], 1),
        "lines": np.log1p((zones.corners[:, 3] - zones.corners[:, 1]) / line),
        "uneven": uneven,
        "spread": spread / width,
        "no text": sums.all_characters == 0,
    }


def _advert(sums: Sums) -> dict[str, Array]:
    """What adverts have; and controls, which they do not."""
    leaves, page = sums.leaves, sums.leaves.page
    size = np.sqrt(np.prod(leaves.box[:, 2:], axis=1, dtype=np.float64)) * sums.picture
    sized, addressed, frames, controls, sizes = sums(
        _have_advert_size(leaves, sums.picture),
        _counted(leaves, _to_adverts(page)) > 0,
        _counted(leaves, np.flatnonzero(named(page, _FRAMES))),
        _counted(leaves, np.flatnonzero(named(page, _CONTROLS))),
        size,
    )
    return {
        "advert size": sized / sums.count,
        "advert address": addressed / sums.count,
        "frames": np.log1p(frames),
        "controls": np.log1p(controls),
        "picture size": np.log1p(sizes / np.maximum(sums.pictures, 1)),
    }


def _have_advert_size(leaves: Leaves, pictures: Flags) -> Flags:
    """Which of these leaves have one of the sizes in which adverts are sold."""
    have = pictures.copy()
    off = np.abs(leaves.box[pictures, None, 2:] - ADVERT_SIZES).max(axis=2)
    have[pictures] = off.min(axis=1) <= SIZE_OFF
    return have


def _to_adverts(page: Page) -> Array:
    """The nodes whose address is that of an advert."""
    known = [with_attribute(page, attribute) for attribute in ("src", "href")]
    distinct = list({address for _, addresses in known for address in addresses})
    found = Searched(distinct).holding(ADVERT_ADDRESS).nonzero()[0].tolist()
    of_adverts = {distinct[at] for at in found}
    named_so = (
        [nodes[[address in of_adverts for address in addresses]] for nodes, addresses in known]
        if of_adverts
        else []
    )
    return np.unique(np.concatenate(named_so)) if named_so else np.zeros(0, np.int64)


def _counted(leaves: Leaves, nodes: Array) -> Floats:
    """How many of these nodes each leaf has; a node belongs to the first leaf inside of it."""
    held = leaves.held
    first = held[np.searchsorted(held, nodes)]
    first = first[first < leaves.page.end[nodes]]
    return np.bincount(leaves.leaf_of_node[first], minlength=len(leaves)).astype(np.float64)


def _notices(sums: Sums) -> dict[str, Array]:
    """The share of the texts of each zone that are short and have the words of each notice."""
    leaves, page = sums.leaves, sums.leaves.page
    is_text = page.is_text & (leaves.leaf_of_node >= 0)
    nodes = np.flatnonzero(is_text)
    text = page.columns["text"][nodes]
    short = [
        index for index in distinct(text).tolist() if len(page.strings[index]) <= LONGEST_NOTICE
    ]
    strings, says = Searched([page.strings[index] for index in short]), []
    for words in NOTICES.values():
        said = np.zeros(len(page.strings) + 1, dtype=np.bool_)  # the last is for no text
        said[np.array(short, np.int64)[strings.holding(words)]] = True
        says.append(np.zeros(len(leaves)))
        says[-1][leaves.leaf_of_node[nodes[said[text]]]] = 1
    shares = sums(*says) / sums.texts
    return {f"says {name}": share for name, share in zip(NOTICES, shares, strict=True)}
