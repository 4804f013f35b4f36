"""The `display` of an element, as far as the painted boxes show it.

The engine does not tell. What a browser's own stylesheet says of a tag is right for most elements;
an inline element that is as wide as its parent although its text is not has been made a block.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Display, NodeKind
from pagesight.page.columns import Array

_BLOCKS = (
    "#document html body address article aside blockquote center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend "
    "listing main menu nav ol optgroup option p plaintext pre search section summary ul xmp"
).split()
_DISPLAYS: Mapping[str, Display] = {
    **dict.fromkeys(_BLOCKS, Display.BLOCK),
    "li": Display.LIST_ITEM,
    "table": Display.TABLE,
    "tr": Display.TABLE_ROW,
    "td": Display.TABLE_CELL,
    "th": Display.TABLE_CELL,
    "tbody": Display.TABLE_GROUP,
    "thead": Display.TABLE_GROUP,
    "tfoot": Display.TABLE_GROUP,
    "caption": Display.TABLE_CAPTION,
    "col": Display.TABLE_COLUMN,
    "colgroup": Display.TABLE_COLUMN,
    "button": Display.INLINE_BLOCK,
    "input": Display.INLINE_BLOCK,
    "select": Display.INLINE_BLOCK,
    "textarea": Display.INLINE_BLOCK,
    "meter": Display.INLINE_BLOCK,
    "progress": Display.INLINE_BLOCK,
}
NEARLY_ALL = 0.9  # of the parent's width


def displays(
    tags: Sequence[str],
    columns: Mapping[str, Array],
    rendered: NDArray[np.bool_],
    text_width: Array,
) -> NDArray[np.uint8]:
    """The display of every node; `text_width` is how wide the widest line below each node is."""
    found = np.array([_DISPLAYS.get(tag, Display.INLINE) for tag in tags], dtype=np.uint8)
    width = columns["box"][:, 2]
    above = width[np.maximum(columns["parent"], 0)]
    stretched = (width >= NEARLY_ALL * above) & (width > 1.25 * text_width + 16) & (above > 0)
    elements = columns["kind"] == NodeKind.ELEMENT
    found[elements & stretched & (found == Display.INLINE)] = Display.BLOCK
    found[~rendered & (columns["kind"] != NodeKind.TEXT)] = Display.NONE
    return found
