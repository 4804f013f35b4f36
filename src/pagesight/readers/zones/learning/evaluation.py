"""How well blocks agree with those that people drew, ours and those of other segmentations."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.errors import CorpusNotFound
from pagesight.readers.zones.kinds import KINDS
from pagesight.readers.zones.learning import integrity
from pagesight.readers.zones.learning.corpus import LEVELS, NO_BLOCK
from pagesight.readers.zones.learning.metrics import Scores, scores
from pagesight.readers.zones.learning.training import (
    FOLDS,
    CrossValidation,
    Example,
    examples_of,
    labelled_blocks,
)
from pagesight.segment import ZoneTree, prune, zone_tree
from pagesight.segment.vips import vision_tree

Ints = NDArray[np.int64]
Row = list[Scores | None]  # by page

ONE, LEAVES, PRUNED = "one block", "DOM block leaves", "X-Y cut, pruned"
VIPS, OURS = "VIPS", "ours"
BEST_VIPS = "VIPS, best DoC"
DEGREES = range(1, 11)  # of coherence, as they may be permitted
BINS = np.linspace(0, 1, 11)


@dataclass(frozen=True, eq=False)
class KindScores:
    """Kinds of drawn blocks as they are, as they were read, and how sure the reading was."""

    wanted: Ints
    found: Ints
    confidence: NDArray[np.float64]

    @property
    def accuracy(self) -> float:
        return float((self.wanted == self.found).mean())

    @property
    def majority(self) -> float:
        """The accuracy of always saying the most frequent kind."""
        return float(np.bincount(self.wanted).max() / len(self.wanted))

    @property
    def calibration_error(self) -> float:
        """How far confidence and accuracy are apart on average, in ten bins."""
        bins = np.digitize(self.confidence, BINS)
        right = (self.wanted == self.found).astype(np.float64)
        off = [abs((right - self.confidence)[bins == b].sum()) for b in np.unique(bins)]
        return float(sum(off) / len(right))

    @property
    def confusion(self) -> Ints:
        """How often each kind (row) was read as each (column)."""
        table = np.zeros((len(KINDS), len(KINDS)), dtype=np.int64)
        np.add.at(table, (self.wanted, self.found), 1)
        return table


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of all segmentations, cross-validated by page."""

    pages: Sequence[str]
    coverage: dict[int, float]  # by level: the share of characters that are in a drawn block
    rows: dict[int, dict[str, Row]]  # by level and segmentation
    kinds: KindScores

    def mean(self, level: int, name: str) -> Scores:
        """The average over pages."""
        known = [astuple(page) for page in self.rows[level][name] if page is not None]
        return Scores(*np.mean(known, axis=0).tolist())

    def lead(self, level: int) -> float:
        """By how much our F-B3 is above that of the best of the others, VIPS at any degree."""
        best = max(self.mean(level, name).f for name in self.rows[level] if name != OURS)
        return self.mean(level, OURS).f - best


def evaluation(examples: Sequence[Example]) -> Evaluation:
    """All scores on these pages. What is learned or chosen comes from other folds."""
    checked = CrossValidation.over(examples)
    rows: dict[int, dict[str, Row]] = {level: {} for level in LEVELS}
    for example in examples:
        for name, found in _baselines(example).items():
            for level in LEVELS:
                wanted = example.drawn.block_of(level)
                scored = scores(found, wanted, example.characters)
                rows[level].setdefault(name, []).append(scored)
    for level in LEVELS:
        rows[level][BEST_VIPS] = _best_vips(examples, rows[level])
        rows[level][OURS] = [
            example.score(checked.blocks(example, level), level) for example in examples
        ]
    return Evaluation(
        pages=[example.drawn.name for example in examples],
        coverage={level: _coverage(examples, level) for level in LEVELS},
        rows=rows,
        kinds=_kinds(checked),
    )


def _baselines(example: Example) -> dict[str, Ints]:
    """By segmentation the zone of each node."""
    page, leaves = example.drawn.page, example.zones.leaves
    cut = zone_tree(page, leaves)
    found = {
        ONE: np.zeros(len(page), dtype=np.int64),
        LEAVES: leaves.leaf_of_node.astype(np.int64),
        PRUNED: zone_of_node(cut, prune(cut, leaves)),
    }
    for degree in DEGREES:
        tree = vision_tree(page, degree)
        found[f"{VIPS} {degree}"] = zone_of_node(tree, np.flatnonzero(tree.is_leaf))
    return found


def zone_of_node(tree: ZoneTree, zones: Sequence[int] | NDArray[np.integer]) -> Ints:
    """For each node of the page the one of these zones that it is in, or -1."""
    found = np.full(len(tree.page), -1, dtype=np.int64)
    for zone in np.asarray(zones).tolist():
        for node in tree.nodes_of(zone).tolist():
            found[node : tree.page.end[node]] = zone
    return found


def _best_vips(examples: Sequence[Example], rows: dict[str, Row]) -> Row:
    """VIPS at the permitted degree of coherence that is best on the pages of other folds."""
    f = np.array(
        [[np.nan if s is None else s.f for s in rows[f"{VIPS} {degree}"]] for degree in DEGREES]
    )
    folds = np.array([example.fold for example in examples])
    best = [int(np.nanmean(f[:, folds != fold], axis=1).argmax()) for fold in range(FOLDS)]
    return [rows[f"{VIPS} {DEGREES[best[fold]]}"][page] for page, fold in enumerate(folds.tolist())]


def _coverage(examples: Sequence[Example], level: int) -> float:
    inside = sum(int(e.characters[e.drawn.block_of(level) != NO_BLOCK].sum()) for e in examples)
    return inside / sum(int(example.characters.sum()) for example in examples)


def _kinds(checked: CrossValidation) -> KindScores:
    wanted, found, confidence = [], [], []
    for example in checked.examples:
        zones, kinds = labelled_blocks(example)
        probabilities = checked.models[example.fold].kinds(example.seen)[zones]
        wanted.append(kinds)
        found.append(probabilities.argmax(axis=1))
        confidence.append(probabilities.max(axis=1))
    return KindScores(*(np.concatenate(column) for column in (wanted, found, confidence)))


def evaluate(
    corpora: Path | None = None,
    *,
    renderer: str = "auto",
    worst: int = 0,
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Print the tables of both levels, of kinds, of articles' fields, and of the worst pages."""
    found = evaluation(examples_of(corpora, renderer, advance))
    lines = [f"{len(found.pages)} pages, {FOLDS} folds by page"]
    for level in LEVELS:
        lines += ["", *_level_table(found, level)]
    lines += ["", *_kind_table(found.kinds)]
    lines += _articles(corpora, renderer, advance)
    for level in LEVELS if worst else ():
        lines += ["", *_worst_pages(found, level, worst)]
    sys.stdout.write("\n".join(lines) + "\n")


def _articles(corpora: Path | None, renderer: str, advance: Callable[[], None]) -> list[str]:
    """How the fields of articles fare in pruned zones; nothing where there are no articles."""
    lines = []
    with contextlib.suppress(CorpusNotFound):
        for split in ("train", "dev"):
            fields = integrity.measure(corpora, split=split, renderer=renderer, advance=advance)
            lines += ["", f"fields of articles in pruned zones, {split} publishers"]
            lines += integrity.table(fields).split("\n")
    return lines


def _level_table(found: Evaluation, level: int) -> list[str]:
    names = (ONE, LEAVES, PRUNED, *(f"{VIPS} {degree}" for degree in DEGREES), BEST_VIPS, OURS)
    head = f"level {level}, {found.coverage[level]:.1%} of characters"
    lines = [f"{head:<32}{'P-B3':>8}{'R-B3':>8}{'F-B3':>8}{'ARI':>8}"]
    for name in names:
        values = "".join(f"{value:8.3f}" for value in astuple(found.mean(level, name)))
        lines.append(f"{name:<32}{values}")
    return [*lines, f"ours leads by {found.lead(level):.3f} F-B3"]


def _kind_table(kinds: KindScores) -> list[str]:
    head = (
        f"kinds of {len(kinds.wanted)} drawn blocks: accuracy {kinds.accuracy:.3f}, "
        f"majority {kinds.majority:.3f}, calibration error {kinds.calibration_error:.3f}"
    )
    lines = [head, f"{'drawn as / read as':<20}" + "".join(f"{kind[:6]:>8}" for kind in KINDS)]
    for kind, row in zip(KINDS, kinds.confusion.tolist(), strict=True):
        lines.append(f"{kind:<20}" + "".join(f"{count:8d}" for count in row))
    return lines


def _worst_pages(found: Evaluation, level: int, worst: int) -> list[str]:
    pages = zip(found.pages, found.rows[level][OURS], strict=True)
    known = sorted((page.f, name, page) for name, page in pages if page is not None)
    lines = [f"level {level}, worst pages"]
    for f, name, page in known[:worst]:
        lines.append(f"{f:.3f}  P {page.precision:.3f}  R {page.recall:.3f}  {name}")
    return lines
