"""The columns and the string table of a Page under construction."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping, Sequence

import numpy as np

from pagesight.page.columns import SCHEMA, Array

_TREE = ("parent", "kind", "name", "text", "attr_first", "attr_name", "attr_value")
_COLUMNS = ("name", "text", "attr_name", "attr_value", "font_family", "run_text")


def tree_columns(tree: object) -> dict[str, Array]:
    """The columns of nodes and attributes, of lists that a tree has under the same names."""
    return {name: np.array(getattr(tree, name), dtype=SCHEMA[name].dtype) for name in _TREE}


def default_columns(names: Iterable[str], count: int) -> dict[str, Array]:
    """Columns for that many nodes, filled with what they are by default."""
    return {
        name: np.full(
            (count, 4) if SCHEMA[name].width == 4 else count,
            SCHEMA[name].default,
            dtype=SCHEMA[name].dtype,
        )
        for name in names
    }


def clean(string: str) -> str:
    """A string that can be encoded: lone surrogates become replacement characters."""
    try:
        string.encode()
    except UnicodeEncodeError:
        return string.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return string


def compact(columns: MutableMapping[str, Array], strings: Sequence[str]) -> list[str]:
    """Let the columns point into a table of nothing but the strings they use; return it."""
    present = [name for name in _COLUMNS if name in columns]
    used = np.unique(np.concatenate([columns[name] for name in present]))
    used = used[used >= 0].tolist()
    table: dict[str, int] = {}
    moved = np.full(len(strings) + 1, -1, dtype=np.int32)  # the last one, -1, stays "none"
    for index in used:
        moved[index] = table.setdefault(clean(strings[index]), len(table))
    for name in present:
        columns[name] = moved[columns[name]]
    return list(table)
