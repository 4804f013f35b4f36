"""Tables that hold data, distinguished from tables that only arrange things on the page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.columns import Array, nearest
from pagesight.segment.content import Content
from pagesight.segment.nodes import before, named

_ARRANGES = frozenset({"presentation", "none"})
_HOLDS_DATA = frozenset({"table", "grid", "treegrid"})
_LONGEST_CELL = 120  # words; a cell that holds more is a column of the page
_FEWEST_ROWS = 3  # where only its regularity suggests a table
_REGULAR = 0.6  # share of the rows that have as many cells as most rows


def data_tables(page: Page, content: Content) -> NDArray[np.int64]:
    """The table elements that hold data, in document order. None of them holds another table."""
    tables = np.flatnonzero(named(page, {"table"}) & page.visible)
    if len(tables) == 0:
        return tables
    return tables[_Tables(page, content, tables).hold_data()]


class _Tables:
    """The tables of a page with their cells; arrays by table, unless stated otherwise."""

    def __init__(self, page: Page, content: Content, tables: NDArray[np.int64]) -> None:
        self.page, self.tables = page, tables
        self.rank = np.full(len(page), -1)  # by node: the innermost table around it
        is_table = np.zeros(len(page), dtype=np.bool_)
        is_table[tables] = True
        self.rank[tables] = np.arange(len(tables))
        self.rank = self.rank[nearest(is_table, page.columns["parent"])]
        count, words = before(np.ones(len(content.nodes))), before(content.words)
        cells = np.flatnonzero(named(page, {"td", "th"}) & (self.rank >= 0))
        first = np.searchsorted(content.nodes, cells)
        last = np.searchsorted(content.nodes, page.end[cells])
        filled = count[last] > count[first]
        self.cells = cells[filled]  # those that show something
        self.words = (words[last] - words[first])[filled]  # by cell

    def hold_data(self) -> NDArray[np.bool_]:
        """Which tables hold data, by what they declare and by how they look."""
        rows, columns, regular = self._shape()
        grid = (rows >= 2) & (columns >= 2)
        border = (self.page.columns["border"][self.cells] > 0).any(axis=1)
        ruled = self._count(self.cells[border]) * 2 > self._count(self.cells)
        looks = ruled | ((rows >= _FEWEST_ROWS) & regular)
        short = self._count(self.cells[self.words > _LONGEST_CELL]) == 0
        roles = [self.page.attribute(table, "role") or "" for table in self.tables.tolist()]
        says = self._headed() | np.isin(roles, list(_HOLDS_DATA))
        data: NDArray[np.bool_] = (says & (rows * columns >= 2)) | (grid & looks & short)
        return data & ~self._nested() & ~np.isin(roles, list(_ARRANGES))

    def _count(self, nodes: Array) -> NDArray[np.int64]:
        """How many of these nodes, none of them outside of tables, each table holds."""
        return np.bincount(self.rank[nodes], minlength=len(self.tables))

    def _shape(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Rows and columns, and whether most rows have the same number of cells."""
        row_of = nearest(named(self.page, {"tr"}), self.page.columns["parent"])[self.cells]
        rows, cells = np.unique(row_of, return_counts=True)
        inside = self.rank[rows] >= 0  # cells without a row have none to count
        rows, cells = rows[inside], cells[inside]
        count = self._count(rows)
        pairs, alike = np.unique(np.stack((self.rank[rows], cells)), axis=1, return_counts=True)
        most, columns = np.zeros((2, len(self.tables)), dtype=np.int64)
        np.maximum.at(most, pairs[0], alike)
        np.maximum.at(columns, pairs[0], np.where(alike == most[pairs[0]], pairs[1], 0))
        return count, columns, most >= _REGULAR * count

    def _headed(self) -> NDArray[np.bool_]:
        """Which have header cells or a caption that show something."""
        header = self.cells[named(self.page, {"th"})[self.cells]]
        captions = named(self.page, {"caption"}) & self.page.visible & (self.rank >= 0)
        return np.asarray(self._count(header) + self._count(np.flatnonzero(captions)) > 0)

    def _nested(self) -> NDArray[np.bool_]:
        """Which hold another table."""
        above = self.page.columns["parent"][self.tables]
        holding = self.rank[above][(above >= 0)]
        nested = np.zeros(len(self.tables), dtype=np.bool_)
        nested[holding[holding >= 0]] = True
        return nested
