"""What is seen of a group of units, in numbers: whether it is the list that the page is about."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.readers.records.groups import KIN, RUNS, Group
from pagesight.readers.records.pieces import Pieces
from pagesight.readers.records.units import Units
from pagesight.readers.zones.features import HINTS, hints
from pagesight.segment.nodes import before, corners, depths, range_unions

Floats = NDArray[np.float64]
AROUND = ("header", "navigation", "main", "aside", "footer", "form", "list", "advert")
DEEPEST = 5  # levels of a record that are compared
MOST_COMPARED = 60  # members of a group that are looked into
_CENTS = re.compile(r"[.,]\d\d")
SAME = 4.0  # px; edges that are no farther apart look aligned


def group_features(pieces: Pieces, groups: list[Group]) -> list[dict[str, float]]:
    """The features of each group."""
    seen = Seen(pieces)
    return [_features(seen, group) for group in groups]


class Seen:
    """What all groups of a page need."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self.units = pieces.units
        self.around = _around(self.units)
        self.depth = depths(self.units.parent)
        names = self.units.page.columns["name"][self.units.node].astype(np.int64)
        self.tag = [self.units.page.name(node) for node in self.units.node.tolist()]
        self.paths = _paths(names, self.units.parent)
        self.corners = corners(self.units.content.box)
        self.page = _Whole(pieces)
        block_of = np.array(self.units.page.block_of, dtype=np.int64)
        self.block = block_of[self.units.content.nodes]
        """By piece: the box that its line is in."""

        _, at = np.unique(self.block, return_inverse=True)
        self.in_block = np.bincount(at, pieces.characters)[at]
        """By piece: the characters of that box."""

        looks = np.stack((pieces.size.astype(np.int64), pieces.bold.astype(np.int64), pieces.color))
        self.style = np.unique(looks, axis=1, return_inverse=True)[1].ravel()
        self._texts: dict[int, str] = {}
        self.looks = [_look(self.units.page, node) for node in self.units.node.tolist()]

    def text(self, unit: int) -> str:
        """What is written in a unit: raised cents are behind a point."""
        if unit not in self._texts:
            self._texts[unit] = self._joined(
                int(self.units.first[unit]), int(self.units.last[unit])
            )
        return self._texts[unit]

    def _joined(self, first: int, last: int) -> str:
        pieces, text, before_it = self.pieces, "", -1
        for piece in range(first, last):
            string = pieces.texts[piece]
            if not string:
                continue
            if before_it >= 0:
                text += self._between(before_it, piece, text)
            text, before_it = text + string, piece
        return text

    def _between(self, piece: int, other: int, text: str) -> str:
        """What separates two texts: cents are smaller than what they are behind, or raised."""
        pieces, string = self.pieces, self.pieces.texts[other]
        if len(string) == 2 and string.isdigit() and text[-1:].isdigit():
            box = self.units.content.box
            if (
                pieces.size[other] < 0.9 * pieces.size[piece]
                or abs(box[piece, 1] - box[other, 1]) > 2
            ):
                return "."
        if _CENTS.fullmatch(string) and text[-1:].isdigit():
            return ""
        return "" if text[-1:] in "$€£¥" and string[:1].isdigit() else " "


def _look(page: Page, node: int) -> str:
    return page.attributes(node).get("class", "")


class _Whole:
    """What all groups of a page are compared with."""

    def __init__(self, pieces: Pieces) -> None:
        sums = pieces.sums
        self.characters = max(1.0, sums["characters"][-1])
        self.prices = max(1.0, sums["prices"][-1])
        self.pictures = max(1.0, sums["picture area"][-1])
        width, height = pieces.units.page.info.size
        self.width, self.height = max(width, 1.0), max(height, 1.0)
        sizes = np.sort(pieces.size[pieces.characters > 0])
        self.size = float(sizes[len(sizes) // 2]) if len(sizes) else 16.0


def _around(units: Units) -> NDArray[np.int64]:
    """By unit: what the elements around it suggest, as bits of `HINTS`."""
    page = units.page
    bits = hints(page).tolist()
    parents = page.columns["parent"].tolist()
    total: list[int] = []
    for node, above in enumerate(parents):
        total.append(bits[node] | (total[above] if above >= 0 else 0))
    return np.array(total, dtype=np.int64)[units.inner]


def _paths(names: NDArray[np.int64], parent: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """By level and unit: a number for the tags from that many levels above down to the unit."""
    paths = [np.zeros(len(names), dtype=np.int64)]
    with np.errstate(over="ignore"):
        for _ in range(DEEPEST):
            paths.append((paths[-1][parent] * 0x9E3779B1 + names + 1) & 0x7FFFFFFFFFFF)
    return paths


def likeness(seen: Seen, heads: NDArray[np.int64]) -> Floats:
    """How much each of these units has in common with what is usual among them, in tags."""
    end = seen.units.end[heads].astype(np.int64)
    sizes = end - heads - 1
    member = np.repeat(np.arange(len(heads)), sizes)
    unit = np.arange(len(member)) - np.repeat(before(sizes)[:-1], sizes) + heads[member] + 1
    level = seen.depth[unit] - seen.depth[heads[member]]
    shallow = level <= DEEPEST
    member, unit, level = member[shallow], unit[shallow], level[shallow]
    path = np.stack(seen.paths)[level, unit] if len(unit) else unit
    pairs = np.unique(np.stack((path, member)), axis=1) if len(unit) else np.zeros((2, 0), np.int64)
    if not pairs.shape[1]:
        return np.ones(len(heads))
    _, at, counts = np.unique(pairs[0], return_inverse=True, return_counts=True)
    usual = counts[at] * 2 >= len(heads)
    has = np.bincount(pairs[1], minlength=len(heads))
    has_usual = np.bincount(pairs[1][usual], minlength=len(heads))
    all_usual = int((counts * 2 >= len(heads)).sum())
    return np.asarray((has_usual + 0.5) / (has + all_usual - has_usual + 0.5))


def _spread(values: Floats) -> float:
    mean = float(values.mean())
    return float(values.std()) / mean if mean > 0 else 0.0


def _aligned(values: Floats) -> float:
    """The share of values that others are next to."""
    steps = np.round(values / SAME).astype(np.int64)
    _, inverse, counts = np.unique(steps, return_inverse=True, return_counts=True)
    return float((counts[inverse] > 1).mean())


def _inner(seen: Seen, heads: NDArray[np.int64]) -> dict[str, float]:
    """How much the members look like lists of their own: rows of a grid do, records do not."""
    below = [
        [child for child in seen.units.children[head] if seen.tag[child][0] != "#"]
        for head in heads.tolist()
    ]
    several = [children for children in below if len(children) > 1]
    if not several:
        return dict.fromkeys(
            ("inner", "inner alike", "inner pictures", "inner prices", "inner links"), 0.0
        )
    children = np.array([child for some in several for child in some], dtype=np.int64)
    first, last = seen.units.first[children], seen.units.last[children]
    share = {
        name: float((seen.pieces.total(name, first, last) > 0).mean())
        for name in ("pictures", "prices", "links")
    }
    return {
        "inner": len(children) / len(heads),
        "inner alike": float(likeness(seen, children[:MOST_COMPARED]).mean())
        if sum(map(len, several))
        else 0.0,
        **{f"inner {name}": value for name, value in share.items()},
    }


def _features(seen: Seen, group: Group) -> dict[str, float]:
    pieces, units, page = seen.pieces, seen.units, seen.page
    first, last = group.first, group.last
    count = len(group)
    total = {name: pieces.total(name, first, last) for name in pieces.sums}
    box = range_unions(seen.corners, first, last)
    width, height = box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]
    left, top, right, bottom = box[:, 0].min(), box[:, 1].min(), box[:, 2].max(), box[:, 3].max()
    characters = total["characters"]
    some = np.linspace(0, count - 1, min(count, MOST_COMPARED)).astype(int)
    alike = likeness(seen, group.heads[some])
    inner = _inner(seen, group.heads[some])
    texts = [
        " ".join(pieces.texts[a:b])[:200]
        for a, b in zip(first[some].tolist(), last[some].tolist(), strict=True)
    ]
    firsts = [
        next((t for t in pieces.texts[a:b] if t), "")
        for a, b in zip(first[some].tolist(), last[some].tolist(), strict=True)
    ]
    inside_first, inside_last = int(units.first[group.around]), int(units.last[group.around])
    rest = max(
        1.0, pieces.sums["characters"][inside_last] - pieces.sums["characters"][inside_first]
    )
    bits = int(seen.around[group.around])
    looks = Counter(seen.looks[head] for head in group.heads.tolist())
    tag = seen.tag[int(group.heads[0])]
    span = max(1.0, pieces.sums["characters"][last[-1]] - pieces.sums["characters"][first[0]])
    features = {
        "count": np.log(count),
        "kin": float(group.how == KIN),
        "runs": float(group.how == RUNS),
        "characters share": characters.sum() / page.characters,
        "area share": float((width * height).sum()) / (page.width * page.height),
        "prices share": total["prices"].sum() / page.prices,
        "pictures share": total["picture area"].sum() / page.pictures,
        "of around": characters.sum() / rest,
        "of span": characters.sum() / span,
        "places": np.log(len(set(units.parent[group.heads].tolist()))),
        **inner,
        "characters": np.log1p(float(np.median(characters))),
        "characters spread": _spread(characters),
        "least characters": np.log1p(float(characters.min())),
        "texts": np.log1p(float(np.median(total["texts"]))),
        "texts spread": _spread(total["texts"]),
        "pieces": np.log1p(float(np.median(total["pieces"]))),
        "with pictures": float((total["pictures"] > 0).mean()),
        "picture area": np.log1p(float(np.median(total["picture area"]))),
        "with prices": float((total["prices"] > 0).mean()),
        "prices": float(total["prices"].mean()),
        "with links": float((total["links"] > 0).mean()),
        "link share": float(total["link characters"].sum() / max(1.0, characters.sum())),
        "links": np.log1p(float(total["links"].mean())),
        "with headings": float((total["headings"] > 0).mean()),
        "headings": float(total["headings"].mean()),
        "with buttons": float((total["buttons"] > 0).mean()),
        "with long": float((total["long"] > 0).mean()),
        "digits": float(total["digits"].sum() / max(1.0, characters.sum())),
        "alike": float(alike.mean()),
        "least alike": float(alike.min()),
        "same class": looks.most_common(1)[0][1] / count,
        "distinct": len(set(texts)) / len(texts),
        "distinct beginnings": len(set(firsts)) / len(firsts),
        "width": np.log1p(float(np.median(width))),
        "width spread": _spread(width),
        "height": np.log1p(float(np.median(height))),
        "height spread": _spread(height),
        "left aligned": _aligned(box[:, 0]),
        "top aligned": _aligned(box[:, 1]),
        "columns": np.log(len(np.unique(np.round(box[:, 0] / 20)))),
        "x centre": (left + right) / 2 / page.width,
        "whole width": (right - left) / page.width,
        "top": top / page.height,
        "top px": np.log1p(max(0.0, float(top))),
        "whole height": (bottom - top) / page.height,
        "size": float(total["sized"].sum() / max(1.0, characters.sum()) / page.size),
        "tag li": float(tag == "li"),
        "tag tr": float(tag == "tr"),
        "tag td": float(tag == "td"),
        "tag a": float(tag in ("a", "span", "b", "i")),
        "tag p": float(tag in ("p", "h1", "h2", "h3", "h4", "h5", "h6", "br", "img")),
    }
    for name in AROUND:
        features[f"in {name}"] = float(bits >> HINTS.index(name) & 1)
    return features
