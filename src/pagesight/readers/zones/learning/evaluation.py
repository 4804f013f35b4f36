"""How well blocks agree with those that people drew, ours and those of other segmentations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.calibration import calibration_error
from pagesight.learning.corpora import Corpora
from pagesight.learning.folds import folds, others
from pagesight.learning.tables import show, table
from pagesight.learning.task import calibration_tables, worst_pages
from pagesight.readers.zones.learning.corpus import LEVELS, NO_BLOCK
from pagesight.readers.zones.learning.metrics import ClusterScores, cluster_scores
from pagesight.readers.zones.learning.training import (
    ZONES,
    DrawnExample,
    ReadDrawing,
    drawn_examples,
)
from pagesight.readers.zones.model import DIALOG, KINDS
from pagesight.segment import ZoneTree, prune, zone_tree
from pagesight.segment.vips import vision_tree

Ints = NDArray[np.int64]
PageScores = list[ClusterScores | None]

READ = (*KINDS, DIALOG)
ONE, LEAVES, PRUNED = "one block", "DOM block leaves", "X-Y cut, pruned"
VIPS, OURS = "VIPS", "ours"
BEST_VIPS = "VIPS, best DoC"
DEGREES = range(1, 11)  # of coherence, as they may be permitted


@dataclass(frozen=True, eq=False)
class KindScores:
    """How well the kinds of drawn blocks were read."""

    pages: Sequence[ReadDrawing]

    @cached_property
    def wanted(self) -> Ints:
        return np.concatenate([page.wanted for page in self.pages])

    @cached_property
    def read(self) -> Ints:
        return np.concatenate([page.read for page in self.pages])

    @property
    def accuracy(self) -> float:
        return float((self.wanted == self.read).mean())

    @property
    def majority(self) -> float:
        """The accuracy of always answering with the most frequent kind."""
        return float(np.bincount(self.wanted).max() / len(self.wanted))

    @property
    def calibration_error(self) -> float:
        pairs = [pair for page in self.pages for pair in page.judged["kinds"]]
        return calibration_error(*zip(*pairs, strict=True))

    @property
    def confusion(self) -> Ints:
        """How often each kind (row) was read as each (column)."""
        counts = np.zeros((len(KINDS), len(READ)), dtype=np.int64)
        np.add.at(counts, (self.wanted, self.read), 1)
        return counts


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of all segmentations, cross-validated by site."""

    pages: Sequence[ReadDrawing]
    coverage: dict[int, float]  # by level: the share of characters that are in a drawn block
    rows: dict[int, dict[str, PageScores]]  # by level and segmentation

    @property
    def kinds(self) -> KindScores:
        return KindScores(self.pages)

    def mean(self, level: int, name: str) -> ClusterScores:
        """The average over pages."""
        known = [astuple(page) for page in self.rows[level][name] if page is not None]
        return ClusterScores(*np.mean(known, axis=0).tolist())

    def lead(self, level: int) -> float:
        """By how much our F-B3 is above that of the best of the others, VIPS at any degree."""
        best = max(self.mean(level, name).f for name in self.rows[level] if name != OURS)
        return self.mean(level, OURS).f - best


def evaluation(examples: Sequence[DrawnExample]) -> Evaluation:
    """All scores on these pages. What is learned or chosen comes from other folds."""
    pages = ZONES.held_out(examples)
    rows: dict[int, dict[str, PageScores]] = {level: {} for level in LEVELS}
    for example in examples:
        for name, zones in _baselines(example).items():
            for level in LEVELS:
                wanted = example.drawn.block_of(level)
                scored = cluster_scores(zones, wanted, example.characters)
                rows[level].setdefault(name, []).append(scored)
    for level in LEVELS:
        rows[level][BEST_VIPS] = _best_vips(examples, rows[level])
        rows[level][OURS] = [page.levels[level] for page in pages]
    coverage = {level: _coverage(examples, level) for level in LEVELS}
    return Evaluation(pages, coverage, rows)


def _baselines(example: DrawnExample) -> dict[str, Ints]:
    """By segmentation the zone of each node."""
    page, leaves = example.drawn.page, example.zones.leaves
    cut = zone_tree(page, leaves)
    zones = {
        ONE: np.zeros(len(page), dtype=np.int64),
        LEAVES: leaves.leaf_of_node.astype(np.int64),
        PRUNED: zone_of_node(cut, prune(cut, leaves)),
    }
    for degree in DEGREES:
        tree = vision_tree(page, degree)
        zones[f"{VIPS} {degree}"] = zone_of_node(tree, np.flatnonzero(tree.is_leaf))
    return zones


def zone_of_node(tree: ZoneTree, zones: Sequence[int] | NDArray[np.integer]) -> Ints:
    """The one of these zones that each node of the page is in, or -1."""
    zone_of = np.full(len(tree.page), -1, dtype=np.int64)
    for zone in np.asarray(zones).tolist():
        for node in tree.nodes_of(zone).tolist():
            zone_of[node : tree.page.end[node]] = zone
    return zone_of


def _best_vips(examples: Sequence[DrawnExample], rows: dict[str, PageScores]) -> PageScores:
    """VIPS at the permitted degree of coherence that is best on the pages of other folds."""
    scores = [rows[f"{VIPS} {degree}"] for degree in DEGREES]
    f = np.array([[np.nan if page is None else page.f for page in row] for row in scores])
    chosen: PageScores = [None] * len(examples)
    for part in folds([ZONES.group(example) for example in examples], ZONES.folds):
        rest = others(part, len(examples))
        best = int(np.nanmean(f[:, rest], axis=1).argmax())
        for page in part:
            chosen[page] = scores[best][page]
    return chosen


def _coverage(examples: Sequence[DrawnExample], level: int) -> float:
    inside = sum(int(e.characters[e.drawn.block_of(level) != NO_BLOCK].sum()) for e in examples)
    return inside / sum(int(example.characters.sum()) for example in examples)


def evaluate(corpora: Corpora, *, worst: int = 0) -> None:
    """Print the tables of both levels, of kinds, and of the worst pages."""
    scored = evaluation(drawn_examples(corpora))
    show(
        ZONES.heading(corpora, len(scored.pages)),
        *(_level_table(scored, level) for level in LEVELS),
        _kind_table(scored.kinds),
        *calibration_tables(scored.pages),
        worst_pages(scored.pages, worst),
    )


def _level_table(scored: Evaluation, level: int) -> str:
    names = (ONE, LEAVES, PRUNED, *(f"{VIPS} {degree}" for degree in DEGREES), BEST_VIPS, OURS)
    head = f"level {level}, {scored.coverage[level]:.1%} of characters"
    rows = [[name, *astuple(scored.mean(level, name))] for name in names]
    lines = table([head, "P-B3", "R-B3", "F-B3", "ARI"], rows)
    return f"{lines}\nours leads by {scored.lead(level):.3f} F-B3"


def _kind_table(kinds: KindScores) -> str:
    head = (
        f"kinds of {len(kinds.wanted)} drawn blocks: "
        f"accuracy {kinds.accuracy:.3f}, majority {kinds.majority:.3f}"
    )
    rows = [[kind, *row] for kind, row in zip(KINDS, kinds.confusion.tolist(), strict=True)]
    return table(["drawn as / read as", *(kind[:6] for kind in READ)], rows, title=head)
