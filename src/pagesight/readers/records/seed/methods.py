"""The hierarchical field and its variants: with or without global features, in one step or two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pagesight.models.hcrf import (
    Forest,
    LabelledForest,
    TreeWeights,
    best_labels,
    train,
)
from pagesight.page import Page
from pagesight.readers.records.seed.elements import Vision, vision_of
from pagesight.readers.records.seed.features import (
    Likeness,
    block_features,
    likeness_of,
    sibling_features,
)
from pagesight.readers.records.seed.labels import (
    BLOCKS,
    NOTE_BLOCK,
    RECORD,
    LabelSpace,
    MarkedTree,
)
from pagesight.segment.nodes import before

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Allowed = NDArray[np.bool_]
PENALTY = 3.0  # of 3 and 10 the better one for HCRF on folds of lists
STEPS = 40
MOST_TAUGHT = 5  # records of a page that teach: pages differ, their records do not


@dataclass(frozen=True, eq=False)
class SeedPage:
    """A page with its tree and what people marked on it."""

    page: Page
    brand: str
    marked: MarkedTree

    @property
    def vision(self) -> Vision:
        return vision_of(self.page)

    @property
    def likeness(self) -> Likeness:
        return likeness_of(self.page)

    @cached_property
    def blocks(self) -> Floats:
        return block_features(self.vision, self.likeness)

    @cached_property
    def siblings(self) -> Floats:
        return sibling_features(self.vision, self.likeness)

    def elements(self, repeated: Floats | None) -> Floats:
        """The features of the leaves, with global ones if given."""
        parts = [self.vision.elements, np.ones((len(self.vision.leaves), 1))]
        return np.hstack(parts if repeated is None else [*parts, repeated])

    def forest(self, *, shared: bool) -> Forest:
        """The tree of the page; `shared`: with global features."""
        tree = self.vision.tree
        return Forest.of(
            tree.parent.astype(np.int64),
            self.elements(self.likeness.repeated if shared else None).astype(np.float32),
            self.blocks[~tree.is_leaf].astype(np.float32),
            siblings=self.siblings.astype(np.float32),
        )


class Value(NamedTuple):
    """A leaf that was called an attribute, and how sure that is."""

    attribute: str
    chance: float


@dataclass(frozen=True)
class Found:
    """What a method has found on a page."""

    records: Sequence[frozenset[int]]
    values: Mapping[int, Value]


class Method(Protocol):
    """Learns from pages and reads others."""

    def learn(self, pages: Sequence[SeedPage]) -> None: ...

    def read(self, page: SeedPage) -> Found: ...


def space_of(pages: Sequence[SeedPage]) -> LabelSpace:
    return LabelSpace.of((page.vision, page.marked) for page in pages)


@dataclass
class Joint:
    """Records and attributes at once: HCRF, and HCRF_NG without global features."""

    shared: bool = True
    steps: int = STEPS
    penalty: float = PENALTY
    space: LabelSpace | None = None
    weights: TreeWeights | None = None

    def learn(self, pages: Sequence[SeedPage]) -> None:
        self.space = space = space_of(pages)
        examples = [
            LabelledForest(page.forest(shared=self.shared), space.allowed(page.vision, page.marked))
            for page in pages
        ]
        self.weights = train(examples, space.sizes, penalty=self.penalty, steps=self.steps)

    def read(self, page: SeedPage) -> Found:
        assert self.space
        assert self.weights
        labels, chances = best_labels(self.weights, page.forest(shared=self.shared))
        tops = outermost(page.vision, labels == self.space.number(RECORD))
        records = [frozenset(page.vision.leaves_of(top).tolist()) for top in tops]
        values = {
            leaf: Value(self.space.attributes[labels[leaf]], float(chances[leaf]))
            for record in records
            for leaf in sorted(record)
            if labels[leaf] < len(self.space.attributes)
        }
        return Found(records, values)


def outermost(vision: Vision, flags: NDArray[np.bool_]) -> list[int]:
    """The flagged zones that are in no other flagged one."""
    tops: list[int] = []
    for zone in np.flatnonzero(flags).tolist():
        if not tops or zone >= vision.tree.end[tops[-1]]:
            tops.append(zone)
    return tops


@dataclass
class Detector:
    """Records alone: all leaves have one label, and blocks inside of records none of their own."""

    steps: int = STEPS
    weights: TreeWeights | None = None

    def learn(self, pages: Sequence[SeedPage]) -> None:
        space = space_of(pages)
        examples = [
            LabelledForest(
                part_of(page, zones, shared=False),
                _without_attributes(space, space.allowed(page.vision, page.marked)[zones]),
            )
            for page in pages
            for zones in [thinned(page)]
        ]
        self.weights = train(examples, (1, len(BLOCKS)), penalty=PENALTY, steps=self.steps)

    def tops(self, page: SeedPage) -> list[int]:
        """The zones that are records."""
        assert self.weights
        labels, _ = best_labels(self.weights, page.forest(shared=False))
        return outermost(page.vision, labels == 1 + BLOCKS.index(RECORD))


def _without_attributes(space: LabelSpace, allowed: Allowed) -> Allowed:
    """The labels of leaves as one, and those of parts of records as that of notes."""
    leaves, first = len(space.leaf), len(space.leaf) + len(BLOCKS)
    any_leaf: Allowed = np.logical_or.reduce(allowed[:, :leaves], axis=1, keepdims=True)
    fewer = np.hstack((any_leaf, allowed[:, leaves:first]))
    fewer[:, 1 + BLOCKS.index(NOTE_BLOCK)] |= allowed[:, first:].any(axis=1)
    return fewer


@dataclass
class Separate:
    """First the records, then their attributes: HCRF_S, and HCRF_SNG without global features."""

    detector: Detector
    shared: bool = True
    steps: int = STEPS
    space: LabelSpace | None = None
    weights: TreeWeights | None = None

    def learn(self, pages: Sequence[SeedPage]) -> None:
        if self.detector.weights is None:
            self.detector.learn(pages)
        self.space = space = space_of(pages)
        examples = []
        for page in pages:
            zones = below(page, [page.marked.tops[at] for at in taught(len(page.marked.tops))])
            allowed = space.allowed(page.vision, page.marked)[zones]
            examples.append(LabelledForest(part_of(page, zones, shared=self.shared), allowed))
        self.weights = train(examples, space.sizes, penalty=PENALTY, steps=self.steps)

    def read(self, page: SeedPage) -> Found:
        assert self.space
        assert self.weights
        tops = self.detector.tops(page)
        if not tops:
            return Found([], {})
        zones = below(page, tops)
        labels, chances = best_labels(self.weights, part_of(page, zones, shared=self.shared))
        values = {
            zone: Value(self.space.attributes[label], chance)
            for zone, label, chance in zip(
                zones.tolist(), labels.tolist(), chances.tolist(), strict=True
            )
            if label < len(self.space.attributes)
        }
        return Found([frozenset(page.vision.leaves_of(top).tolist()) for top in tops], values)


def part_of(page: SeedPage, zones: Ints, *, shared: bool) -> Forest:
    """Some zones of a page, each with the zone around it, if that is among them."""
    whole, tree = page.forest(shared=shared), page.vision.tree
    number = np.full(len(tree) + 1, -1)  # the last one is around the root
    number[zones] = np.arange(len(zones))
    inner: Ints = np.cumsum(~tree.is_leaf) - 1
    is_leaf = tree.is_leaf[zones]
    return Forest(
        number[whole.parent[zones]],
        whole.leaf[page.vision.rank[zones[is_leaf]]],
        whole.inner[inner[zones[~is_leaf]]],
        whole.edges[zones],
        whole.siblings[zones],
        whole.triangles[zones],
    )


def below(page: SeedPage, tops: Sequence[int]) -> Ints:
    """Some zones and all inside of them."""
    return np.concatenate([np.arange(top, page.vision.tree.end[top]) for top in tops])


def taught(count: int) -> Ints:
    """Which of many records teach: some, evenly spread."""
    return np.unique(np.linspace(0, count - 1, MOST_TAUGHT).astype(np.int64))


def thinned(page: SeedPage) -> Ints:
    """The zones of a page with fewer records than it has; those that are left empty go as well."""
    tree, tops = page.vision.tree, np.array(page.marked.tops)
    kept = np.ones(len(tree), np.bool_)
    for top in np.delete(tops, taught(len(tops))).tolist():
        kept[top : tree.end[top]] = False
    leaves = before(kept & tree.is_leaf)
    return np.flatnonzero(kept & (leaves[tree.end] > leaves[:-1]))
