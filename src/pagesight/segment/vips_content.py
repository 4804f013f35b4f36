"""VIPS, what there is to place: texts and pictures, and the runs of them that are in lines.

An atom is what the rules keep whole: a run of inline content without a line break inside (text
nodes and virtual text nodes), or a picture. Atoms are in document order, so those of an element are
a contiguous range.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Display, Float, NodeKind, Page, Position, Visibility
from pagesight.segment.content import BOXES_IN_LINES
from pagesight.segment.nodes import before, inside

Ids = NDArray[np.int64]
Flags = NDArray[np.bool_]

_TALLEST_ICON = 2.0  # font sizes; a taller picture is not part of a line of text
_FLOWING = (Display.INLINE, Display.CONTENTS)


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


_NAMES = {
    TagRole.PHRASE: """a abbr acronym b bdi bdo big button cite code data del dfn em font i ins kbd
        label mark nobr q ruby s samp small span strike strong sub sup time tt u var""",
    TagRole.PARAGRAPH: "p pre",
    TagRole.ITEM: """li dt dd figure figcaption caption legend summary blockquote address article
        h1 h2 h3 h4 h5 h6""",
    TagRole.TABLE: "table tbody thead tfoot tr",
    TagRole.CELL: "td th",
    TagRole.HR: "hr",
    TagRole.BR: "br",
    TagRole.PICTURE: "img svg video canvas input select textarea progress meter audio",
    TagRole.FRAME: "iframe frame object embed",
}
_TAG_OF = {name: tag for tag, names in _NAMES.items() for name in names.split()}

TEXT_COHERENCE = np.array([7, 8, 8, 8, 7, 7, 7, 7, 7, 7])
"""By tag: how coherent r9 takes a small element with text of its own to be."""


def tags_of(page: Page) -> NDArray[np.uint8]:
    """The tag of every node."""
    names, which = np.unique(page.columns["name"], return_inverse=True)
    tags = [_TAG_OF.get(page.strings[name], TagRole.OTHER) for name in names.tolist()]
    by_name = np.array(tags, dtype=np.uint8)[which]
    return np.where(page.columns["kind"] == NodeKind.ELEMENT, by_name, np.uint8(TagRole.OTHER))


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
    texts, pictures = _texts(page) & free, pictures & free
    count = before(texts | pictures)
    valid = count[page.end] > count[:-1]
    tall = columns["box"][:, 3] > _TALLEST_ICON * columns["font_size"]
    inline = _inline(page, texts) & ~(pictures & tall)
    rules = (tag == TagRole.HR) & page.visible
    line_ends = (tag == TagRole.BR) & (columns["visibility"] != Visibility.NOT_RENDERED)
    breaks = (valid & ~inline) | rules | line_ends
    return Facts(tag, inline, breaks, texts | pictures, texts)


def _texts(page: Page) -> Flags:
    """Texts that are seen. Generated content is not part of the document."""
    columns = page.columns
    texts: Flags = (columns["text"] >= 0) & (columns["kind"] == NodeKind.TEXT) & page.visible
    nodes = np.flatnonzero(texts)
    strings = page.strings
    texts[nodes] = [bool(strings[text].strip()) for text in columns["text"][nodes].tolist()]
    return texts


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
    goes_on = outermost[one] & outermost[next_one] & (parent[one] == parent[next_one])
    goes_on &= breaks[end[one]] == breaks[next_one]
    starts = np.flatnonzero(np.concatenate(([True], ~goes_on))[: len(nodes)])
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
