"""Where the look of a page changes from one leaf zone to the next."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pagesight.page.columns import Array
from pagesight.segment.leaves import Leaves

_OTHER_SIZE = 1.15  # ratio of font sizes that is seen
_BOLD = 600  # where browsers switch to a bold face
_THIN = 6.0  # px; rules are thinner


def changes(leaves: Leaves, order: Array) -> NDArray[np.bool_]:
    """For each leaf in this order but the last whether the next one looks different.

    By its background, by its font if it stands below, and where a rule stands in between.
    """
    one, other = order[:-1], order[1:]
    size, bold = leaves.font_size, leaves.font_weight >= _BOLD
    larger, smaller = np.maximum(size[one], size[other]), np.minimum(size[one], size[other])
    font = (larger > _OTHER_SIZE * smaller) | (bold[one] != bold[other])
    font &= (leaves.characters[one] > 0) & (leaves.characters[other] > 0)
    font &= leaves.box[other, 1] >= leaves.box[one, 1] + leaves.box[one, 3] / 2
    rule = leaves.trivial & (leaves.box[:, 2:].min(axis=1, initial=np.inf) <= _THIN)
    ground = leaves.background[one] != leaves.background[other]
    changed: NDArray[np.bool_] = font | ground | rule[one] | rule[other]
    return changed
