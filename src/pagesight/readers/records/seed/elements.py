"""The vision tree of a page, and what is seen of its elements: the features of table 2."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.derived import once_per_page
from pagesight.readers.records.pieces import pieces_of
from pagesight.readers.records.prices import is_price, spans
from pagesight.segment.nodes import links_of
from pagesight.segment.tree import ZoneTree
from pagesight.segment.units import units_of
from pagesight.segment.vips import vision_tree
from pagesight.segment.vips_blocks import facts_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
DEGREE = 10  # of coherence
CODED = re.compile(r"\d{3}")
FEW, SHORT = 6, 40  # leaves that are one price together, and its characters
DOLLAR = re.compile(r"[$€£¥₹]")
NOTES = frozenset({"input", "select", "option"})
TAGS = ("a", "h1 h2 h3 h4 h5 h6", "p", "span", "div", "li", "td th", "b strong em", "i s del",
        "button input select option label")  # fmt: skip


class ElementType(IntEnum):
    """The types of elements, of which type distances are made."""

    NULL = 0
    IMAGE = 1
    JPEG_IMAGE = 2
    CODED_IMAGE = 3
    TEXT = 4
    LINK_TEXT = 5
    DOLLAR_TEXT = 6
    NOTE_TEXT = 7


class Vision:
    """The vision tree of a page with what its elements show; arrays by zone, or by leaf."""

    def __init__(self, page: Page, tree: ZoneTree) -> None:
        self.page, self.tree = page, tree
        self.leaves: Ints = np.flatnonzero(tree.is_leaf)
        self.rank: Ints = np.cumsum(tree.is_leaf) - tree.is_leaf  # leaves before each zone
        self.children: list[list[int]] = [[] for _ in range(len(tree))]
        for zone, above in enumerate(tree.parent.tolist()):
            if above >= 0:
                self.children[above].append(zone)
        self.leaf_of = np.full(len(page), -1)  # by node
        starts = tree.node_first.tolist()
        for leaf in self.leaves.tolist():
            for node in tree.nodes[starts[leaf] : starts[leaf + 1]].tolist():
                self.leaf_of[node : page.end[node]] = leaf

    @cached_property
    def seen(self) -> Flags:
        """By node: whether it is a text or a picture."""
        return facts_of(self.page).is_content

    def leaves_of(self, zone: int) -> Ints:
        """The leaves inside a zone, or itself."""
        return self.leaves[self.rank[zone] : self.last_rank[zone]]

    @cached_property
    def last_rank(self) -> Ints:
        """The leaves before the end of each zone."""
        return np.append(self.rank, len(self.leaves))[self.tree.end]

    @cached_property
    def pieces(self) -> list[list[int]]:
        """The pieces of content of each leaf."""
        held: list[list[int]] = [[] for _ in range(len(self.tree))]
        nodes = units_of(self.page).content.nodes
        for piece, leaf in enumerate(self.leaf_of[nodes].tolist()):
            if leaf >= 0:
                held[leaf].append(piece)
        return [held[leaf] for leaf in self.leaves.tolist()]

    @cached_property
    def texts(self) -> list[str]:
        """What is written in each leaf."""
        written = pieces_of(self.page).texts
        return [" ".join(filter(None, (written[at] for at in held))) for held in self.pieces]

    @cached_property
    def pictures(self) -> list[str | None]:
        """The source of the picture that each leaf is; None for those with text."""
        content, pieces = units_of(self.page).content, pieces_of(self.page)
        return [
            self._source(int(content.nodes[shown[0]])) if not text and shown else None
            for text, held in zip(self.texts, self.pieces, strict=True)
            for shown in [[at for at in held if pieces.picture[at]]]
        ]

    def _source(self, node: int) -> str:
        attributes = self.page.attributes(node)
        named = (attributes.get(name, "") for name in ("data-src", "srcset", "src"))
        return next(filter(None, named), "")

    @cached_property
    def links(self) -> list[str]:
        """Where each leaf leads to."""
        target = {int(node): self.page.attributes(int(node)).get("href", "")
                  for node in links_of(self.page)}  # fmt: skip
        around = np.full(len(self.page), -1)
        for node in target:
            around[node : self.page.end[node]] = node
        nodes = units_of(self.page).content.nodes
        first = [around[nodes[held[0]]] if held else -1 for held in self.pieces]
        return [target.get(int(node), "") for node in first]

    @cached_property
    def tags(self) -> list[str]:
        """The innermost element around what each leaf shows first."""
        nodes = units_of(self.page).content.nodes
        return [self._tag(int(nodes[held[0]])) if held else "" for held in self.pieces]

    def _tag(self, node: int) -> str:
        around = node
        while self.page.name(around).startswith("#") and around:
            around = int(self.page.columns["parent"][around])
        return self.page.name(around)

    @cached_property
    def types(self) -> list[ElementType]:
        """The type of each leaf."""
        columns = zip(self.texts, self.pictures, self.links, self.tags, strict=True)
        return [_type(*column) for column in columns]

    @cached_property
    def elements(self) -> Floats:
        """The features of table 2, leaves × features, nearly all of them 0 or 1."""
        parts = (
            self._content(),
            self._look(),
            self._place(),
            self._picture(),
            self._priced_together(),
            self._beside(),
        )
        return np.hstack([np.asarray(part, np.float64) for part in parts])

    def _content(self) -> list[list[bool]]:
        page_links: dict[str, int] = {}
        for link in self.links:
            page_links[link] = page_links.get(link, 0) + 1
        return [
            [*_of_text(text), *_of_link(link, page_links[link]), *(tag in names for names in _TAGS)]
            for text, link, tag in zip(self.texts, self.links, self.tags, strict=True)
        ]

    def _look(self) -> Floats:
        pieces = pieces_of(self.page)
        written = pieces.characters > 0
        usual = float(np.median(pieces.size[written])) if written.any() else 16.0
        first = np.array([held[0] if held else 0 for held in self.pieces])
        if not len(pieces.size):
            return np.zeros((len(first), 13))
        size = pieces.size[first] / usual
        flags = [pieces.bold[first], pieces.struck[first], pieces.heading[first],
                 pieces.button[first], pieces.link[first]]  # fmt: skip
        groups = self._largest(pieces.size[first] * written[first])
        return np.column_stack((*steps(size, (0.8, 0.95, 1.1, 1.4)).T, *flags, *groups))

    def _largest(self, size: Floats) -> list[Flags]:
        """Whether no text beside it, or within the block above, is larger."""
        flags = []
        above = self.tree.parent[self.leaves]
        for _ in range(2):
            most = [size[self.rank[zone] : self.last_rank[zone]].max() if zone >= 0 else 0.0
                    for zone in above.tolist()]  # fmt: skip
            flags.append((size > 0) & (size >= np.array(most)))
            above = np.where(above >= 0, self.tree.parent[above], -1)
        return flags

    def _priced_together(self) -> Floats:
        """Whether a leaf and its siblings together are a price, such as one with raised cents."""
        above = self.tree.parent[self.leaves]
        priced = np.array([zone >= 0 and self._is_priced(zone) for zone in range(len(self.tree))])
        return np.asarray(priced[above] & (above >= 0), np.float64)[:, None]

    def _is_priced(self, zone: int) -> bool:
        first, last = self.rank[zone], self.last_rank[zone]
        text = "".join(self.texts[first:last]) if last - first <= FEW else ""
        return 0 < len(text) <= SHORT and bool(spans(text))

    def _beside(self) -> Floats:
        """Whether the leaves before and behind are pictures, prices or links."""
        kinds = np.array([0, *self.types, 0])
        pictures = (kinds >= ElementType.IMAGE) & (kinds <= ElementType.CODED_IMAGE)
        flags = (pictures, kinds == ElementType.DOLLAR_TEXT, kinds == ElementType.LINK_TEXT)
        return np.column_stack([part for flag in flags for part in (flag[:-2], flag[2:])])

    def _place(self) -> Floats:
        return np.hstack((self.geometry[self.leaves], self._order()))

    def _order(self) -> Floats:
        """Whether a leaf is the first or the last of its siblings, and of how many."""
        above = self.tree.parent[self.leaves]
        siblings = [
            self.children[zone] if zone >= 0 else [leaf]
            for zone, leaf in zip(above.tolist(), self.leaves.tolist(), strict=True)
        ]
        ends = [
            [leaf == row[0], leaf == row[-1], len(row) > 4]
            for row, leaf in zip(siblings, self.leaves.tolist(), strict=True)
        ]
        return np.array(ends, np.float64)  # fmt: skip

    @cached_property
    def geometry(self) -> Floats:
        """Where each zone is, and how large, in steps."""
        width, height = (max(side, 1.0) for side in self.page.info.size)
        x, y, wide, high = self.tree.box.T.astype(np.float64)
        middle = (x + wide / 2) / width
        return np.hstack((
            steps(np.log2(wide * high + 1), (8, 10, 12, 14, 16, 18)),
            steps(wide / width, (0.05, 0.15, 0.3, 0.6, 0.9)),
            steps(high, (12, 24, 48, 100, 200, 400)),
            steps(middle, (0.25, 0.75)),
            steps(y, (100, 300)),
            (y + high >= height - 400)[:, None],
        ))  # fmt: skip

    def _picture(self) -> list[list[bool]]:
        content = units_of(self.page).content.nodes
        rows = []
        for source, held in zip(self.pictures, self.pieces, strict=True):
            alt = self.page.attributes(int(content[held[0]])).get("alt", "") if held else ""
            rows.append([source is not None, *_of_source(source or ""),
                         source is not None and len(alt) > 3])  # fmt: skip
        return rows


_TAGS = tuple(frozenset(names.split()) for names in TAGS)


def _type(text: str, picture: str | None, link: str, tag: str) -> ElementType:
    if tag in NOTES:
        return ElementType.NOTE_TEXT
    if picture is not None:
        jpeg, coded = _of_source(picture)
        if coded:
            return ElementType.CODED_IMAGE
        return ElementType.JPEG_IMAGE if jpeg else ElementType.IMAGE
    if DOLLAR.search(text):
        return ElementType.DOLLAR_TEXT
    if text:
        return ElementType.LINK_TEXT if link else ElementType.TEXT
    return ElementType.NULL


def _of_source(source: str) -> tuple[bool, bool]:
    """Whether a picture is a photograph, and whether its name has numbers."""
    return ".jp" in source.lower(), bool(CODED.search(source))


def _of_text(text: str) -> list[bool]:
    digits, length, words = sum(map(str.isdigit, text)), len(text), text.count(" ") + 1
    prices = len(spans(text))
    return [
        *(length >= least for least in (1, 4, 10, 20, 40, 80, 160)),
        *(bool(text) and words >= least for least in (2, 4, 8)),
        digits > 0,
        2 * digits > length,
        prices > 0,
        prices > 1,
        is_price(text),
        bool(DOLLAR.search(text)),
        text[:1].isupper(),
        length > 2 and text.isupper(),
        text.endswith(("…", "...")),
        text.endswith(":"),
        "%" in text,
        "(" in text,
        text[:1].isdigit(),
    ]


def _of_link(link: str, uses: int) -> list[bool]:
    """A link that several elements share leads from a record to its product."""
    return [bool(link), bool(link) and uses > 1, bool(CODED.search(link)), link.startswith("#")]


def steps(values: Floats, at: Iterable[float]) -> Floats:
    """Which of some thresholds each value reaches: values × thresholds."""
    return np.asarray(values[:, None] >= np.array(list(at)), np.float64)


@once_per_page
def vision_of(page: Page) -> Vision:
    """The vision tree of a page for records."""
    return Vision(page, vision_tree(page, DEGREE, for_records=True))
