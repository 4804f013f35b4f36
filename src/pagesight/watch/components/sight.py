"""What is seen of every unit of a page, as far as parts are known again by it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.page import NodeKind, Page
from pagesight.page.derived import once_per_page
from pagesight.segment.nodes import BOLD, before, named, weighted_median, with_attribute
from pagesight.segment.units import Units, units_of
from pagesight.watch.components.tokens import LONGEST_PHRASE, Tokens, tokens_of, words_by_text

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Words = tuple[str, ...]
_NUMBER_AT_THE_END = re.compile(r"\[\d+\]$")

BEGINNING = 8  # words
NEIGHBOURS = 6  # words before and after a part
LARGER = 1.15  # than most text: a heading
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
MOST_KEPT, LONGEST_KEPT = 12, 500  # words and characters of a heading or first text
MOST_AROUND = 6  # elements around a part whose names are compared


@dataclass(frozen=True, eq=False)
class Sight:
    """A page, its units and its tokens; arrays are by unit, unless stated otherwise."""

    page: Page
    units: Units
    tokens: dict[str, Tokens]

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
    def _spoken(self) -> tuple[list[str], Ints]:
        """All words of the page in order, and how many come before each piece of content."""
        known = words_by_text(self.page)
        texts = [known.get(node, []) for node in self.units.content.nodes.tolist()]
        return [word for text in texts for word in text], before(
            np.array([len(text) for text in texts], dtype=np.int64)
        )

    def node(self, unit: int) -> int:
        """The element of a unit: the outermost, but the innermost where it is the whole page."""
        return int(self.units.node[unit] if unit else self.units.inner[unit])

    def beginning(self, unit: int) -> Words:
        """The first words of a unit."""
        first, last = self._range(unit)
        return tuple(self._spoken[0][first : min(last, first + BEGINNING)])

    def ending(self, unit: int) -> Words:
        """Its last words."""
        first, last = self._range(unit)
        return tuple(self._spoken[0][max(first, last - BEGINNING) : last])

    def preceding(self, unit: int) -> Words:
        """The words before it."""
        first, _ = self._range(unit)
        return tuple(self._spoken[0][max(0, first - NEIGHBOURS) : first])

    def following(self, unit: int) -> Words:
        """The words after it."""
        _, last = self._range(unit)
        return tuple(self._spoken[0][last : last + NEIGHBOURS])

    def _range(self, unit: int) -> tuple[int, int]:
        count = self._spoken[1]
        return int(count[self.units.first[unit]]), int(count[self.units.last[unit]])

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

    def heading(self, unit: int) -> str:
        """The first heading in a unit, or its first text where there is none."""
        first, last = int(self.units.first[unit]), int(self.units.last[unit])
        at = int(np.searchsorted(self._headings, first))
        piece = int(self._headings[at]) if at < len(self._headings) else last
        if piece >= last:
            return self.opening(unit)
        return self._text(piece)

    def opening(self, unit: int) -> str:
        """The first text in a unit."""
        first, last = int(self.units.first[unit]), int(self.units.last[unit])
        return self._text(first + int(np.argmax(self.units.content.words[first:last] > 0)))

    def _text(self, piece: int) -> str:
        """The first words of a piece of content."""
        text = self.page.own_text(int(self.units.content.nodes[piece]))
        return " ".join(text[:LONGEST_KEPT].split()[:MOST_KEPT])

    def first_link(self, unit: int) -> str:
        """Where the first link in a unit leads."""
        links, addresses = self._links
        node = int(self.units.node[unit])
        at = int(np.searchsorted(links, node))
        return addresses[at] if at < len(links) and links[at] < self.page.end[node] else ""

    @cached_property
    def _links(self) -> tuple[Ints, list[str]]:
        """The links of the page in document order, and where they lead."""
        tokens = self.tokens["link"]
        order = np.argsort(tokens.node, kind="stable")
        return tokens.node[order], [tokens.strings[at] for at in tokens.token[order].tolist()]

    def names(self, unit: int) -> frozenset[str]:
        """The classes and the identifier of its elements, from the outermost to the innermost."""
        page, node = self.page, int(self.units.inner[unit])
        names: set[str] = set()
        while node >= int(self.units.node[unit]):
            names |= self._names_of(node)
            node = int(page.columns["parent"][node])
        return frozenset(names)

    def family(self, unit: int) -> str:
        """Where a unit is one of several: its path without the number at the end."""
        return family_of(self.page[self.node(unit)].xpath)

    def names_around(self, unit: int) -> frozenset[str]:
        """The same of the elements around it."""
        node = int(self.page.columns["parent"][self.units.node[unit]])
        names: set[str] = set()
        for _ in range(MOST_AROUND):
            if node < 0:
                break
            names |= self._names_of(node)
            node = int(self.page.columns["parent"][node])
        return frozenset(names)

    def _names_of(self, node: int) -> set[str]:
        """The classes and the identifier of an element."""
        return {
            sign + name
            for sign, values in self._attributes.items()
            for name in values.get(node, "").split()
        }

    @cached_property
    def _attributes(self) -> dict[str, dict[int, str]]:
        """The values of class and id by node, by the sign that selects them."""
        values = {".": with_attribute(self.page, "class"), "#": with_attribute(self.page, "id")}
        return {
            sign: dict(zip(nodes.tolist(), of, strict=True)) for sign, (nodes, of) in values.items()
        }

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
