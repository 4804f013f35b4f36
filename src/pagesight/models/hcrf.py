"""Hierarchical conditional random fields on ordered trees: exact, with labels known in part.

After Zhu, Nie, Wen, Zhang and Ma (KDD 2006). Every node has a label: leaves one of L, inner nodes
one of I, numbered together with the leaves' first. Cliques are the nodes, the edges of parent and
child and of neighbouring siblings, and the triangles of a parent and two neighbouring children. A
labelling scores the sum over all cliques of their features times the weights of their labels.

Given the label of a parent, its children form a chain: the junction tree of the graph is made of
such chains, one for each label of each parent. All parents of one level are worked on at once,
child by child, in time linear in the nodes. Sums are of probabilities that are scaled for each
label of a parent, so that they become neither too large nor too small.

Pairs and triangles have few features, mostly true or false, and many of them have the same: the
potentials are computed once for each combination.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Allowed = NDArray[np.bool_]
Array = NDArray[Any]

JOBS = 2
BATCH = 40_000  # nodes whose sums are held at once
TOGETHER = 500  # nodes whose chances are multiplied at once
TRIED_AT_ONCE = 1 << 20  # combinations of labels, for the best
LEAF, INNER, NONE = 0, 1, -1


@dataclass(frozen=True, slots=True)
class TreeWeights:
    """The parameters of a field with L labels of leaves, I of inner nodes, and K of either."""

    leaf: Floats  # features × L
    inner: Floats  # features × I
    edge: Floats  # features × I × K: of the parent, and of the child
    sibling: Floats  # features × K × K: of a node, and of the next
    triangle: Floats  # features × I × K × K: of the parent, of a child, and of the next

    @property
    def labels(self) -> tuple[int, int]:
        """How many labels leaves have, and inner nodes."""
        return self.leaf.shape[1], self.inner.shape[1]

    def to_vector(self) -> Floats:
        """All parameters in one row."""
        return np.concatenate([getattr(self, part.name).ravel() for part in fields(self)])

    def like(self, vector: Floats) -> TreeWeights:
        """Parameters of the same shapes that `to_vector` put in one row."""
        parts = [getattr(self, part.name) for part in fields(self)]
        rows = np.split(vector, np.cumsum([part.size for part in parts])[:-1])
        return TreeWeights(
            *(row.reshape(part.shape) for row, part in zip(rows, parts, strict=True))
        )

    @classmethod
    def zeros(cls, forest: Forest, labels: tuple[int, int]) -> TreeWeights:
        """The parameters of a field that knows nothing yet of trees like these."""
        leaf, inner = labels
        return cls(
            np.zeros((forest.leaf.shape[1], leaf)),
            np.zeros((forest.inner.shape[1], inner)),
            np.zeros((forest.edges.shape[1], inner, leaf + inner)),
            np.zeros((forest.siblings.shape[1], leaf + inner, leaf + inner)),
            np.zeros((forest.triangles.shape[1], inner, leaf + inner, leaf + inner)),
        )


class _Run(NamedTuple):
    """Nodes of one level, position, kind and combination of features; in places of their kinds."""

    kind: int
    before: int  # the kind of the previous siblings; -1 for first children
    pattern: int  # the combination of features of sibling and triangle
    nodes: slice
    previous: Ints
    parents: Ints


@dataclass(frozen=True, eq=False)
class Forest:
    """Ordered trees with the features of their cliques.

    Nodes come after their parents, and siblings in order: for parents -1, 0, 0, -1 two trees.
    """

    parent: Ints  # -1 for the roots
    leaf: Array  # leaves × features, in the order of the nodes
    inner: Array  # inner nodes × features
    edges: Array  # nodes × features of the edge from the parent; without meaning for roots
    siblings: Array  # nodes × features of the edge from the previous sibling
    triangles: Array  # nodes × features of the triangle with the parent and the previous sibling

    @classmethod
    def of(
        cls,
        parent: Array,
        leaf: Array,
        inner: Array,
        *,
        edges: Array | None = None,
        siblings: Array | None = None,
        triangles: Array | None = None,
    ) -> Forest:
        """Trees whose pairs and triangles have, unless told, one feature that is always true."""
        bias = np.ones((len(parent), 1), np.float32)
        given = (bias if part is None else part for part in (edges, siblings, triangles))
        return cls(np.asarray(parent, np.int64), leaf, inner, *given)

    @classmethod
    def joined(cls, forests: Sequence[Forest]) -> Forest:
        """All trees in one."""
        starts = np.cumsum([0, *(len(forest) for forest in forests)])
        parents = [
            np.where(forest.parent < 0, -1, forest.parent + start)
            for forest, start in zip(forests, starts[:-1].tolist(), strict=True)
        ]
        names = [part.name for part in fields(cls)][1:]
        rest = [np.concatenate([getattr(forest, name) for forest in forests]) for name in names]
        return cls(np.concatenate(parents), *rest)

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def is_inner(self) -> Allowed:
        """Which nodes have children."""
        inner = np.zeros(len(self), np.bool_)
        inner[self.parent[self.parent >= 0]] = True
        return inner

    @cached_property
    def plan(self) -> _Plan:
        return _Plan(self)


class _Plan:
    """The order of work on a forest: its levels, and in each the positions among siblings.

    The nodes of either kind have places in this order, so that those of a run follow each other.
    """

    def __init__(self, forest: Forest) -> None:
        parent, kind = forest.parent, forest.is_inner.astype(np.int64)
        depth, (position, previous) = _depths(parent), _siblings(parent)
        before = np.where(previous >= 0, kind[previous], NONE)
        self.pairs, pattern = _patterns(np.hstack((forest.siblings, forest.triangles)), previous)
        self.edges, edge = _patterns(forest.edges, parent)
        order = np.lexsort((pattern, before, kind, position, depth))
        self.nodes = [order[kind[order] == which] for which in (LEAF, INNER)]
        self.edge = [edge[nodes] for nodes in self.nodes]
        self.rows = [np.searchsorted(np.sort(nodes), nodes) for nodes in self.nodes]
        depths = np.arange(int(depth.max(initial=0)) + 2)
        self.levels = [np.searchsorted(depth[nodes], depths) for nodes in self.nodes]
        self.roots = [self.level(0, which) for which in (LEAF, INNER)]
        keys = np.stack((depth, position, kind, before, pattern))[:, order]
        self.runs: list[list[_Run]] = [[] for _ in depths[1:]]
        for level, run in self._runs(order, keys, parent, previous):
            self.runs[level].append(run)

    def _runs(
        self, order: Ints, keys: Ints, parent: Ints, previous: Ints
    ) -> Iterator[tuple[int, _Run]]:
        """The runs below the roots with their levels: nodes in order while their keys are equal."""
        place = np.empty(len(order), np.int64)
        for nodes in self.nodes:
            place[nodes] = np.arange(len(nodes))
        starts = np.flatnonzero((np.diff(keys, prepend=-9) != 0).any(axis=0)).tolist()
        for start, stop in pairwise([*starts, len(order)]):
            level, _, kind, before, pattern = keys[:, start].tolist()
            if level:
                nodes = order[start:stop]
                first = int(place[nodes[0]])
                own = slice(first, first + stop - start)
                above, beside = place[parent[nodes]], place[previous[nodes]]
                yield level, _Run(kind, before, pattern, own, beside, above)

    def level(self, depth: int, kind: int) -> slice:
        """The places of the nodes of one kind on one level."""
        return slice(*self.levels[kind][depth : depth + 2].tolist())

    @cached_property
    def parents(self) -> list[Ints]:
        """The places of the parents of leaves and inner nodes; 0 for roots."""
        above = [np.zeros(len(nodes), np.int64) for nodes in self.nodes]
        for run in self.all_runs():
            above[run.kind][run.nodes] = run.parents
        return above

    @cached_property
    def last(self) -> list[Ints]:
        """The places of leaves and inner nodes that no sibling follows."""
        ends = [np.ones(len(nodes), np.bool_) for nodes in self.nodes]
        for run in self.all_runs():
            if run.before != NONE:
                ends[run.before][run.previous] = False
        return [np.flatnonzero(flags) for flags in ends]

    def all_runs(self) -> Iterator[_Run]:
        return (run for runs in self.runs for run in runs)


def _depths(parent: Ints) -> Ints:
    """How many nodes are around each node, counted up to ancestors that are ever farther away."""
    ancestor, depth = parent, (parent >= 0).astype(np.int64)
    while (more := ancestor >= 0).any():
        depth = depth + np.where(more, depth[ancestor], 0)
        ancestor = np.where(more, ancestor[ancestor], -1)
    return depth


def _siblings(parent: Ints) -> tuple[Ints, Ints]:
    """The position of each node among its siblings, and its previous one; roots have none.

    Parents -1, 0, 0, 1 give positions 0, 0, 1, 0 and previous ones -1, -1, 1, -1.
    """
    order = np.argsort(parent, kind="stable")
    above = parent[order]
    follows = np.concatenate(([False], (above[1:] == above[:-1]) & (above[1:] >= 0)))
    numbers = np.arange(len(parent))
    position, previous = np.empty_like(parent), np.empty_like(parent)
    position[order] = numbers - np.maximum.accumulate(np.where(follows, 0, numbers))
    previous[order] = np.where(follows, np.roll(order, 1), -1)
    return position, previous


def _patterns(rows: Array, other: Ints) -> tuple[Floats, Ints]:
    """The different rows of nodes that have the other one, and which of them each has, or -1."""
    which = np.full(len(rows), -1)
    has = other >= 0
    patterns, found = np.unique(rows[has].astype(np.float64), axis=0, return_inverse=True)
    which[has] = found.reshape(-1)
    return patterns, which


class _Potentials:
    """The scores of all cliques of a forest, by weights."""

    def __init__(self, weights: TreeWeights, forest: Forest) -> None:
        plan, count = forest.plan, weights.labels[LEAF]
        self.plan = plan
        self.labels = (slice(0, count), slice(count, sum(weights.labels)))
        features, parts = (forest.leaf, forest.inner), (weights.leaf, weights.inner)
        self.nodes = [
            (features[kind] @ parts[kind].astype(features[kind].dtype))[plan.rows[kind]].astype(
                float
            )
            for kind in (LEAF, INNER)
        ]
        edges = np.tensordot(plan.edges, weights.edge, 1).swapaxes(0, 1)  # I × patterns × K
        self.edges = [np.ascontiguousarray(edges[..., part]) for part in self.labels]
        self._weights = weights
        self._moves: dict[tuple[int, int, int], Floats] = {}

    def moves(self, run: _Run) -> Floats:
        """The scores of siblings and triangles, I × labels of a node × labels of the next."""
        key = run.before, run.kind, run.pattern
        if key not in self._moves:
            pair = self.plan.pairs[run.pattern]
            sibling, triangle = np.split(pair, [len(self._weights.sibling)])
            one, other = self.labels[run.before], self.labels[run.kind]
            alone = np.tensordot(sibling, self._weights.sibling[:, one, other], 1)
            self._moves[key] = alone + np.tensordot(
                triangle, self._weights.triangle[:, :, one, other], 1
            )
        return self._moves[key]

    def in_order(self, values: Sequence[Array]) -> Floats:
        """Values by label of leaves and inner nodes, in the order of nodes; zero for the others."""
        ordered = np.zeros((sum(map(len, self.plan.nodes)), self.labels[INNER].stop))
        for nodes, part, own in zip(self.plan.nodes, self.labels, values, strict=True):
            ordered[nodes, part] = own
        return ordered

    def barred(self, allowed: Allowed | None) -> list[Floats]:
        """The scores of the nodes, -inf for labels that they may not have."""
        if allowed is None:
            return [scores.copy() for scores in self.nodes]
        pairs = zip(self.nodes, self.plan.nodes, self.labels, strict=True)
        barred = [np.where(allowed[nodes, part], scores, -np.inf) for scores, nodes, part in pairs]
        if any((scores == -np.inf).all(axis=1).any() for scores in barred):
            raise ValueError("a node may have no label at all")
        return barred


class _Sums:
    """How the labellings of a child's left siblings and of its subtree sum up."""

    def __init__(self, potentials: _Potentials, precision: DTypeLike = np.float64) -> None:
        self.potentials, self.precision = potentials, precision
        self.edges = [np.exp(scores).astype(precision) for scores in potentials.edges]
        self._moves: dict[tuple[int, int, int], Floats] = {}

    def moves(self, run: _Run) -> Floats:
        key = run.before, run.kind, run.pattern
        if key not in self._moves:
            self._moves[key] = np.exp(self.potentials.moves(run)).astype(self.precision)
        return self._moves[key]

    def local(self, kind: int, edge: Ints, nodes: Floats) -> Floats:
        """The edges from the parent and the nodes themselves: I × nodes × labels."""
        return self.edges[kind][:, edge] * nodes

    def follow(self, run: _Run, left: Floats, local: Floats) -> Floats:
        return (left @ self.moves(run)) * local

    def scaled(self, values: Floats) -> tuple[Floats, Floats]:
        """Values that sum up to 1, and the sums."""
        total = values.sum(axis=-1)
        return values / total[..., None], total

    def score(self, scale: Floats) -> Floats:
        return np.log(scale)

    def shifted(self, scores: Floats) -> tuple[Floats, Floats]:
        highest = scores.max(axis=1)
        return np.exp(scores - highest[:, None]).astype(self.precision), highest


class _Maxima:
    """The same with the best labelling instead of all, in logarithms."""

    precision: DTypeLike = np.float64

    def __init__(self, potentials: _Potentials) -> None:
        self.potentials = potentials

    def local(self, kind: int, edge: Ints, nodes: Floats) -> Floats:
        return self.potentials.edges[kind][:, edge] + nodes

    def follow(self, run: _Run, left: Floats, local: Floats) -> Floats:
        moves = self.potentials.moves(run)
        best = np.empty_like(local)
        some = max(1, TRIED_AT_ONCE // moves.size)
        for start in range(0, best.shape[1], some):
            tried = left[:, start : start + some, :, None] + moves[:, None]
            best[:, start : start + some] = tried.max(axis=2)
        return best + local

    def scaled(self, values: Floats) -> tuple[Floats, Floats]:
        highest = values.max(axis=-1)
        return values - highest[..., None], highest

    def score(self, scale: Floats) -> Floats:
        return scale

    def shifted(self, scores: Floats) -> tuple[Floats, Floats]:
        return scores, np.zeros(len(scores))


class _Upward:
    """What the labels of nodes, together with all labels below and to the left, amount to."""

    def __init__(self, algebra: _Sums | _Maxima, allowed: Allowed | None) -> None:
        self.algebra, self.plan = algebra, algebra.potentials.plan
        self.scores = algebra.potentials.barred(allowed)  # of inner nodes, with all that is below
        inner = self.scores[INNER].shape[1]
        shapes = [(inner, *scores.shape) for scores in self.scores]
        exact = algebra.precision
        self.left = [np.empty(shape, exact) for shape in shapes]  # I × nodes × labels
        self.scales = [np.empty(shape[:2], exact) for shape in shapes]  # I × nodes
        self.here = [np.empty_like(scores, exact) for scores in self.scores]
        self.here[LEAF], shift = algebra.shifted(self.scores[LEAF])
        self.shifts = [shift, np.empty(len(self.scores[INNER]))]
        for depth in range(len(self.plan.runs) - 1, -1, -1):
            level = self.plan.level(depth, INNER)
            scores, shift = algebra.shifted(self.scores[INNER][level])
            self.here[INNER][level], self.shifts[INNER][level] = scores, shift
            for run in self.plan.runs[depth]:
                self._step(run)

    def local(self, run: _Run) -> Floats:
        edge = self.plan.edge[run.kind][run.nodes]
        return self.algebra.local(run.kind, edge, self.here[run.kind][run.nodes])

    def _step(self, run: _Run) -> None:
        values = self.local(run)
        if run.before != NONE:
            left = self.left[run.before][:, run.previous]
            values = self.algebra.follow(run, left, values)
        values, scale = self.algebra.scaled(values)
        self.left[run.kind][:, run.nodes], self.scales[run.kind][:, run.nodes] = values, scale
        score = self.algebra.score(scale) + self.shifts[run.kind][run.nodes]
        self.scores[INNER][run.parents] += score.T

    def roots(self) -> list[Floats]:
        return [scores[roots] for scores, roots in zip(self.scores, self.plan.roots, strict=True)]


class Marginals(NamedTuple):
    """What all labellings of a forest say."""

    labels: Floats
    """P(label | tree), nodes × K."""

    expected: TreeWeights
    """How often each feature is expected together with each label, pair and triple of labels."""

    log_total: float
    """The logarithm of the sum over all labellings, of all trees together."""


def marginals(
    weights: TreeWeights,
    forest: Forest,
    allowed: Allowed | None = None,
    *,
    precision: DTypeLike = np.float64,
) -> Marginals:
    """The sums over all labellings, or over those that are `allowed` (nodes × K)."""
    downward = _Downward(_Sums(_Potentials(weights, forest), precision), allowed)
    return Marginals(downward.chances(), downward.expected(forest, weights), downward.log_total)


def chances(weights: TreeWeights, forest: Forest, allowed: Allowed | None = None) -> Floats:
    """P(label | tree) alone, nodes × K."""
    return _Downward(_Sums(_Potentials(weights, forest)), allowed).chances()


class _Downward:
    """The chances of all labels, from the sums to the left and below."""

    def __init__(self, algebra: _Sums, allowed: Allowed | None) -> None:
        self.algebra = algebra
        self.upward = upward = _Upward(algebra, allowed)
        self.plan = upward.plan
        self.right = [np.ones_like(left) for left in upward.left]
        self.labels = [np.zeros_like(here) for here in upward.here]
        self.given = [np.zeros_like(scales) for scales in upward.scales]
        self.edges = [np.zeros_like(edges) for edges in algebra.edges]
        self.log_total = 0.0
        for kind, scores in enumerate(upward.roots()):
            if scores.size:
                chances, highest = algebra.shifted(scores)
                chances, total = algebra.scaled(chances)
                self.labels[kind][self.plan.roots[kind]] = chances
                self.log_total += float((highest + np.log(total)).sum())
        for depth, runs in enumerate(self.plan.runs):
            for run in reversed(runs):
                self._step(run)
            if depth:
                for kind in (LEAF, INNER):
                    self._level(kind, self.plan.level(depth, kind))

    def _step(self, run: _Run) -> None:
        if run.before != NONE:
            ahead = self.ahead(run) @ self.algebra.moves(run).swapaxes(1, 2)
            self.right[run.before][:, run.previous] = self.algebra.scaled(ahead)[0]

    def ahead(self, run: _Run) -> Floats:
        """What the labels of nodes with all below them and to the right amount to."""
        return self.right[run.kind][:, run.nodes] * self.upward.local(run)

    def _level(self, kind: int, level: slice) -> None:
        """The chances on a level: of pairs with the parent, and of the labels themselves."""
        pairs = self.upward.left[kind][:, level] * self.right[kind][:, level]
        total = pairs.sum(axis=2)
        parents = self.labels[INNER][self.plan.parents[kind][level]].T
        share = np.divide(parents, total, out=np.zeros_like(total), where=total > 0)
        pairs *= share[..., None]
        self.given[kind][:, level] = share
        self.labels[kind][level] = pairs.sum(axis=0)
        for pattern in range(len(self.plan.edges)):
            has = self.plan.edge[kind][level] == pattern
            self.edges[kind][:, pattern] += pairs[:, has].sum(axis=1)

    def chances(self) -> Floats:
        """The chances of all labels in the order of the nodes: nodes × K."""
        return self.algebra.potentials.in_order(self.labels)

    def expected(self, forest: Forest, weights: TreeWeights) -> TreeWeights:
        """How often each feature occurs with each label."""
        plan, parts = self.plan, self.algebra.potentials.labels
        edges = np.tensordot(plan.edges.T, np.concatenate(self.edges, axis=2), (1, 1))
        sibling, triangle = np.zeros_like(weights.sibling), np.zeros_like(weights.triangle)
        for (before, kind, pattern), runs in _grouped(plan).items():
            chances = self._triangles(runs)
            one, two = np.split(plan.pairs[pattern], [len(sibling)])
            place = (slice(None), parts[before], parts[kind])
            sibling[place] += one[:, None, None] * chances.sum(axis=0)
            triangle[:, :, parts[before], parts[kind]] += np.multiply.outer(two, chances)
        return TreeWeights(
            _counts(forest.leaf, plan.rows[LEAF], self.labels[LEAF]),
            _counts(forest.inner, plan.rows[INNER], self.labels[INNER]),
            edges,
            sibling,
            triangle,
        )

    def _triangles(self, runs: Sequence[_Run]) -> Floats:
        """How often triples of labels are expected in triangles of the same features."""
        moves = self.algebra.moves(runs[0])
        chances = np.zeros_like(moves)
        for some in _parts(runs):
            left = np.concatenate([self._before(run) for run in some], axis=1)
            right = np.concatenate([self.ahead(run) for run in some], axis=1)
            chances += left.swapaxes(1, 2) @ right
        return chances * moves

    def _before(self, run: _Run) -> Floats:
        """What the labels of the previous siblings amount to, of all that is possible."""
        shares = self.given[run.kind][:, run.nodes] / self.upward.scales[run.kind][:, run.nodes]
        return self.upward.left[run.before][:, run.previous] * shares[..., None]


def _parts(runs: Sequence[_Run]) -> Iterator[Sequence[_Run]]:
    """Consecutive runs of about as many nodes as a processor multiplies fastest."""
    sizes = np.cumsum([len(run.parents) for run in runs])
    starts = np.flatnonzero(np.diff(sizes // TOGETHER, prepend=-1)).tolist()
    return (runs[start:stop] for start, stop in zip(starts, [*starts[1:], None], strict=True))


def _grouped(plan: _Plan) -> dict[tuple[int, int, int], list[_Run]]:
    """The runs of second and later siblings by kinds and features."""
    groups: dict[tuple[int, int, int], list[_Run]] = {}
    for run in plan.all_runs():
        if run.before != NONE:
            groups.setdefault((run.before, run.kind, run.pattern), []).append(run)
    return groups


def _counts(features: Array, rows: Ints, chances: Floats) -> Floats:
    """How often each feature is expected with each label of a node."""
    ordered = np.empty_like(chances)
    ordered[rows] = chances
    return np.asarray(features.T @ ordered.astype(features.dtype), np.float64)


def decode(weights: TreeWeights, forest: Forest, allowed: Allowed | None = None) -> Ints:
    """The labels of the highest total score; of several, the lower ones."""
    return _decoded(_Potentials(weights, forest), allowed)


def _decoded(potentials: _Potentials, allowed: Allowed | None) -> Ints:
    upward, plan = _Upward(_Maxima(potentials), allowed), potentials.plan
    best = [np.zeros(len(nodes), np.int64) for nodes in plan.nodes]
    for kind, scores in enumerate(upward.roots()):
        if scores.size:
            best[kind][plan.roots[kind]] = scores.argmax(axis=1)
    for depth, runs in enumerate(plan.runs[1:], 1):
        for kind in (LEAF, INNER):
            level = plan.level(depth, kind)
            ends = plan.last[kind]
            ends = ends[np.searchsorted(ends, level.start) : np.searchsorted(ends, level.stop)]
            above = best[INNER][plan.parents[kind][ends]]
            best[kind][ends] = upward.left[kind][above, ends].argmax(axis=1)
        for run in reversed(runs):
            if run.before != NONE:
                above, chosen = best[INNER][run.parents], best[run.kind][run.nodes]
                tried = upward.left[run.before][above, run.previous]
                tried = tried + potentials.moves(run)[above, :, chosen]
                best[run.before][run.previous] = tried.argmax(axis=1)
    labels = np.empty(sum(map(len, plan.nodes)), np.int64)
    for nodes, part, chosen in zip(plan.nodes, potentials.labels, best, strict=True):
        labels[nodes] = chosen + part.start
    return labels


def best_labels(
    weights: TreeWeights, forest: Forest, allowed: Allowed | None = None
) -> tuple[Ints, Floats]:
    """The labels of the best labelling of all nodes, and the chance that each of them has."""
    potentials = _Potentials(weights, forest)
    labels = _decoded(potentials, allowed)
    chances = _Downward(_Sums(potentials), allowed).chances()
    return labels, chances[np.arange(len(forest)), labels]


@dataclass(frozen=True, eq=False)
class LabelledForest:
    """Trees, and for each node which labels it may have (nodes × K)."""

    forest: Forest
    allowed: Allowed


class _Batch:
    """Trees that are summed over at once. Where all is known, what it counts does not change."""

    def __init__(self, examples: Sequence[LabelledForest], start: TreeWeights) -> None:
        self.forest = Forest.joined([example.forest for example in examples])
        self.allowed = np.concatenate([example.allowed for example in examples])
        known = all(map(_is_known, examples))
        self.counts = marginals(start, self.forest, self.allowed).expected if known else None

    def loss(self, weights: TreeWeights, precision: DTypeLike = np.float64) -> tuple[float, Floats]:
        """The negative log-likelihood of what is known, and its gradient."""
        free = marginals(weights, self.forest, precision=precision)
        slope = free.expected.to_vector()
        if self.counts is not None:
            counts = self.counts.to_vector()
            return free.log_total - float(counts @ weights.to_vector()), slope - counts
        known = marginals(weights, self.forest, self.allowed, precision=precision)
        return free.log_total - known.log_total, slope - known.expected.to_vector()


def train(
    examples: Sequence[LabelledForest],
    labels: tuple[int, int],
    *,
    penalty: float = 1.0,
    steps: int = 100,
    start: TreeWeights | None = None,
) -> TreeWeights:
    """The weights of the highest likelihood, less `penalty` / 2 times their squared length.

    `labels` are the numbers of labels of leaves and of inner nodes; `penalty` is one by the
    variance of the spherical Gaussian prior. The same examples give the same weights. Sums are in
    single precision, `JOBS` batches at a time.
    """
    from pagesight.models.lbfgs import minimize

    first = start or TreeWeights.zeros(examples[0].forest, labels)
    batches = [_Batch(part, first) for part in _batches(examples)]

    def objective(vector: Floats) -> tuple[float, Floats]:
        weights = first.like(vector)
        value, gradient = penalty / 2 * float(vector @ vector), penalty * vector
        for loss, slope in pool.map(lambda batch: batch.loss(weights, np.float32), batches):
            value += loss
            gradient = gradient + slope
        return value, gradient

    with ThreadPoolExecutor(JOBS) as pool:
        return first.like(minimize(objective, first.to_vector(), steps=steps))


def _batches(examples: Sequence[LabelledForest]) -> Iterator[list[LabelledForest]]:
    """Examples together up to a number of nodes; those of which all is known first."""
    ordered = sorted(examples, key=lambda example: not _is_known(example))
    batch: list[LabelledForest] = []
    for example in ordered:
        full = sum(len(each.forest) for each in batch) + len(example.forest) > BATCH
        if batch and (full or _is_known(batch[0]) != _is_known(example)):
            yield batch
            batch = []
        batch.append(example)
    yield batch


def _is_known(example: LabelledForest) -> bool:
    return bool((example.allowed.sum(axis=1) == 1).all())
