"""XPath and CSS addresses of nodes.

Both count what a browser counts. A path that leads into a frame or a shadow tree is written in
steps joined by `` >> ``, as Playwright does, since neither language crosses that border.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.page.columns import Array, PageTable
from pagesight.page.style import NodeKind

BORDER = " >> "
MOST_KNOWN = 2000  # addresses of a page that are remembered
_ELEMENT, _TEXT, _PSEUDO = int(NodeKind.ELEMENT), int(NodeKind.TEXT), int(NodeKind.PSEUDO)
_SHADOW, _ROOTS = int(NodeKind.SHADOW), (int(NodeKind.DOCUMENT), int(NodeKind.SHADOW))
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")  # a colon would be read as a prefix
_BAD_ID = re.compile(r"[\x00-\x20]")
# The characters of CSS identifiers: https://www.w3.org/TR/css-syntax-3/#ident-code-point
_SPECIAL = re.compile(
    "[^A-Za-z0-9_\\-\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff"
    "\u200c\u200d\u203f\u2040\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf"
    "\ufdf0-\ufffd\U00010000-\U0010ffff]"
)


class Addresses:
    """Makes the addresses of a page's nodes, and remembers those that were asked for last.

    Each is made from the address of the node above, so that the addresses of a deep tree take no
    longer to make than to write.
    """

    def __init__(self, table: PageTable) -> None:
        self._table = table
        self._parent = table.parents
        self._kind: list[int] = table.columns["kind"].tolist()
        self._rank, self._count = _sibling_ranks(table.columns["parent"], table.columns["name"])
        self._xpaths: dict[int, str] = {}
        self._selectors: dict[int, str] = {}

    def xpath(self, node: int) -> str:
        """The absolute XPath of a node, with an index only where it is needed, as in lxml."""
        return self._made(node, self._xpaths, self._xpath_below).removesuffix(BORDER) or "/"

    def css(self, node: int) -> str:
        """A CSS selector that matches this node only; for a text node, that of its element."""
        return self._made(node, self._selectors, self._selector_below).removesuffix(BORDER)

    def _made(self, node: int, known: dict[int, str], below: Callable[[str, int], str]) -> str:
        missing = []
        here = node
        while here >= 0 and here not in known:
            missing.append(here)
            here = self._parent[here]
        address = known.get(here, "")
        for here in reversed(missing):
            address = below(address, here)
        if len(known) >= MOST_KNOWN:
            known.clear()
        known[node] = address
        return address

    def _xpath_below(self, above: str, node: int) -> str:
        kind, table = self._kind[node], self._table
        if kind in _ROOTS:
            return above + BORDER if self._parent[node] >= 0 else above
        name = table.name(node)
        if kind == _PSEUDO:
            return above + name
        if kind == _TEXT:
            name = "text()"
        elif table.is_foreign(node):  # XPath 1.0 does not match names of other namespaces
            name = f"*[local-name()={_literal(name)}]"
        elif not _PLAIN_NAME.fullmatch(name):
            name = f"*[name()={_literal(name)}]"
        step = f"{above}/{name}"
        return f"{step}[{self._rank[node]}]" if self._count[node] > 1 else step

    def _selector_below(self, above: str, node: int) -> str:
        kind, table = self._kind[node], self._table
        if kind in _ROOTS:
            return above + BORDER if self._parent[node] >= 0 else above
        if kind == _PSEUDO:
            return above + table.name(node)
        if kind != _ELEMENT:
            return above
        identifier = table.attribute(node, "id")
        if identifier and self._id_counts[identifier] == 1 and not _BAD_ID.search(identifier):
            head, border, _ = above.rpartition(BORDER)
            return head + border + "#" + _escape(identifier)
        step = self._css_step(node)
        return above + step if not above or above.endswith(BORDER) else f"{above} > {step}"

    def _css_step(self, node: int) -> str:
        name = _escape(self._table.name(node))
        if self._kind[self._parent[node]] == _SHADOW:
            name += ":not(* > *)"  # `div > p` alone would also match deeper ones
        return f"{name}:nth-of-type({self._rank[node]})" if self._count[node] > 1 else name

    @cached_property
    def _id_counts(self) -> Counter[str]:
        """How often each `id` attribute occurs."""
        columns, strings = self._table.columns, self._table.strings
        names = [index for index, string in enumerate(strings) if string == "id"]
        rows = np.flatnonzero(np.isin(columns["attr_name"], names)).tolist()
        return Counter(strings[columns["attr_value"][row]] for row in rows)


def _sibling_ranks(parent: Array, name: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each node's rank among the siblings of its name, from 1, and the number of those.

    >>> ranks, counts = _sibling_ranks(np.array([-1, 0, 0, 0]), np.array([7, 8, 9, 8]))
    >>> ranks, counts
    (array([1, 1, 1, 2]), array([1, 2, 1, 2]))
    """
    order = np.lexsort((np.arange(len(parent)), name, parent))
    same = (parent[order][1:] == parent[order][:-1]) & (name[order][1:] == name[order][:-1])
    group = np.concatenate(([0], np.cumsum(~same)))
    first = np.concatenate(([0], np.flatnonzero(~same) + 1))
    rank, count = np.empty(len(parent), dtype=np.int64), np.empty(len(parent), dtype=np.int64)
    rank[order] = np.arange(len(parent)) - first[group] + 1
    count[order] = np.bincount(group)[group]
    return rank, count


def _literal(text: str) -> str:
    """A string as XPath writes it, which has no escapes."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    parts = (f"'{part}'" for part in text.split("'"))
    return "concat({})".format(', "\'", '.join(parts))


def _escape(identifier: str) -> str:
    """An identifier in a selector, whatever characters it has."""
    escaped = _SPECIAL.sub(lambda special: "\\" + special[0], identifier)
    if re.match(r"-?[0-9]", escaped):
        lead = len(escaped) - len(escaped.lstrip("-"))
        return f"{escaped[:lead]}\\{ord(escaped[lead]):x} {escaped[lead + 1 :]}"
    return "\\-" if escaped == "-" else escaped
