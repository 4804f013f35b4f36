"""What is seen of each text block, relative to the body text, to its neighbours and its likes.

Tag names are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Align, Decoration, Display, Float, Position
from pagesight.page.columns import Array, among
from pagesight.page.words import Searched
from pagesight.segment.blocks import LONG, TextBlocks
from pagesight.segment.nodes import (
    BOLD,
    framed,
    innermost,
    inside,
    links_of,
    most_common,
    numbered,
    with_attribute,
)
from pagesight.segment.text import dice_of_sets, words

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

VERSION = 7
UNKNOWN_GAP = -1.0
_NUMBER = re.compile(
    r"(?:chapter|section|part|appendix|§)?\s*((?:\d{1,3}|[A-Z]|[IVX]{1,4})(?:\.\d{1,3})*)([.):]?)\s+\S",
    re.IGNORECASE,
)
_QUOTES = "\"'“„‘‚«‹¿¡("
_CODE = re.compile(r"mono|courier|consol|menlo|\bcode\b|fixed", re.IGNORECASE)
_SIGNATURE = re.compile(r"[\w\]>]\(|^--?\w|::|^[\w.]+\.[\w.]+$|[\w)]\s*(?:=|->|→|⇒)\s*\S")
_CODE_SIGNS = ("(", "=", "→", "⇒", "->", "::")  # of which a signature of several words has one
LONGEST_WINDOW = 1_000  # characters of the title of a window; what is longer has too many parts
_PARTS = re.compile(r"\s[-–—|·•/«»<>:]+\s|[:|»«]")
_CAPTIONS = frozenset(
    "table of contents|contents|toc|on this page|this page|page contents|in this article|"
    "previous topic|next topic|navigation|quick search|related topics|related documentation|"
    "quick links|links|categories|archives|recent posts|tags|menu|inhalt|inhaltsverzeichnis|"
    "table des matières|sommaire|índice|indice|tabla de contenidos|содержание|目次|目录".split("|")
)
_ADMONITIONS = frozenset(
    "note|warning|tip|see also|important|caution|example|hint|attention|danger|deprecated|todo|"
    "hinweis|achtung|siehe auch|remarque|voir aussi|nota".split("|")
)
_BRACKETS, _SEPARATORS = "(){}[]=_", "|©»«<>"
_STOPS, _ASKING = frozenset(".;,"), frozenset("?!")
_MARKERS = frozenset("¶#§")  # behind a heading, of links to the heading itself


@dataclass(frozen=True, eq=False)
class BlockSight:
    """The measures of a page's text blocks; arrays by block."""

    blocks: TextBlocks

    @cached_property
    def body_size(self) -> float:
        return max(self.blocks.body_style("font_size"), 1.0)

    @cached_property
    def size(self) -> Floats:
        """Log of the font size relative to the body text."""
        sizes = np.maximum(self.blocks.style("font_size").astype(np.float64), 1.0)
        return np.log(sizes / self.body_size)

    @cached_property
    def bold(self) -> NDArray[np.bool_]:
        return np.asarray(self.blocks.style("font_weight") >= BOLD)

    @cached_property
    def texts(self) -> list[str]:
        return [_without_marker(string.rstrip()).strip() for string in self.blocks.strings]

    @cached_property
    def searched(self) -> Searched:
        return Searched(self.texts)

    @cached_property
    def ascii(self) -> NDArray[np.bool_]:
        """Whether a text is plain: its folded words are in it as soon as its letters are small."""
        return np.array([text.isascii() for text in self.texts], dtype=np.bool_)

    @cached_property
    def capitals(self) -> NDArray[np.bool_]:
        """Whether a text is in capital letters."""
        return np.array([text.isupper() and len(text) > 3 for text in self.texts], dtype=np.bool_)

    @cached_property
    def signatures(self) -> NDArray[np.bool_]:
        """Whether a text looks like code: a function with its arguments, an option, a path."""
        may_be = self.searched.holding(_CODE_SIGNS).tolist()
        return np.array(list(map(_is_signature, self.texts, may_be)), dtype=np.bool_)

    @cached_property
    def numbers(self) -> list[str]:
        """The number before each text: "2.3.1" of "2.3.1 Leaves", else nothing."""
        return [_number_before(text) for text in self.texts]

    @cached_property
    def numbering(self) -> Ints:
        """How many parts this number has: 3 of "2.3.1 Leaves", 0 of "Leaves"."""
        parts = [number.count(".") + 1 if number else 0 for number in self.numbers]
        return np.array(parts, dtype=np.int64)

    @cached_property
    def initials(self) -> NDArray[np.bool_]:
        """Whether a block is one letter, and the text that it begins continues beside it."""
        blocks, box = self.blocks, self.blocks.box
        is_initial = np.array([_is_letter(text) for text in self.texts], dtype=np.bool_)
        is_initial[-1:] = False
        letters = np.flatnonzero(is_initial)
        this, rest, holder = box[letters], box[letters + 1], blocks.holder[letters + 1]
        beside = (rest[:, 1] < this[:, 3] - 2) & (rest[:, 3] > this[:, 1] + 2)
        beside &= rest[:, 2] > this[:, 2]
        within = (holder < blocks.element[letters]) & (
            blocks.element[letters] < blocks.page.end[holder]
        )
        lower = [self.texts[block + 1][:1].islower() for block in letters.tolist()]
        is_initial[letters] = beside & (within | np.array(lower, dtype=np.bool_))
        return is_initial

    @cached_property
    def gaps(self) -> tuple[Floats, Floats]:
        """The space above and below in sizes of the body text, -1 where nothing is above or below.

        Measured to the nearest text in document order that is above or below in its column.
        """
        box = self.blocks.box
        above, below = np.full((2, len(box)), UNKNOWN_GAP)
        for step in range(1, min(4, len(box))):
            upper, lower = box[:-step], box[step:]
            gap = (lower[:, 1] - upper[:, 3]) / self.body_size
            stacked = (upper[:, 0] < lower[:, 2]) & (lower[:, 0] < upper[:, 2]) & (gap > -0.7)
            for space in (below[:-step], above[step:]):
                fits = stacked & (space == UNKNOWN_GAP)
                space[fits] = np.maximum(gap[fits], 0)
        return above, below

    @cached_property
    def like_title(self) -> Floats:
        """How much of its words each text shares with the title of the window, or a part of it."""
        window = (self.blocks.page.head.title or "")[:LONGEST_WINDOW]
        parts = {frozenset(words(part)) for part in _parts_of(window)}
        said = frozenset().union(*parts)
        near = self.blocks.lengths <= 2 * max(len(window), 1)
        near &= self.searched.holding(said) | ~self.ascii
        likeness = np.zeros(len(self.texts))
        for at in np.flatnonzero(near).tolist():
            own = frozenset(words(self.texts[at]))
            if not said.isdisjoint(own):
                likeness[at] = max(dice_of_sets(own, part) for part in parts)
        return likeness

    @cached_property
    def link_share(self) -> Floats:
        """The share of each block's characters that are in links."""
        return self._share_in(links_of(self.blocks.page))

    @cached_property
    def local_share(self) -> Floats:
        """The share of each block's characters that are in links to places on the page."""
        return self._share_in(self._local_links[0])

    def _share_in(self, links: Array) -> Floats:
        page, blocks = self.blocks.page, self.blocks
        linked = inside(links, page.end)[blocks.texts]
        sizes, block = blocks.text_sizes, blocks.block_of_text
        total = np.bincount(block, sizes, len(blocks))
        return np.asarray(np.bincount(block, sizes * linked, len(blocks)) / np.maximum(total, 1))

    @property
    def _local_links(self) -> tuple[Ints, list[str]]:
        """The links to places on the page, and what these are called."""
        nodes, addresses = with_attribute(self.blocks.page, "href")
        places = (address[1:] if address[:1] == "#" else "" for address in addresses)
        pairs = [pair for pair in zip(nodes.tolist(), places, strict=True) if pair[1]]
        return np.array([node for node, _ in pairs], np.int64), [place for _, place in pairs]

    @cached_property
    def led_to(self) -> NDArray[np.bool_]:
        """Whether a link in another block leads to this one, as a table of contents does."""
        blocks, page = self.blocks, self.blocks.page
        number = np.append(blocks.block_of_text, -1)  # of the block of a text
        goals: dict[str, int] = {}
        for attribute in ("id", "name"):
            nodes, names = with_attribute(page, attribute)
            first = number[np.searchsorted(blocks.texts, nodes)].tolist()
            goals = dict(zip(reversed(names), reversed(first), strict=True)) | goals
        links, places = self._local_links
        starts, stops = (np.searchsorted(blocks.texts, at) for at in (links, page.end[links]))
        flags = np.zeros(len(blocks), np.bool_)
        for place, source, shown in zip(places, number[starts], starts < stops, strict=True):
            goal = goals.get(place, -1)
            if shown and goal not in (-1, source):
                flags[goal] = True
        return flags

    @cached_property
    def group(self) -> Ints:
        """Blocks of one look have the same number."""
        style = self.blocks.style
        size = np.round(style("font_size").astype(np.float64) * 2)
        look = (size, self.bold, style("italic"), style("color"), style("font_family"))
        return numbered(*look, self.capitals, style("decoration"))

    @cached_property
    def main_column(self) -> tuple[float, float]:
        """Left and right of where most of the page's long texts are."""
        box, lengths = self.blocks.box, self.blocks.lengths
        weight = np.where(lengths > LONG, lengths, lengths * 0.1)
        if not len(box):
            return 0.0, 0.0
        left = most_common(np.round(box[:, 0] / 8), weight) * 8
        at_left = np.abs(box[:, 0] - left) <= 8
        return left, float(np.max(box[at_left, 2]))

    def within(self, display: Display) -> NDArray[np.bool_]:
        """Whether a block is such a box, or one of the two elements around it is."""
        columns, element = self.blocks.page.columns, self.blocks.element
        around = np.maximum(columns["parent"], 0)
        nodes = np.stack((element, around[element], around[around[element]]))
        return np.asarray(among(columns["display"][nodes], (display,)).any(axis=0))


def _without_marker(text: str) -> str:
    return text[:-1] if text[-1:] in _MARKERS else text


def _is_signature(text: str, has_sign: bool) -> bool:
    """Whether a text looks like code; most texts have no sign by which it might."""
    may_be = has_sign or " " not in text or text[0] == "-"
    return may_be and bool(_SIGNATURE.search(text))


def _is_letter(text: str) -> bool:
    letter = text.lstrip(_QUOTES)
    return len(letter) == 1 and letter.isalpha()


def _parts_of(window: str) -> list[str]:
    """The title of a window, what is between its separators, and what is before and after each.

    >>> _parts_of("Tea: green | Leaves")[4:]
    ['Tea', ' green | Leaves', 'Tea: green', 'Leaves']
    """
    marks = [mark.span() for mark in _PARTS.finditer(window)]
    whole = [window, *_PARTS.split(window)]
    return whole + [part for first, last in marks for part in (window[:first], window[last:])]


def _number_before(text: str) -> str:
    match = _NUMBER.match(text)
    if not match:
        return ""
    number, mark = match[1], match[2]
    # A letter without a mark is a word.
    return "" if number.isalpha() and not mark else number


def features(sight: BlockSight) -> tuple[list[str], Floats]:
    """The names of the features, and a row per block."""
    table = {**_look(sight), **_space(sight), **_text(sight), **_flow(sight), **_box(sight)}
    table |= _group(sight, table)
    return list(table), np.array(list(table.values()), dtype=np.float64).T.copy()


def _look(sight: BlockSight) -> dict[str, NDArray[np.generic]]:
    blocks, style = sight.blocks, sight.blocks.style
    page = blocks.page.columns
    shifts = np.array([[24], [16], [8]])  # of red, green and blue
    colors = style("color").astype(np.int64) >> shifts & 0xFF
    body = int(blocks.body_style("color")) >> shifts & 0xFF
    border = page["border"][blocks.element] > 0
    return {
        "size": sight.size,
        "size_below_largest": sight.size.max(initial=0) - sight.size,
        "bold": sight.bold,
        "body_bold": np.full(len(blocks), blocks.body_style("font_weight") >= BOLD),
        "italic": style("italic"),
        "underline": style("decoration") & int(Decoration.UNDERLINE) > 0,
        "contrast": np.abs(colors - body).max(axis=0) / 255,
        "other_family": style("font_family") != blocks.body_style("font_family"),
        "centered": among(page["align"][blocks.element], (Align.CENTER,)),
        "border_above": border[:, 0],
        "border_below": border[:, 2],
        "border_beside": border[:, 1] | border[:, 3],
        "background": page["own_background"][blocks.element] & 0xFF > 0,
        "white_on_color": page["background"][blocks.face] != int(blocks.body_style("background")),
        "capitals": sight.capitals,
        "code_font": _are_code_fonts(blocks.page.strings, style("font_family")),
    }


def _are_code_fonts(strings: Sequence[str], fonts: Ints) -> NDArray[np.bool_]:
    """Which of these strings name a font for code; -1 is for no name."""
    are_code = np.zeros(len(strings) + 1, dtype=np.bool_)
    for font in set(fonts.tolist()) - {-1}:
        are_code[font] = _CODE.search(strings[font][:200]) is not None
    return are_code[fonts]


def _space(sight: BlockSight) -> dict[str, NDArray[np.generic]]:
    blocks = sight.blocks
    box, body = blocks.box, sight.body_size
    above, below = sight.gaps
    left, right = sight.main_column
    width, height = blocks.page.info.size
    lines = (box[:, 3] - box[:, 1]) / np.maximum(np.exp(sight.size) * body * 1.2, 1)
    page, element = blocks.page.columns, blocks.element
    return {
        "above": np.minimum(above, 5),
        "below": np.minimum(below, 5),
        "more_above": np.clip(above - below, -3, 3) * (above >= 0) * (below >= 0),
        "nothing_above": above < 0,
        "nothing_below": below < 0,
        "lines": np.minimum(lines, 6),
        "from_left": np.clip((box[:, 0] - left) / body, -20, 20),
        "at_left": np.abs(box[:, 0] - left) < 3,
        "in_main": (box[:, 0] >= left - 40) & (box[:, 0] < right),
        "from_top": np.minimum(box[:, 1] / 800, 3),
        "share_of_height": box[:, 1] / max(height, 1),
        "width": (box[:, 2] - box[:, 0]) / max(width, 1),
        "list_item": sight.within(Display.LIST_ITEM),
        "cell": sight.within(Display.TABLE_CELL),
        "inline": among(page["display"][element], (Display.INLINE, Display.INLINE_BLOCK)),
        "floats": ~among(page["float"][element], (Float.NONE,)),
        "positioned": among(page["position"][element], (Position.ABSOLUTE, Position.FIXED)),
        "shared_holder": np.bincount(blocks.holder, minlength=1)[blocks.holder] > 1,
        "depth": np.minimum(blocks.depth, 20),
    }


def _text(sight: BlockSight) -> dict[str, NDArray[np.generic]]:
    lengths = sight.blocks.lengths

    texts = sight.texts
    bare = [text.rstrip(" :").casefold() for text in texts]
    firsts, ends = [text[:1] for text in texts], [text[-1:] for text in texts]

    def where(flags: list[bool]) -> NDArray[np.bool_]:
        return np.array(flags, dtype=np.bool_)

    return {
        "length": np.log1p(lengths),
        "words": np.minimum([text.count(" ") + bool(text) for text in texts], 30),
        "too_long": lengths > LONG,
        "full_stop": where([end in _STOPS for end in ends]),
        "colon": where([end == ":" for end in ends]),
        "asks": where([end in _ASKING for end in ends]),
        "capital_first": where([first.isupper() for first in firsts]),
        "lower_first": where([first.islower() for first in firsts]),
        "numbered": sight.numbering > 0,
        "number_depth": np.minimum(sight.numbering, 4),
        "no_letters": where([not any(map(str.isalpha, text)) for text in texts]),
        "brackets": sight.searched.holding(_BRACKETS),
        "separators": sight.searched.holding(_SEPARATORS),
        "signature": sight.signatures,
        "one_letter": where([len(text) < 3 for text in texts]),
        "caption": where([text in _CAPTIONS for text in bare]),
        "admonition": where([text in _ADMONITIONS for text in bare]),
        "like_title": sight.like_title,
        "links": sight.link_share,
        "all_link": sight.link_share > 0.95,
        "local_links": sight.local_share,
        "led_to": sight.led_to,
    }


def _flow(sight: BlockSight) -> dict[str, NDArray[np.generic]]:
    """What comes before and after."""
    blocks, size, group = sight.blocks, sight.size, sight.group
    lengths, box, body = blocks.lengths, blocks.box, sight.body_size
    number = np.arange(len(blocks))
    following, before = np.minimum(number + 1, max(len(blocks) - 1, 0)), np.maximum(number - 1, 0)
    return {
        "next_size": size - size[following],
        "previous_size": size - size[before],
        "bolder_than_next": sight.bold & ~sight.bold[following],
        "next_length": np.log1p(lengths[following]),
        "next_long": lengths[following] > LONG,
        "previous_length": np.log1p(lengths[before]),
        "next_same": (group == group[following]) & (following != number),
        "previous_same": (group == group[before]) & (before != number),
        "next_aligned": np.abs(box[following, 0] - box[:, 0]) < 3,
        "next_beside": (box[following, 1] < box[:, 3] - 2) & (box[following, 0] >= box[:, 2] - 2),
        "next_indent": np.clip((box[following, 0] - box[:, 0]) / body, -5, 5),
        "previous_beside": (box[before, 3] > box[:, 1] + 2) & (box[before, 2] <= box[:, 0] + 2),
        "next_deeper": np.clip(blocks.depth[following] - blocks.depth, -3, 3),
        "text_until_like": np.log1p(until_like(group, lengths)),
        "is_last": following == number,
    }


def _box(sight: BlockSight) -> dict[str, NDArray[np.generic]]:
    """The nearest box with a border or background around each block: a card, a panel, the page.

    A box around a single block may be the strip at the top of a panel: then it is the panel.
    """
    blocks, page = sight.blocks, sight.blocks.page.columns
    painted = innermost(framed(blocks.page) | (page["own_background"] & 0xFF > 0), page["parent"])
    box = np.maximum(painted[blocks.element], 0)
    starts = blocks.texts[blocks.first[:-1]]

    def held(box: Ints) -> tuple[Array, Array]:
        return np.searchsorted(starts, box), np.searchsorted(starts, blocks.page.end[box])

    first, stop = held(box)
    around = np.maximum(painted[np.maximum(page["parent"][box], 0)], 0)
    box = np.where(stop - first == 1, around, box)
    first, stop = held(box)
    bottom = page["box"][box, 1] + page["box"][box, 3]
    below = (bottom - blocks.box[:, 3]) / sight.body_size
    return {
        "box_begins": (first == np.arange(len(blocks))) & (stop - first > 1),
        "box_blocks": np.log(np.maximum(stop - first, 1)),
        "box_share": (stop - first) / max(len(blocks), 1),
        "box_below": np.clip(below, 0, 20),
        "box_begins_alone": (first == np.arange(len(blocks))) & (stop - first == 1),
    }


def until_like(group: Ints, lengths: Ints) -> Ints:
    """How many characters of other looks come before the next block of each look."""
    order = np.argsort(group, kind="stable")
    likes = group[order[:-1]] == group[order[1:]]
    following = np.full(len(group), len(group))
    following[order[:-1][likes]] = order[1:][likes]
    upto = np.concatenate(([0], np.cumsum(lengths)))
    return np.asarray(upto[following] - upto[np.arange(len(group)) + 1])


def _group(
    sight: BlockSight, table: dict[str, NDArray[np.generic]]
) -> dict[str, NDArray[np.generic]]:
    """What is usual among the blocks of the same look."""
    group, blocks = sight.group, sight.blocks
    count = np.bincount(group, minlength=1).astype(np.float64)

    characters = np.bincount(group, blocks.lengths, len(count))
    names = (
        "length", "too_long", "links", "next_same", "next_long", "above", "below", "at_left",
        "in_main", "text_until_like", "list_item", "cell", "numbered", "next_beside", "full_stop",
        "inline", "more_above", "next_aligned", "signature", "box_begins", "local_links", "led_to",
    )  # fmt: skip
    totals = np.array([np.bincount(group, table[name], len(count)) for name in names])
    usual = (totals / np.maximum(count, 1))[:, group]
    return {
        "group_count": np.log(np.maximum(count, 1))[group],
        "group_share": (characters / max(characters.sum(), 1))[group],
        "group_is_body": characters[group] == characters.max(initial=0),
        **{f"group_{name}": row for name, row in zip(names, usual, strict=True)},
    }
