"""The data of a Page: one numpy array per property, indexed by node id, and a table of strings.

Nodes are numbered in document order (preorder), so that a node's subtree is the contiguous range
``id .. end[id]``, and a parent always has a smaller id than its children. Each string is in the
table once; columns hold indices into it, -1 for none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagesight.page.style import NodeKind, Visibility

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Column:
    """The type of one column: what its rows are, and how many numbers (`width`) a row has."""

    dtype: str
    per: str = "node"
    width: int = 1
    default: float = 0


WHITE = 0xFFFFFFFF

SCHEMA: Mapping[str, Column] = {
    # the tree
    "parent": Column("<i4", default=-1),
    "kind": Column("u1"),
    "name": Column("<i4", default=-1),
    "text": Column("<i4", default=-1),
    "attr_first": Column("<i4", per="node+1"),
    "attr_name": Column("<i4", per="attr"),
    "attr_value": Column("<i4", per="attr"),
    # where it is
    "box": Column("<f4", width=4),
    "paint": Column("<i4", default=-1),
    "sheet": Column("<u2"),
    # how it looks
    "display": Column("u1"),
    "position": Column("u1"),
    "float": Column("u1"),
    "font_size": Column("<f4"),
    "font_weight": Column("<u2", default=400),
    "italic": Column("?"),
    "font_family": Column("<i4", default=-1),
    "color": Column("<u4", default=0xFF),
    "background": Column("<u4", default=WHITE),
    "own_background": Column("<u4"),
    "background_image": Column("?"),
    "decoration": Column("u1"),
    "align": Column("u1"),
    "opacity": Column("<f4", default=1),
    "border": Column("<f4", width=4),
    "visibility": Column("u1"),
    # the parts of text nodes, one per line of the layout
    "run_node": Column("<i4", per="run"),
    "run_box": Column("<f4", per="run", width=4),
    "run_text": Column("<i4", per="run"),
}


def complete(given: Mapping[str, ArrayLike]) -> dict[str, Array]:
    """All columns of the schema as read-only arrays: given ones cast, others by default."""
    columns = {}
    shapes = _shapes(given)
    for name, column in SCHEMA.items():
        shape = shapes[name]
        if name in given:
            array = np.array(given[name], dtype=column.dtype).reshape(shape)
        else:
            array = np.full(shape, column.default, dtype=column.dtype)
        array.flags.writeable = False
        columns[name] = array
    return columns


def _shapes(given: Mapping[str, ArrayLike]) -> dict[str, tuple[int, ...]]:
    """The shape of each column, by the columns that have a row per node, attribute and run."""
    nodes = len(np.asarray(given["parent"]))
    rows = {
        "node": nodes,
        "node+1": nodes + 1,
        "attr": len(np.asarray(given.get("attr_name", ()))),
        "run": len(np.asarray(given.get("run_node", ()))),
    }
    return {
        name: (rows[column.per],) if column.width == 1 else (rows[column.per], column.width)
        for name, column in SCHEMA.items()
    }


def subtree_ends(parent: Array) -> NDArray[np.int32]:
    """The id after each node's last descendant; nodes are in preorder.

    >>> subtree_ends(np.array([-1, 0, 1, 0]))
    array([4, 3, 3, 4], dtype=int32)
    """
    # A subtree ends where the next sibling begins: that of the node, or of the nearest above it.
    count = len(parent)
    order = np.argsort(parent, kind="stable")
    has_next = np.flatnonzero(parent[order[1:]] == parent[order[:-1]])
    ends = np.full(count, count, dtype=np.int32)
    ends[order[has_next]] = order[has_next + 1]
    return ends[_followed(np.where((ends < count) | (parent < 0), np.arange(count), parent))]


def nearest(flag: NDArray[np.bool_], parent: Array) -> NDArray[np.int64]:
    """For each node the nearest flagged ancestor, or itself; the root where there is none."""
    ancestor = np.where(flag, np.arange(len(flag)), parent)
    ancestor[0] = 0
    return _followed(ancestor)


def _followed(to: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where one arrives from each number by going on: 0, 0, 0 for 0, 0, 1."""
    while (farther := to.take(to)).tobytes() != to.tobytes():  # the quickest comparison
        to = farther
    return to


def among(column: Array, values: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which numbers of a column of bytes are among these.

    `np.isin` takes ten times as long, and so does the comparison with a member of an enumeration.
    """
    return np.asarray(_flags(values)[column])


@cache
def _flags(values: tuple[int, ...]) -> NDArray[np.bool_]:
    flags = np.zeros(256, dtype=np.bool_)
    flags[list(values)] = True
    return flags


def rows_of_each(numbers: Array) -> dict[int, NDArray[np.int64]]:
    """Where each number from -1 on occurs, in order: {4: [2], 7: [0, 1, 3]} for 7, 7, 4, 7."""
    few = numbers.max(initial=0) < 0xFFFF  # which is what -1 becomes
    order = np.argsort(numbers.astype(np.uint16) if few else numbers, kind="stable")  # or slower
    ordered = numbers[order]
    starts = [0, *(np.flatnonzero(ordered[1:] != ordered[:-1]) + 1).tolist()]
    spans = zip(starts, [*starts[1:], len(order)], strict=True)
    return {int(ordered[first]): order[first:last] for first, last in spans if first < last}


def problem(columns: Mapping[str, Array], strings: int) -> str | None:
    """What is inconsistent in these columns, or None. Loaded files are not trusted."""
    return (
        _problem_of_types(columns)
        or _problem_of_tree(columns["parent"])
        or _problem_of_references(columns, strings)
    )


def _problem_of_types(columns: Mapping[str, Array]) -> str | None:
    shapes = _shapes(columns)
    for name, column in columns.items():
        if column.shape != shapes[name] or column.dtype != SCHEMA[name].dtype:
            return f"{name} has another shape or type"
        if column.dtype == np.bool_ and (column.view(np.uint8) > 1).any():
            return f"{name} is neither true nor false"
        if column.dtype.kind == "f" and not np.isfinite(column).all():
            return f"{name} is not finite"
    return None


def _problem_of_tree(parent: Array) -> str | None:
    ids = np.arange(len(parent))
    if len(parent) == 0 or parent[0] != -1:
        return "the first node is not a root"
    if not ((parent[1:] >= 0) & (parent[1:] < ids[1:])).all():
        return "a node comes before its parent"
    return None if _is_preorder(parent) else "nodes are not in document order"


def _problem_of_references(columns: Mapping[str, Array], strings: int) -> str | None:
    first = columns["attr_first"]
    attributes = len(columns["attr_name"])
    if first[0] != 0 or first[-1] != attributes or (first[1:] < first[:-1]).any():
        return "attributes do not belong to nodes"
    run_node = columns["run_node"]
    if len(run_node) and not ((run_node >= 0) & (run_node < len(columns["parent"]))).all():
        return "a text run does not belong to a node"
    for name, lowest in _STRINGS.items():
        column = columns[name]
        if len(column) and (column.min() < lowest or column.max() >= strings):
            return f"{name} points outside the strings"
    return None


_STRINGS = {"name": 0, "text": -1, "attr_name": 0, "attr_value": 0, "font_family": -1,
            "run_text": 0}  # fmt: skip


def _is_preorder(parent: Array) -> bool:
    """Whether every node lies inside its parent's contiguous range."""
    open_nodes = [0]
    for node, above in enumerate(parent.tolist()[1:], start=1):
        while open_nodes and open_nodes[-1] != above:
            open_nodes.pop()
        if not open_nodes:
            return False
        open_nodes.append(node)
    return True


@dataclass(frozen=True, slots=True)
class Note:
    """Something that makes a rendering less than the page: stated, never silent."""

    kind: str  # e.g. "timeout", "blocked", "missing", "unsupported"
    detail: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PageInfo:
    """What is known about a page as a whole."""

    renderer: str
    renderer_version: str
    url: str | None = None
    media: str = "html"  # or "pdf"
    viewport: tuple[int, int] = (1280, 800)
    size: tuple[float, float] = (0.0, 0.0)  # of the whole page
    notes: tuple[Note, ...] = ()


class PageTable:
    """All data of a page: what `Page` and its nodes are views of."""

    def __init__(
        self, columns: Mapping[str, ArrayLike], strings: Sequence[str], info: PageInfo
    ) -> None:
        self.columns: Mapping[str, Array] = complete(columns)
        self.strings = tuple(strings)
        self.info = info

    def __len__(self) -> int:
        return len(self.columns["parent"])

    @property
    def url(self) -> str | None:
        return self.info.url

    @cached_property
    def end(self) -> NDArray[np.int32]:
        """The id after each node's last descendant."""
        return subtree_ends(self.columns["parent"])

    @cached_property
    def parents(self) -> list[int]:
        """The node around each node, -1 for the root: what is asked for one by one is a list."""
        parents: list[int] = self.columns["parent"].tolist()
        return parents

    @cached_property
    def ends(self) -> list[int]:
        """`end` as a list."""
        ends: list[int] = self.end.tolist()
        return ends

    @cached_property
    def visible(self) -> NDArray[np.bool_]:
        """Whether a person sees each node."""
        return among(self.columns["visibility"], (Visibility.VISIBLE,))

    @cached_property
    def is_element(self) -> NDArray[np.bool_]:
        """Which nodes are elements."""
        return among(self.columns["kind"], (NodeKind.ELEMENT,))

    @cached_property
    def is_text(self) -> NDArray[np.bool_]:
        """Which nodes are texts."""
        return among(self.columns["kind"], (NodeKind.TEXT,))

    def elements(self, *tags: str) -> list[int]:
        """The ids of all elements of these names, in document order."""
        known = self.nodes_by_name
        nodes = [known[tag] for tag in tags if tag in known]
        if not nodes:
            return []
        every = np.concatenate(nodes)
        return sorted(every[self.is_element[every]].tolist())

    @cached_property
    def nodes_by_name(self) -> dict[str, NDArray[np.int64]]:
        """The nodes of each name, elements or not, in document order."""
        rows = rows_of_each(self.columns["name"])
        return {self.strings[name]: nodes for name, nodes in rows.items() if name >= 0}

    def name(self, node: int) -> str:
        """The tag of an element; ``#text``, ``#document`` and the like for other nodes."""
        return self.names[node]

    @cached_property
    def names(self) -> list[str]:
        """The same of all nodes."""
        strings = self.strings
        return [strings[name] for name in self.columns["name"].tolist()]

    def own_text(self, node: int) -> str:
        """The text of a text node or of generated content, as in the document."""
        text = int(self.columns["text"][node])
        return self.strings[text] if text >= 0 else ""

    def attributes(self, node: int) -> dict[str, str]:
        """The attributes of a node. Names that begin with a colon hold current values."""
        first, names, values = self._attribute_rows
        span = slice(first[node], first[node + 1])
        pairs = zip(names[span], values[span], strict=True)
        return {self.strings[name]: self.strings[value] for name, value in pairs}

    def attribute(self, node: int, name: str) -> str | None:
        """One attribute of a node, or None."""
        first, names, values = self._attribute_rows
        for row in range(first[node], first[node + 1]):
            if self.strings[names[row]] == name:
                return self.strings[values[row]]
        return None

    @cached_property
    def _attribute_rows(self) -> tuple[list[int], list[int], list[int]]:
        """Where the attributes of each node begin, their names and values, as lists for speed."""
        first, names, values = (self.columns[f"attr_{part}"] for part in ("first", "name", "value"))
        return first.tolist(), names.tolist(), values.tolist()

    def is_foreign(self, node: int) -> bool:
        """Whether an element belongs to SVG or MathML."""
        return node in self._foreign

    @cached_property
    def _foreign(self) -> frozenset[int]:
        """The nodes of SVG and MathML, without the HTML inside a foreignObject."""
        roots = self.elements("svg", "math")
        foreign, end = set(roots), 0
        if not roots:
            return frozenset()
        named = self.nodes_by_name.items()
        windows = [nodes for name, nodes in named if name.lower() == "foreignobject"]
        html = {node for nodes in windows for node in nodes.tolist()}  # what is in them
        parents = self.parents
        is_document = among(self.columns["kind"], (NodeKind.DOCUMENT,)).tolist()
        for root in roots:
            for node in range(max(root, end), int(self.end[root])):
                above = parents[node]
                if above in foreign and above not in html and not is_document[node]:
                    foreign.add(node)
            end = max(end, int(self.end[root]))
        return frozenset(foreign)
