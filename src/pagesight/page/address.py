"""XPath and CSS addresses of nodes.

Both count what a browser counts. A path that leads into a frame or a shadow tree is written in
steps that are joined by `` >> ``, as Playwright does, since neither language crosses that border.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from pagesight.page.style import NodeKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pagesight.page.columns import Array
    from pagesight.page.page import Page

BORDER = " >> "
# Elements whose names XPath 1.0 does not find in an HTML document, being in another namespace.
_FOREIGN = frozenset({"svg", "math"})


class SiblingRanks:
    """For every node its rank among the siblings of its name, and how many of those there are."""

    def __init__(self, columns: Mapping[str, Array]) -> None:
        parent, name = columns["parent"], columns["name"]
        order = np.lexsort((np.arange(len(parent)), name, parent))
        same = (parent[order][1:] == parent[order][:-1]) & (name[order][1:] == name[order][:-1])
        group = np.concatenate(([0], np.cumsum(~same)))
        first = np.concatenate(([0], np.flatnonzero(~same) + 1))
        self.rank: NDArray[np.int64] = np.empty(len(parent), dtype=np.int64)
        self.rank[order] = np.arange(len(parent)) - first[group] + 1
        self.count: NDArray[np.int64] = np.empty(len(parent), dtype=np.int64)
        self.count[order] = np.bincount(group)[group]


def xpath(page: Page, node: int) -> str:
    """The absolute XPath of a node; an index stands only where it is needed, as lxml writes it."""
    columns, ranks = page.columns, page.sibling_ranks
    steps: list[str] = []
    foreign = page.is_foreign(node)
    while node >= 0:
        kind = columns["kind"][node]
        if kind in (NodeKind.DOCUMENT, NodeKind.SHADOW):
            if columns["parent"][node] >= 0:
                steps.append(BORDER)
        else:
            name = page.name(node)
            if kind == NodeKind.TEXT:
                name = "text()"
            elif kind == NodeKind.PSEUDO:
                pass
            elif foreign and (foreign := page.is_foreign(node)):
                name = f"*[local-name()='{name}']"
            rank = f"[{ranks.rank[node]}]" if ranks.count[node] > 1 else ""
            steps.append(name if kind == NodeKind.PSEUDO else f"/{name}{rank}")
        node = int(columns["parent"][node])
    return "".join(reversed(steps)).removesuffix(BORDER) or "/"


def css(page: Page, node: int) -> str:
    """A CSS selector that finds this node only; of a text node, that of its element."""
    columns = page.columns
    steps: list[str] = []
    while node >= 0:
        kind = columns["kind"][node]
        if kind == NodeKind.ELEMENT:
            identifier = page.attribute(node, "id")
            if identifier and page.id_counts[identifier] == 1 and not _BAD_ID.search(identifier):
                steps.append("#" + _escape(identifier))
                node = _tree_root(page, node)
                continue
            steps.append(_css_step(page, node))
        elif kind in (NodeKind.DOCUMENT, NodeKind.SHADOW) and columns["parent"][node] >= 0:
            steps.append(BORDER.strip())
        elif kind == NodeKind.PSEUDO:
            steps.append(page.name(node))
        node = int(columns["parent"][node])
    return _join_css(steps[::-1]).removesuffix(BORDER)


_BAD_ID = re.compile(r"[\x00-\x20]")


def _tree_root(page: Page, node: int) -> int:
    """The document or shadow root that a node belongs to."""
    while page.columns["kind"][node] not in (NodeKind.DOCUMENT, NodeKind.SHADOW):
        node = int(page.columns["parent"][node])
    return node


def _css_step(page: Page, node: int) -> str:
    name = _escape(page.name(node))
    ranks = page.sibling_ranks
    return f"{name}:nth-of-type({ranks.rank[node]})" if ranks.count[node] > 1 else name


def _join_css(steps: list[str]) -> str:
    selector = ""
    for step in steps:
        if step == BORDER.strip():
            selector += BORDER
        elif step.startswith("::") or not selector or selector.endswith(BORDER):
            selector += step
        else:
            selector += " > " + step
    return selector


def _escape(identifier: str) -> str:
    """An identifier as CSSOM serialises it."""
    escaped = re.sub(r"[^\w\-\u0080-\U0010ffff]", lambda found: "\\" + found[0], identifier)
    if re.match(r"-?\d", escaped):
        lead = len(escaped) - len(escaped.lstrip("-"))
        return f"{escaped[:lead]}\\{ord(escaped[lead]):x} {escaped[lead + 1 :]}"
    return "\\-" if escaped == "-" else escaped
