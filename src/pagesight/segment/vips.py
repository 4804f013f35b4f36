"""The vision tree of a page, after VIPS (Cai, Yu, Wen and Ma, MSR-TR-2003-79).

All blocks, elements and merged ones, become one tree, which is cut where they are coherent enough.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.columns import Array, subtree_ends
from pagesight.segment.nodes import corners, preorder, range_unions, renumbered
from pagesight.segment.tree import ZoneTree
from pagesight.segment.vips_blocks import (
    NOWHERE,
    Blocks,
    Flags,
    Floats,
    Ids,
    Verdicts,
    blocks_of,
    coherence_by_size,
    judge,
    looks_of,
)
from pagesight.segment.vips_structure import SeparatorWeights, Structure, structure_of

COHERENT = 10
BELOW_ELEMENTS = 2  # a small merged block is at most so much less coherent than an element
WEIGHT_PER_DEGREE = 2.0  # of separators: what makes a merged block a degree less coherent


@dataclass(frozen=True, eq=False)
class Parts:
    """Candidates, merged blocks, and pieces of atoms in one look, in this order; arrays by part."""

    present: Flags  # whether it is in the tree
    parent: Ids
    rank: Ids  # among siblings
    doc: Ids
    weight: Floats  # of the heaviest separator inside
    box: Floats  # left, top, right, bottom; of merged blocks none
    around: Ids  # the part around that is not merged; -1 for the page and for merged blocks
    node_first: Ids  # its nodes are a range of `nodes`, empty for merged blocks
    node_stop: Ids
    nodes: Ids


def parts_of(
    page: Page, blocks: Blocks, verdicts: Verdicts, structure: Structure, *, with_pieces: bool
) -> Parts:
    """Everything that can be in the tree."""
    sections = [_candidates(blocks, verdicts, structure), _merged(blocks, structure)]
    if with_pieces:
        sections.append(_pieces(page, blocks))
    columns = {name: np.concatenate([part[name] for part in sections]) for name in sections[0]}
    filled = _filled(blocks)
    nodes = np.where(filled, page.columns["parent"][blocks.node], blocks.node)
    return Parts(**columns, nodes=np.concatenate((nodes, blocks.atoms.nodes, blocks.atoms.content)))


def _filled(blocks: Blocks) -> Flags:
    """Which candidates are runs of text that are all there is in their element."""
    filled: Flags = blocks.first < blocks.node
    filled[: blocks.elements] = False
    filled[blocks.elements :] &= blocks.atoms.is_run
    return filled


def _candidates(blocks: Blocks, verdicts: Verdicts, structure: Structure) -> dict[str, Array]:
    """Elements and atoms. An atom that fills its element has this element as its node."""
    count = len(blocks.node)
    first = np.arange(count)
    stop = first + 1
    runs = np.flatnonzero(~_filled(blocks)[blocks.elements :])
    first[blocks.elements + runs] = count + blocks.atoms.node_first[runs]
    stop[blocks.elements + runs] = count + blocks.atoms.node_first[runs + 1]
    present = verdicts.kept.copy()
    present[0] = len(blocks.atoms.first) > 1  # a page of one atom is this atom
    return {
        "present": present,
        "parent": structure.parent[:count],
        "rank": structure.rank[:count],
        "doc": verdicts.doc,
        "weight": structure.weight[:count],
        "box": blocks.box,
        "around": verdicts.pool,
        "node_first": first,
        "node_stop": stop,
    }


def _merged(blocks: Blocks, structure: Structure) -> dict[str, Array]:
    """Merged blocks: the heavier the separators inside, the less coherent."""
    new = slice(len(blocks.node), None)
    weight = structure.weight[new]
    degrees = np.ceil(weight / WEIGHT_PER_DEGREE).astype(np.int64)
    none = np.zeros(len(weight), dtype=np.int64)
    return {
        "present": none == 0,
        "parent": structure.parent[new],
        "rank": structure.rank[new],
        "doc": np.clip(COHERENT - degrees, 1, COHERENT - 1),
        "weight": weight,
        "box": np.full((len(weight), 4), NOWHERE),
        "around": none - 1,
        "node_first": none,
        "node_stop": none,
    }


def _pieces(page: Page, blocks: Blocks) -> dict[str, Array]:
    """The pieces in one look of the atoms that have several."""
    atoms = blocks.atoms
    looks = looks_of(page, blocks.facts, atoms.content)
    atom = np.repeat(np.arange(len(atoms.first)), np.diff(atoms.content_first))
    begins = (looks[1:] != looks[:-1]) | (atom[1:] != atom[:-1])
    first: Ids = np.flatnonzero(np.concatenate(([True], begins)))
    stop: Ids = np.append(first[1:], len(looks))
    several = np.bincount(atom[first])[atom[first]] > 1
    first, stop = first[several], stop[several]
    owner = blocks.elements + atom[first]
    offset = len(blocks.node) + len(atoms.nodes)
    return {
        "present": first >= 0,
        "parent": owner,
        "rank": first,
        "doc": np.full(len(first), COHERENT),
        "weight": np.zeros(len(first)),
        "box": range_unions(corners(page.columns["box"][atoms.content]), first, stop),
        "around": owner,
        "node_first": first + offset,
        "node_stop": stop + offset,
    }


def cut(page: Page, parts: Parts, permitted_doc: int) -> ZoneTree:
    """The tree down to blocks that are coherent enough."""
    above = np.where(parts.present, parts.parent, -2)
    above[np.argmax(parts.present)] = -1
    part = preorder(above, parts.rank)
    parent = renumbered(above, part)
    end = subtree_ends(parent)
    box = range_unions(parts.box[part], np.arange(len(part)), end.astype(np.int64))
    box[:, 2:] -= box[:, :2]
    doc = _coherence(page, parts, part, parent, box)
    shown = np.concatenate(([True], doc[parent[1:]] < permitted_doc))
    zone = np.cumsum(shown) - 1  # what is cut away follows the leaf that it is cut from
    zones = np.flatnonzero(shown)
    leaf = (doc[zones] >= permitted_doc) | (end[zones] == zones + 1)
    node_first, nodes = _nodes(parts, part, zone, zones, leaf)
    return ZoneTree(
        page=page,
        parent=np.where(zones > 0, zone[parent[zones]], -1).astype(np.int32),
        box=box[zones].astype(np.float32),
        node_first=node_first,
        nodes=nodes,
        marks={
            "doc": doc[zones].astype(np.uint8),
            "separator": np.where(leaf, 0, parts.weight[part[zones]]).astype(np.float32),
        },
    )


def _coherence(page: Page, parts: Parts, part: Ids, parent: Ids, box: Floats) -> Ids:
    """The degrees of coherence: nothing is more coherent than its least coherent part."""
    merged = parts.node_first[part] == parts.node_stop[part]
    floor = coherence_by_size(page, box[:, 2] * box[:, 3]) - BELOW_ELEMENTS
    doc = np.where(merged, np.maximum(parts.doc[part], floor), parts.doc[part])
    least, parents = doc.tolist(), parent.tolist()
    for zone in range(len(least) - 1, 0, -1):
        if least[zone] < least[parents[zone]]:
            least[parents[zone]] = least[zone]
    return np.array(least)


def _nodes(
    parts: Parts, part: Ids, zone: Ids, zones: Ids, leaf: Flags
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The nodes of the leaves: those of the largest parts inside that have nodes."""
    place = np.full(len(parts.parent) + 1, -1)
    place[part] = np.arange(len(part))
    largest = leaf[zone] & (place[parts.around[part]] < zones[zone])
    holder, part = zone[largest], part[largest]
    first, count = parts.node_first[part], (parts.node_stop - parts.node_first)[part]
    steps = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    nodes = parts.nodes[np.repeat(first, count) + steps]
    holder = np.repeat(holder, count)
    nodes = nodes[np.lexsort((nodes, holder))]
    node_first = np.searchsorted(holder, np.arange(len(zones) + 1))
    return node_first.astype(np.int32), nodes.astype(np.int32)


def vision_tree(page: Page, permitted_doc: int = 8) -> ZoneTree:
    """The blocks that a person sees, nested, down to the permitted degree of coherence (1 to 10).

    The higher it is, the finer the tree; 10 goes down to texts in one font and colour. The marks
    of the tree are "doc", the degree of coherence of each zone, and "separator", the weight of the
    heaviest separator inside.
    """
    if not 1 <= permitted_doc <= COHERENT:
        raise ValueError(f"a degree of coherence is from 1 to {COHERENT}, not {permitted_doc}")
    blocks = blocks_of(page)
    if not len(blocks.atoms.first):
        marks: dict[str, Array] = {
            "doc": np.array([COHERENT], np.uint8),
            "separator": np.zeros(1, np.float32),
        }
        return ZoneTree.bare(page, marks)
    verdicts = judge(page, blocks)
    structure = structure_of(blocks, verdicts, SeparatorWeights(page, blocks, verdicts))
    parts = parts_of(page, blocks, verdicts, structure, with_pieces=permitted_doc == COHERENT)
    return cut(page, parts, permitted_doc)
