"""VIPS, first step: which candidates are blocks, and how coherent they are.

The rules look at an element and its children only, so all rounds of block extraction are read off
the tree of candidates at once: elements that the rules keep are blocks, elements that they divide
dissolve into the pool of the block around them. A block is divided in the next round (r3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.segment.nodes import before, nearest
from pagesight.segment.vips_blocks import Blocks, Floats
from pagesight.segment.vips_content import TEXT_COHERENCE, Flags, Ids, TagRole, looks_of

SMALL_NODE = 0.1  # of the screen: r9 keeps smaller elements with text of their own
SMALL_CHILD = 0.2  # of the screen: r10 keeps elements with smaller children only
SPILL = 2.0  # r7: how much larger; a caption over its picture does not spill out of its element
PANELLED = 0.2  # of an element: r8 does not divide it for smaller panels, such as a badge
SIZES = (0.03, 0.2, 1.0, 2.0)  # of the screen: where a block loses a degree of coherence
MOST_BY_SIZE = 9
ONE_LOOK, SEVERAL_LOOKS = 10, 9  # r4


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
