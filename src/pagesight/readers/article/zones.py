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
from pagesight.readers.article.identifiers import SIGNS
from pagesight.readers.article.names.persons import bare_name, is_sure_name
from pagesight.readers.article.names.words import rejoined
from pagesight.readers.article.sheets import besides_text
from pagesight.readers.article.text import is_unparted, size_in_words
from pagesight.readers.article.vocabulary import INSTITUTION, ends_with_group, heading_kinds
from pagesight.segment.leaves import Leaves, leaf_zones
from pagesight.segment.nodes import before, inside, named
from pagesight.segment.tree import common_element

SMALL = 0.85  # of the zone's font size: what is smaller and raised is a superscript
LINE_PITCH = 1.75  # heights from line to line within a paragraph, at most
SPREAD = 1.15  # times the usual distance from line to line: where a manuscript leaves room between
MOST_PITCH = 3.0  # heights from line to line, where it does
SHORT = 0.8  # of the width of the lines around: where a sentence ends so, a paragraph does
FAR = 8.0  # ems between the words of a line that is stretched to the width of its column
INDENT = 4.0  # px by which the first line of a paragraph stands in or out
WIDER = 1.25  # times the distance between the lines of a paragraph: the next one begins
NEIGHBOURS = 8  # lines above and below by which a list is told whose items hang out
FEWEST_LINES = 6  # of such a list
HANGING = 0.35  # the share of lines that stand in, in such a list; fewer do so in other texts
_ITEM = re.compile(
    r"\s*(?:\[\d{1,3}\]\s*[^\W\d_]|\d{1,3}\.(?!\d)\s*\S)|\s*\d{1,3}\s+[A-Z]|"
    rf"\s*[{SIGNS}∗]{{1,3}}\s*[A-Z]"
)
_BEGINS = re.compile(  # what says of itself that it begins something else
    r"""\s*(?:(?:Key\s?-?[Ww]ords?|KEY\s?-?WORDS?|(?:JEL|MSC)\s[Cc](?:odes?|lassification))\b|
    (?:Index\ [Tt]erms|INDEX\ TERMS|Schlüsselw[oö]rter|Mots[- ]clés|Palabras\ clave|
    Palavras[- ]chave|Parole\ chiave|Ключевые\ слова)\b\s*[:.—–-]|
    [\[【]?(?:摘\s*要|关\s*键\s*[词字]|關\s*鍵\s*[詞字]|キーワード)\s*[\]】:：]|中图分类号|
    (?:Abstract|ABSTRACT)\s*[:.—–-]|
    [*✉]?\s*(?:Correspond(?:ence|ing\ author)s?\b|\(?Received(?::|\ \d|\ [A-Z][a-z]+\ \d)|
    Author\ for\ correspondence|(?:Present|Current)\ address\s*:))""",
    re.VERBOSE,
)
_BETWEEN_NAMES = re.compile(r"\([^)]*\)|[·•,;&✉]|\s[-–—]\s|\band\b")
_SHORT_NAME = re.compile(r"(?:[A-Z]\.[ -]?){1,3}(?:[a-z]{2,3} ){0,2}[A-Z][^\W\d_]+(?:-[A-Z]\w+)?")
UNSPACED = re.compile(r"[\u3001-\u30ff\u3400-\u9fff\uff01-\uff60]{2}")  # Chinese, Japanese
_RAISED_MARK = re.compile(rf"\s*(?:\d{{1,2}}|[a-z]|[{SIGNS}∗]{{1,3}})[\s,]*")
_WORD = re.compile(r"\s*[A-Z][a-z]")
_CAPITAL = re.compile(r"\s*[“\"‘(\[]?[^\W\d_a-z]")
_ENDED = re.compile(r"(?:[.:?!)\]]|(?:https?://|\b10\.\d{4,9}/)\S+)\s*$")
FRONT_SHEETS = 2  # on which authors are named
MOST_BLOCK_LINES = 14  # of a block with a name and a place
MOST_PIECES = 60  # of a zone that is looked at for persons and places


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
    def spelled(self) -> list[str]:
        """By piece: its text with the space before it."""
        spaced = self.spaced.tolist()
        return [f" {text}" if gap else text for text, gap in zip(self.pieces, spaced, strict=True)]

    @cached_property
    def texts(self) -> list[str]:
        """What a person reads in each zone, white space folded."""
        words, ends = self.spelled, self.first.tolist()
        joined = ["".join(words[start:stop]) for start, stop in pairwise(ends)]
        texts = [" ".join(text.split()) for text in joined]
        if self.page.info.media == "pdf":
            texts = [rejoined(text) for text in texts]
        return texts

    @cached_property
    def words(self) -> NDArray[np.int64]:
        """How many words each zone has."""
        parted = [len(text.split()) for text in self.texts]
        counts = map(size_in_words, self.texts) if is_unparted(self.texts) else parted
        return np.array(list(counts), dtype=np.int64)

    @cached_property
    def kinds(self) -> list[frozenset[str]]:
        """Which headings each zone may be."""
        return [heading_kinds(text) for text in self.texts]

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

    def kind_of(self, node: int) -> tuple[str, ...]:
        """The elements around a text, by name and class, as lists repeat them."""
        page, kind = self.page, []
        above = int(page.columns["parent"][node])
        for _ in range(3):
            kind += [page.name(above), page.attribute(above, "class") or ""]
            above = max(int(page.columns["parent"][above]), 0)
        return tuple(kind)

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
    if page.info.media == "pdf" and len(nodes):
        kept = ~besides_text(page, nodes, leaf)
        nodes, leaf, blank_before = nodes[kept], leaf[kept], blank_before[kept]
    breaks = np.searchsorted(np.flatnonzero(named(page, {"br"})), nodes)
    begins = np.ones(len(nodes), dtype=np.bool_)
    begins[1:] = (leaf[1:] != leaf[:-1]) | (breaks[1:] != breaks[:-1])
    if page.info.media == "pdf":
        begins = _names_apart(page, nodes, begins, _paragraphs(page, nodes, begins))
    else:
        begins |= _opened(page, nodes, begins)
    zone = np.cumsum(begins) - 1
    return _described(page, leaves, nodes, leaf, zone, blank_before)


def _paragraphs(page: Page, nodes: Array, begins: Array) -> NDArray[np.bool_]:
    """In a PDF every line is a leaf: where the paragraphs begin that the lines make up."""
    starts = np.flatnonzero(begins)
    if len(starts) < 2:
        return begins
    lines = _Lines.of(page, nodes, starts)
    found = np.zeros(len(nodes), dtype=np.bool_)
    found[starts[lines.paragraphs()]] = True
    return found


def _names_apart(page: Page, nodes: Array, lines: Array, begins: Array) -> NDArray[np.bool_]:
    """Cuts around lines that name persons, in blocks that name a place below, line by line."""
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
        own = ["".join(pieces[i - start : j - start]) for i, j in pairwise(edges)]
        if INSTITUTION.search(" ".join(own[1:])):
            named = [_names_persons(line) for line in own]
            cuts[[at for at, before in zip(below, named, strict=False) if before]] = True
            cuts[[at for at, names in zip(below, named[1:], strict=True) if names]] = True
    return cuts


def _names_persons(line: str) -> bool:
    """Whether a line names persons, and nothing else."""
    if INSTITUTION.search(line):
        return False
    parts = [part for each in _BETWEEN_NAMES.split(line) if (part := bare_name(each))]
    return bool(parts) and all(_SHORT_NAME.fullmatch(part) or is_sure_name(part) for part in parts)


@dataclass(frozen=True, eq=False)
class _Lines:
    """The lines of a PDF. Arrays are by line."""

    begins: Array  # whether it is the first, or only, part of a line
    own: Array  # where the part itself begins
    left: Array  # of the whole line
    right: Array
    base: Array  # the bottom of the largest text
    height: Array
    size: Array
    bold: Array  # the share of its texts
    sheet: Array
    item: Array  # begins with a number or a mark, as items of lists do
    ended: Array  # ends like a sentence
    capital: Array  # begins like one

    @classmethod
    def of(cls, page: Page, nodes: Array, starts: Array) -> _Lines:
        columns = page.columns
        box, own = columns["box"][nodes].astype(np.float64), columns["font_size"][nodes]
        size = np.maximum.reduceat(own, starts)
        line = np.cumsum(np.bincount(starts, minlength=len(nodes))) - 1
        main = own > 0.9 * size[line]
        around = _union(box, starts)
        strings = [page.strings[text] for text in columns["text"][nodes].tolist()]
        for start in starts.tolist():
            strings[start] = f" {strings[start]}"
        spans = list(pairwise([*starts.tolist(), len(nodes)]))
        base = np.maximum.reduceat(np.where(main, box[:, 1] + box[:, 3], -np.inf), starts)
        left, right = around[:, 0], around[:, 0] + around[:, 2]
        begins = _begin_lines(left, right, base, size)
        line = np.cumsum(begins) - 1
        stops = np.append(starts[begins], len(nodes))[line + 1]  # of whole lines
        rows = zip(starts.tolist(), stops.tolist(), strict=True)
        return cls(
            begins=begins,
            own=left,
            left=np.minimum.reduceat(left, np.flatnonzero(begins))[line],
            right=np.maximum.reduceat(right, np.flatnonzero(begins))[line],
            base=base,
            height=around[:, 3],
            size=size,
            bold=_bold_share(columns["font_weight"][nodes] >= 600, starts),
            sheet=columns["sheet"][nodes][starts],
            item=np.array([_is_item(strings[i:j], bool(main[i])) for i, j in rows]) & begins,
            ended=np.array([bool(_ENDED.search(strings[j - 1])) for _, j in spans]),
            capital=np.array([bool(_CAPITAL.match(strings[i])) for i, _ in spans]),
        )

    def paragraphs(self) -> list[bool]:
        """For each line whether it begins a paragraph."""
        step, shift = np.diff(self.base), np.diff(self.left)
        same_line = np.abs(step) < 0.5 * self.height[1:]
        apart = ~self._alike() | ~self._close(step, same_line)
        run = np.cumsum(np.r_[False, apart])
        hangs, deep = self._hanging(run)
        after = np.r_[np.where(apart[1:], 0.0, shift[1:]), 0.0]
        indented = (shift > INDENT) & (after < -INDENT) & self.ended[:-1] & ~hangs[1:]
        # Below the text behind a number, a line goes on.
        indented &= self.begins[:-1] | (np.abs(self.left[1:] - self.own[:-1]) > INDENT)
        outdented = (shift < -INDENT) & ~hangs[1:] & ~same_line
        centered = self._centered() & ~hangs[1:]
        shifted = (indented & ~centered) | (hangs[1:] & ~deep[1:])
        # In a list whose items hang out, a line below others that stand in goes on with a number.
        below = ((np.abs(shift) < 1.5) & ~self.item[:-1]) | (shift > INDENT)
        goes_on = hangs[1:] & deep[1:] & below
        short = self._short(run)
        closed = short[:-1] & self.ended[:-1] & self.capital[1:] & (shift <= INDENT)
        closed &= ~hangs[1:] & (~centered | ~short[1:])
        breaks = apart | (((self.item[1:] & ~goes_on) | shifted | closed) & ~same_line)
        goes_on_in = hangs & deep | ~self.begins  # no heading is on such a line
        return self._by_pitch(breaks, outdented & ~centered, goes_on_in[1:], same_line)

    def _by_pitch(
        self, breaks: Array, outdented: Array, goes_on_in: Array, same_line: Array
    ) -> list[bool]:
        """For each line whether it begins a paragraph: by `breaks`, its pitch, or its weight."""
        step = np.diff(self.base)
        new, pitch, bold = [True], 0.0, float(self.bold[0])
        for line in range(len(step)):
            own, down = float(self.bold[line + 1]), float(step[line])
            wide = pitch > 0 and down > WIDER * pitch
            heading = {bold, own} == {0.0, 1.0} and not goes_on_in[line]
            # After an indented first line, standing out is going on.
            out = bool(outdented[line]) and not new[line]
            new.append(bool(breaks[line]) or wide or heading or out)
            if new[-1]:
                pitch, bold = 0.0, own
            else:
                bold = bold if bold == own else 0.5
                pitch = pitch if same_line[line] else min(pitch or down, down)
        return new

    def _alike(self) -> NDArray[np.bool_]:
        size = np.abs(np.diff(self.size)) < 0.06 * self.size[1:]
        alike: NDArray[np.bool_] = size & (self.sheet[1:] == self.sheet[:-1])
        return alike

    def _close(self, step: Array, same_line: Array) -> NDArray[np.bool_]:
        highest = np.maximum(self.height[1:], self.height[:-1])
        usual = (step / highest)[~same_line & (step > 0) & (step < MOST_PITCH * highest)]
        spread = SPREAD * float(np.median(usual)) if len(usual) else 0.0
        pitch = max(LINE_PITCH, spread) * highest
        below = (self.left[1:] < self.right[:-1]) & (self.left[:-1] < self.right[1:])
        close: NDArray[np.bool_] = (step > -0.5 * self.height[1:]) & (step < pitch)
        return close & (below | same_line)

    def _centered(self) -> NDArray[np.bool_]:
        """Whether a line is centered below the one before, both being of other lengths."""
        middle = (self.left + self.right) / 2
        centered: NDArray[np.bool_] = (np.abs(np.diff(middle)) < 3) & (
            np.abs(np.diff(self.left)) > INDENT
        )
        return centered

    def _around(self, run: Array) -> tuple[Array, NDArray[np.bool_]]:
        """The lines around each, lines × neighbours, and which of them are of the same run.

        `run` numbers the runs of lines that follow each other closely.
        """
        count = len(self.left)
        near = np.arange(count)[:, None] + np.arange(-NEIGHBOURS, NEIGHBOURS + 1)
        inside = (near >= 0) & (near < count)
        near = np.clip(near, 0, count - 1)
        return near, inside & (run[near] == run[:, None])

    def _short(self, run: Array) -> NDArray[np.bool_]:
        """Lines that end before others around them do."""
        near, inside = self._around(run)
        widest = np.where(inside, self.right[near], -np.inf).max(axis=1)
        short: NDArray[np.bool_] = self.right - self.left < SHORT * (widest - self.left)
        return short

    def _hanging(self, run: Array) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Lines in lists whose items hang out, as many references do; those that stand in."""
        near, inside = self._around(run)
        inside &= self.begins[near]
        left = self.left[near]
        margin = np.where(inside, left, np.inf).min(axis=1)
        deep = (left > margin[:, None] + INDENT) & inside
        size = inside.sum(axis=1)
        hangs: NDArray[np.bool_] = (deep.sum(axis=1) >= HANGING * size) & (size >= FEWEST_LINES)
        return hangs, self.left > margin + INDENT


def _begin_lines(left: Array, right: Array, base: Array, size: Array) -> NDArray[np.bool_]:
    """Which parts begin a line; words of one that is stretched to a width stand far apart."""
    gap = left[1:] - right[:-1]
    apart = (np.abs(np.diff(base)) > 0.1 * size[1:]) | (gap < 0) | (gap > FAR * size[1:])
    begins: NDArray[np.bool_] = np.r_[True, apart]
    return begins


def _bold_share(bold: Array, starts: Array) -> Array:
    share: Array = np.add.reduceat(bold.astype(np.float64), starts)
    share /= np.diff(np.r_[starts, len(bold)])
    return share


def _is_item(strings: list[str], is_main: bool) -> bool:
    """Whether a line begins with the number or mark of an item; `is_main`: not with a small one."""
    if _BEGINS.match("".join(strings)):
        return True
    if not is_main and len(strings) > 1:
        return bool(_RAISED_MARK.fullmatch(strings[0]) and _WORD.match(strings[1]))
    return bool(_ITEM.match("".join(strings)))


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
        named = False  # whether a person stands before, since the last cut
        for at in range(start, stop):
            text = texts[at]
            if not place[at]:
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
    if ends_with_group(text):
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
        spaced=(blank_before | page.set_apart[nodes] | _lower(box)) & ~_unparted(page, nodes, box),
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


def _unparted(page: Page, nodes: Array, box: Array) -> NDArray[np.bool_]:
    """Which pieces of a PDF go on with Chinese characters in the next line: no space parts them."""
    found = np.zeros(len(nodes), dtype=np.bool_)
    if page.info.media != "pdf":
        return found
    strings = [page.strings[text] for text in page.columns["text"][nodes].tolist()]
    lower = _lower(box).tolist()
    for at, (above, text) in enumerate(pairwise(strings), start=1):
        found[at] = lower[at] and bool(UNSPACED.search(above[-1:] + text[:1]))
    return found


def _lower(box: Array) -> NDArray[np.bool_]:
    """Which pieces stand below the piece before."""
    lower = np.ones(len(box), dtype=np.bool_)
    lower[1:] = box[1:, 1] > box[:-1, 1] + box[:-1, 3] - 1
    return lower
