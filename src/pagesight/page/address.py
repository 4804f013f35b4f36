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
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")  # a colon would be read as a prefix


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
            elif page.is_foreign(node):  # XPath 1.0 finds no names of other namespaces
                name = f"*[local-name()={_literal(name)}]"
            elif not _PLAIN_NAME.fullmatch(name):
                name = f"*[name()={_literal(name)}]"
            rank = f"[{ranks.rank[node]}]" if ranks.count[node] > 1 else ""
            steps.append(name if kind == NodeKind.PSEUDO else f"/{name}{rank}")
        node = int(columns["parent"][node])
    return "".join(reversed(steps)).removesuffix(BORDER) or "/"


def _literal(text: str) -> str:
    """A string as XPath writes it; it has no escapes."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    pieces = (f"'{piece}'" for piece in text.split("'"))
    return "concat({})".format(', "\'", '.join(pieces))


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
    while node >= 0 and page.columns["kind"][node] not in (NodeKind.DOCUMENT, NodeKind.SHADOW):
        node = int(page.columns["parent"][node])
    return node


def _css_step(page: Page, node: int) -> str:
    name = _escape(page.name(node))
    ranks = page.sibling_ranks
    if page.columns["kind"][page.columns["parent"][node]] == NodeKind.SHADOW:
        name += ":not(* > *)"  # `div > p` alone would also find deeper ones
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


# The characters of CSS identifiers: https://www.w3.org/TR/css-syntax-3/#ident-code-point
_SPECIAL = re.compile(
    "[^A-Za-z0-9_\\-\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff"
    "\u200c\u200d\u203f\u2040\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf"
    "\ufdf0-\ufffd\U00010000-\U0010ffff]"
)


def _escape(identifier: str) -> str:
    """An identifier in a selector, whatever characters it has."""
    escaped = _SPECIAL.sub(lambda found: "\\" + found[0], identifier)
    if re.match(r"-?[0-9]", escaped):
        lead = len(escaped) - len(escaped.lstrip("-"))
        return f"{escaped[:lead]}\\{ord(escaped[lead]):x} {escaped[lead + 1 :]}"
    return "\\-" if escaped == "-" else escaped
