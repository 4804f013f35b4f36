"""Where in the vision tree the elements are that people marked.

Every text and picture has a random number, and what an element or a zone shows is the sum of those
inside. Equal sums are the same content.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.segment.tree import ZoneTree
from pagesight.segment.vips_blocks import facts_of

Sums = NDArray[np.uint64]


class Content:
    """The texts and pictures of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.seen = facts_of(page).is_content
        numbers = np.random.default_rng(0).integers(1, 1 << 63, len(page), np.uint64)
        self._sums = _before(np.where(self.seen, numbers, 0))

    def shown(self, nodes: NDArray[np.integer]) -> Sums:
        """What each of these nodes shows; 0 if nothing is seen of it."""
        return np.asarray(self._sums[self.page.end[nodes]] - self._sums[nodes])


class Places:
    """The zones of a tree by what they show."""

    def __init__(self, content: Content, tree: ZoneTree) -> None:
        self.content = content
        sums = _before(content.shown(tree.nodes))
        self._shown: Sums = sums[tree.node_first[tree.end]] - sums[tree.node_first[:-1]]
        self._zone_of = {key: zone for zone, key in enumerate(self._shown.tolist())}
        self._leaf_of = np.full(len(content.page), -1)
        leaves = np.repeat(np.arange(len(tree)), np.diff(tree.node_first))
        for node, leaf in zip(tree.nodes.tolist(), leaves.tolist(), strict=True):
            self._leaf_of[node : content.page.end[node]] = leaf

    def zone(self, node: int) -> int | None:
        """The zone that shows just what a node shows; None if there is none.

        There is one at most, since inner zones have several children.
        """
        return self._zone_of.get(self._key(node))

    def leaves(self, node: int) -> list[int]:
        """The leaves that show something of a node."""
        part = slice(node, self.content.page.end[node])
        return [int(leaf) for leaf in np.unique(self._leaf_of[part][self.content.seen[part]])]

    def is_whole(self, node: int) -> bool:
        """Whether its leaves show nothing else."""
        return int(self._shown[self.leaves(node)].sum(dtype=np.uint64)) == self._key(node)

    def is_seen(self, node: int) -> bool:
        return self._key(node) > 0

    def _key(self, node: int) -> int:
        return int(self.content.shown(np.array([node]))[0])


def _before(values: Sums) -> Sums:
    """Sums of all before each position, and of all; they may overflow."""
    return np.concatenate((np.zeros(1, np.uint64), np.cumsum(values, dtype=np.uint64)))
