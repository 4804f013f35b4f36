"""The vision tree of a page, after VIPS (Cai, Yu, Wen and Ma, MSR-TR-2003-79)."""

from __future__ import annotations

import numpy as np

from pagesight.page import Page
from pagesight.page.columns import Array
from pagesight.segment.tree import ZoneTree
from pagesight.segment.vips_assembly import COHERENT, cut, parts_of
from pagesight.segment.vips_blocks import blocks_of, judge
from pagesight.segment.vips_structure import SeparatorWeights, structure_of


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
