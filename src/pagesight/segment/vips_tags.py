"""VIPS, the tags: what the rules tell apart by name."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from pagesight.page import NodeKind, Page


class Tag(IntEnum):
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


_NAMES = {
    Tag.PHRASE: """a abbr acronym b bdi bdo big button cite code data del dfn em font i ins kbd
        label mark nobr q ruby s samp small span strike strong sub sup time tt u var""",
    Tag.PARAGRAPH: "p pre",
    Tag.ITEM: """li dt dd figure figcaption caption legend summary blockquote address article
        h1 h2 h3 h4 h5 h6""",
    Tag.TABLE: "table tbody thead tfoot tr",
    Tag.CELL: "td th",
    Tag.HR: "hr",
    Tag.BR: "br",
    Tag.PICTURE: "img svg video canvas input select textarea progress meter audio",
    Tag.FRAME: "iframe frame object embed",
}
_TAG_OF = {name: tag for tag, names in _NAMES.items() for name in names.split()}

TEXT_COHERENCE = np.array([7, 8, 8, 8, 7, 7, 7, 7, 7, 7])
"""By tag: how coherent r9 takes a small element with text of its own to be."""


def tags_of(page: Page) -> NDArray[np.uint8]:
    """The tag of every node."""
    names, which = np.unique(page.columns["name"], return_inverse=True)
    tags = [_TAG_OF.get(page.strings[name], Tag.OTHER) for name in names.tolist()]
    by_name = np.array(tags, dtype=np.uint8)[which]
    return np.where(page.columns["kind"] == NodeKind.ELEMENT, by_name, np.uint8(Tag.OTHER))
