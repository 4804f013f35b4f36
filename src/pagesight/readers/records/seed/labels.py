"""The two spaces of labels of table 1, and what the labels of a page are.

Which attributes there are, and which blocks that hold several of them have a label of their own, is
learned: another kind of object needs pages with labels, and no code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.records.learning.corpus import MarkedRecord
from pagesight.readers.records.seed.elements import Vision
from pagesight.readers.records.seed.features import around, element
from pagesight.readers.zones.features import HINTS, PARTS

Allowed = NDArray[np.bool_]
NOTE = "note"
RECORD, REGION, INFO, NOTE_BLOCK = "data record", "data region", "info block", "note block"
HEAD, TAIL, NAV = "page head", "page tail", "nav bar"
BLOCKS = (RECORD, REGION, INFO, NOTE_BLOCK, HEAD, TAIL, NAV)
SAID_BY = {HEAD: "header", TAIL: "footer", NAV: "navigation"}  # landmarks
RAREST = 0.02  # of the blocks inside of records: combinations that are rarer have no label
MOST = 8  # combinations of several attributes


@dataclass(frozen=True)
class MarkedTree:
    """The leaves of a page by what they are."""

    records: tuple[frozenset[int], ...]
    """The leaves of each record, or of the smallest block around what is known of it."""

    tops: tuple[int, ...]
    """The zone that each record is."""

    values: tuple[dict[str, frozenset[int]], ...]
    """By record and attribute: the leaves that show it."""

    others: tuple[dict[str, frozenset[int]], ...]
    """The leaves that may be taken for it."""

    ignored: frozenset[int]
    """The leaves that count neither way."""

    @cached_property
    def of_leaf(self) -> dict[int, frozenset[str]]:
        """The attributes of each leaf that shows one."""
        return _by_leaf(self.values)

    @cached_property
    def maybe(self) -> dict[int, frozenset[str]]:
        """Those for which each leaf may be taken."""
        return _by_leaf(self.others)


def _by_leaf(records: Iterable[dict[str, frozenset[int]]]) -> dict[int, frozenset[str]]:
    held: dict[int, frozenset[str]] = {}
    for record in records:
        for attribute, leaves in record.items():
            for leaf in leaves:
                held[leaf] = held.get(leaf, frozenset()) | {attribute}
    return held


def marked_tree(
    vision: Vision, records: Sequence[MarkedRecord], ignored: Sequence[int]
) -> MarkedTree:
    """Where the records and values of a page are in its tree; those that are not are left out."""
    tops, leaves, values, others = [], [], [], []
    for record in records:
        shown = {name: shown_by(vision, value.node) for name, value in record.values.items()}
        known = frozenset().union(*shown.values()) or shown_by(vision, record.node)
        if known:
            top = smallest_around(vision, shown_by(vision, record.node) | known)
            tops.append(top)
            leaves.append(frozenset(vision.leaves_of(top).tolist()))
            values.append({name: own for name, own in shown.items() if own})
            others.append({
                name: frozenset().union(*(shown_by(vision, value.node) for value in alternatives))
                for name, alternatives in record.others.items()
            })  # fmt: skip
    out = frozenset().union(*(shown_by(vision, node) for node in ignored))
    return MarkedTree(tuple(leaves), tuple(tops), tuple(values), tuple(others), out)


def shown_by(vision: Vision, node: int) -> frozenset[int]:
    """The leaves that show something of a node."""
    nodes = vision.leaf_of[node : vision.page.end[node]]
    content = vision.seen[node : vision.page.end[node]]
    return frozenset(np.unique(nodes[content & (nodes >= 0)]).tolist())


def smallest_around(vision: Vision, leaves: frozenset[int]) -> int:
    """The smallest zone around some leaves."""
    top, last = min(leaves), max(leaves)
    while vision.tree.end[top] <= last:
        top = int(vision.tree.parent[top])
    return top


@dataclass(frozen=True)
class LabelSpace:
    """The labels of leaves, and those of inner nodes."""

    attributes: tuple[str, ...]
    combinations: tuple[frozenset[str], ...]
    """What a block inside of a record may hold."""

    @classmethod
    def of(cls, pages: Iterable[tuple[Vision, MarkedTree]]) -> LabelSpace:
        """The attributes that occur, and the combinations that are not rare in blocks."""
        single: Counter[str] = Counter()
        several: Counter[frozenset[str]] = Counter()
        for vision, marked in pages:
            for values in marked.values:
                single.update(values.keys())
            several.update(_held(vision, marked))
        attributes = tuple(sorted(single, key=lambda name: (-single[name], name)))
        least = RAREST * sum(several.values())
        kept = [held for held, count in several.most_common() if len(held) > 1 and count >= least]
        alone = [frozenset({name}) for name in attributes]
        return cls(attributes, (*alone, *kept[:MOST]))

    @property
    def leaf(self) -> tuple[str, ...]:
        return *self.attributes, NOTE

    @property
    def inner(self) -> tuple[str, ...]:
        return *BLOCKS, *(f"con {'+'.join(sorted(held))}" for held in self.combinations)

    @property
    def sizes(self) -> tuple[int, int]:
        return len(self.leaf), len(self.inner)

    def number(self, label: str) -> int:
        """The number of a label, inner ones after those of leaves."""
        return (*self.leaf, *self.inner).index(label)

    def holding(self, held: frozenset[str], maybe: frozenset[str]) -> list[str]:
        """The labels of a block inside of a record that holds these attributes.

        A combination without a label is called by the largest part of it that has one.
        """
        fits = [(len(names - maybe), at) for at, names in enumerate(self.combinations)
                if names <= held | maybe]  # fmt: skip
        most = max((size for size, _ in fits), default=0)
        labels = self.inner[len(BLOCKS) :]
        chosen = [labels[at] for size, at in fits if size == most]
        return chosen + [NOTE_BLOCK] * (not held)

    def allowed(self, vision: Vision, marked: MarkedTree) -> Allowed:
        """Which labels each node may have: one, unless nobody has said."""
        allowed = np.zeros((len(vision.tree), sum(self.sizes)), np.bool_)
        namer = _Namer(self, vision, marked)
        for zone in range(len(vision.tree)):
            names = namer.leaf(zone) if vision.tree.is_leaf[zone] else namer.inner(zone)
            allowed[zone, [self.number(name) for name in names]] = True
        return allowed


def _held(vision: Vision, marked: MarkedTree) -> Iterable[frozenset[str]]:
    """What the blocks inside of records hold, if anything."""
    for top in marked.tops:
        for zone in range(top + 1, int(vision.tree.end[top])):
            if not vision.tree.is_leaf[zone]:
                held = _attributes(vision, marked.of_leaf, zone)
                if held:
                    yield held


def _attributes(vision: Vision, of_leaf: dict[int, frozenset[str]], zone: int) -> frozenset[str]:
    return frozenset().union(
        *(of_leaf.get(leaf, frozenset()) for leaf in vision.leaves_of(zone).tolist())
    )


class _Namer:
    """Says what the zones of one page may be called."""

    def __init__(self, space: LabelSpace, vision: Vision, marked: MarkedTree) -> None:
        self.space, self.vision, self.marked = space, vision, marked
        self.tops = set(marked.tops)
        self.in_records = frozenset().union(*marked.records)
        self.known = _parts(vision)
        self.starts = np.sort(np.array(marked.tops, np.int64))

    def leaf(self, zone: int) -> Sequence[str]:
        """What a leaf may be called."""
        if zone in self.marked.ignored:
            return self.space.leaf
        known = set(self.space.attributes)
        shown = self.marked.of_leaf.get(zone, frozenset()) & known
        maybe = self.marked.maybe.get(zone, frozenset()) & known
        return sorted(shown) or [NOTE, *sorted(maybe)]

    def inner(self, zone: int) -> Sequence[str]:
        """What an inner zone may be called."""
        if zone in self.tops:
            return [RECORD]
        leaves = self.vision.leaves_of(zone).tolist()
        if self._holds_record(zone):
            only = self._only_records(zone)
            unsure = not self.marked.ignored.isdisjoint(leaves)
            return [REGION, INFO] if unsure and only else [REGION if only else INFO]
        if self.in_records.issuperset(leaves):
            held = _attributes(self.vision, self.marked.of_leaf, zone)
            return self.space.holding(held, _attributes(self.vision, self.marked.maybe, zone))
        if not self.marked.ignored.isdisjoint(leaves):
            return self.space.inner
        return [self.known.get(zone, NOTE_BLOCK)]

    def _holds_record(self, zone: int) -> bool:
        first, last = np.searchsorted(self.starts, (zone, self.vision.tree.end[zone]))
        return bool(last > first)

    def _only_records(self, zone: int) -> bool:
        """Whether nothing but records, and what counts neither way, is in a zone."""
        either = self.in_records | self.marked.ignored
        return either.issuperset(self.vision.leaves_of(zone).tolist())


def _parts(vision: Vision) -> dict[int, str]:
    """The zones that are the head, the tail or a bar of the page, by their landmarks."""
    inner = np.flatnonzero(~vision.tree.is_leaf)
    said = around(vision.page, np.array([element(vision, zone) for zone in inner.tolist()]))
    parts: dict[int, str] = {}
    for label, landmark in SAID_BY.items():
        flags = said[:, len(HINTS) + PARTS.index(landmark)] > 0
        parts |= dict.fromkeys(inner[flags].tolist(), label)
    return parts
