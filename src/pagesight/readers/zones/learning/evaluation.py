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
from pagesight.readers.records.learning.corpus import brand_of
from pagesight.readers.zones.learning.corpus import LEVELS, NO_BLOCK
from pagesight.readers.zones.learning.landmarks import (
    LANDMARKS,
    ROWS,
    NamedPage,
    ReadNames,
    named_pages,
)
from pagesight.readers.zones.learning.landmarks import fit as fit_likeness
from pagesight.readers.zones.learning.listed import ListedPage
from pagesight.readers.zones.learning.metrics import ClusterScores, cluster_scores
from pagesight.readers.zones.learning.training import (
    DrawnExample,
    ReadDrawing,
    drawn_examples,
    fit,
    lists_beside,
    zones_task,
)
from pagesight.readers.zones.likeness import LOOKS
from pagesight.readers.zones.model import DIALOG, KINDS, shipped_model
from pagesight.segment import ZoneTree, prune, zone_tree
from pagesight.segment.vips import vision_tree

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
PageScores = list[ClusterScores | None]

READ = (*KINDS, DIALOG)
ONE, LEAVES, PRUNED = "one block", "DOM block leaves", "X-Y cut, pruned"
VIPS, OURS = "VIPS", "ours"
BEST_VIPS = "VIPS, best DoC"
DEGREES = range(1, 11)  # of coherence, as they may be permitted
ELSEWHERE_FOLDS = 3
RIGHT = {
    "main": ("main", "list", "form", "media"),
    "menu in header": ("navigation", "header"),
    "menu in footer": ("navigation", "footer"),
}
"""As what a part may be shown, if not only as itself: headers and footers may keep their menus."""


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
    def accuracy_by_characters(self) -> float:
        sizes = np.concatenate([page.characters for page in self.pages])
        return float(np.average(self.wanted == self.read, weights=sizes))

    @property
    def by_names(self) -> float:
        """The accuracy of what elements, classes and ids suggest."""
        read = np.concatenate([page.by_names for page in self.pages])
        return float((self.wanted == read).mean())

    @property
    def mean_f(self) -> float:
        """The mean over kinds, of which few blocks have some."""
        scores = [label_scores(self.wanted, self.read, kind) for kind in range(len(KINDS))]
        return float(np.mean([f for *_, f in scores]))

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


def evaluation(examples: Sequence[DrawnExample], listed: Sequence[ListedPage]) -> Evaluation:
    """All scores on these pages. What is learned or chosen comes from other folds.

    Except what the parts of named pages look like, and lists: these are pages of other sites.
    """
    task = zones_task(shipped_model().likeness, listed)
    pages = task.held_out(examples)
    rows: dict[int, dict[str, PageScores]] = {level: {} for level in LEVELS}
    for example in examples:
        for name, zones in _baselines(example).items():
            for level in LEVELS:
                wanted = example.drawn.block_of(level)
                scored = cluster_scores(zones, wanted, example.characters)
                rows[level].setdefault(name, []).append(scored)
    for level in LEVELS:
        rows[level][BEST_VIPS] = _best_vips(examples, rows[level], task.folds)
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


def _best_vips(
    examples: Sequence[DrawnExample], rows: dict[str, PageScores], count: int
) -> PageScores:
    """VIPS at the permitted degree of coherence that is best on the pages of other folds."""
    scores = [rows[f"{VIPS} {degree}"] for degree in DEGREES]
    f = np.array([[np.nan if page is None else page.f for page in row] for row in scores])
    chosen: PageScores = [None] * len(examples)
    for part in folds([example.drawn.site for example in examples], count):
        rest = others(part, len(examples))
        best = int(np.nanmean(f[:, rest], axis=1).argmax())
        for page in part:
            chosen[page] = scores[best][page]
    return chosen


def _coverage(examples: Sequence[DrawnExample], level: int) -> float:
    inside = sum(int(e.characters[e.drawn.block_of(level) != NO_BLOCK].sum()) for e in examples)
    return inside / sum(int(example.characters.sum()) for example in examples)


def evaluate(corpora: Corpora, *, worst: int = 0) -> None:
    """Print the tables of both levels, of kinds, of named parts, and of the worst pages."""
    examples, named = drawn_examples(corpora), named_pages(corpora)
    listed = lists_beside(examples, corpora)
    scored, elsewhere = evaluation(examples, listed), Elsewhere.of(examples, listed, named)
    show(
        zones_task(shipped_model().likeness, listed).heading(corpora, len(scored.pages)),
        *(_level_table(scored, level) for level in LEVELS),
        _kind_table(scored.kinds),
        _confusion_table(scored.kinds),
        _shown_table(scored.pages),
        *calibration_tables(scored.pages),
        _lists_table(elsewhere),
        _parts_table(elsewhere),
        *_named_tables(named),
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
        f"kinds of {len(kinds.wanted)} drawn blocks: accuracy {kinds.accuracy:.3f} "
        f"({kinds.accuracy_by_characters:.3f} by characters), "
        f"by names alone {kinds.by_names:.3f}, majority {kinds.majority:.3f}"
    )
    return _per_label(KINDS, kinds.wanted, kinds.read, head)


def _confusion_table(kinds: KindScores) -> str:
    rows = [[kind, *row] for kind, row in zip(KINDS, kinds.confusion.tolist(), strict=True)]
    return table(["drawn as / read as", *(kind[:6] for kind in READ)], rows)


def _shown_table(pages: Sequence[ReadDrawing]) -> str:
    """How much of each kind the default granularity shows as it; all pages count the same."""
    total = np.sum([page.shown for page in pages], axis=0)
    right, drawn, shown = total.diagonal(), total.sum(axis=1), total.sum(axis=0)[: len(KINDS)]
    precision, recall = right / np.maximum(shown, 1e-9), right / np.maximum(drawn, 1e-9)
    rows = zip(KINDS, drawn / drawn.sum(), precision, recall, strict=True)
    title = f"characters in blocks of each kind at the default: {right.sum() / drawn.sum():.3f}"
    return table(["", "share", "precision", "recall"], [list(row) for row in rows], title=title)


def _per_label(labels: Sequence[str], wanted: Ints, read: Ints, title: str) -> str:
    """Precision, recall and F of each label, and their means."""
    scores = [label_scores(wanted, read, index) for index in range(len(labels))]
    means = np.mean([values for _, *values in scores], axis=0).tolist()
    rows = [[label, *values] for label, values in zip(labels, scores, strict=True)]
    rows.append(["mean", len(wanted), *means])
    return table(["", "blocks", "precision", "recall", "F"], rows, title=title)


def label_scores(wanted: Ints, read: Ints, label: int) -> tuple[int, float, float, float]:
    """How many are labelled so, and precision, recall and F of reading it."""
    is_wanted, is_read = wanted == label, read == label
    right, total = int((is_wanted & is_read).sum()), int(is_wanted.sum())
    precision, recall = right / max(int(is_read.sum()), 1), right / max(total, 1)
    return total, precision, recall, 2 * right / max(total + int(is_read.sum()), 1)


@dataclass(frozen=True, eq=False)
class Elsewhere:
    """What is shown of pages on which nothing is drawn, by models that had not seen their brands.

    Each table is of one page.
    """

    lists: list[Floats]  # as what its list is shown: with lists to learn from, and without
    parts: list[Floats]  # as what the parts are shown whose names are hidden: (`ROWS`, kinds)
    with_names: list[Floats]  # the same where they are not

    @classmethod
    def of(
        cls,
        examples: Sequence[DrawnExample],
        listed: Sequence[ListedPage],
        named: Sequence[NamedPage],
    ) -> Elsewhere:
        """Folds by brand; brands of which a page is drawn are left out."""
        drawn = {brand_of(example.drawn.site) for example in examples}
        named = [page for page in named if page.site not in drawn]
        read = cls([], [], [])
        brands = [*(page.brand for page in listed), *(page.site for page in named)]
        for part in folds(brands, ELSEWHERE_FOLDS):
            asked = {brands[index] for index in part}
            likeness = fit_likeness([page for page in named if page.site not in asked])
            rest = [page for page in listed if page.brand not in asked]
            ours, unlisted = fit(examples, likeness, rest), fit(examples, likeness, ())
            for page in listed:
                if page.brand in asked:
                    read.lists.append(np.stack((page.read_as(ours), page.read_as(unlisted))))
            for other in named:
                if other.site in asked:
                    read.parts.append(other.shown(ours))
                    read.with_names.append(other.shown(ours, with_names=True))
        return read


@dataclass(frozen=True, eq=False)
class ShownRight:
    """How much of what authors name is shown as it is named; from a table of (`ROWS`, kinds)."""

    shown: Floats

    @cached_property
    def right(self) -> Floats:
        """What is shown right of each part, by the kind that it is shown as."""
        kinds = [RIGHT.get(part, (part,)) for part in ROWS]
        is_right = np.array([[kind in of_part for kind in READ] for of_part in kinds])
        return np.asarray(np.where(is_right, self.shown, 0))

    @property
    def share(self) -> float:
        return float(self.right.sum() / self.shown.sum())

    @property
    def parts(self) -> Floats:
        """How much of all is in each part."""
        return np.asarray(self.shown.sum(axis=1) / self.shown.sum())

    @property
    def recall(self) -> Floats:
        return np.asarray(self.right.sum(axis=1) / np.maximum(self.shown.sum(axis=1), 1e-9))

    @property
    def precision(self) -> Floats:
        """Of what is shown as each part; of menus in other parts, as of menus."""
        kinds = [READ.index(RIGHT.get(part, (part,))[0]) for part in ROWS]
        right, shown = self.right.sum(axis=0)[kinds], self.shown.sum(axis=0)[kinds]
        return np.asarray(right / np.maximum(shown, 1e-9))


def _lists_table(read: Elsewhere) -> str:
    """As what the default granularity shows the lists of brands that were not learned from."""
    if not read.lists:
        return ""
    title = f"marked lists of {len(read.lists)} pages, {ELSEWHERE_FOLDS} folds by brand, shown as"
    rows = zip(READ, *np.mean(read.lists, axis=0).tolist(), strict=True)
    return table(["", "ours", "learned from no list"], [list(row) for row in rows], title=title)


def _parts_table(read: Elsewhere) -> str:
    """How much of the parts that authors name the default granularity shows as these."""
    if not read.parts:
        return ""
    hidden, named = (ShownRight(np.sum(tables, axis=0)) for tables in (read.parts, read.with_names))
    title = (
        f"characters in parts of {len(read.parts)} pages, {ELSEWHERE_FOLDS} folds by brand, "
        f"shown as these at the default, names hidden: {hidden.share:.3f} "
        f"(not hidden {named.share:.3f}, all of it as main {hidden.parts[ROWS.index('main')]:.3f})"
    )
    head = ["", "share", "precision", "recall", "precision with names", "recall with names"]
    columns = (hidden.parts, hidden.precision, hidden.recall, named.precision, named.recall)
    rows = [
        [part, *row] for part, row in zip(ROWS, np.stack(columns, axis=1).tolist(), strict=True)
    ]
    return table(head, rows, title=title)


def _named_tables(pages: Sequence[NamedPage]) -> list[str]:
    """How well parts that authors name are recognised by their looks."""
    measured: Sequence[ReadNames] = LANDMARKS.held_out(pages)
    wanted = np.concatenate([page.wanted for page in measured])
    read = np.concatenate([page.read for page in measured])
    head = (
        f"parts of {len(pages)} pages whose names are hidden, {LANDMARKS.folds} folds by site: "
        f"accuracy {(wanted == read).mean():.3f}, "
        f"majority {np.bincount(wanted).max() / len(wanted):.3f}"
    )
    return [_per_label(LOOKS, wanted, read, head), *calibration_tables(measured)]
