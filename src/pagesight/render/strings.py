"""The string table of a Page under construction."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence

import numpy as np

from pagesight.page.columns import Array

_COLUMNS = ("name", "text", "attr_name", "attr_value", "font_family", "run_text")


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
