"""Leaf zones: the smallest parts of a page, from which zone trees are built.

Consecutive inline nodes make one leaf, however deep in the DOM they are; every box that breaks the
line makes leaves of its own. So a line of text is never divided for a link or a superscript. In a
PDF, where every line is a box, the lines of a paragraph make one leaf.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Display, Page
from pagesight.page.columns import Array, among, nearest
from pagesight.page.derived import once_per_page
from pagesight.segment.content import Content, Flow, content_of, flow_of
from pagesight.segment.nodes import (
    BOLD,
    before,
    inside,
    links_of,
    on_sheets,
    run_starts,
    with_attribute,
)
from pagesight.segment.tables import data_tables

_WORD_SPACE = 0.5  # font sizes; boxes on one line that are no farther apart are read as one text
_OTHER_SIZE = 1.15  # ratio of font sizes that is seen
_THIN = 6.0  # px; rules are thinner


@dataclass(frozen=True, eq=False)
class Leaves:
    """The leaf zones of a page in document order; arrays by leaf, unless stated otherwise."""

    page: Page
    box: NDArray[np.float32]  # x, y, width, height of all that is seen
    node_first: NDArray[np.int32]  # where the nodes of each leaf begin, one entry more
    nodes: NDArray[np.int32]  # roots of disjoint subtrees, of each leaf in document order
    lines: NDArray[np.int32]  # by entry of `nodes`: the line of a PDF; the leaf on a web page
    words: NDArray[np.int32]
    characters: NDArray[np.int32]  # other than white space
    link_characters: NDArray[np.int32]  # of these, the ones in links
    pictures: NDArray[np.int32]
    table: NDArray[np.int32]  # the data table around it; -1 for none
    sheet: NDArray[np.int32]  # of a PDF, from 1
    furniture: NDArray[np.bool_]  # a running head or foot of a PDF, or the number of a line
    trivial: NDArray[np.bool_]  # neither text nor picture
    # the look of most of its characters
    font_size: NDArray[np.float32]
    font_weight: NDArray[np.int32]
    italic: NDArray[np.bool_]
    color: NDArray[np.uint32]
    background: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.box)

    def nodes_of(self, leaf: int) -> NDArray[np.int32]:
        """The nodes that a leaf consists of."""
        return self.nodes[self.node_first[leaf] : self.node_first[leaf + 1]]

    def text(self, leaf: int) -> str:
        """What is written in a leaf; `br` and boxes begin new lines."""
        return self.page.text_of(self.nodes_of(leaf).tolist())

    @cached_property
    def heads(self) -> NDArray[np.int32]:
        """The first node of each leaf."""
        return self.nodes[self.node_first[:-1]]

    @cached_property
    def held(self) -> NDArray[np.int64]:
        """The nodes of the page that are in leaves, and the end of the page."""
        return np.append(np.flatnonzero(self.leaf_of_node >= 0), len(self.page))

    @cached_property
    def leaf_of_node(self) -> NDArray[np.int32]:
        """For each node of the page the leaf that it is in, or -1."""
        return self._by_node(np.repeat(np.arange(len(self)), np.diff(self.node_first)))

    @cached_property
    def line_of_node(self) -> NDArray[np.int32]:
        """For each node of the page the line that it is in, or -1."""
        return self._by_node(self.lines)

    def _by_node(self, values: Array) -> NDArray[np.int32]:
        """The values of `nodes` for all nodes below them, and -1 for the others."""
        result = np.full(len(self.page), -1, dtype=np.int32)
        sizes = self.page.end[self.nodes] - self.nodes
        skipped = np.repeat(self.nodes - before(sizes)[:-1], sizes)
        result[np.arange(len(skipped)) + skipped] = np.repeat(values, sizes)
        return result

    @cached_property
    def is_right_to_left(self) -> bool:
        """Whether most of the text is in elements that say `dir=rtl`."""
        page = self.page
        nodes, values = with_attribute(page, "dir")
        leads_left = [value.strip().lower() == "rtl" for value in values]
        if not any(leads_left):
            return False
        directed, leftwards = np.zeros((2, len(page)), dtype=np.bool_)
        directed[nodes], leftwards[nodes] = True, leads_left
        rtl = leftwards[nearest(directed, page.columns["parent"])[self.heads]]
        return bool(self.characters[rtl].sum() * 2 > self.characters.sum())

    def changes(self, order: Array) -> NDArray[np.bool_]:
        """For each leaf in this order except the last whether the next one looks different.

        By its background, by its font if it is below, and where there is a rule in between.
        """
        one, other = order[:-1], order[1:]
        size, bold = self.font_size, self.font_weight >= BOLD
        larger, smaller = np.maximum(size[one], size[other]), np.minimum(size[one], size[other])
        font = (larger > _OTHER_SIZE * smaller) | (bold[one] != bold[other])
        font &= (self.characters[one] > 0) & (self.characters[other] > 0)
        font &= self.box[other, 1] >= self.box[one, 1] + self.box[one, 3] / 2
        rule = self.trivial & (self.box[:, 2:].min(axis=1, initial=np.inf) <= _THIN)
        ground = self.background[one] != self.background[other]
        return np.asarray(font | ground | rule[one] | rule[other])


@once_per_page
def leaf_zones(page: Page) -> Leaves:
    """The leaf zones of a page: what is visible, in document order."""
    content = content_of(page)
    flow = flow_of(page, content)
    runs = _runs(page, flow, content.nodes, content.blanks)
    line = _ranked(runs[: len(content.nodes)])
    line = _join_lines(page, content, flow.holder[content.nodes], line)
    grouping = _grouped(page, content, line)
    gaps = _blanks_in_leaves(content, runs, grouping.line)
    members = np.concatenate((content.nodes, content.blanks[gaps >= 0]))
    roots, lines = _roots(page, flow, members, np.concatenate((grouping.line, gaps[gaps >= 0])))
    order = np.lexsort((roots, lines, grouping.leaf[lines]))
    return _described(page, content, grouping, roots[order], lines[order])


class _Grouping(NamedTuple):
    """Content in lines, and lines in leaves."""

    line: NDArray[np.int64]  # of each piece of content
    leaf: NDArray[np.int64]  # of each line
    furniture: NDArray[np.bool_]  # by line


def _grouped(page: Page, content: Content, line: NDArray[np.int64]) -> _Grouping:
    """On a web page, every line is a leaf. In a PDF, the lines of a paragraph are one.

    The number of a line is a leaf of its own, however close to the text it is.
    """
    written = np.flatnonzero(content.characters > 0)
    if not on_sheets(page) or not len(written):
        count = int(line.max(initial=-1)) + 1
        return _Grouping(line, np.arange(count), np.zeros(count, dtype=np.bool_))
    from pagesight.segment.furniture import furniture
    from pagesight.segment.paragraphs import paragraph_starts

    written = written[np.argsort(line[written], kind="stable")]
    aside = furniture(page, content.nodes[written], line[written])
    apart = np.zeros(len(line), dtype=np.int64)
    apart[written[aside]] = 1
    line = _ranked(2 * line + apart)
    is_aside = np.zeros(int(line.max()) + 1, dtype=np.bool_)
    is_aside[line[written[aside]]] = True
    text = written[~aside]
    starts = np.flatnonzero(np.diff(line[text], prepend=-1))
    heads = np.arange(len(is_aside))
    if len(starts):
        text_lines = line[text[starts]]
        begins = paragraph_starts(page, content.nodes[text], starts)
        heads[text_lines] = text_lines[begins][np.cumsum(begins) - 1]
    return _Grouping(line, _ranked(heads), is_aside)


def _runs(page: Page, flow: Flow, content: Array, blanks: Array) -> NDArray[np.int64]:
    """For content and blanks a number for their run: one box, with no other box in between."""
    parting = np.flatnonzero(flow.parts)
    nodes = np.concatenate((content, blanks, parting))
    around = np.concatenate((content, blanks, page.columns["parent"][parting]))
    holder = flow.holder[around]
    order = np.lexsort((nodes, holder))
    begins = order >= len(nodes) - len(parting)
    begins[1:] |= holder[order][1:] != holder[order][:-1]
    runs = np.empty(len(nodes), dtype=np.int64)
    runs[order] = np.cumsum(begins)
    return runs[: len(nodes) - len(parting)]


def _ranked(keys: Array) -> NDArray[np.int64]:
    """Keys replaced by their rank in the order of first occurrence."""
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


def _join_lines(
    page: Page, content: Content, holder: Array, leaf: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Leaves of one line whose texts are a space apart, such as names in a row of boxes, joined."""
    groups = _Groups(leaf)
    x, y, far_x, far_y = groups.union(content.box).T
    size = groups.reduce(np.maximum, content.font_size)
    line = (far_y - y <= 2 * size) & (groups.reduce(np.minimum, content.characters) > 0)
    line &= ~among(page.columns["display"][holder[groups.heads]], (Display.TABLE_CELL,))
    shared = np.minimum(far_y[1:], far_y[:-1]) - np.maximum(y[1:], y[:-1])
    apart = np.maximum(x[1:] - far_x[:-1], x[:-1] - far_x[1:])
    joined = line[1:] & line[:-1] & (shared > 0.5 * size[1:])
    joined &= (apart >= -1) & (apart <= _WORD_SPACE * size[1:])
    return np.concatenate(([0], np.cumsum(~joined)))[leaf]


def _blanks_in_leaves(
    content: Content, runs: NDArray[np.int64], leaf: NDArray[np.int64]
) -> NDArray[np.int64]:
    """For each blank the leaf that it is in the middle of, or -1."""
    runs, blank_runs = runs[: len(leaf)], runs[len(leaf) :]
    size = int(max(runs.max(initial=0), blank_runs.max(initial=0))) + 1
    leaf_of_run = np.full(size, -1)
    leaf_of_run[runs] = leaf
    last = np.full(size, -1)
    last[runs] = content.nodes  # in document order: the last one stays
    first = np.full(size, len(leaf_of_run) + int(content.blanks.max(initial=0)))
    first[runs[::-1]] = content.nodes[::-1]
    between = (content.blanks > first[blank_runs]) & (content.blanks < last[blank_runs])
    return np.where(between, leaf_of_run[blank_runs], -1)


def _roots(
    page: Page, flow: Flow, members: NDArray[np.int64], leaf: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The highest nodes that hold nothing but one leaf and are not above its box; their leaves."""
    order = np.argsort(members)
    members, leaf = members[order], leaf[order]
    nodes = np.arange(len(page))
    first, last = np.searchsorted(members, nodes), np.searchsorted(members, page.end)
    changes = before(leaf[1:] != leaf[:-1])
    some = np.flatnonzero(last > first)
    first, last = first[some], last[some]
    pure = (changes[last - 1] == changes[first]) & (some >= flow.holder[members[first]])
    is_pure = np.zeros(len(page), dtype=np.bool_)
    is_pure[some[pure]] = True
    top = pure & ~(is_pure[page.columns["parent"][some]] & (some > 0))
    return some[top], leaf[first[top]]


class _Groups:
    """Pieces of content by their leaf."""

    def __init__(self, leaf: NDArray[np.int64]) -> None:
        self.order = np.argsort(leaf, kind="stable")
        self.sorted = leaf[self.order]
        self.first = run_starts(self.sorted)
        self.heads = self.order[self.first]  # the first piece of each leaf

    def reduce(self, function: np.ufunc, values: Array) -> Array:
        if len(self.first) == 0:
            return values
        return np.asarray(function.reduceat(values[self.order], self.first, axis=0))

    def union(self, box: NDArray[np.float32]) -> NDArray[np.float32]:
        """Left, top, right and bottom of what each leaf shows."""
        corner = self.reduce(np.minimum, box[:, :2])
        return np.hstack((corner, self.reduce(np.maximum, box[:, :2] + box[:, 2:])))

    def main(self, weight: Array, style: Array) -> NDArray[np.int64]:
        """Of each leaf a piece in the style that most of its weight has."""
        style = style[self.order]
        order = np.lexsort((style, self.sorted))
        begins = np.zeros(len(order), dtype=np.bool_)
        begins[run_starts(style[order])] = begins[run_starts(self.sorted[order])] = True
        first = np.flatnonzero(begins)
        weights = np.add.reduceat(weight[self.order][order], first) if len(first) else weight
        leaf, piece = self.sorted[order][first], self.order[order][first]
        best = np.lexsort((-piece, weights, leaf))  # the heaviest is last, of equals the first
        last = np.append(leaf[best][1:] != leaf[best][:-1], np.ones(len(best[:1]), np.bool_))
        return np.asarray(piece[best[last]])


def _described(
    page: Page, content: Content, grouping: _Grouping, roots: Array, lines: Array
) -> Leaves:
    columns = page.columns
    groups = _Groups(grouping.leaf[grouping.line])
    corners = groups.union(content.box)
    links = inside(links_of(page), page.end)[content.nodes]
    counts = {
        "words": content.words,
        "characters": content.characters,
        "link_characters": content.characters * links,
        "pictures": content.picture.astype(np.int64),
    }
    sums = {name: groups.reduce(np.add, count).astype(np.int32) for name, count in counts.items()}
    look = content.nodes[groups.main(content.characters, _styles(page, content.nodes))]
    head = content.nodes[groups.heads]
    return Leaves(
        page=page,
        box=np.hstack((corners[:, :2], corners[:, 2:] - corners[:, :2])),
        node_first=np.searchsorted(grouping.leaf[lines], np.arange(len(head) + 1)).astype(np.int32),
        nodes=roots.astype(np.int32),
        lines=lines.astype(np.int32),
        **sums,
        table=_table_of(page, content, head),
        sheet=columns["sheet"][head].astype(np.int32),
        furniture=grouping.furniture[np.unique(grouping.leaf, return_index=True)[1]],
        trivial=(sums["characters"] == 0) & (sums["pictures"] == 0),
        font_size=columns["font_size"][look],
        font_weight=columns["font_weight"][look].astype(np.int32),
        italic=columns["italic"][look],
        color=columns["color"][look],
        background=columns["background"][look],
    )


def _styles(page: Page, nodes: Array) -> NDArray[np.int64]:
    """A number for each look."""
    columns = page.columns
    names = ("font_size", "font_weight", "italic", "color", "background")
    looks = np.stack([columns[name][nodes].astype(np.int64) for name in names])
    factors = np.array([0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1])
    return np.asarray((looks * factors[:, None]).sum(axis=0))


def _table_of(page: Page, content: Content, nodes: Array) -> NDArray[np.int32]:
    """For each node the data table around it, or -1."""
    tables = data_tables(page, content)
    if len(tables) == 0:
        return np.full(len(nodes), -1, dtype=np.int32)
    last = np.searchsorted(tables, nodes, side="right") - 1  # they do not nest
    within = (last >= 0) & (nodes < page.end[tables[last]])
    return np.where(within, tables[last], -1).astype(np.int32)
