"""ZoneTree: the parts of a page, nested. All ways to segment a page end in one.

Zones are numbered in preorder with siblings in reading order, so that the zones inside a zone, and
the leaves inside it, are contiguous ranges. Only leaves name nodes of the page; what an inner zone
consists of follows from its leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Box, Node, Page
from pagesight.page.columns import subtree_ends


@dataclass(frozen=True, eq=False)
class ZoneTree:
    """Zones of a page as arrays by zone id; `Zone` objects are views on them."""

    page: Page

    parent: NDArray[np.int32]
    """The zone around each zone; -1 for the root, which is zone 0."""

    box: NDArray[np.float32]
    """x, y, width, height of each zone."""

    node_first: NDArray[np.int32]
    """Where the nodes of each zone begin in `nodes`, one entry more than zones. None for inner
    zones."""

    nodes: NDArray[np.int32]
    """The nodes of the leaves: roots of disjoint subtrees, of each leaf in document order."""

    marks: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    """What the segmentation says of each zone, by name, e.g. its degree of coherence."""

    @classmethod
    def bare(cls, page: Page, marks: Mapping[str, NDArray[Any]]) -> ZoneTree:
        """The tree of a page on which nothing is seen: one zone without nodes."""
        box = np.array([(0, 0, *page.info.size)], dtype=np.float32)
        none = np.zeros(2, dtype=np.int32)
        return cls(page, np.array([-1], dtype=np.int32), box, none, none[:0], marks)

    def __repr__(self) -> str:
        return f"<ZoneTree {len(self)} zones of {self.page!r}>"

    def __len__(self) -> int:
        return len(self.parent)

    def __getitem__(self, zone: int) -> Zone:
        if not 0 <= zone < len(self):
            raise IndexError(f"a tree of {len(self)} zones has no zone {zone}")
        return Zone(self, zone)

    def __iter__(self) -> Iterator[Zone]:
        return (Zone(self, zone) for zone in range(len(self)))

    @property
    def root(self) -> Zone:
        return Zone(self, 0)

    @cached_property
    def end(self) -> NDArray[np.int32]:
        """For each zone the id after its last descendant."""
        return subtree_ends(self.parent)

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """For each zone whether it has no zones inside."""
        return np.asarray(self.end == np.arange(1, len(self) + 1))

    @property
    def leaves(self) -> list[Zone]:
        """The leaf zones in reading order."""
        return [Zone(self, zone) for zone in np.flatnonzero(self.is_leaf).tolist()]

    def nodes_of(self, zone: int) -> NDArray[np.int32]:
        """The nodes that a zone consists of, leaf by leaf in reading order."""
        return self.nodes[self.node_first[zone] : self.node_first[self.end[zone]]]


@dataclass(frozen=True, slots=True, repr=False)
class Zone:
    """One zone of a tree. Two views of the same zone are equal."""

    tree: ZoneTree
    id: int

    def __repr__(self) -> str:
        return f"<Zone {self.id} {self.xpath} {self.text[:40]!r}>"

    @property
    def box(self) -> Box:
        return Box(*self.tree.box[self.id].tolist())

    @property
    def parent(self) -> Zone | None:
        above = int(self.tree.parent[self.id])
        return Zone(self.tree, above) if above >= 0 else None

    @property
    def children(self) -> list[Zone]:
        end = self.tree.end
        zones, child = [], self.id + 1
        while child < end[self.id]:
            zones.append(Zone(self.tree, child))
            child = int(end[child])
        return zones

    @property
    def leaves(self) -> list[Zone]:
        """The leaf zones inside, or the zone itself."""
        inside = range(self.id, int(self.tree.end[self.id]))
        return [Zone(self.tree, zone) for zone in inside if self.tree.is_leaf[zone]]

    @property
    def nodes(self) -> list[Node]:
        """The nodes that it consists of."""
        return [Node(self.tree.page, node) for node in self.tree.nodes_of(self.id).tolist()]

    @property
    def text(self) -> str:
        """What a person reads here, in reading order, one line per block."""
        return self.tree.page.text_of(self.tree.nodes_of(self.id).tolist())

    @property
    def element(self) -> Node:
        """The innermost element around all of it."""
        return common_element(self.tree.page, self.tree.nodes_of(self.id).tolist())

    @property
    def xpath(self) -> str:
        """The address of its element."""
        return self.element.xpath

    @property
    def css(self) -> str:
        """The CSS selector of its element."""
        return self.element.css


def common_element(page: Page, nodes: Sequence[int]) -> Node:
    """The innermost element around all of these nodes; the root where there are none."""
    if not nodes:
        return page.root
    first, last = min(nodes), max(nodes)
    node = page[first]
    while node.parent is not None and (page.end[node.id] <= last or node.tag.startswith("#")):
        node = node.parent
    return node
