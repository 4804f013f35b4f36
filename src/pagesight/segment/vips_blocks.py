"""VIPS, first step: the candidates for blocks, which of them are blocks, and how coherent they are.

Candidates are elements with at least two atoms, and the atoms. Elements that hold the same atoms
are one candidate: an element with a single child is divided (r2). So the tree of candidates has no
inner block with fewer than two children.

The rules look at an element and its children only, so all rounds of block extraction are read off
the tree of candidates at once: elements that the rules keep are blocks, elements that they divide
dissolve into the pool of the block around them. A block is divided in the next round (r3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.columns import WHITE, Array
from pagesight.segment.nodes import before, corners, nearest, range_unions
from pagesight.segment.vips_content import (
    TEXT_COHERENCE,
    Atoms,
    Facts,
    Flags,
    Ids,
    TagRole,
    atoms_of,
    facts_of,
    looks_of,
)

Floats = NDArray[np.float64]

NOWHERE = (np.inf, np.inf, -np.inf, -np.inf)
SMALL_NODE = 0.1  # of the screen: r9 keeps smaller elements with text of their own
SMALL_CHILD = 0.2  # of the screen: r10 keeps elements with smaller children only
SPILL = 2.0  # r7: how much larger; a caption over its picture does not spill out of its element
PANELLED = 0.2  # of an element: r8 does not divide it for smaller panels, such as a badge
SIZES = (0.03, 0.2, 1.0, 2.0)  # of the screen: where a block loses a degree of coherence
MOST_BY_SIZE = 9
ONE_LOOK, SEVERAL_LOOKS = 10, 9  # r4


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


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What the rules say; arrays by candidate."""

    kept: Flags
    doc: NDArray[np.uint8]
    pool: Ids  # the kept element around it, in whose round it is found; -1 for the page


def judge(page: Page, blocks: Blocks) -> Verdicts:
    """Apply the rules to all candidates."""
    size = _screens(page, blocks.area)
    tag = blocks.facts.tag[blocks.node]
    panel = _panels(blocks)
    divided = _divided(page, blocks, panel) & ~panel
    small = _small_with_text(blocks, size)  # r9
    kept = panel | ~divided & (small | _with_small_children(blocks, size))  # r8, r10
    kept |= ~divided & ((tag == TagRole.TABLE) | (tag == TagRole.CELL))  # r11, r13; all others: r12
    kept[0] = kept[blocks.elements :] = True
    doc = coherence_by_size(page, blocks.area) - (tag == TagRole.OTHER)
    doc = np.where(small & ~divided, TEXT_COHERENCE[tag], doc)
    doc = np.where(panel, np.clip(doc, 6, 8), doc)
    doc[0] = 1
    doc[blocks.elements :] = np.where(_mixed(page, blocks), SEVERAL_LOOKS, ONE_LOOK)
    pool = nearest(kept[: blocks.elements], blocks.parent[: blocks.elements])[blocks.parent]
    pool[0] = -1
    return Verdicts(kept, doc.astype(np.uint8), pool)


def coherence_by_size(page: Page, area: Floats) -> Ids:
    """The degree of coherence that the size of a block suggests."""
    return MOST_BY_SIZE - np.searchsorted(SIZES, _screens(page, area), side="right")


def _screens(page: Page, area: Floats) -> Floats:
    width, height = page.info.viewport
    return area / (width * height)


def _panels(blocks: Blocks) -> Flags:
    """r8: elements that stand out from their parent by background, or by a frame."""
    count = before(blocks.painted)
    panels: Flags = count[blocks.node + 1] > count[blocks.first]
    panels[0] = panels[blocks.elements :] = False
    return panels


def _divided(page: Page, blocks: Blocks, panel: Flags) -> Flags:
    """r5 to r8: what is divided for what it holds. Cells are not."""
    facts, parent = blocks.facts, page.columns["parent"]
    tag = facts.tag[blocks.node]
    with_break, with_rule = np.zeros((2, len(page)), dtype=np.bool_)
    with_break[parent[np.flatnonzero(facts.breaks)]] = True
    with_rule[parent[np.flatnonzero(facts.breaks & (facts.tag == TagRole.HR))]] = True
    in_text = facts.inline[blocks.node] | (tag == TagRole.PARAGRAPH)
    divided: Flags = with_break[blocks.node] & in_text
    divided |= with_rule[blocks.node] & (tag != TagRole.TABLE)
    divided[: blocks.elements] |= _spills(page, blocks) | _panelled(blocks, panel)
    divided &= tag != TagRole.CELL
    return divided


def _panelled(blocks: Blocks, panel: Flags) -> Flags:
    """r8, by element: a good part of it stands out."""
    held = np.bincount(blocks.parent[panel], blocks.area[panel], blocks.elements)
    return np.asarray(held > PANELLED * blocks.area[: blocks.elements])


def _spills(page: Page, blocks: Blocks) -> Flags:
    """r7, by element: its children together are larger than itself."""
    held = np.bincount(blocks.parent[1:], blocks.area[1:], blocks.elements)
    extent = page.columns["box"][blocks.node[: blocks.elements], 2:].astype(np.float64)
    return np.asarray(held > SPILL * extent[:, 0] * extent[:, 1])


def _small_with_text(blocks: Blocks, size: Floats) -> Flags:
    """r9: small elements with a run of text as a child."""
    loose = blocks.first == blocks.node
    loose[: blocks.elements] = False
    loose[blocks.elements :] &= blocks.atoms.is_run
    small = np.zeros(len(size), dtype=np.bool_)
    small[blocks.parent[loose]] = True
    return small & (size < SMALL_NODE)


def _with_small_children(blocks: Blocks, size: Floats) -> Flags:
    """r10: elements whose largest child is small."""
    small = np.ones(len(size), dtype=np.bool_)
    small[blocks.parent[1:][size[1:] >= SMALL_CHILD]] = False
    return small


def _mixed(page: Page, blocks: Blocks) -> Flags:
    """r4, by atom: whether its texts look different."""
    first = blocks.atoms.content_first
    looks = looks_of(page, blocks.facts, blocks.atoms.content)
    turns = before(np.concatenate(([False], looks[1:] != looks[:-1])))
    return np.asarray(turns[first[1:]] > turns[first[:-1] + 1])
