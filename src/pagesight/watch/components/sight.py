"""What is seen of every unit of a page, as far as parts are known again by it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pagesight.page import NodeKind, Page
from pagesight.page.derived import once_per_page
from pagesight.segment.nodes import BOLD, before, named, weighted_median
from pagesight.segment.units import Units, units_of
from pagesight.watch.components.tokens import (
    KINDS,
    LONGEST_PHRASE,
    AllTokens,
    Tokens,
    names_by_node,
    plain_name,
    spoken_on,
    tokens_of,
)
from pagesight.watch.components.windows import Windows

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Words = tuple[str, ...]
T = TypeVar("T")
_NUMBER_AT_THE_END = re.compile(r"\[\d+\]$")
_NUMBERS = re.compile(r"\[\d+\]")

BEGINNING = 8  # words
NEIGHBOURS = 6  # words before and after a part
LARGER = 1.15  # than most text: a heading
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
MOST_KEPT, LONGEST_KEPT = 12, 500  # words and characters of a heading or first text
MOST_AROUND = 6  # elements around a part whose names are compared


class Said(NamedTuple):
    """A short text, for comparison with others."""

    text: str
    words: frozenset[str]
    first: str
    """Its first word."""


class Way(NamedTuple):
    """An XPath, for comparison with others."""

    path: str
    tags: str
    """The path without numbers."""

    steps: list[str]


class Described(NamedTuple):
    """A unit, as far as it is compared in words."""

    heading: Said
    opening: Said
    names: frozenset[str]
    around: frozenset[str]
    """The names of the elements around it."""

    tag: str
    way: Way
    """How its element is reached from the root."""


def said(text: str) -> Said:
    """A short text as it is compared."""
    plain = plain_name(text)
    words = plain.split()
    return Said(plain, frozenset(words), words[0] if words else "")


def way_of(path: str) -> Way:
    """An XPath as it is compared."""
    return Way(path, _NUMBERS.sub("", path), path.split("/"))


def _once(method: Callable[[Sight, int], T]) -> Callable[[Sight, int], T]:
    """Keep what a method says about a unit, a node or a piece of content."""
    name = f"_once_{method.__name__}"

    @wraps(method)
    def kept(sight: Sight, number: int) -> T:
        known: dict[int, T] = sight.__dict__.setdefault(name, {})
        if number not in known:
            known[number] = method(sight, number)
        return known[number]

    return kept


@dataclass(frozen=True, eq=False)
class Sight:
    """A page, its units and its tokens; arrays are by unit, unless stated otherwise."""

    page: Page
    units: Units
    tokens: dict[str, Tokens]

    @cached_property
    def all_tokens(self) -> AllTokens:
        """The tokens of all kinds together."""
        return AllTokens(tuple(self.tokens[kind] for kind in KINDS))

    @cached_property
    def is_element(self) -> NDArray[np.bool_]:
        return np.asarray(self.page.columns["kind"][self.units.node] == NodeKind.ELEMENT)

    @cached_property
    def characters(self) -> Ints:
        """Before each piece of content, and in all."""
        return np.asarray(before(self.units.content.characters))

    @cached_property
    def size(self) -> Ints:
        """The characters that are seen in each."""
        return self.characters[self.units.last] - self.characters[self.units.first]

    @cached_property
    def _spoken(self) -> tuple[Ints, Ints]:
        """All words of the page in order, and how many come before each piece of content."""
        spoken, pieces = spoken_on(self.page), self.units.content.nodes
        at = np.minimum(np.searchsorted(pieces, spoken.node), max(len(pieces) - 1, 0))
        shown = np.append(pieces, -1)[at] == spoken.node
        counts = np.bincount(at[shown], minlength=len(pieces))
        return spoken.word[shown], np.asarray(before(counts[: len(pieces)]))

    def node(self, unit: int) -> int:
        """The element of a unit: the outermost, but the innermost where it is the whole page."""
        return int(self.units.node[unit] if unit else self.units.inner[unit])

    def beginning(self, unit: int) -> Words:
        """The first words of a unit."""
        first, last = self._range(unit)
        return self._words(first, min(last, first + BEGINNING))

    def ending(self, unit: int) -> Words:
        """Its last words."""
        first, last = self._range(unit)
        return self._words(max(first, last - BEGINNING), last)

    def preceding(self, unit: int) -> Words:
        """The words before it."""
        first, _ = self._range(unit)
        return self._words(max(0, first - NEIGHBOURS), first)

    def following(self, unit: int) -> Words:
        """The words after it."""
        _, last = self._range(unit)
        return self._words(last, last + NEIGHBOURS)

    def _words(self, first: int, last: int) -> Words:
        strings = spoken_on(self.page).strings
        return tuple(strings[word] for word in self._spoken[0][first:last].tolist())

    def _range(self, unit: int) -> tuple[int, int]:
        count = self._spoken[1]
        return int(count[self.units.first[unit]]), int(count[self.units.last[unit]])

    @cached_property
    def windows(self) -> dict[str, Windows]:
        """The same words of all units, by the name of the method above."""
        (spoken, count), index = self._spoken, spoken_on(self.page).index
        first, last = count[self.units.first], count[self.units.last]
        bounds = {
            "beginning": (first, np.minimum(last, first + BEGINNING)),
            "ending": (np.maximum(first, last - BEGINNING), last),
            "preceding": (np.maximum(0, first - NEIGHBOURS), first),
            "following": (last, np.minimum(last + NEIGHBOURS, len(spoken))),
        }
        return {name: Windows.of(index, spoken, *bound) for name, bound in bounds.items()}

    @cached_property
    def _headings(self) -> Ints:
        """The pieces of content that look like headings, or are marked as such."""
        content, columns = self.units.content, self.page.columns
        body = weighted_median(content.font_size, content.characters)
        short = (content.words > 0) & (content.words <= LONGEST_PHRASE)
        weight = columns["font_weight"][content.nodes]
        looks = (content.font_size >= LARGER * body) | (weight >= BOLD)
        tagged = np.zeros(len(content.nodes), dtype=np.bool_)
        for node in np.flatnonzero(named(self.page, HEADINGS)).tolist():
            tagged[slice(*np.searchsorted(content.nodes, (node, self.page.end[node])))] = True
        return np.flatnonzero((short & looks) | (tagged & (content.words > 0)))

    @cached_property
    def heading_piece(self) -> Ints:
        """The first heading in each unit, or its first text where there is none."""
        return _next(self._headings, self.units.first, self.units.last, self.opening_piece)

    @cached_property
    def opening_piece(self) -> Ints:
        """The first text in each unit."""
        first, last = self.units.first, self.units.last
        return _next(np.flatnonzero(self.units.content.words > 0), first, last, first)

    def heading(self, unit: int) -> str:
        """The first heading in a unit, or its first text where there is none."""
        return self._text(int(self.heading_piece[unit]))

    def opening(self, unit: int) -> str:
        """The first text in a unit."""
        return self._text(int(self.opening_piece[unit]))

    def first_said(self, unit: int) -> tuple[Said, Said]:
        """The first text in a unit, and its heading, for comparison."""
        opening, heading = int(self.opening_piece[unit]), int(self.heading_piece[unit])
        return self._said(opening), self._said(heading)

    @_once
    def _said(self, piece: int) -> Said:
        """The first words of a piece of content, for comparison."""
        return said(self._text(piece))

    def _text(self, piece: int) -> str:
        """The first words of a piece of content; none on a page that shows nothing."""
        if piece >= len(self.units.content.nodes):
            return ""
        text = self.page.own_text(int(self.units.content.nodes[piece]))
        return " ".join(text[:LONGEST_KEPT].split()[:MOST_KEPT])

    def first_link(self, unit: int) -> str:
        """Where the first link in a unit leads."""
        token = int(self.first_links[unit])
        return self.tokens["link"].strings[token] if token >= 0 else ""

    @cached_property
    def first_links(self) -> Ints:
        """The token of the first link in each unit, or -1."""
        links = self.tokens["link"]
        order = np.argsort(links.node, kind="stable")
        node, token = links.node[order], np.append(links.token[order], -1)
        at = np.searchsorted(node, self.units.node)
        inside = np.append(node, len(self.page))[at] < self.page.end[self.units.node]
        return np.where(inside, token[at], -1)

    @_once
    def digest(self, unit: int) -> str:
        """A digest of the text, links and pictures of a unit."""
        node = int(self.units.node[unit])
        tokens = [sorted(self.tokens[kind].inside(node)) for kind in ("link", "picture")]
        content = repr((self.page.text(node).split(), tokens))
        return hashlib.sha256(content.encode(errors="replace")).hexdigest()[:16]

    def names(self, unit: int) -> frozenset[str]:
        """The classes and the identifier of its elements, from the outermost to the innermost."""
        page, node = self.page, int(self.units.inner[unit])
        names: set[str] = set()
        while node >= int(self.units.node[unit]):
            names |= self._names_of(node)
            node = int(page.columns["parent"][node])
        return frozenset(names)

    @_once
    def described(self, unit: int) -> Described:
        """What it says and what it is called."""
        node = self.page[self.node(unit)]
        return Described(
            heading=self._said(int(self.heading_piece[unit])),
            opening=self._said(int(self.opening_piece[unit])),
            names=self.names(unit),
            around=self.names_around(unit),
            tag=self.page.name(node.id),
            way=way_of(node.xpath),
        )

    def family(self, unit: int) -> str:
        """Where a unit is one of several: its path without the number at the end."""
        return family_of(self.described(unit).way.path)

    def names_around(self, unit: int) -> frozenset[str]:
        """The same of the elements around it."""
        return self._names_above(int(self.page.columns["parent"][self.units.node[unit]]))

    @_once
    def _names_above(self, node: int) -> frozenset[str]:
        """The names of an element and of some around it."""
        names: set[str] = set()
        for _ in range(MOST_AROUND):
            if node < 0:
                break
            names |= self._names_of(node)
            node = int(self.page.columns["parent"][node])
        return frozenset(names)

    @_once
    def _names_of(self, node: int) -> set[str]:
        """The classes and the identifier of an element."""
        return {name for names in names_by_node(self.page).values() for name in names.get(node, ())}

    @cached_property
    def facts(self) -> dict[str, Floats]:
        """Numbers that say how large a unit is, where it is, and how it looks."""
        units, content = self.units, self.units.content
        count = {
            "words": before(content.words),
            "pictures": before(content.picture),
            "links": before(self._is_linked),
        }
        held = {
            name: np.log1p(sums[units.last] - sums[units.first]) for name, sums in count.items()
        }
        left, top, right, bottom = units.corners.T
        width, height = max(self.page.info.size[0], 1), max(self.page.info.size[1], 1)
        whole = max(int(self.characters[-1]), 1)
        return held | {
            "left": left / width,
            "width": (right - left) / width,
            "top": np.log1p(np.maximum(top, 0)),
            "place": top / height,
            "height": np.log1p(np.maximum(bottom - top, 0)),
            "share": self.size / whole,
            "order": self.characters[units.first] / whole,
            "depth": self._depth,
            "opens": self._opens,
            "closes": self._closes,
            "siblings": self._siblings,
            "font": np.append(content.font_size, 0)[units.first].astype(np.float64),
        }

    @cached_property
    def _is_linked(self) -> NDArray[np.bool_]:
        """By piece of content: whether it is the first of a link."""
        links = np.flatnonzero(named(self.page, {"a"}))
        first = np.searchsorted(self.units.content.nodes, links)
        stop = np.searchsorted(self.units.content.nodes, self.page.end[links])
        flags = np.zeros(len(self.units.content.nodes), dtype=np.bool_)
        flags[first[stop > first]] = True
        return flags

    @cached_property
    def _opens(self) -> Floats:
        """Whether each is the outermost that begins where it does."""
        around = np.maximum(self.units.parent, 0)
        return np.asarray(self.units.first[around] != self.units.first, dtype=np.float64)

    @cached_property
    def _closes(self) -> Floats:
        """Whether each is the outermost that ends where it does."""
        around = np.maximum(self.units.parent, 0)
        return np.asarray(self.units.last[around] != self.units.last, dtype=np.float64)

    @cached_property
    def _siblings(self) -> Floats:
        """How many units beside each have its tag and hold as much as a part does, as logarithm."""
        tag = self.page.columns["name"][self.units.node].astype(np.int64)
        key = (self.units.parent + 1) * (int(tag.max(initial=0)) + 1) + tag
        distinct, which = np.unique(key, return_inverse=True)
        counts = np.bincount(which, self.size >= LEAST_SIBLING, len(distinct))
        return np.asarray(np.log1p(counts[which]))

    @cached_property
    def _depth(self) -> Floats:
        depth: list[float] = []
        for above in self.units.parent.tolist():
            depth.append(depth[above] + 1 if above >= 0 else 0.0)
        return np.array(depth)

    def shared(self, one: Ints, other: Ints) -> Ints:
        """How much both of two units show, in characters."""
        first = np.maximum(self.units.first[one], self.units.first[other])
        last = np.maximum(np.minimum(self.units.last[one], self.units.last[other]), first)
        return np.asarray(self._shown[last] - self._shown[first])

    @cached_property
    def largest_inside(self) -> Ints:
        """The largest unit directly inside of each; 0 where there is none."""
        largest = np.zeros(len(self.units), dtype=np.int64)
        order = np.argsort(self.size, kind="stable")
        largest[np.maximum(self.units.parent, 0)[order]] = order  # the last written is the largest
        return largest

    @cached_property
    def shown(self) -> Ints:
        """How much each shows, in characters; a picture counts as some."""
        return self._shown[self.units.last] - self._shown[self.units.first]

    def overlap(self, one: Ints, other: Ints) -> Floats:
        """How much of what two units show is in both, of all that is in either."""
        both = self.shared(one, other)
        return np.asarray(both / np.maximum(self.shown[one] + self.shown[other] - both, 1))

    @cached_property
    def _shown(self) -> Ints:
        """Before each piece of content: characters, with a picture as one of some."""
        content = self.units.content
        return np.asarray(before(np.where(content.characters > 0, content.characters, PICTURE)))


FACTS = (
    "words", "pictures", "links", "left", "width", "top", "place", "height", "share", "order",
    "depth", "font", "opens", "closes", "siblings",
)  # fmt: skip
"""Numbers that are known of a unit; see `Sight.facts`."""

LEAST_SIBLING = 40  # characters of a unit that counts as a sibling
PICTURE = 10  # characters that a picture or a control is worth


def _next(places: Ints, first: Ints, last: Ints, otherwise: Ints) -> Ints:
    """The first of some places in each range, or something else where there is none."""
    at = np.append(places, np.iinfo(np.int64).max)[np.searchsorted(places, first)]
    return np.where(at < last, at, otherwise)


def family_of(xpath: str) -> str:
    """The path that siblings of one tag share.

    >>> family_of("/html/body/div[2]/section[7]")
    '/html/body/div[2]/section'
    """
    return _NUMBER_AT_THE_END.sub("", xpath)


@once_per_page
def sight_of(page: Page) -> Sight:
    """What is seen of a page."""
    return Sight(page, units_of(page), tokens_of(page))
