"""The zones that are labelled: leaf zones with text, cut where a line is broken on purpose.

A leaf that holds authors and affiliations together, with `br` between them, is so opened before it
is labelled. Zones without text (trivial ones) are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Align, Box, Node, NodeKind, Page
from pagesight.page.columns import Array
from pagesight.readers.article.lexicon import INSTITUTION
from pagesight.segment.leaves import Leaves, leaf_zones
from pagesight.segment.nodes import before, inside, named
from pagesight.segment.tree import common_element

SMALL = 0.85  # of the zone's font size: what is smaller and raised is a superscript
LINE_PITCH = 1.75  # heights from line to line within a paragraph, at most
INDENT = 4.0  # px by which the first line of a paragraph stands in or out
_ITEM = re.compile(r"\s*(?:\[\d{1,3}\]|\d{1,3}\.)\s*\S|\s*\d{1,3}\s+[A-Z]")
_DIVIDED = re.compile(r"(?<=[a-z])-\s(?=[a-z])")  # a word at the end of a line
MOST_PIECES = 60  # of a zone that is looked at for persons and places
_GAP = 0.25  # font sizes between two texts on a line that are read as two words


@dataclass(frozen=True, eq=False)
class Zones:
    """Zones with text in reading order. Arrays are by zone, unless said otherwise."""

    page: Page
    leaf: NDArray[np.int64]  # the leaf zone that each is, or is a part of
    first: NDArray[np.int64]  # where its pieces begin, one entry more than zones
    nodes: NDArray[np.int64]  # by piece: the text node
    raised: NDArray[np.bool_]  # by piece: whether it is a superscript
    link: NDArray[np.int64]  # by piece: the link around it, or -1
    spaced: NDArray[np.bool_]  # by piece: whether there is space before it
    box: NDArray[np.float64]
    font_size: NDArray[np.float64]
    bold: NDArray[np.bool_]
    italic: NDArray[np.bool_]
    color: NDArray[np.uint32]
    centered: NDArray[np.bool_]
    link_share: NDArray[np.float64]
    table: NDArray[np.bool_]  # in a data table
    sheet: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.leaf)

    @cached_property
    def pieces(self) -> list[str]:
        """By piece: its text as the page has it."""
        strings, text = self.page.strings, self.page.columns["text"][self.nodes].tolist()
        return [strings[index] for index in text]

    @cached_property
    def texts(self) -> list[str]:
        """What a person reads in each zone, white space folded."""
        spaced = self.spaced.tolist()
        words = [f" {text}" if gap else text for text, gap in zip(self.pieces, spaced, strict=True)]
        joined = ["".join(words[start:stop]) for start, stop in pairwise(self.first.tolist())]
        texts = [" ".join(text.split()) for text in joined]
        if self.page.info.media == "pdf":
            texts = [_DIVIDED.sub("", text) for text in texts]
        return texts

    @cached_property
    def unmarked(self) -> list[str]:
        """The texts without superscripts: the words of names and places without their marks."""
        texts = self.texts
        marked = np.unique(np.searchsorted(self.first, np.flatnonzero(self.raised), "right") - 1)
        without = list(texts)
        for zone in marked.tolist():
            span = range(self.first[zone], self.first[zone + 1])
            parts = (" " if self.raised[at] else self.pieces[at] for at in span)
            without[zone] = " ".join("".join(parts).split())
        return without

    def nodes_of(self, zone: int) -> list[int]:
        """The text nodes of a zone."""
        nodes: list[int] = self.nodes[self.first[zone] : self.first[zone + 1]].tolist()
        return nodes

    def element(self, zones: list[int]) -> Node:
        """The innermost element around these zones."""
        return common_element(self.page, [node for zone in zones for node in self.nodes_of(zone)])

    def box_of(self, zones: list[int]) -> Box:
        """The box around these zones."""
        boxes = self.box[zones]
        left, top = boxes[:, :2].min(axis=0).tolist()
        right, bottom = (boxes[:, :2] + boxes[:, 2:]).max(axis=0).tolist()
        return Box(left, top, right - left, bottom - top)


def article_zones(page: Page) -> Zones:
    """The zones of a page that may say something about an article."""
    leaves = leaf_zones(page)
    nodes, leaf, blank_before = _texts(page, leaves)
    breaks = np.searchsorted(np.flatnonzero(named(page, {"br"})), nodes)
    begins = np.ones(len(nodes), dtype=np.bool_)
    begins[1:] = (leaf[1:] != leaf[:-1]) | (breaks[1:] != breaks[:-1])
    if page.info.media == "pdf":
        begins = _paragraphs(page, nodes, begins)
    else:
        begins |= _opened(page, nodes, begins)
    zone = np.cumsum(begins) - 1
    return _described(page, leaves, nodes, leaf, zone, blank_before)


def _paragraphs(page: Page, nodes: Array, begins: Array) -> NDArray[np.bool_]:
    """In a PDF every line is a leaf: where the paragraphs begin that the lines make up."""
    columns = page.columns
    starts = np.flatnonzero(begins)
    if len(starts) < 2:
        return begins
    box = _union(columns["box"][nodes].astype(np.float64), starts)
    size = np.maximum.reduceat(columns["font_size"][nodes], starts)
    bold = np.bitwise_and.reduceat(columns["font_weight"][nodes] >= 600, starts)
    sheet = columns["sheet"][nodes][starts]
    texts = columns["text"][nodes][starts].tolist()
    numbered = np.array([bool(_ITEM.match(page.strings[text])) for text in texts])
    left, top, _, height = box.T
    step, shift = np.diff(top), np.diff(left)
    close = (step > -0.5 * height[1:]) & (step < LINE_PITCH * np.maximum(height[1:], height[:-1]))
    alike = (np.abs(np.diff(size)) < 0.06 * size[1:]) & (bold[1:] == bold[:-1])
    near = (left[1:] < left[:-1] + box[:-1, 2]) & (left[:-1] < left[1:] + box[1:, 2])
    same_line = np.abs(step) < 0.5 * height[1:]
    goes_on = alike & (sheet[1:] == sheet[:-1]) & close & (near | same_line)
    outdented = (shift < -INDENT) & ~same_line
    after = np.r_[shift[1:], 0.0]
    indented = (shift > INDENT) & (after < -INDENT) & ~same_line
    breaks = (~goes_on | indented | (numbered[1:] & ~same_line)).tolist()
    new = [True]
    for line, hangs_out in enumerate(outdented.tolist()):
        # After an indented first line, standing out is going on.
        new.append(breaks[line] or (hangs_out and not new[line]))
    found = np.zeros(len(nodes), dtype=np.bool_)
    found[starts[np.array(new)]] = True
    return found


def _opened(page: Page, nodes: Array, begins: Array) -> NDArray[np.bool_]:
    """Further cuts in zones that hold persons and places: around each text that is a place."""
    cuts = np.zeros(len(nodes), dtype=np.bool_)
    starts = np.flatnonzero(begins).tolist()
    texts = page.columns["text"][nodes].tolist()
    for start, stop in pairwise([*starts, len(nodes)]):
        if not 1 < stop - start <= MOST_PIECES:
            continue
        named = False  # whether a person stands before, since the last cut
        for at in range(start, stop):
            text = page.strings[texts[at]]
            if not is_place(text):
                named |= " " in text.strip() and any(char.isalpha() for char in text)
            elif named:
                cuts[at] = True
                cuts[at + 1 : at + 2] = at + 1 < stop
                named = False
    return cuts


def is_place(text: str) -> bool:
    """Whether a text is an affiliation and nothing else."""
    if "," not in text or len(text) > 600 or not INSTITUTION.search(text):
        return False
    words = text.split()
    capitals = sum(word[0].isupper() for word in words)
    return 3 <= len(words) <= 60 and capitals >= 0.6 * len(words) - 2


def _texts(page: Page, leaves: Leaves) -> tuple[Array, Array, Array]:
    """The text nodes that are seen, leaf by leaf; their leaves; whether blank text comes before."""
    columns = page.columns
    text = columns["text"]
    filled = np.array([bool(string.strip()) for string in page.strings], dtype=np.bool_)
    written = (text >= 0) & np.isin(columns["kind"], (NodeKind.TEXT, NodeKind.PSEUDO))
    seen = written & page.visible & (leaves.leaf_of_node >= 0)
    seen &= columns["kind"] == NodeKind.TEXT  # bullets and the like part words, and say nothing
    seen[written] &= filled[text[written]]
    blank = before(written & ~seen)
    nodes = np.flatnonzero(seen)
    nodes = nodes[np.lexsort((nodes, leaves.leaf_of_node[nodes]))]
    spaced = np.ones(len(nodes), dtype=np.bool_)
    spaced[1:] = blank[nodes[1:]] > blank[nodes[:-1] + 1]
    return nodes, leaves.leaf_of_node[nodes].astype(np.int64), spaced


def _described(
    page: Page, leaves: Leaves, nodes: Array, leaf: Array, zone: Array, blank_before: Array
) -> Zones:
    columns = page.columns
    count = int(zone[-1]) + 1 if len(zone) else 0
    first = np.searchsorted(zone, np.arange(count + 1))
    heads = first[:-1]
    size = np.array([len(page.strings[index]) for index in columns["text"][nodes].tolist()])
    main = _main_pieces(size, zone, count)
    box = columns["box"][nodes].astype(np.float64)
    around = _union(box, heads)
    link = _links(page)[nodes]
    look = nodes[main] if count else nodes
    total = np.maximum(np.bincount(zone, size, count), 1)
    return Zones(
        page=page,
        leaf=leaf[heads],
        first=first,
        nodes=nodes,
        raised=_raised(page, nodes, box, main, zone),
        link=link,
        spaced=blank_before | _apart(box, columns["font_size"][nodes]),
        box=around,
        font_size=columns["font_size"][look].astype(np.float64),
        bold=columns["font_weight"][look] >= 600,
        italic=columns["italic"][look],
        color=columns["color"][look],
        centered=columns["align"][look] == Align.CENTER,
        link_share=np.bincount(zone, size * (link >= 0), count) / total,
        table=leaves.table[leaf[heads]] >= 0,
        sheet=columns["sheet"][look].astype(np.int64),
    )


def _main_pieces(size: Array, zone: Array, count: int) -> Array:
    """For each zone its longest piece: the look of the zone is the look of that."""
    order = np.lexsort((np.arange(len(zone)), -size, zone))
    main: Array = order[np.searchsorted(zone[order], np.arange(count))]
    return main


def _union(box: Array, heads: Array) -> NDArray[np.float64]:
    if not len(heads):
        return np.zeros((0, 4))
    corners = np.minimum.reduceat(box[:, :2], heads)
    ends = np.maximum.reduceat(box[:, :2] + box[:, 2:], heads)
    return np.hstack((corners, ends - corners))


def _links(page: Page) -> NDArray[np.int64]:
    """For each node the `a` around it, or -1."""
    found = np.full(len(page), -1, dtype=np.int64)
    for node in np.flatnonzero(named(page, {"a"})).tolist():  # inner ones overwrite outer ones
        found[node : page.end[node]] = node
    return found


def _raised(page: Page, nodes: Array, box: Array, main: Array, zone: Array) -> NDArray[np.bool_]:
    """Superscripts, by their element or by their look: small, and not on the line."""
    marked = inside(np.flatnonzero(named(page, {"sup"})), page.end)[nodes]
    if not len(nodes):
        return marked
    own = page.columns["font_size"][nodes]
    usual = own[main][zone]
    bottom = box[:, 1] + box[:, 3]
    previous = np.r_[0, bottom[:-1]]
    small = own < SMALL * usual
    lifted: NDArray[np.bool_] = (bottom < previous - 0.1 * usual) & (
        bottom > previous - 1.2 * usual
    )
    starts = np.r_[True, zone[1:] != zone[:-1]]
    lifted &= ~starts
    return marked | (small & lifted)


def _apart(box: Array, font_size: Array) -> NDArray[np.bool_]:
    """Which pieces stand apart from the piece before, on the same line or on another."""
    apart = np.ones(len(box), dtype=np.bool_)
    left, top, right = box[1:, 0], box[1:, 1], box[:-1, 0] + box[:-1, 2]
    gap = left - right
    next_line = top > box[:-1, 1] + box[:-1, 3] - 1
    apart[1:] = (gap > _GAP * font_size[1:]) | next_line
    return apart
