"""How much of what people marked the vision tree can express: a bound for every model on it.

A record can be found if some zone shows just what the record shows, and a value if some leaf does,
or several leaves together, such as those of a price whose cents are raised.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import Corpora
from pagesight.learning.tables import table
from pagesight.page import Page
from pagesight.readers.records.learning.corpus import OTHERS, ListPage, list_pages
from pagesight.segment.tree import ZoneTree
from pagesight.segment.vips import vision_tree
from pagesight.segment.vips_blocks import facts_of

TREES = {
    "8": (8, False), "8 for records": (8, True), "10": (10, False), "10 for records": (10, True),
}  # fmt: skip


class Shown:
    """What elements of a page and zones of a tree show: equal numbers for the same content."""

    def __init__(self, page: Page, tree: ZoneTree, is_content: NDArray[np.bool_]) -> None:
        self._end, self._is_content = page.end, is_content
        numbers = np.random.default_rng(0).integers(1, 1 << 63, len(page), np.uint64)
        self._sums = _sums(np.where(is_content, numbers, 0))
        first, end = tree.node_first, tree.end
        inside = _sums(self._sums[page.end[tree.nodes]] - self._sums[tree.nodes])
        self._zones = inside[first[end]] - inside[first[:-1]]
        self._leaf_of = np.full(len(page), -1)
        leaves = np.repeat(np.arange(len(tree)), np.diff(first))
        for node, leaf in zip(tree.nodes.tolist(), leaves.tolist(), strict=True):
            self._leaf_of[node : page.end[node]] = leaf
        self.zones = set(self._zones.tolist())
        self.leaves = set(self._zones[tree.is_leaf].tolist())

    def of(self, node: int) -> int:
        """What an element shows; 0 if nothing is seen of it."""
        return int(np.diff(self._sums[[node, self._end[node]]])[0])

    def around(self, node: int) -> int:
        """What all leaves show together that show something of an element."""
        part = slice(node, self._end[node])
        leaves = np.unique(self._leaf_of[part][self._is_content[part]])
        return int(self._zones[leaves].sum(dtype=np.uint64))


def _sums(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return np.concatenate((np.zeros(1, np.uint64), np.cumsum(values, dtype=np.uint64)))


def expressed(page: ListPage, shown: Shown) -> Iterator[tuple[str, bool]]:
    """For each record and value that is seen what it is, and whether the tree has it."""
    for record in page.records:
        if key := shown.of(record.node):
            yield "record", key in shown.zones
        values = [(name, value.node) for name, value in record.values.items()]
        values += [("cell", cell.node) for cell in record.cells if cell.node is not None]
        for name, node in values:
            if key := shown.of(node):
                yield name, key in shown.leaves
                yield f"{name}, joined", key == shown.around(node)


def bound(pages: Iterable[ListPage]) -> dict[str, dict[str, float]]:
    """The shares of what was marked that each of `TREES` can express, and its `number`.

    By name: `record`, `name`, `name, joined` of several leaves, and so on; those of lists that are
    not of products begin with `other`.
    """
    found: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for page in pages:
        is_content = facts_of(page.page).is_content
        prefix = "other " if page.group == OTHERS else ""
        for label, (degree, for_records) in TREES.items():
            tree = vision_tree(page.page, degree, for_records=for_records)
            for name, has in expressed(page, Shown(page.page, tree, is_content)):
                found[prefix + name][label].append(has)
    return {
        name: {"number": len(trees["8"]), **{tree: _mean(has) for tree, has in trees.items()}}
        for name, trees in sorted(found.items())
    }


def _mean(flags: list[bool]) -> float:
    return sum(flags) / len(flags)


def bound_table(corpora: Corpora) -> str:
    """The shares as a table."""
    lines = [[name, *shares.values()] for name, shares in bound(list_pages(corpora)).items()]
    title = "Records that are zones of the vision tree, and values that are leaves, by degree"
    return table(["", "number", *TREES], lines, title=title)
