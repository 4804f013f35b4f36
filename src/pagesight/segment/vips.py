"""The vision tree of a page, after VIPS (Cai, Yu, Wen and Ma, MSR-TR-2003-79)."""

from __future__ import annotations

import numpy as np

from pagesight.page import Page
from pagesight.segment.tree import ZoneTree
from pagesight.segment.vips_assembly import COHERENT, cut, parts_of
from pagesight.segment.vips_blocks import blocks_of
from pagesight.segment.vips_rules import judge
from pagesight.segment.vips_separators import Weights
from pagesight.segment.vips_structure import structure_of


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
        return _empty(page)
    verdicts = judge(page, blocks)
    structure = structure_of(blocks, verdicts, Weights(page, blocks, verdicts))
    parts = parts_of(page, blocks, verdicts, structure, with_pieces=permitted_doc == COHERENT)
    return cut(page, parts, permitted_doc)


def _empty(page: Page) -> ZoneTree:
    """A page on which there is nothing to see."""
    return ZoneTree(
        page=page,
        parent=np.array([-1], dtype=np.int32),
        box=np.array([(0, 0, *page.info.size)], dtype=np.float32),
        node_first=np.array([0, 1], dtype=np.int32),
        nodes=np.array([0], dtype=np.int32),
        marks={"doc": np.array([COHERENT], np.uint8), "separator": np.zeros(1, np.float32)},
    )
