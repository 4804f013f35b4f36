"""XPath and CSS addresses of nodes.

Both count what a browser counts. A path that leads into a frame or a shadow tree is written in
steps that are joined by `` >> ``, as Playwright does, since neither language crosses that border.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from pagesight.page.style import NodeKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pagesight.page.columns import Array
    from pagesight.page.page import Page

BORDER = " >> "
MOST_KNOWN = 2000  # addresses of a page that are remembered
_ELEMENT, _TEXT, _PSEUDO = int(NodeKind.ELEMENT), int(NodeKind.TEXT), int(NodeKind.PSEUDO)
_ROOTS = (int(NodeKind.DOCUMENT), int(NodeKind.SHADOW))
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


class Addresses:
    """The addresses of a page that were asked for last, and what is needed to make others.

    Each is made from that of the node above, so that the addresses of a deep tree take no longer to
    make than to write.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.parent: list[int] = page.columns["parent"].tolist()
        self.kind: list[int] = page.columns["kind"].tolist()
        self._xpaths: dict[int, str] = {}
        self._selectors: dict[int, str] = {}

    def xpath(self, node: int) -> str:
        """The path to a node."""
        return self._made(node, self._xpaths, self._xpath_below)

    def selector(self, node: int) -> str:
        """The selector for a node."""
        return self._made(node, self._selectors, self._selector_below)

    def _made(self, node: int, known: dict[int, str], below: Callable[[str, int], str]) -> str:
        missing = []
        here = node
        while here >= 0 and here not in known:
            missing.append(here)
            here = self.parent[here]
        address = known.get(here, "")
        for here in reversed(missing):
            address = below(address, here)
        if len(known) >= MOST_KNOWN:
            known.clear()
        known[node] = address
        return address

    def _xpath_below(self, above: str, node: int) -> str:
        kind, page = self.kind[node], self.page
        if kind in _ROOTS:
            return above + BORDER if self.parent[node] >= 0 else above
        name = page.name(node)
        if kind == _PSEUDO:
            return above + name
        if kind == _TEXT:
            name = "text()"
        elif page.is_foreign(node):  # XPath 1.0 finds no names of other namespaces
            name = f"*[local-name()={_literal(name)}]"
        elif not _PLAIN_NAME.fullmatch(name):
            name = f"*[name()={_literal(name)}]"
        ranks = page.sibling_ranks
        return f"{above}/{name}[{ranks.rank[node]}]" if ranks.count[node] > 1 else f"{above}/{name}"

    def _selector_below(self, above: str, node: int) -> str:
        kind, page = self.kind[node], self.page
        if kind in _ROOTS:
            return above + BORDER if self.parent[node] >= 0 else above
        if kind == _PSEUDO:
            return above + page.name(node)
        if kind != _ELEMENT:
            return above
        identifier = page.attribute(node, "id")
        if identifier and page.id_counts[identifier] == 1 and not _BAD_ID.search(identifier):
            head, border, _ = above.rpartition(BORDER)
            return head + border + "#" + _escape(identifier)
        step = _css_step(page, node)
        return above + step if not above or above.endswith(BORDER) else f"{above} > {step}"


def xpath(page: Page, node: int) -> str:
    """The absolute XPath of a node; an index stands only where it is needed, as lxml writes it."""
    return page.addresses.xpath(node).removesuffix(BORDER) or "/"


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
    return page.addresses.selector(node).removesuffix(BORDER)


_BAD_ID = re.compile(r"[\x00-\x20]")


def _css_step(page: Page, node: int) -> str:
    name = _escape(page.name(node))
    ranks = page.sibling_ranks
    if page.columns["kind"][page.columns["parent"][node]] == NodeKind.SHADOW:
        name += ":not(* > *)"  # `div > p` alone would also find deeper ones
    return f"{name}:nth-of-type({ranks.rank[node]})" if ranks.count[node] > 1 else name


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
