"""The index tree of a page, and the web components that it is divided into.

As published for personal portals that are made of parts of other pages; docs/components-seed.md
says what the publication leaves open, and how it is read here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page, Visibility
from pagesight.page.columns import Array, among, subtree_ends
from pagesight.page.derived import once_per_page
from pagesight.segment.nodes import (
    before,
    innermost,
    inside,
    links_of,
    named,
    outermost,
    seen_texts,
)
from pagesight.segment.text import squeeze

TABLES = frozenset({"table"})
LAYOUT_TAGS = TABLES | frozenset(
    "article aside center div dl fieldset footer form header main nav ol section ul".split()
)
DEFAULT_SIZE = 100  # u, thousandths of the text; most pages have 20 to 60 components then
WHOLE = 1000  # thousandths
_VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()
)  # elements without an end tag
_MEASURES = ("text", "markup", "links", "pictures")

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Fragment:
    """A web component of a page: a node of the index tree, or what is beside the nodes in it."""

    id: str
    """Its place in the index tree, e.g. 1-3-2; what is beside the nodes in 1-3 is 1-3-0."""

    nodes: tuple[int, ...]
    """The nodes of the page: roots of disjoint subtrees in document order."""

    text: int
    markup: int
    links: int
    pictures: int


@dataclass(frozen=True, eq=False)
class IndexTree:
    """The elements of a page that lay it out and hold something; arrays by index node.

    Index nodes are in preorder; the first one is the root of the page.
    """

    page: Page
    nodes: Ints
    """The node of the page that each index node is linked to."""

    parent: Ints
    """The index node around each; -1 for the root."""

    sums: dict[str, Ints]
    """By node of the page, for each measure: the sum over all nodes before it; one entry more."""

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def text(self) -> Ints:
        """Characters of the visible text in each."""
        return self._measured("text")

    @property
    def markup(self) -> Ints:
        """Characters of text and tags in each, as `index_tree` counts them."""
        return self._measured("markup")

    @property
    def links(self) -> Ints:
        """Links in each."""
        return self._measured("links")

    @property
    def pictures(self) -> Ints:
        """Pictures in each."""
        return self._measured("pictures")

    @cached_property
    def end(self) -> NDArray[np.int32]:
        """The index node after each one's last descendant."""
        return subtree_ends(self.parent)

    @cached_property
    def position(self) -> Ints:
        """The place of each among its siblings, from 1.

        Parents -1, 0, 1, 0 give 1, 1, 1, 2.
        """
        order = np.argsort(self.parent, kind="stable")
        above = self.parent[order]
        first = np.searchsorted(above, above)
        position = np.empty(len(self), dtype=np.int64)
        position[order] = np.arange(len(self)) - first + 1
        return position

    @cached_property
    def own_text(self) -> Ints:
        """Characters in each that are not in an index node inside of it."""
        return self.text - np.bincount(
            self.parent[1:], weights=self.text[1:], minlength=len(self)
        ).astype(np.int64)

    @cached_property
    def structure(self) -> str:
        """What distinguishes one structure from another: a digest of the tree without content."""
        return hashlib.sha256(self.parent.astype("<i4").tobytes()).hexdigest()[:16]

    def id_of(self, node: int) -> str:
        """The ID of an index node: its place, and those of all nodes around it; the root is 1."""
        places: list[str] = []
        position, parent = self._places
        while node >= 0:
            places.append(str(position[node]))
            node = parent[node]
        return "-".join(reversed(places))

    @cached_property
    def _places(self) -> tuple[list[int], list[int]]:
        """`position` and `parent` as lists, which are faster node by node."""
        return self.position.tolist(), self.parent.tolist()

    def find(self, path: str) -> int | None:
        """The index node of an ID, or None."""
        node: int | None = -1
        for place in map(int, path.split("-")):
            node = None if node is None else self._child.get((node, place))
        return node

    def fragment(self, path: str) -> Fragment | None:
        """The component of an ID, whatever the fragmentation chooses; None if it is empty."""
        around, _, place = path.rpartition("-")
        node = self.find(around if place == "0" else path)
        if node is None:
            return None
        nodes = self._beside.get(node, []) if place == "0" else [int(self.nodes[node])]
        return self._fragments([(path, nodes)])[0] if nodes else None

    def fragments(self, size: int = DEFAULT_SIZE) -> list[Fragment]:
        """The components of the page in document order; `size` is u of the paper.

        From the root downwards, a node is a component if its text is at most `size` thousandths of
        that of the page, if it has no nodes inside, or if most of its text is not in these.
        Content of divided nodes that is beside the nodes inside is a component as well, so that
        everything that is seen belongs to one component.
        """
        small = self.text * WHOLE <= size * self.text[0]
        leaf = self.end == np.arange(1, len(self) + 1)
        stops = small | leaf | (2 * self.own_text > self.text)
        chosen = outermost(stops, self.parent, self.end)
        inner = inside(chosen, self.end)
        whole = zip(chosen.tolist(), self.nodes[chosen].tolist(), strict=True)
        found = [(self.id_of(node), [linked]) for node, linked in whole]
        found += [(f"{self.id_of(node)}-0", beside)
                  for node, beside in self._beside.items() if not inner[node]]  # fmt: skip
        return self._fragments(sorted(found, key=lambda fragment: fragment[1][0]))

    def _measured(self, measure: str) -> Ints:
        sums = self.sums[measure]
        return np.asarray(sums[self.page.end[self.nodes]] - sums[self.nodes])

    def _fragments(self, found: Sequence[tuple[str, Sequence[int]]]) -> list[Fragment]:
        """The components with these IDs and nodes."""
        which = np.repeat(np.arange(len(found)), [len(nodes) for _, nodes in found])
        first = np.array([node for _, nodes in found for node in nodes], dtype=np.int64)
        last = self.page.end[first]
        inside = (sums[last] - sums[first] for sums in self.sums.values())
        sizes = (np.bincount(which, held, len(found)).astype(np.int64).tolist() for held in inside)
        ids, every = zip(*found, strict=True)
        return list(map(Fragment, ids, map(tuple, every), *sizes))

    @cached_property
    def _child(self) -> dict[tuple[int, int], int]:
        """The child of each index node in each place; the root is that of -1 in place 1."""
        places = zip(self.parent.tolist(), self.position.tolist(), strict=True)
        return {place: node for node, place in enumerate(places)}

    @cached_property
    def _beside(self) -> dict[int, list[int]]:
        """What is seen in each index node and in no other inside of it: the largest subtrees.

        In `<div>Tea <p>is <b>hot</b></p> <div>Shop</div></div>` these are `Tea` and the `p`.
        """
        above = self.page.columns["parent"]
        roots = self._holds_content & ~self._holds_index
        roots[1:] &= self._holds_index[above[1:]]
        beside: dict[int, list[int]] = {}
        nodes = np.flatnonzero(roots)
        for node, around in zip(nodes.tolist(), self._around[nodes].tolist(), strict=True):
            beside.setdefault(around, []).append(node)
        return beside

    @cached_property
    def _around(self) -> Ints:
        """By node of the page: the innermost index node around it, or linked to it."""
        return innermost_index(self.page, self.nodes)

    @cached_property
    def _holds_index(self) -> NDArray[np.bool_]:
        count = before(np.bincount(self.nodes, minlength=len(self.page)))
        return np.asarray(count[self.page.end] > count[:-1])

    @cached_property
    def _holds_content(self) -> NDArray[np.bool_]:
        return _holds(self.page, self.sums)


@once_per_page
def index_tree(page: Page, tags: Collection[str] = LAYOUT_TAGS) -> IndexTree:
    """The index tree of a page: of its elements only those of these tags, where something is seen.

    Text is what is seen, with single spaces. Markup is what the document would have at least: all
    texts as they are, and for each element its tags, with the attributes that a Page keeps in
    double quotes; scripts, styles, comments and other attributes are not counted. Pictures are
    `img` elements, also those that could not be loaded.
    """
    sums = {name: before(values) for name, values in _measures(page).items()}
    flag = named(page, tags) & page.is_element & _holds(page, sums)
    flag[0] = True
    nodes = np.flatnonzero(flag)
    parent = np.full(len(nodes), -1)
    parent[1:] = innermost_index(page, nodes)[page.columns["parent"][nodes[1:]]]
    return IndexTree(page, nodes, parent, sums)


def pictures_of(page: Page) -> NDArray[np.bool_]:
    """Which nodes are pictures; those that could not be loaded have no size."""
    shown = among(page.columns["visibility"], (Visibility.VISIBLE, Visibility.ZERO_SIZE))
    return named(page, {"img"}) & shown


def innermost_index(page: Page, nodes: Ints) -> Ints:
    """By node of the page: which of these nodes is the innermost around it, or itself."""
    flag = np.zeros(len(page), dtype=np.bool_)
    flag[nodes] = True
    around = innermost(flag, page.columns["parent"])
    return np.where(around >= 0, np.searchsorted(nodes, around), -1)


def _holds(page: Page, sums: dict[str, Ints]) -> NDArray[np.bool_]:
    """In which nodes something is seen."""
    seen = sums["text"] + sums["pictures"]
    return np.asarray(seen[page.end] > seen[:-1])


def _measures(page: Page) -> dict[str, Ints]:
    """What each node counts by itself, without those inside."""
    links = np.zeros(len(page), dtype=np.int64)
    links[links_of(page)] = 1
    own = (_text(page), _markup(page), links, pictures_of(page).astype(np.int64))
    return dict(zip(_MEASURES, own, strict=True))


def _text(page: Page) -> Ints:
    length = np.zeros(len(page), dtype=np.int64)
    texts = np.flatnonzero(seen_texts(page))
    strings = page.columns["text"][texts].tolist()
    length[texts] = [len(squeeze(page.strings[string])) for string in strings]
    return length


def _markup(page: Page) -> Ints:
    columns = page.columns
    lengths = np.array([*map(len, page.strings), 0])  # the last one: no string
    element = page.is_element
    tags = 2 * lengths[columns["name"]] + len("<></>")
    void = named(page, _VOID)
    tags[void] -= lengths[columns["name"][void]] + len("</>")
    text = np.where(page.is_text, lengths[columns["text"]], 0)
    return np.asarray(np.where(element, tags + _attributes(page, lengths), text))


def _attributes(page: Page, lengths: Array) -> Ints:
    """The characters of each node's attributes, except current values, which no markup states."""
    columns = page.columns
    stated = np.array([not string.startswith(":") for string in page.strings], dtype=np.bool_)
    written = lengths[columns["attr_name"]] + lengths[columns["attr_value"]] + len(' =""')
    sums = before(written * stated[columns["attr_name"]])
    return np.asarray(np.diff(sums[columns["attr_first"]]))
