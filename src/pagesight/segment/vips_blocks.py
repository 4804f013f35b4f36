"""VIPS, first step: the candidates for blocks, which of them are blocks, and how coherent they are.

An atom is what the rules keep whole: a run of inline content without a line break inside (text
nodes and virtual text nodes), or a picture. Atoms are in document order, so those of an element are
a contiguous range.

Candidates are elements with at least two atoms, and the atoms. Elements that hold the same atoms
are one candidate: an element with a single child is divided (r2). So the tree of candidates has no
inner block with fewer than two children.

The rules look at an element and its children only, so all rounds of block extraction are read off
the tree of candidates at once: elements that the rules keep are blocks, elements that they divide
dissolve into the pool of the block around them. A block is divided in the next round (r3).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from pagesight.lazy import table
from pagesight.page import Display, Float, NodeKind, Page, Position, Visibility
from pagesight.page.columns import WHITE, Array, nearest
from pagesight.segment.content import BOXES_IN_LINES
from pagesight.segment.nodes import (
    before,
    corners,
    inside,
    range_unions,
    seen_texts,
    with_attribute,
)

Ids = NDArray[np.int64]
Flags = NDArray[np.bool_]

_TALLEST_ICON = 2.0  # font sizes; a taller picture is not part of a line of text
_FLOWING = (Display.INLINE, Display.CONTENTS)


TEXT_COHERENCE = np.array([7, 8, 8, 8, 7, 7, 7, 7, 7, 7])
"""By tag: how coherent r9 takes a small element with text of its own to be."""

Floats = NDArray[np.float64]
NOWHERE = (np.inf, np.inf, -np.inf, -np.inf)
SMALL_NODE = 0.1  # of the screen: r9 keeps smaller elements with text of their own
SMALL_CHILD = 0.2  # of the screen: r10 keeps elements with smaller children only
SPILL = 2.0  # r7: how much larger; a caption over its picture does not spill out of its element
PANELLED = 0.2  # of an element: r8 does not divide it for smaller panels, such as a badge
SIZES = (0.03, 0.2, 1.0, 2.0)  # of the screen: where a block loses a degree of coherence
MOST_BY_SIZE = 9
ONE_LOOK, SEVERAL_LOOKS = 10, 9  # r4


class TagRole(IntEnum):
    """What an element is for, as far as the rules care."""

    OTHER = 0  # div, section, ul, form, ...: says nothing of what it holds
    PHRASE = 1  # a, span, label, ...: part of a text
    PARAGRAPH = 2
    ITEM = 3  # li, dd, figure, h1, ...: one thing of its kind
    TABLE = 4  # with its groups and rows
    CELL = 5
    HR = 6
    BR = 7
    PICTURE = 8  # form controls, too
    FRAME = 9


_TAG_OF = {
    name: TagRole[role]
    for role, names in table(__package__, "roles.tsv").items()
    for name in names.split()
}


def tags_of(page: Page) -> NDArray[np.uint8]:
    """The tag of every node."""
    names, which = np.unique(page.columns["name"], return_inverse=True)
    tags = [_TAG_OF.get(page.strings[name], TagRole.OTHER) for name in names.tolist()]
    by_name = np.array(tags, dtype=np.uint8)[which]
    return np.where(page.is_element, by_name, np.uint8(TagRole.OTHER))


@dataclass(frozen=True, eq=False)
class Facts:
    """What the rules ask of single nodes; arrays by node."""

    tag: NDArray[np.uint8]
    inline: Flags  # causes no line break
    breaks: Flags  # seen and not part of a line: boxes with content, br, hr
    is_content: Flags  # a text or a picture
    is_text: Flags


@dataclass(frozen=True, eq=False)
class Atoms:
    """The atoms of a page in document order; arrays by atom."""

    first: Ids  # the first node
    stop: Ids  # the node after the last
    is_run: Flags  # inline content; else a picture in a box of its own
    node_first: Ids  # where its nodes begin in `nodes`, one entry more than atoms
    nodes: Ids  # roots of disjoint subtrees, siblings within an atom
    content_first: Ids  # where its content begins in `content`, one entry more than atoms
    content: Ids  # all texts and pictures


def facts_of(page: Page) -> Facts:
    """Which nodes are seen, and which of them are in lines."""
    columns = page.columns
    tag = tags_of(page)
    pictures = _pictures(page, tag)
    free = ~inside(np.flatnonzero(pictures), page.end)[columns["parent"]]
    free[0] = True
    texts, pictures = seen_texts(page) & free, pictures & free
    count = before(texts | pictures)
    valid = count[page.end] > count[:-1]
    tall = columns["box"][:, 3] > _TALLEST_ICON * columns["font_size"]
    inline = _inline(page, texts) & ~(pictures & tall)
    rules = (tag == TagRole.HR) & page.visible
    line_ends = (tag == TagRole.BR) & (columns["visibility"] != Visibility.NOT_RENDERED)
    breaks = (valid & ~inline) | rules | line_ends
    return Facts(tag, inline, breaks, texts | pictures, texts)


def _pictures(page: Page, tag: NDArray[np.uint8]) -> Flags:
    """Pictures and form controls, and frames without a document of their own."""
    empty = page.end == np.arange(1, len(page) + 1)
    return np.asarray(((tag == TagRole.PICTURE) | ((tag == TagRole.FRAME) & empty)) & page.visible)


def _inline(page: Page, texts: Flags) -> Flags:
    """Which nodes cause no line break. Boxes in lines count as inline beside loose text."""
    columns = page.columns
    kind, display, parent = columns["kind"], columns["display"], columns["parent"]
    with_text = np.zeros(len(page), dtype=np.bool_)
    with_text[parent[np.flatnonzero(texts)]] = True
    flowing = np.isin(display, _FLOWING) | (np.isin(display, BOXES_IN_LINES) & with_text[parent])
    flowing &= (columns["position"] != Position.ABSOLUTE) & (columns["position"] != Position.FIXED)
    flowing &= columns["float"] == Float.NONE
    flowing |= kind == NodeKind.TEXT
    return np.asarray(flowing & (kind != NodeKind.DOCUMENT))


def atoms_of(page: Page, facts: Facts) -> Atoms:
    """The runs of inline content between line breaks, and the pictures that are alone."""
    end, parent = page.end, page.columns["parent"]
    breaks, count = before(facts.breaks), before(facts.is_content)
    in_line: Flags = (breaks[end] == breaks[:-1]) & (count[end] > count[:-1])
    outermost = in_line & ~in_line[parent]
    nodes = np.flatnonzero(outermost | (facts.is_content & facts.breaks))
    one, next_one = nodes[:-1], nodes[1:]
    continues = outermost[one] & outermost[next_one] & (parent[one] == parent[next_one])
    continues &= breaks[end[one]] == breaks[next_one]
    starts = np.flatnonzero(np.concatenate(([True], ~continues))[: len(nodes)])
    node_first = np.append(starts, len(nodes))
    first = nodes[starts]
    content = np.flatnonzero(facts.is_content)
    return Atoms(
        first=first,
        stop=end[nodes[node_first[1:] - 1]].astype(np.int64),
        is_run=outermost[first],
        node_first=node_first,
        nodes=nodes,
        content_first=np.append(np.searchsorted(content, first), len(content)),
        content=content,
    )


def fonts_of(page: Page, facts: Facts, content: Ids) -> Ids:
    """A number for the font size and weight of each piece of content; -1 for pictures."""
    columns = page.columns
    weight = columns["font_weight"][content].astype(np.int64)
    size = np.rint(columns["font_size"][content] * 4).astype(np.int64)  # to quarters of a pixel
    return np.where(facts.is_text[content], size * 1024 + weight, -1)


def looks_of(page: Page, facts: Facts, content: Ids) -> Ids:
    """A number for the font and colour of each piece of content."""
    color = np.where(facts.is_text, page.columns["color"], 0)[content].astype(np.int64)
    return fonts_of(page, facts, content) << 32 | color


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
    first = np.searchsorted(atoms.first, np.arange(len(page)))
    stop = np.searchsorted(atoms.first, end)
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


def judge(page: Page, blocks: Blocks, *, keep_alike: bool = False) -> Verdicts:
    """Apply the rules to all candidates; with `keep_alike`, elements with a twin stay whole."""
    size = _screens(page, blocks.area)
    tag = blocks.facts.tag[blocks.node]
    panel = _panels(blocks)
    divided = _divided(page, blocks, panel) & ~panel
    small = _small_with_text(blocks, size)  # r9
    kept = panel | ~divided & (small | _with_small_children(blocks, size))  # r8, r10
    kept |= ~divided & ((tag == TagRole.TABLE) | (tag == TagRole.CELL))  # r11, r13; all others: r12
    if keep_alike:
        kept |= _alike(page, blocks)
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


def _alike(page: Page, blocks: Blocks) -> Flags:
    """Elements with a sibling of the same name and a common class, both of at least two atoms."""
    end, parent, name = page.end, page.columns["parent"], page.columns["name"]
    first, stop = np.searchsorted(blocks.atoms.first, (np.arange(len(page)), end))
    nodes, classes = _classes(page)
    several = (stop - first >= 2)[nodes]
    nodes, classes = nodes[several], classes[several]
    kinds = np.stack((parent[nodes], name[nodes], classes))
    _, which, counts = np.unique(kinds, axis=1, return_inverse=True, return_counts=True)
    twin = np.zeros(len(page), dtype=np.bool_)
    twin[nodes[counts[which.reshape(-1)] > 1]] = True
    sums = before(twin)
    return np.asarray(sums[blocks.node + 1] > sums[blocks.first])


def _classes(page: Page) -> tuple[Ids, Ids]:
    """All nodes with the numbers of their classes, once for each; with -1 where there are none.

    Of nodes 0 to 2 with the classes "tea green", "" and "tea": nodes 0, 0, 2, 1 and 0, 1, 0, -1.
    """
    owners, values = with_attribute(page, "class")
    classes = [list(dict.fromkeys(value.split())) for value in values]
    nodes: Ids = np.repeat(owners, [len(names) for names in classes])
    number: dict[str, int] = {}
    numbers = [number.setdefault(name, len(number)) for names in classes for name in names]
    others: Ids = np.setdiff1d(np.arange(len(page)), nodes)
    return np.concatenate((nodes, others)), np.append(numbers, np.full(len(others), -1))


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
