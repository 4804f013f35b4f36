"""Which way a page is read: from the left, or from the right."""

from __future__ import annotations

import numpy as np

from pagesight.segment.leaves import Leaves
from pagesight.segment.nodes import nearest, with_attribute


def is_right_to_left(leaves: Leaves) -> bool:
    """Whether most of the text stands in elements that say `dir=rtl`."""
    page = leaves.page
    nodes, values = with_attribute(page, "dir")
    leads_left = [value.strip().lower() == "rtl" for value in values]
    if not any(leads_left):
        return False
    says, leftwards = np.zeros((2, len(page)), dtype=np.bool_)
    says[nodes], leftwards[nodes] = True, leads_left
    heads = leaves.nodes[leaves.node_first[:-1]]
    rtl = leftwards[nearest(says, page.columns["parent"])[heads]]
    return bool(leaves.characters[rtl].sum() * 2 > leaves.characters.sum())
