"""The items of a part: what is repeated in it, such as entries of a list, cards, or rows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.markup.tree import HEADINGS
from pagesight.page import NodeKind, Page
from pagesight.page.head import join
from pagesight.watch.values import Item

MOST_ITEMS = 500  # of a part that are kept
LEAST_COVERED = 0.5  # of the text of a part, by its items
LEAST_LINKED = 0.5  # of the items, in a part with links
LONGEST_TITLE = 200  # characters


@dataclass(frozen=True, slots=True)
class _Group:
    """Elements with the same tags on their way from the part."""

    depth: int
    nodes: list[int]


class _Part:
    """The nodes of a part, with what is asked of them over and over."""

    def __init__(self, page: Page, nodes: Sequence[int], base: str) -> None:
        self.page = page
        self.base = base
        self.nodes = nodes
        self._before = _lengths(page)
        self._headings = page.elements(*HEADINGS)
        self._links = [link for link in page.elements("a") if page.target(link)]

    def length(self, node: int) -> int:
        """The length of the visible text in a node."""
        return int(self._before[self.page.end[node]] - self._before[node])

    def links(self, node: int) -> list[int]:
        """The links in a node, the node itself among them."""
        return self._inside(self._links, node)

    def _inside(self, nodes: list[int], node: int) -> list[int]:
        """Those of some nodes that are in a node, which may be one of them."""
        return nodes[bisect_left(nodes, node) : bisect_left(nodes, int(self.page.end[node]))]

    def groups(self) -> list[_Group]:
        """Elements with visible text, by the tags on the way to them, where there are several."""
        number: dict[tuple[int, str], int] = {}  # of each path, by the path above and a tag
        groups = [_Group(0, list(self.nodes))]
        for top in self.nodes:
            path_of = {top: 0}
            for node in range(top + 1, int(self.page.end[top])):
                above = path_of.get(int(self.page.columns["parent"][node]))
                if above is None or not self._is_text(node):
                    continue
                path = number.setdefault((above, self.page.name(node)), len(groups))
                if path == len(groups):
                    groups.append(_Group(groups[above].depth + 1, []))
                groups[path].nodes.append(node)
                path_of[node] = path
        return [group for group in groups if len(group.nodes) > 1]

    def _is_text(self, node: int) -> bool:
        return bool(self.page.columns["kind"][node] == NodeKind.ELEMENT and self.length(node))

    def covered(self, group: _Group) -> float:
        """How much of the text of the part is in a group."""
        whole = sum(map(self.length, self.nodes))
        return sum(map(self.length, group.nodes)) / max(1, whole)

    def linked(self, group: _Group) -> float:
        """How many of a group have a link."""
        return sum(bool(self.links(node)) for node in group.nodes) / len(group.nodes)

    def without_heading(self, group: _Group) -> list[int]:
        """The nodes of a group; not the first, if that is what the others are headed by."""
        first, *rest = group.nodes
        alone = self._is_heading(first) and not any(map(self._is_heading, rest))
        unlinked = not self.links(first) and all(map(self.links, rest))
        return rest if len(rest) > 1 and (alone or unlinked) else group.nodes

    def _is_heading(self, node: int) -> bool:
        """Whether all that a node says is in headings."""
        headings = self._inside(self._headings, node)
        return sum(map(self.length, headings)) >= self.length(node)

    def item(self, node: int) -> Item | None:
        """A node as an item; None if nothing is to be read there."""
        page, text = self.page, self.page.text(node)
        if not text:
            return None
        heading = next((one for one in self._inside(self._headings, node) if page.text(one)), None)
        # What the item is about is in its heading, or has the most words; other links lead to
        # authors and comments.
        links = self.links(node) if heading is None else self.links(heading) or self.links(node)
        link = max(links, key=lambda one: len(page.text(one)), default=None)
        named = heading if heading is not None else link
        words = page.text(named) if named is not None else ""
        title = " ".join((words or text.partition("\n")[0]).split())[:LONGEST_TITLE]
        url = page.target(link) if link is not None else None
        return Item(title, text, url and (join(self.base, url) or url))


def items_of(page: Page, nodes: Sequence[int], base: str = "") -> tuple[Item, ...]:
    """The items of a part, which consists of these nodes, in their order.

    `base` is what their addresses are relative to, where the page does not say.

    In a part with several links, each item has one: of all groups of like elements, that with the
    most items. Without links, items are the outermost elements that are repeated.
    """
    part = _Part(page, nodes, base)
    groups = [group for group in part.groups() if part.covered(group) >= LEAST_COVERED]
    if len({page.target(link) for node in nodes for link in part.links(node)}) > 1:
        groups = [group for group in groups if part.linked(group) >= LEAST_LINKED]
        groups.sort(key=lambda group: (-len(group.nodes), group.depth))
    else:
        groups.sort(key=lambda group: group.depth)
    repeated = part.without_heading(groups[0])[:MOST_ITEMS] if groups else []
    return tuple(item for node in repeated if (item := part.item(node)))


def _lengths(page: Page) -> NDArray[np.int64]:
    """The length of the visible text before each node, and in the end of all."""
    texts = page.visible & (page.columns["kind"] == NodeKind.TEXT)
    texts &= page.columns["text"] >= 0
    own = np.zeros(len(page) + 1, dtype=np.int64)
    strings = np.array([len("".join(string.split())) for string in page.strings] or [0])
    own[1:][texts] = strings[page.columns["text"][texts]]
    return np.cumsum(own)
