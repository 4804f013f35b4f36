"""The zones that are labelled: leaf zones with text, cut where a line is broken on purpose.

A leaf that holds authors and affiliations together, with `br` between them, is so opened before it
is labelled. Zones without text (trivial ones) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Align, Box, Node, NodeKind, Page
from pagesight.page.columns import Array
from pagesight.readers.article.names.persons import bare_name, is_place, is_sure_name
from pagesight.readers.article.vocabulary import (
    LONGEST_HEADING,
    cues_of,
    heading_kinds,
    names_institution,
)
from pagesight.segment.blocks import begin_lines, joined
from pagesight.segment.leaves import Leaves, leaf_zones
from pagesight.segment.nodes import BOLD, before, boxes, innermost, inside, named, on_sheets, unions
from pagesight.segment.text import is_unspaced, size_in_words
from pagesight.segment.tree import common_element

SMALL = 0.85  # of the zone's font size: what is smaller and raised is a superscript
FRONT_SHEETS = 2  # on which authors are named
MOST_BLOCK_LINES = 14  # of a block with a name and a place
FEWEST_IN_TITLE, FEWEST_IN_TEXT = 3, 60  # words of a title, and of a paragraph of the text
FEWEST_BELOW = 100  # words of text below something, which should come after it
MOST_PIECES = 60  # of a zone that is searched for persons and places
_BETWEEN_NAMES = re.compile(r"\([^)]{0,300}\)|[·•,;&✉]|\s[-–—]\s|\band\b")
_SHORT_NAME = re.compile(r"(?:[A-Z]\.[ -]?){1,3}(?:[a-z]{2,3} ){0,2}[A-Z][^\W\d_]+(?:-[A-Z]\w+)?")
_IN_BRACKETS = re.compile(r"[(（][^()（）]*[)）][.;,]?")


@dataclass(frozen=True, eq=False)
class Zones:
    """Zones with text in reading order. Arrays are by zone, unless stated otherwise."""

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
    def on_sheets(self) -> bool:
        """Whether the page is a PDF: only places divide its text, elements say nothing."""
        return on_sheets(self.page)

    @cached_property
    def heads(self) -> NDArray[np.int64]:
        """The text node that each zone begins with."""
        return self.nodes[self.first[:-1]]

    @cached_property
    def median_size(self) -> float:
        """The font size of the zone in the middle, by size."""
        return float(np.median(self.font_size))

    @cached_property
    def pieces(self) -> list[str]:
        """By piece: its text as the page has it."""
        strings, text = self.page.strings, self.page.columns["text"][self.nodes].tolist()
        return [strings[index] for index in text]

    @cached_property
    def spelled(self) -> list[str]:
        """By piece: its text with the space before it."""
        spaced = self.spaced.tolist()
        return [f" {text}" if gap else text for text, gap in zip(self.pieces, spaced, strict=True)]

    @cached_property
    def texts(self) -> list[str]:
        """What a person reads in each zone, white space folded."""
        return joined(self.page, self.nodes, self.spaced, self.first)

    @cached_property
    def whole(self) -> str:
        """All texts, one to a line."""
        return "\n".join(self.texts)

    @cached_property
    def words(self) -> NDArray[np.int64]:
        """How many words each zone has."""
        spaced = [len(text.split()) for text in self.texts]
        counts = map(size_in_words, self.texts) if is_unspaced(self.texts) else spaced
        return np.array(list(counts), dtype=np.int64)

    @cached_property
    def kinds(self) -> list[frozenset[str]]:
        """Which headings each zone may be, with links beside them ("Top", "[edit]") or without."""
        kinds = [heading_kinds(text) for text in self.texts]
        for zone in np.flatnonzero((self.link_share > 0) & (self.link_share < 1)).tolist():
            if not kinds[zone] and len(self.texts[zone]) <= LONGEST_HEADING:
                span = range(self.first[zone], self.first[zone + 1])
                kinds[zone] = heading_kinds(
                    " ".join(self.pieces[at] for at in span if self.link[at] < 0)
                )
        return kinds

    def beyond(self, one: int, other: int) -> int:
        """The first zone after the innermost element around two zones; none in a PDF."""
        if self.on_sheets:
            return len(self)
        heads, end = self.heads, self.page.end
        box = int(heads[one])
        while end[box] <= heads[other]:
            box = int(self.page.columns["parent"][box])
        return int(np.searchsorted(heads, end[box]))

    @cached_property
    def under(self) -> list[frozenset[str]]:
        """Which heading is above each zone, as far as it is known; none of the first zones."""
        none: frozenset[str] = frozenset()
        return list(accumulate(self.kinds[:-1], lambda above, own: own or above, initial=none))

    @cached_property
    def cues(self) -> list[frozenset[str]]:
        """What each zone says of itself that it is."""
        return [cues_of(text) for text in self.texts]

    @cached_property
    def unmarked(self) -> list[str]:
        """The texts without superscripts: the words of names and places without their marks."""
        texts, raised = self.texts, self.raised.tolist()
        marked = np.unique(np.searchsorted(self.first, np.flatnonzero(self.raised), "right") - 1)
        without = list(texts)
        for zone in marked.tolist():
            span = range(self.first[zone], self.first[zone + 1])
            parts = (" " if raised[at] else self.spelled[at] for at in span)
            without[zone] = " ".join("".join(parts).split())
        return without

    def is_in_brackets(self, zone: int) -> bool:
        """Whether a zone continues the line before it, with brackets around all that it says."""
        continues = zone > 0 and self.leaf[zone] == self.leaf[zone - 1] and not self.on_sheets
        return bool(continues and _IN_BRACKETS.fullmatch(self.texts[zone]))

    def alike(
        self, zones: Iterable[int], others: Iterable[int]
    ) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The other zones in elements like those of some zones, and the kinds of these elements.

        A list repeats its elements; on sheets there are none.
        """
        kinds = set() if self.on_sheets else {self._kind_of(zone) for zone in zones}
        for zone in others if kinds else ():
            if (kind := self._kind_of(zone)) in kinds:
                yield zone, kind

    def _kind_of(self, zone: int) -> tuple[str, ...]:
        """The elements around the first text of a zone, by name and class."""
        if zone not in self._kinds_around:
            page, kind = self.page, list[str]()
            above = int(page.columns["parent"][self.heads[zone]])
            for _ in range(3):
                kind += [page.name(above), page.attribute(above, "class") or ""]
                above = max(int(page.columns["parent"][above]), 0)
            self._kinds_around[zone] = tuple(kind)
        return self._kinds_around[zone]

    @cached_property
    def _kinds_around(self) -> dict[int, tuple[str, ...]]:
        """What `_kind_of` has found: many lists ask for the same zones."""
        return {}

    def nodes_of(self, zone: int) -> list[int]:
        """The text nodes of a zone."""
        nodes: list[int] = self.nodes[self.first[zone] : self.first[zone + 1]].tolist()
        return nodes

    def element(self, zones: list[int]) -> Node:
        """The innermost element around these zones."""
        return common_element(self.page, [node for zone in zones for node in self.nodes_of(zone)])

    def box_of(self, zones: list[int]) -> Box:
        """The box around these zones."""
        boxes = [self.box[zone].tolist() for zone in zones]
        left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
        right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
        return Box(left, top, right - left, bottom - top)


def article_zones(page: Page) -> Zones:
    """The zones of a page that may say something about an article."""
    leaves = leaf_zones(page)
    nodes, leaf, blank_before = _texts(page, leaves)
    broken = np.searchsorted(np.flatnonzero(named(page, {"br"})), nodes)
    begins = np.diff(leaf, prepend=-1) != 0
    begins |= np.diff(broken, prepend=0) != 0
    lines = begins | (np.diff(leaves.line_of_node[nodes], prepend=-1) != 0)
    begins = _names_apart(page, nodes, lines, begins)
    if not on_sheets(page):
        begins |= _opened(page, nodes, begins)
    zone = np.cumsum(begins) - 1
    return _described(page, leaves, nodes, leaf, zone, blank_before)


def _names_apart(page: Page, nodes: Array, lines: Array, begins: Array) -> NDArray[np.bool_]:
    """Cuts around lines that name persons, in blocks that name a place below, line by line."""
    if not (lines & ~begins).any():  # no block has several lines
        return begins
    sheet, strings = page.columns["sheet"][nodes], page.columns["text"][nodes]
    starts = np.flatnonzero(begins & (sheet <= FRONT_SHEETS))
    ends = np.append(np.flatnonzero(begins), len(nodes))
    cuts = begins.copy()
    for start in starts.tolist():
        stop = int(ends[np.searchsorted(ends, start, side="right")])
        below = np.flatnonzero(lines[start + 1 : stop]) + start + 1
        if not 1 <= len(below) <= MOST_BLOCK_LINES:
            continue
        pieces = [page.strings[text] for text in strings[start:stop].tolist()]
        edges = [start, *below.tolist(), stop]
        block = ["".join(pieces[i - start : j - start]) for i, j in pairwise(edges)]
        if names_institution(" ".join(block[1:])):
            named = [names_persons(line) for line in block]
            cuts[[at for at, before in zip(below, named, strict=False) if before]] = True
            cuts[[at for at, names in zip(below, named[1:], strict=True) if names]] = True
    return cuts


def names_persons(line: str) -> bool:
    """Whether a line names persons, and nothing else."""
    if names_institution(line):
        return False
    parts = [part for between in _BETWEEN_NAMES.split(line) if (part := bare_name(between))]
    return bool(parts) and all(_SHORT_NAME.fullmatch(part) or is_sure_name(part) for part in parts)


def _opened(page: Page, nodes: Array, begins: Array) -> NDArray[np.bool_]:
    """Further cuts in zones that hold persons and places: around each text that is a place."""
    cuts = np.zeros(len(nodes), dtype=np.bool_)
    texts = [page.strings[text] for text in page.columns["text"][nodes].tolist()]
    starts = np.flatnonzero(begins)
    stops = np.append(starts, len(nodes))[1:]
    opened = (stops - starts > 1) & (stops - starts <= MOST_PIECES)
    inner = np.repeat(opened, stops - starts).tolist()
    place = [wanted and is_place(text) for text, wanted in zip(texts, inner, strict=True)]
    places = before(np.array(place, dtype=np.bool_))
    opened &= places[stops] > places[starts]
    for start, stop in zip(starts[opened].tolist(), stops[opened].tolist(), strict=True):
        named = False  # whether a person was named since the last cut
        for at in range(start, stop):
            text = texts[at]
            if not place[at]:
                named |= " " in text.strip() and any(char.isalpha() for char in text)
            elif named:
                cuts[at] = True
                cuts[at + 1 : at + 2] = at + 1 < stop
                named = False
    return cuts


def _texts(page: Page, leaves: Leaves) -> tuple[Array, Array, Array]:
    """The text nodes that are seen, leaf by leaf; their leaves; whether blank text comes before."""
    columns = page.columns
    text = columns["text"]
    written = (text >= 0) & np.isin(columns["kind"], (NodeKind.TEXT, NodeKind.PSEUDO))
    seen = written & page.visible & (leaves.leaf_of_node >= 0)
    seen &= columns["kind"] == NodeKind.TEXT  # bullets and the like separate words only
    filled = [bool(page.strings[string].strip()) for string in text[written].tolist()]
    seen[written] &= np.array(filled, dtype=np.bool_)
    blank = before(written & ~seen)
    nodes = np.flatnonzero(seen)
    line, leaf = leaves.line_of_node[nodes], leaves.leaf_of_node[nodes]
    nodes = nodes[np.lexsort((nodes, line, _ranks(page, leaves)[leaf]))]
    spaced = np.ones(len(nodes), dtype=np.bool_)
    spaced[1:] = blank[nodes[1:]] > blank[nodes[:-1] + 1]
    leaf = leaves.leaf_of_node[nodes].astype(np.int64)
    kept = ~leaves.furniture[leaf]
    return nodes[kept], leaf[kept], spaced[kept]


def _ranks(page: Page, leaves: Leaves) -> NDArray[np.int64]:
    """The places of leaves in reading order: as in the document.

    Some PDFs draw what is at the head of the first sheet after what is below it: then the places
    on that sheet decide.
    """
    ranks = np.arange(len(leaves))
    if on_sheets(page) and _is_drawn_late(leaves):
        from pagesight.segment.xycut import zone_tree  # few pages need it

        order = zone_tree(page).marks["leaf"]
        order = order[(order >= 0) & (leaves.sheet[order] == leaves.sheet[0])]
        ranks[order] = np.sort(order)
    return ranks


def _is_drawn_late(leaves: Leaves) -> bool:
    """Whether the largest text of the first sheet, or a paragraph, is drawn after text below it."""
    here = np.flatnonzero((leaves.sheet == leaves.sheet[:1]) & (leaves.characters > 0))
    left, top, width, height = leaves.box[here].T
    words = leaves.words[here]
    large = np.where(words >= FEWEST_IN_TITLE, leaves.font_size[here], 0.0)
    for late in np.flatnonzero((words >= FEWEST_IN_TEXT) | (large == large.max(initial=1.0))):
        before = slice(0, late)
        shared = np.minimum(left[before] + width[before], left[late] + width[late])
        shared -= np.maximum(left[before], left[late])
        below = top[before] >= top[late] + height[late]
        below &= 2 * shared >= np.minimum(width[before], width[late])
        if words[before][below].sum() >= FEWEST_BELOW:
            return True
    return False


def _described(
    page: Page, leaves: Leaves, nodes: Array, leaf: Array, zone: Array, blank_before: Array
) -> Zones:
    columns = page.columns
    count = int(zone[-1]) + 1 if len(zone) else 0
    first = np.searchsorted(zone, np.arange(count + 1))
    heads = first[:-1]
    size = np.array([len(page.strings[index]) for index in columns["text"][nodes].tolist()])
    longest_first = np.lexsort((np.arange(len(zone)), -size, zone))
    main = longest_first[np.searchsorted(zone[longest_first], np.arange(count))]
    box = columns["box"][nodes].astype(np.float64)
    link = innermost(named(page, {"a"}), columns["parent"])[nodes]
    look = nodes[main] if count else nodes  # a zone looks like its longest piece
    total = np.maximum(np.bincount(zone, size, count), 1)
    return Zones(
        page=page,
        leaf=leaf[heads],
        first=first,
        nodes=nodes,
        raised=_raised(page, nodes, box, main, zone),
        link=link,
        spaced=blank_before | page.set_apart[nodes] | begin_lines(page, nodes),
        box=boxes(unions(box, heads)),
        font_size=columns["font_size"][look].astype(np.float64),
        bold=columns["font_weight"][look] >= BOLD,
        italic=columns["italic"][look],
        color=columns["color"][look],
        centered=columns["align"][look] == Align.CENTER,
        link_share=np.bincount(zone, size * (link >= 0), count) / total,
        table=leaves.table[leaf[heads]] >= 0,
        sheet=columns["sheet"][look].astype(np.int64),
    )


def _raised(page: Page, nodes: Array, box: Array, main: Array, zone: Array) -> NDArray[np.bool_]:
    """Superscripts, by their element or by their look: small, and not on the line."""
    marked = inside(np.flatnonzero(named(page, {"sup"})), page.end)[nodes]
    if not len(nodes):
        return marked
    size = page.columns["font_size"][nodes]
    usual = size[main][zone]
    bottom = box[:, 1] + box[:, 3]
    previous = np.r_[0, bottom[:-1]]
    small = size < SMALL * usual
    lifted: NDArray[np.bool_] = (bottom < previous - 0.1 * usual) & (
        bottom > previous - 1.2 * usual
    )
    starts = np.r_[True, zone[1:] != zone[:-1]]
    lifted &= ~starts
    return marked | (small & lifted)
