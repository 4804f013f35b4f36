"""The columns of a Page: one numpy array per property, indexed by node id.

Nodes are numbered in document order (preorder), so that a node's subtree is the contiguous range
``id .. end[id]``, and a parent always has a smaller id than its children. Strings live once in a
table; columns hold indices into it, -1 for none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Column:
    """The type of one column: `per` says what its rows are, `width` how many numbers a row has."""

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
    # where it stands
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
    # the pieces of text nodes, one per line that they stand on
    "run_node": Column("<i4", per="run"),
    "run_box": Column("<f4", per="run", width=4),
    "run_text": Column("<i4", per="run"),
}


def complete(given: Mapping[str, ArrayLike]) -> dict[str, Array]:
    """All columns of the schema as read-only arrays: the given ones cast, the others default."""
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
    """The shape that each column has, according to those that count nodes, attributes and runs."""
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
    """For each node the id after its last descendant. Nodes are in preorder."""
    sizes = [1] * len(parent)
    parents = parent.tolist()
    for node in range(len(sizes) - 1, 0, -1):
        above = parents[node]
        if above >= 0:
            sizes[above] += sizes[node]
    return np.arange(len(sizes), dtype=np.int32) + np.array(sizes, dtype=np.int32)


def problem(columns: Mapping[str, Array], strings: int) -> str | None:
    """What is inconsistent in these columns, or None. Loaded files are not trusted."""
    shapes = _shapes(columns)
    for name, column in columns.items():
        if column.shape != shapes[name] or column.dtype != SCHEMA[name].dtype:
            return f"{name} has a shape or type of its own"
        if column.dtype == np.bool_ and (column.view(np.uint8) > 1).any():
            return f"{name} is neither true nor false"
    parent = columns["parent"]
    ids = np.arange(len(parent))
    if len(parent) == 0 or parent[0] != -1:
        return "the first node is not a root"
    if not ((parent[1:] >= 0) & (parent[1:] < ids[1:])).all():
        return "a node comes before its parent"
    if not _is_preorder(parent):
        return "nodes are not in document order"
    first = columns["attr_first"]
    attributes = len(columns["attr_name"])
    if first[0] != 0 or first[-1] != attributes or (first[1:] < first[:-1]).any():
        return "attributes do not belong to nodes"
    run_node = columns["run_node"]
    if len(run_node) and not ((run_node >= 0) & (run_node < len(parent))).all():
        return "a text run belongs to no node"
    for name, lowest in _STRINGS.items():
        column = columns[name]
        if len(column) and (column.min() < lowest or column.max() >= strings):
            return f"{name} points outside of the strings"
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
