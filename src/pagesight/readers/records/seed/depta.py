"""DEPTA: records as runs of similar subtrees of tags, without a look at what they say.

After Zhai and Liu, "Web Data Extraction Based on Partial Tree Alignment" (WWW 2005). A generalised
node is one or a few neighbouring elements; a region is a run of generalised nodes of the same
number of elements, each of which matches the next. Strings of tags are compared first: trees of
different tags cannot match.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pagesight.page import Page
from pagesight.readers.records.seed.alignment import Aligned, partial_alignment
from pagesight.readers.records.seed.elements import DOLLAR
from pagesight.readers.records.seed.shapes import Shapes
from pagesight.readers.records.sight import sight_of

THRESHOLD = 0.6  # of likeness
MOST_TOGETHER = 4  # elements of a generalised node
LOWEST = 2  # levels of a generalised node
MOSTLY = 0.5  # of the neighbours: so many match if the parts of generalised nodes are records

Records = list[tuple[int, ...]]  # the units of each


@dataclass(frozen=True)
class Run:
    """Generalised nodes in a row, among siblings."""

    first: int
    together: int
    count: int

    @property
    def end(self) -> int:
        return self.first + self.together * self.count


class Depta:
    """The regions of a page."""

    def __init__(self, page: Page) -> None:
        self.sight = sight_of(page)
        self.units = self.sight.units
        self.shapes = Shapes()
        self.shape = self.shapes.of_tree(self.sight.tags, self.units.children)

    def records(self) -> Records:
        """The records of all regions, except those beside the middle, or plain text."""
        regions = [self.divided(region) for region in self.regions()]
        return [record for region in regions if self._is_kept(region) for record in region]

    def regions(self) -> Iterator[Records]:
        """Runs of generalised nodes; what is in none is searched further down."""
        waiting = [0]
        while waiting:
            children = self.units.children[waiting.pop()]
            covered = 0
            for run in self.runs([self.shape[child] for child in children]):
                waiting += children[covered : run.first]
                covered = run.end
                yield _grouped(children, run)
            waiting += children[covered:]

    def runs(self, shapes: Sequence[int]) -> Iterator[Run]:
        """Runs among siblings from left to right, the longest that begins at each place."""
        first = 0
        while first < len(shapes):
            tried = [self._run(shapes, first, size) for size in range(1, MOST_TOGETHER + 1)]
            best = max(tried, key=lambda run: (run.end if run.count > 1 else 0, -run.together))
            if best.count > 1:
                yield best
            first = best.end if best.count > 1 else first + 1

    def _run(self, shapes: Sequence[int], first: int, size: int) -> Run:
        count = 1
        while self._match(shapes, first + (count - 1) * size, size):
            count += 1
        return Run(first, size, count)

    def _match(self, shapes: Sequence[int], at: int, size: int) -> bool:
        """Whether a generalised node matches the next."""
        one, other = tuple(shapes[at : at + size]), tuple(shapes[at + size : at + 2 * size])
        if len(other) < size:
            return False
        if size == 1:
            return self.match(one[0], other[0])
        if not any(self.shapes.depth[part] >= LOWEST for part in one):
            return False
        return self.match(self.shapes.number("", one), self.shapes.number("", other))

    def match(self, one: int, other: int) -> bool:
        """Whether two trees match, and are more than a single element."""
        shapes = self.shapes
        if one == other:
            return shapes.depth[one] >= LOWEST
        return (
            min(shapes.depth[one], shapes.depth[other]) >= LOWEST
            and shapes.most_alike(one, other) >= THRESHOLD
            and shapes.is_comparable(one, other)
            and shapes.likeness(one, other) >= THRESHOLD
        )

    def columns(self, records: Records) -> list[dict[int, int]]:
        """The units of records that are aligned, by record."""
        trees = [
            Aligned("", [self._tree(unit, number) for unit in record])
            for number, record in enumerate(records)
        ]
        return [leaf.places for leaf in partial_alignment(trees).leaves()]

    def _tree(self, unit: int, number: int) -> Aligned:
        children = [self._tree(child, number) for child in self.units.children[unit]]
        return Aligned(self.sight.tags[unit], children, {number: unit})

    def divided(self, region: Records) -> Records:
        """The records of a region.

        Elements of generalised nodes are records if they match each other, and so are the cells of
        the rows of a grid, but not those of a table.
        """
        parts = [unit for record in region for unit in record]
        if len(region[0]) > 1 and self._all_alike(parts):
            return [(unit,) for unit in parts]
        rows = [self._cells(record) for record in region]
        if all(len(cells) > 1 for cells in rows):
            return [cell for cells in rows for cell in cells]
        return region

    def _all_alike(self, parts: Sequence[int]) -> bool:
        pairs = [self.match(self.shape[one], self.shape[other]) for one, other in pairwise(parts)]
        return sum(pairs) >= MOSTLY * len(pairs)

    def _cells(self, record: tuple[int, ...]) -> Records:
        """The parts of a record that are all alike; itself if they are not."""
        children = self.units.children[record[0]]
        if len(record) > 1 or self.sight.tags[record[0]] == "tr":
            return [record]
        runs = list(self.runs([self.shape[child] for child in children]))
        whole = len(runs) == 1 and runs[0].first == 0 and runs[0].end == len(children)
        return _grouped(children, runs[0]) if whole else [record]

    def _is_kept(self, region: Records) -> bool:
        heads = np.array([unit for record in region for unit in record])
        units, pieces = self.units, self.sight.pieces
        left, _, width, _ = units.page.columns["box"][units.node[heads]].T
        middle = self.sight.width / 2
        first, last = int(units.first[heads].min()), int(units.last[heads].max())
        signs = any(DOLLAR.search(pieces.texts[at]) for at in range(first, last))
        shows = bool(pieces.picture[first:last].any()) or signs
        return shows and bool(left.min() < middle < (left + width).max())


def _grouped(children: Sequence[int], run: Run) -> Records:
    """The elements of each generalised node."""
    starts = range(run.first, run.end, run.together)
    return [tuple(children[start : start + run.together]) for start in starts]
