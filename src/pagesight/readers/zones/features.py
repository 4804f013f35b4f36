"""What is seen of each zone, in numbers, and what its elements suggest.

Elements suggest something by their name, and by words in `id`, `class` and `role`: those that
people all over the web give to the parts of their pages.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.columns import Array
from pagesight.page.consent import consent_dialogs
from pagesight.page.derived import once_per_page
from pagesight.readers.zones.candidates import Candidates
from pagesight.readers.zones.surroundings import LINE, LONG, MOSTLY, TABLES, Sums, surroundings
from pagesight.segment.leaves import Leaves
from pagesight.segment.nodes import (
    BOLD,
    before,
    by_name,
    by_node,
    corners,
    depths,
    filled,
    framed,
    inside,
    named,
    weighted_median,
    with_attribute,
)

WORDS = {name: re.compile(pattern) for name, pattern in TABLES["words"].items()}
_ANY_WORD = re.compile("|".join(TABLES["words"].values()))
TAGS = {name: frozenset(tags.split()) for name, tags in TABLES["tags"].items()}
HINTS = (*WORDS, *(name for name in TAGS if name not in WORDS), "framed", "filled")
"""What an element may suggest. Framed: it has a border; filled: a background of its own."""

LANDMARKS = TABLES["landmarks"]
PARTS = tuple(LANDMARKS)
NAMING = ("id", "class", "role")  # the attributes that suggest something

_SECTIONS = frozenset({"article", "aside", "main", "nav", "section"})
_OF_SECTIONS = frozenset({"header", "footer"})  # which sections may have of their own

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BREAK, _LETTERS = re.compile(r"[\W_\d]+"), re.compile(r"[^\W_\d]+")
_LETTERS_ONLY = bytes(code if chr(code).isalpha() else ord(" ") for code in range(128)) + bytes(128)
Flags = NDArray[np.bool_]
OTHERS = ("header", "navigation", "aside", "footer", "form", "advert")  # that are not text
BOXES = ("framed", "filled")
OVERLAP = 2.0  # px of height shared, from which on things are beside each other
Floats = NDArray[np.float64]
VERSION = 4
SCREEN = 800.0  # px; heights and distances are seen relative to a screen
LARGE_FONT = 1.2  # of the usual font size: a heading
AROUND = (*PARTS, "list", "table")  # what zones are in
SHORT = 60  # characters; bold text of that length is a heading
SMALL = 0.7  # of all characters; what holds more is called after the whole page
COPYRIGHT = "©"
FARTHEST = 3  # lines; what is farther apart is not one text


@once_per_page
def hints(
    page: Page, *, parts: bool = True, attributes: Collection[str] = NAMING
) -> NDArray[np.int64]:
    """The hints of each node: bit i is `HINTS[i]`.

    Without `parts`, elements do not suggest parts of pages, such as `nav` does.
    """
    bits = by_name(page, _BITS_OF_TAGS if parts else _BITS_OF_NO_PARTS)
    bits |= framed(page).astype(np.int64) << HINTS.index("framed")
    bits |= filled(page).astype(np.int64) << HINTS.index("filled")
    return bits | _of_words(page, attributes)


def suggested_by(page: Page, node: int) -> int:
    """The hints of a single node, without those of its looks: quicker where few nodes matter."""
    bits = _BITS_OF_TAGS.get(page.name(node), 0)
    for attribute in NAMING:
        if value := by_node(page, attribute)[node]:
            bits |= _meaning(value)
    return bits


def _bits_of_tags(names: Iterable[str]) -> dict[str, int]:
    """By tag the bits of the hints of these names that it gives."""
    bits: dict[str, int] = {}
    for name in names:
        for tag in TAGS[name]:
            bits[tag] = bits.get(tag, 0) | 1 << HINTS.index(name)
    return bits


_BITS_OF_TAGS = _bits_of_tags(TAGS)
_BITS_OF_NO_PARTS = _bits_of_tags(name for name in TAGS if name not in PARTS)


def landmarks(page: Page) -> NDArray[np.int64]:
    """Which part of the page each node is by its element or role: bits as in `PARTS`.

    The header and the footer of an article or a section do not count.
    """
    bits = by_name(page, _PART_OF_TAG)
    sectioned = inside(np.flatnonzero(named(page, _SECTIONS)), page.end)
    bits[sectioned] &= ~_BITS_OF_SECTIONS
    nodes, roles = with_attribute(page, "role")
    bits[nodes] |= np.array([_PART_OF_ROLE.get(role, 0) for role in roles], dtype=np.int64)
    return bits


_PART_OF_TAG = {tag: 1 << bit for bit, (tag, _) in enumerate(LANDMARKS.values())}
_PART_OF_ROLE = {role: 1 << bit for bit, (_, role) in enumerate(LANDMARKS.values())}
_BITS_OF_SECTIONS = sum(1 << PARTS.index(part) for part in _OF_SECTIONS)


def _of_words(page: Page, attributes: Collection[str]) -> NDArray[np.int64]:
    bits = np.zeros(len(page), dtype=np.int64)
    for attribute in attributes:
        nodes, values = with_attribute(page, attribute)
        meanings = {value: _meaning(value) for value in set(values)}
        bits[nodes] |= np.array([meanings[value] for value in values], dtype=np.int64)
    return bits


def _meaning(name: str) -> int:
    meaning = 0
    for word in _divided(name):
        meaning |= _meaning_of_word(word)
    return meaning


def _divided(name: str) -> list[str]:
    """The words of a name; most names are divided without a pattern, which is quicker."""
    if name.isascii() and name.islower():
        return name.encode().translate(_LETTERS_ONLY).decode().split()
    return _LETTERS.findall(_HUMP.sub(" ", name))


@lru_cache(1 << 14)
def _meaning_of_word(word: str) -> int:
    word = word.lower()
    if not _ANY_WORD.search(word):  # as most
        return 0
    return sum(1 << bit for bit, pattern in enumerate(WORDS.values()) if pattern.search(word))


def words_of(name: str) -> str:
    """The words of an `id` or a class, in small letters."""
    return _BREAK.sub(" ", _HUMP.sub(" ", name)).lower()


def plain_text(zones: Candidates, hints: NDArray[np.int64], farthest: float) -> Flags:
    """Which zones are plain text, in which nothing is more than `farthest` px apart.

    Plain text is paragraphs and headings below each other, and nothing else. People draw one block
    around it, however small the page is, but the drawn pages are rich ones: from them alone it
    cannot be learned that a page may be nothing but a text. Tables of data count as plain text,
    too: their cells are read together.

    `hints` are those of the zones. What is in a box may be within a text, but not begin or end it.
    """
    distance, table = _distances(zones), _in_table(zones)
    beside = (distance < -OVERLAP) & ~table
    parts = before((beside | _named(hints, OTHERS)).astype(np.int64))
    some = parts[zones.end] > parts[np.arange(len(zones)) + 1]
    leaves = zones.leaves
    links = before(leaves.link_characters > MOSTLY * leaves.characters)
    some |= links[zones.last] > links[zones.first]
    marked = _named(hints, BOXES) | _is_no_text(zones)
    boxed = _have_at(zones.first, zones, marked) | _have_at(zones.last, zones, marked)
    plain: Flags = ~beside & ~some & ~boxed & (distance <= farthest)
    return plain | table


def _named(hints: NDArray[np.int64], names: tuple[str, ...]) -> Flags:
    bits = sum(1 << HINTS.index(name) for name in names)
    return np.asarray(hints & bits != 0)


def _distances(zones: Candidates) -> NDArray[np.float64]:
    """How far the children of each zone are apart from top to bottom, where that is most.

    Where any of them are beside each other, the px of height that they share, below 0.
    """
    below = np.argsort(zones.parent[1:], kind="stable") + 1
    one, other = below[:-1], below[1:]
    siblings = zones.parent[one] == zones.parent[other]
    one, other = one[siblings], other[siblings]
    top, bottom = zones.corners[:, 1], zones.corners[:, 3]
    apart = np.maximum(top[one], top[other]) - np.minimum(bottom[one], bottom[other])
    most, least = np.zeros(len(zones)), np.zeros(len(zones))
    np.maximum.at(most, zones.parent[one], apart)
    np.minimum.at(least, zones.parent[one], apart)
    return np.where(least < -OVERLAP, least, most)


def _in_table(zones: Candidates) -> Flags:
    """Which zones are in one table of data, or all of it."""
    if len(zones.leaves) == 0:
        return np.zeros(len(zones), dtype=np.bool_)
    table = zones.leaves.table
    first, last = table[zones.first], table[zones.last - 1]
    return np.asarray((first >= 0) & (first == last))


def _is_no_text(zones: Candidates) -> Flags:
    """Which zones are leaves without text."""
    textless = np.zeros(len(zones), dtype=np.bool_)
    leaf = np.flatnonzero(zones.is_leaf & (zones.last > zones.first))
    textless[leaf] = zones.leaves.characters[zones.first[leaf]] == 0
    return textless


def _have_at(edge: NDArray[np.int64], zones: Candidates, marked: Flags) -> Flags:
    """Which zones have a marked zone in them that shares this edge with them."""
    have = [False] * len(zones)
    parents, edges, flags = zones.parent.tolist(), edge.tolist(), marked.tolist()
    for zone in range(len(zones) - 1, 0, -1):
        above = parents[zone]
        if edges[zone] == edges[above]:
            have[above] |= have[zone] or flags[zone]
    return np.array(have, dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class Features:
    """The features of all zones of a page: by name a number for each zone."""

    columns: Mapping[str, Array]

    numbers: Floats
    """The same as a table: (features, zones)."""

    zones: Array | None = None
    """The zones that are meant, if not all."""

    def __getitem__(self, name: str) -> Array:
        column = self.columns[name]
        return column if self.zones is None else column[self.zones]

    def of(self, zones: Array) -> Features:
        """The features of these zones only."""
        return replace(self, zones=zones)

    def table(self, names: Sequence[str], others: Mapping[str, Array] | None = None) -> Floats:
        """The named features, a row for each zone; `others` are some that are not among these."""
        own, rows = _places(tuple(names), tuple(self.columns))
        known = self.numbers if self.zones is None else self.numbers[:, self.zones]
        table = np.empty((known.shape[1], len(names)))
        table[:, own] = known[rows].T
        others = others or {}
        if missing := set(names).difference(self.columns, others):
            raise KeyError(*sorted(missing))
        for name, column in others.items():
            table[:, names.index(name)] = column
        return table


@lru_cache(64)
def _places(names: tuple[str, ...], known: tuple[str, ...]) -> tuple[list[int], list[int]]:
    """Which of these names are known, and where among what is known they are."""
    place = {name: row for row, name in enumerate(known)}
    own = [at for at, name in enumerate(names) if name in place]
    return own, [place[names[at]] for at in own]


def features(zones: Candidates, of_node: NDArray[np.int64] | None = None) -> Features:
    """The features of the zones of a page; `of_node` are its hints if not all of them count."""
    page, size, sums = zones.leaves.page, usual_size(zones.leaves), Sums(zones)
    of_node = hints(page) if of_node is None else of_node
    bits = bits_of(zones, of_node | landmarks(page) << len(HINTS))
    bits, parts = bits & (1 << len(HINTS)) - 1, bits >> len(HINTS)
    content, farthest = _content(sums, size), FARTHEST * LINE * size
    columns = {
        **_place(zones),
        **content,
        **_text(sums, size),
        **_division(zones, LINE * size),
        **_hints(zones, bits),
        **_around(zones, np.where(content["share"] < np.log(SMALL), bits, 0)),
        **{f"landmark {name}": (parts >> bit & 1) > 0 for bit, name in enumerate(PARTS)},
        **_apart(sums),
        **surroundings(sums, size),
        "plain": plain_text(zones, bits, farthest),
    }
    return Features(columns, np.array(list(columns.values()), dtype=np.float64))


def weights(leaves: Leaves) -> Floats:
    """What each leaf counts: its characters; a picture of w x h is a line of that size."""
    area = (leaves.box[:, 2] * leaves.box[:, 3]).astype(np.float64)
    return np.where(
        leaves.characters > 0, leaves.characters, 1 + np.sqrt(area) / usual_size(leaves)
    )


def usual_size(leaves: Leaves) -> float:
    """The font size of the middle character."""
    if not leaves.characters.any():
        return 16.0
    return max(weighted_median(leaves.font_size, leaves.characters), 1.0)


def _place(zones: Candidates) -> dict[str, Array]:
    left, top, right, bottom = zones.corners.T
    width = max(float(right.max()), zones.leaves.page.info.size[0], 1.0)
    height = max(float(bottom.max()), 1.0)
    if zones.leaves.is_right_to_left:  # what was learned is of pages that begin at the left
        left, right = width - right, width - left
    return {
        "width": (right - left) / width,
        "aspect": np.log((right - left + 5) / (bottom - top + 5)),
        "left": left / width,
        "right": right / width,
        "height": np.log((bottom - top + 10) / SCREEN),
        "height_share": (bottom - top) / height,
        "top": np.log1p(np.maximum(top, 0) / SCREEN * 8),
        "bottom": np.log1p((height - bottom) / SCREEN * 8),
        "top_share": top / height,
        "bottom_share": 1 - bottom / height,
    }


def _content(sums: Sums, size: float) -> dict[str, Array]:
    zones, leaves = sums.zones, sums.leaves
    area = np.prod(zones.corners[:, 2:] - zones.corners[:, :2], axis=1) + 1
    pictures = np.prod(leaves.box[:, 2:], axis=1) * (
        (leaves.characters == 0) & (leaves.pictures > 0)
    )
    bold = (leaves.font_weight >= BOLD) & (leaves.characters < SHORT)
    heading = (leaves.font_size > LARGE_FONT * size) | (bold & (leaves.link_characters == 0))
    heading &= leaves.characters > 0
    count, covered, headings = sums(leaves.pictures, pictures, heading)
    share = (sums.all_characters + 1) / (float(leaves.characters.sum()) + 1)
    return {
        "characters": np.log1p(sums.all_characters),
        "share": np.log(share),
        "share_of_parent": np.where(zones.parent >= 0, share / share[zones.parent], 1),
        "links": (sums.linked + 0.5) / (sums.all_characters + 1),
        "pictures": np.minimum(covered / area, 1),
        "has picture": count > 0,
        "picture count": np.log1p(count),
        "density": np.log1p(sums.all_characters * size**2 / area),
        "headings": np.log1p(headings),
        "heading_first": _of_first(zones, heading),
    }


def _text(sums: Sums, size: float) -> dict[str, Array]:
    leaves, characters = sums.leaves, sums.all_characters
    length = leaves.characters
    prose = (length >= LONG) & (leaves.link_characters < 0.5 * length)
    fonts, in_prose, in_bold, in_tables, signed = sums(
        length * leaves.font_size, length * prose, length * (leaves.font_weight >= BOLD),
        length * (leaves.table >= 0), _says_copyright(leaves),
    )  # fmt: skip
    font, some = fonts / np.maximum(characters, 1), sums.all_texts > 0
    return {
        "texts": sums.all_texts,
        "text length": np.log1p(characters / sums.texts),
        "prose": in_prose / (characters + 1),
        "bold": in_bold / (characters + 1),
        "tables": in_tables / (characters + 1),
        "font": np.log(np.where(some, np.maximum(font, 1) / size, 1)),
        "no links": some & (sums.linked == 0),
        "copyright": signed > 0,
    }


def _says_copyright(leaves: Leaves) -> Array:
    """Which leaves have the sign that is at the end of pages, whatever their language."""
    page = leaves.page
    signed = np.zeros(len(page.strings) + 1, dtype=np.bool_)
    signed[[at for at, string in enumerate(page.strings) if COPYRIGHT in string]] = True
    nodes = np.flatnonzero(page.is_text & signed[page.columns["text"]])
    says = np.zeros(len(leaves) + 1, dtype=np.bool_)
    says[leaves.leaf_of_node[nodes]] = True  # those in no leaf are at the end
    return says[:-1]


def _of_first(zones: Candidates, values: Array) -> Array:
    """The value of the first leaf of each zone."""
    return np.concatenate((values, np.zeros(1, values.dtype)))[zones.first]


def _division(zones: Candidates, line: float) -> dict[str, Array]:
    leaves = zones.leaves
    around = np.where(zones.parent >= 0, zones.gap[zones.parent], SCREEN)
    children = np.bincount(zones.parent[1:], minlength=len(zones))
    other_ground = _changes(leaves.background)
    other_look = other_ground | _changes(leaves.font_size) | _changes(leaves.font_weight)
    other_look |= _changes(leaves.color)
    inside = np.maximum(zones.last - 1, zones.first)
    changes, grounds = (
        _differences(before(change), zones.first, inside) for change in (other_look, other_ground)
    )
    return {
        "gap": np.log1p(zones.gap / line),
        "gap_around": np.log1p(around / line),
        "gap_ratio": np.log((zones.gap + 2) / (around + 2)),
        "beside": zones.beside,
        "children": np.log1p(children),
        "leaves": np.log(np.maximum(zones.last - zones.first, 1)),
        "changes": changes / np.maximum(inside - zones.first, 1),
        "grounds": np.log1p(grounds),
        "depth": np.log1p(depths(zones.parent)),
        "whole": zones.whole,
    }


def _changes(values: Array) -> Flags:
    """Of each leaf except the last whether the next one has another value."""
    return np.asarray(values[1:] != values[:-1])


def _differences(sums: Array, first: Array, last: Array) -> Array:
    most = len(sums) - 1
    return np.asarray(sums[np.minimum(last, most)] - sums[np.minimum(first, most)])


def _hints(zones: Candidates, bits: NDArray[np.int64]) -> dict[str, Array]:
    """What zones are called, and how many zones inside are called so."""
    called = bits >> np.arange(len(HINTS))[:, None] & 1
    sums = np.cumsum(called, axis=1)  # up to each zone, itself among them
    inside = np.log1p((sums[:, zones.end - 1] - sums).astype(np.float64))
    parts = [HINTS.index(name) for name in PARTS]
    return {
        **{f"is {name}": row for name, row in zip(HINTS, called, strict=True)},
        **{f"has {name}": row for name, row in zip(HINTS, inside, strict=True)},
        "is part": called[parts].max(axis=0),
        "parts": np.count_nonzero(inside[parts], axis=0),
    }


def _around(zones: Candidates, bits: NDArray[np.int64]) -> dict[str, Array]:
    """What the zones around each zone are called."""
    around, hints = [0] * len(zones), bits.tolist()
    for zone, above in enumerate(zones.parent.tolist()):
        if above >= 0:
            around[zone] = around[above] | hints[above]
    names = np.array(around, dtype=np.int64)
    return {f"in {name}": names >> HINTS.index(name) & 1 for name in AROUND}


def landmark_bits(zones: Candidates) -> NDArray[np.int64]:
    """Which landmark of the page each zone is: bits as in `PARTS`."""
    return bits_of(zones, landmarks(zones.leaves.page))


def _apart(sums: Sums) -> dict[str, Array]:
    """How much of each zone asks for consent, or is a running head or foot of a PDF."""
    leaves, page = sums.leaves, sums.leaves.page
    asking = inside(np.array(consent_dialogs(page), dtype=np.int64), page.end)
    running = leaves.furniture
    totals = sums(asking[leaves.heads], running, running & _low(leaves))
    return dict(zip(("in dialog", "running", "in foot"), totals / sums.count, strict=True))


def _low(leaves: Leaves) -> Flags:
    """Which leaves are on the lower half of a sheet of a PDF."""
    page = leaves.page
    sheets = corners(page.columns["box"][named(page, {"sheet"})])
    if not len(sheets):
        return np.zeros(len(leaves), dtype=np.bool_)
    around = sheets[page.columns["sheet"][leaves.nodes[leaves.node_first[:-1]]] - 1]
    return np.asarray(leaves.box[:, 1] > around[:, [1, 3]].mean(axis=1))


def bits_of(zones: Candidates, of_node: NDArray[np.int64]) -> NDArray[np.int64]:
    """The bits of the elements that hold all of a zone and nothing else; in leaves, of all."""
    page = zones.leaves.page
    above, steps, elements = zones.parent.tolist(), of_node.tolist(), zones.element.tolist()
    parent = page.parents
    result = np.zeros(len(zones), dtype=np.int64)
    for zone, around in enumerate(above):
        node, stop = elements[zone], elements[around] if around >= 0 else -1
        bits = 0
        while node != stop:
            bits |= steps[node]
            node = parent[node]
        result[zone] = bits
    leaf = np.flatnonzero(zones.is_leaf & (zones.last > zones.first))
    in_leaf = np.zeros(len(zones.leaves) + 1, dtype=np.int64)  # of nodes in no leaf at the end
    np.bitwise_or.at(in_leaf, zones.leaves.leaf_of_node, of_node)
    result[leaf] |= in_leaf[zones.first[leaf]]
    return result
