"""VIPS, the candidates for blocks: elements with at least two atoms, and the atoms.

Elements that hold the same atoms are one candidate: an element with a single child is divided (r2).
So the tree of candidates has no inner block with less than two children.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.columns import WHITE, Array
from pagesight.segment.nodes import corners, nearest, range_unions
from pagesight.segment.vips_content import Atoms, Facts, Flags, Ids, atoms_of, facts_of

Floats = NDArray[np.float64]

NOWHERE = (np.inf, np.inf, -np.inf, -np.inf)


@dataclass(frozen=True, eq=False)
class Blocks:
    """The tree of candidates: first the elements, then the atoms; arrays by block."""

    facts: Facts
    atoms: Atoms
    painted: Flags  # by node: stands out from what is behind it
    elements: int  # how many blocks are elements; the first is the page
    node: Ids  # the innermost element that holds it all, or the first node of the atom
    first: Ids  # the outermost node that holds nothing else
    stop: Ids  # the node after its last
    parent: Ids  # the smallest element around; -1 for the page
    atom_first: Ids
    atom_stop: Ids
    box: Floats  # left, top, right, bottom of what is seen of it

    @property
    def area(self) -> Floats:
        """The size of each block in square pixels."""
        extent = np.maximum(self.box[:, 2:] - self.box[:, :2], 0)
        return np.asarray(extent[:, 0] * extent[:, 1])


def blocks_of(page: Page) -> Blocks:
    """The candidates for blocks of a page."""
    facts = facts_of(page)
    atoms = atoms_of(page, facts)
    end, parent = page.end, page.columns["parent"]
    first, stop = (
        np.searchsorted(atoms.first, np.arange(len(page))),
        np.searchsorted(atoms.first, end),
    )
    several = stop - first >= 2
    several[0] = True
    nodes = np.flatnonzero(several)
    changes = (first[nodes[1:]] != first[nodes[:-1]]) | (stop[nodes[1:]] != stop[nodes[:-1]])
    starts = np.concatenate(([True], changes))  # elements with the same atoms follow each other
    outer, inner = nodes[starts], nodes[np.append(starts[1:], True)]
    element_of = np.zeros(len(page), dtype=np.int64)
    element_of[nodes] = np.cumsum(starts) - 1
    wrapper = _wrappers(several, parent)[atoms.first]
    tops = np.concatenate((outer, wrapper))
    stops = np.concatenate((end[outer], np.maximum(end[wrapper], atoms.stop)))
    painted = _painted(page)
    atom = np.arange(len(atoms.first))
    return Blocks(
        facts=facts,
        atoms=atoms,
        painted=painted,
        elements=len(outer),
        node=np.concatenate((inner, atoms.first)),
        first=tops,
        stop=stops,
        parent=np.where(tops > 0, element_of[parent[tops]], -1),
        atom_first=np.concatenate((first[outer], atom)),
        atom_stop=np.concatenate((stop[outer], atom + 1)),
        box=_seen_boxes(page, painted | facts.is_content, tops, stops),
    )


def _wrappers(several: Flags, parent: Array) -> Ids:
    """For each node the outermost node around it with less than two atoms."""
    in_block = several[parent]
    in_block[0] = True
    return nearest(in_block, parent)


def _painted(page: Page) -> Flags:
    """Which nodes stand out from what is behind them, by colour or by a frame around them."""
    columns = page.columns
    behind = columns["background"][columns["parent"]]
    behind[0] = WHITE
    painted: Flags = columns["background"] != behind
    painted |= (columns["border"] > 0).all(axis=1)
    return painted & page.visible


def _seen_boxes(page: Page, seen: Flags, first: Ids, stop: Ids) -> Floats:
    """The boxes around what is seen in ranges of nodes."""
    nodes = np.flatnonzero(seen)
    boxes = corners(page.columns["box"][nodes])
    return range_unions(boxes, np.searchsorted(nodes, first), np.searchsorted(nodes, stop))
