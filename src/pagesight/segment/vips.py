"""The vision tree of a page, after VIPS (Cai, Yu, Wen and Ma, MSR-TR-2003-79).

Second and third step: the separators in pools of blocks, and the trees that they make. A separator
is a strip across a pool that no block reaches into: what is left of one strip over the whole pool
when each block has split, shrunk or removed the strips that it touches, without those at the
border. Sorted by where the blocks begin, these are the places where a block begins behind the end
of all blocks before it. All pools of a page are swept at once.

Blocks merge across the lightest separators first. Seen from the end, a block is divided at its
heaviest separators. So each pool is divided there, all pools of a page at once, and the parts
again, until every part is a single block. All blocks, elements and merged ones, become one tree,
which is cut where they are coherent enough.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.page import NodeKind, Page, Position
from pagesight.page.columns import Array, nearest, subtree_ends
from pagesight.segment.nodes import (
    before,
    corners,
    preorder,
    range_unions,
    renumbered,
    with_attribute,
)
from pagesight.segment.tree import ZoneTree
from pagesight.segment.vips_blocks import (
    NOWHERE,
    SEVERAL_LOOKS,
    Blocks,
    Flags,
    Floats,
    Ids,
    TagRole,
    Verdicts,
    blocks_of,
    coherence_by_size,
    fonts_of,
    judge,
    looks_of,
)

OVERLAP = 2.0  # px; neighbours may overlap so much: boxes of text are taller than their lines
WIDEST = 60.0  # px; a wider strip separates no better
PER_PIXEL = 1 / 6  # of weight
REASON = 2.0  # of weight: a rule, another background, another font, larger text below
LIGHTEST = 0.1
NO_STRIP = -1.0
_BEYOND = 1e8  # px; no page is so high
AS_HEAVY = 0.8  # of the heaviest: separators that divide a block together with it
BACKDROP = 0.5  # of a group without separators: a larger item lies under the others
MOST_ROUNDS = 100  # a spiral of boxes gives up one box a round


COHERENT = 10
BELOW_ELEMENTS = 2  # a small merged block is at most so much less coherent than an element
WEIGHT_PER_DEGREE = 2.0  # of separators: what makes a merged block a degree less coherent


@dataclass(frozen=True, eq=False)
class Strips:
    """The strips of one direction in pools; arrays by item, sorted by pool and place."""

    order: Ids  # the items
    starts: Flags  # the first item of each pool
    width: Floats  # of the strip in front of the item; -1 where there is none
    before: Ids  # the item on the other side of the strip

    def of(self, blocks: Ids) -> Strips:
        """The same with the blocks that the items are."""
        return Strips(blocks[self.order], self.starts, self.width, blocks[self.before])


def sweep(pool: Ids, low: Floats, high: Floats, overlap: float = OVERLAP) -> Strips:
    """The strips between items that reach from `low` to `high`, in pools 0, 1, ...."""
    slack = np.minimum(overlap / 2, (high - low) / 4)
    order = np.lexsort((low, pool))
    pools = pool[order]
    starts = np.concatenate(([True], pools[1:] != pools[:-1]))
    extent = high.max() - low.min() + 1
    shift = pools * extent  # each pool begins behind the last
    begin, end = (low + slack)[order] + shift, (high - slack)[order] + shift
    reach = np.maximum.accumulate(end)
    farthest = np.maximum.accumulate(np.where(end >= reach, np.arange(len(order)), 0))
    free = begin[1:] - reach[:-1]
    width = np.where((free >= 0) & ~starts[1:], np.maximum(free - overlap, 0), NO_STRIP)
    before = order[np.concatenate(([0], farthest[:-1]))]
    return Strips(order, starts, np.concatenate(([NO_STRIP], width)), before)


class SeparatorWeights:
    """Weighs strips by what is on their sides; arrays by block."""

    def __init__(self, page: Page, blocks: Blocks, verdicts: Verdicts) -> None:
        columns = page.columns
        facts, atoms = blocks.facts, blocks.atoms
        fonts = fonts_of(page, facts, atoms.content)
        sizes = columns["font_size"][atoms.content]
        head = atoms.content_first[blocks.atom_first]
        tail = atoms.content_first[blocks.atom_stop] - 1
        self.head_font, self.tail_font = fonts[head], fonts[tail]
        self.head_size, self.tail_size = sizes[head], sizes[tail]
        self.background = columns["background"][blocks.node]
        self.border = columns["border"][blocks.node] > 0  # top, right, bottom, left
        self.kind = fonts[head] * len(TagRole) + facts.tag[blocks.node]
        self.family = _families(page, blocks)
        self.lifted = _lifted(page, blocks)
        self.low, self.high = (blocks.box[:, side] + verdicts.pool * _BEYOND for side in (1, 3))
        self.rules = _rules(page, blocks, verdicts)

    def horizontal(self, strips: Strips) -> Floats:
        """The weights of strips between blocks above and below; -1 where there is no strip."""
        above, below = strips.before, strips.order
        ruled = self.border[above, 2] | self.border[below, 0] | self._with_rule(above, below)
        fonts = (self.tail_font[above] != self.head_font[below]).astype(np.float64)
        fonts += self.tail_size[above] < self.head_size[below]
        return self._weight(strips, ruled, fonts)

    def vertical(self, strips: Strips) -> Floats:
        """The weights of strips between blocks on the left and right."""
        ruled = self.border[strips.before, 1] | self.border[strips.order, 3]
        return self._weight(strips, ruled, np.zeros(len(ruled)))

    def _weight(self, strips: Strips, ruled: Flags, fonts: Floats) -> Floats:
        one, other = strips.before, strips.order
        alike = (self.kind[one] == self.kind[other]) | (self.family[one] == self.family[other])
        reasons = np.where(alike, -1, fonts) + ruled
        reasons += self.background[one] != self.background[other]
        weight = np.minimum(strips.width, WIDEST) * PER_PIXEL + REASON * reasons
        return np.where(strips.width < 0, NO_STRIP, np.maximum(weight, LIGHTEST))

    def _with_rule(self, above: Ids, below: Ids) -> Flags:
        """Whether an hr of the pool is between two blocks."""
        first = np.searchsorted(self.rules, self.high[above] - OVERLAP)
        last = np.searchsorted(self.rules, self.low[below] + OVERLAP)
        return np.asarray(last > first)


def _rules(page: Page, blocks: Blocks, verdicts: Verdicts) -> Floats:
    """Where the hr elements are, by pool and height."""
    facts = blocks.facts
    nodes = np.flatnonzero((facts.tag == TagRole.HR) & facts.breaks)
    if not len(nodes):
        return np.zeros(0)
    pools = np.flatnonzero(verdicts.kept[: blocks.elements])
    pool_of = np.zeros(len(page), dtype=np.int64)
    pool_of[blocks.first[pools]] = pools
    is_pool = np.zeros(len(page), dtype=np.bool_)
    is_pool[blocks.first[pools]] = True
    pool = pool_of[nearest(is_pool, page.columns["parent"])[nodes]]
    box = page.columns["box"][nodes].astype(np.float64)
    return np.sort(box[:, 1] + box[:, 3] / 2 + pool * _BEYOND)


def _lifted(page: Page, blocks: Blocks) -> Flags:
    """Which blocks are taken out of the flow, and may lie over others."""
    position = page.columns["position"]
    count = before((position == Position.ABSOLUTE) | (position == Position.FIXED))
    return np.asarray(count[blocks.node + 1] > count[blocks.first])


def _families(page: Page, blocks: Blocks) -> Ids:
    """Equal for siblings of one name; where the name says nothing, also of one class."""
    columns, node = page.columns, blocks.first
    classes = np.full(len(page), -1, dtype=np.int64)
    owners, values = with_attribute(page, "class")
    classes[owners] = np.unique(values, return_inverse=True)[1]
    vague = blocks.facts.tag[node] == TagRole.OTHER
    names = len(page.strings)
    called = np.where(vague, names + classes[node], columns["name"][node])
    family = columns["parent"][node].astype(np.int64) * 2 * names + called
    return np.where(vague & (classes[node] < 0), -1 - np.arange(len(node)), family)


@dataclass(frozen=True, eq=False)
class Structure:
    """The tree of kept blocks and merged blocks; arrays by block, the merged ones at the end."""

    parent: Ids
    rank: Ids  # among the siblings, in reading order
    weight: Floats  # of the heaviest separator inside; 0 where there is none


def structure_of(blocks: Blocks, verdicts: Verdicts, weights: SeparatorWeights) -> Structure:
    """Divide all pools."""
    size = len(blocks.node)
    parent, rank = [np.full(size, -1, dtype=np.int64)], [np.zeros(size, dtype=np.int64)]
    heaviest = [(np.arange(size), np.zeros(size))]  # groups, and the weights of their separators
    item = np.flatnonzero(verdicts.kept[1:]) + 1
    item = item[np.argsort(blocks.first[item], kind="stable")]  # in document order
    owner, group = np.unique(verdicts.pool[item], return_inverse=True)
    for _ in range(MOST_ROUNDS):
        if not len(item):
            break
        part, weight = _part(item, group, blocks.box[item], weights)
        heaviest.append((owner, weight))
        _, first, which, counts = np.unique(
            part, return_index=True, return_inverse=True, return_counts=True
        )
        alone, several = counts[which] == 1, counts > 1
        parent[0][item[alone]], rank[0][item[alone]] = owner[group[alone]], part[alone]
        merged = first[several]
        parent.append(owner[group[merged]])
        rank.append(part[merged])
        owner = np.arange(size, size + len(merged))
        size += len(merged)
        item, group = item[~alone], (np.cumsum(several) - 1)[which[~alone]]
    parent[0][item], rank[0][item] = owner[group], np.arange(len(item))
    weight = np.zeros(size)
    for owner, separator in heaviest:
        weight[owner] = separator
    return Structure(np.concatenate(parent), np.concatenate(rank), weight)


def _part(item: Ids, group: Ids, box: Floats, weights: SeparatorWeights) -> tuple[Ids, Floats]:
    """For each item the part that it is in; for each group the weight of what divides it."""
    rows, columns = sweep(group, box[:, 1], box[:, 3]), sweep(group, box[:, 0], box[:, 2])
    across, along = weights.horizontal(rows.of(item)), weights.vertical(columns.of(item))
    most_across = np.maximum.reduceat(across, np.flatnonzero(rows.starts))
    most_along = np.maximum.reduceat(along, np.flatnonzero(columns.starts))
    heaviest = np.maximum(most_across, most_along)
    by_rows = (most_across >= most_along)[group]
    beyond = len(item) + 1  # so that no number means two parts
    part = np.where(
        by_rows, _parts(rows, across, heaviest), beyond + _parts(columns, along, heaviest)
    )
    piled = heaviest < 0
    if piled.any():
        lifted = weights.lifted[item]
        part = np.where(piled[group], 2 * beyond + _unpile(group, box, lifted), part)
    return part, np.maximum(heaviest, 0)


def _parts(strips: Strips, weight: Floats, heaviest: Floats) -> Ids:
    """The part of each item when strips nearly as heavy as the heaviest of their group part it."""
    group = np.cumsum(strips.starts) - 1
    parts = strips.starts | ((weight >= 0) & (weight >= AS_HEAVY * heaviest[group]))
    part = np.empty(len(weight), dtype=np.int64)
    part[strips.order] = np.cumsum(parts)
    return part


def _unpile(group: Ids, box: Floats, lifted: Flags) -> Ids:
    """Parts of groups without separators: what lies over or under the others, and all the rest.

    Where nothing or everything does, each item is a part.
    """
    corner = np.full((group.max() + 1, 4), np.inf)
    np.minimum.at(corner, group, box * (1, 1, -1, -1))
    whole = (corner[:, 2:] + corner[:, :2]).prod(axis=1)
    apart = lifted | ((box[:, 2:] - box[:, :2]).prod(axis=1) > BACKDROP * whole[group])
    part = np.arange(len(group))
    rest = np.full(len(corner), len(group))
    np.minimum.at(rest, group[~apart], part[~apart])
    layered = np.zeros(len(corner), dtype=np.bool_)
    layered[group[apart]] = True
    return np.where(layered[group] & ~apart, rest[group], part)


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
    page: Page,
    blocks: Blocks,
    verdicts: Verdicts,
    structure: Structure,
    pieces: dict[str, Array] | None,
) -> Parts:
    """Everything that can be in the tree."""
    columns = _blocks(blocks, verdicts, structure)
    if pieces:
        columns["doc"][pieces["parent"]] = SEVERAL_LOOKS
        columns = {name: np.concatenate((columns[name], pieces[name])) for name in columns}
    filled = _filled(blocks)
    nodes = np.where(filled, page.columns["parent"][blocks.node], blocks.node)
    return Parts(**columns, nodes=np.concatenate((nodes, blocks.atoms.nodes, blocks.atoms.content)))


def _filled(blocks: Blocks) -> Flags:
    """Which candidates are runs of text that are all there is in their element."""
    filled: Flags = blocks.first < blocks.node
    filled[: blocks.elements] = False
    filled[blocks.elements :] &= blocks.atoms.is_run
    return filled


def _blocks(blocks: Blocks, verdicts: Verdicts, structure: Structure) -> dict[str, Array]:
    """Elements, atoms, and merged blocks, which are less coherent the heavier their separators are.

    An atom that fills its element has this element as its node.
    """
    count = len(blocks.node)
    merged = np.zeros(len(structure.parent) - count, dtype=np.int64)
    first, stop = np.append(np.arange(count), merged), np.append(np.arange(count) + 1, merged)
    runs = np.flatnonzero(~_filled(blocks)[blocks.elements :])
    first[blocks.elements + runs] = count + blocks.atoms.node_first[runs]
    stop[blocks.elements + runs] = count + blocks.atoms.node_first[runs + 1]
    present = np.append(verdicts.kept, merged == 0)
    present[0] = len(blocks.atoms.first) > 1  # a page of one atom is this atom
    degrees = np.ceil(structure.weight[count:] / WEIGHT_PER_DEGREE).astype(np.int64)
    return {
        "present": present,
        "parent": structure.parent,
        "rank": structure.rank,
        "doc": np.append(verdicts.doc, np.clip(COHERENT - degrees, 1, COHERENT - 1)),
        "weight": structure.weight,
        "box": np.vstack((blocks.box, np.full((len(merged), 4), NOWHERE))),
        "around": np.append(verdicts.pool, merged - 1),
        "node_first": first,
        "node_stop": stop,
    }


def _pieces(page: Page, blocks: Blocks, *, by_element: bool) -> dict[str, Array]:
    """The pieces in one look, and of one child of the atom, of the atoms that have several."""
    atoms = blocks.atoms
    looks = looks_of(page, blocks.facts, atoms.content)
    atom = np.repeat(np.arange(len(atoms.first)), np.diff(atoms.content_first))
    begins = (looks[1:] != looks[:-1]) | (atom[1:] != atom[:-1])
    if by_element:
        child = np.searchsorted(atoms.nodes, atoms.content, side="right")
        element = page.columns["kind"][atoms.nodes[child - 1]] == NodeKind.ELEMENT
        begins |= (child[1:] != child[:-1]) & (element[1:] | element[:-1])
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


def vision_tree(page: Page, permitted_doc: int = 8, *, for_records: bool = False) -> ZoneTree:
    """The blocks that a person sees, nested, down to the permitted degree of coherence (1 to 10).

    The higher it is, the finer the tree; 10 goes down to texts in one font and colour. The marks
    of the tree are "doc", the degree of coherence of each zone, and "separator", the weight of the
    heaviest separator inside.

    In the tree `for_records`, what may be one of several records is a zone, if the degree goes so
    far: an element with a sibling of the same name and a common class, both of at least two atoms,
    is not dissolved into what is around it. At degree 10, elements side by side in a line are apart
    there even if they look the same: ``<s>$30</s> <span>$25</span>`` are two values.
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
    verdicts = judge(page, blocks, keep_alike=for_records)
    structure = structure_of(blocks, verdicts, SeparatorWeights(page, blocks, verdicts))
    pieces = None
    if permitted_doc == COHERENT:
        pieces = _pieces(page, blocks, by_element=for_records)
    return cut(page, parts_of(page, blocks, verdicts, structure, pieces), permitted_doc)
