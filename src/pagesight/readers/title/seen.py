"""Clues of a rendered page, and how its texts look: size, weight, place."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Box, Display, NodeKind, Page
from pagesight.page.words import Searched
from pagesight.readers.title.candidates import Candidate
from pagesight.readers.title.clues import (
    COPYRIGHT,
    HEADINGS,
    LONGEST,
    MOST_NODES,
    MOST_SILENT,
    NOWHERE,
    Clues,
    TaggedElement,
    TitleText,
    collect,
    is_canonical,
)
from pagesight.readers.title.features import TitleEvidence
from pagesight.readers.title.text import alike, fold, letters
from pagesight.segment.blocks import block_elements, text_of
from pagesight.segment.nodes import (
    BOLD,
    inside,
    named,
    on_sheets,
    run_starts,
    unions,
    weighted_median,
    with_attribute,
    words_of_page,
)
from pagesight.segment.text import SILENT, squeeze
from pagesight.segment.xycut import zone_with_most

MOST_SIGHTS = 8  # large texts that become candidates
SCREENS = 2.0  # of height in which a title is looked for
MOST_LINES = 400
RUNNING = 40  # characters of a line that is part of a paragraph
SAME_TITLE = 0.8  # likeness of the title in the properties of a PDF and of one that is seen
MARK = 2  # characters of what is an icon, not a text
_NO_NAME = re.compile(r"[©\d]+")
_NAMED = ("title", "headline", "breadcrumb")
MOST_AROUND_LOGO = 12  # elements around a picture, of which one may say that it is a logo
# Plain numbers: looking up a member of an enum takes longer than what is done with it here.
_TEXT, _ELEMENT = int(NodeKind.TEXT), int(NodeKind.ELEMENT)
_BLOCKS = frozenset(
    int(display) for display in Display if display != Display.NONE and not display.is_inline
)


class SeenElement:
    """An element of a Page, as `clues.collect` wants it."""

    __slots__ = ("_attributes", "_node", "_own_texts", "_page", "tag")

    def __init__(self, page: Page, node: int) -> None:
        self._page = page
        self._node = node
        self.tag = page.name(node)
        self._attributes: Mapping[str, str | None] | None = None
        self._own_texts: dict[int, str] | None = None

    @property
    def node(self) -> int | None:
        return self._node

    def lineage(self) -> Iterator[tuple[int, TaggedElement]]:
        """Itself and the elements around it."""
        node, parents = self._node, self._page.parents
        while node >= 0:
            yield node, SeenElement(self._page, node)
            node = parents[node]

    @property
    def attributes(self) -> Mapping[str, str | None]:
        if self._attributes is None:
            self._attributes = self._page.attributes(self._node)
        return self._attributes

    @property
    def text(self) -> str:
        """The text in it, as far as it is shown; blocks and line breaks begin new lines."""
        page, own, shown, nodes = self._page, self._own, set(self._shown), self._nodes
        kinds, displays = (page.columns[name][nodes].tolist() for name in ("kind", "display"))
        pieces = []
        for node, kind, display in zip(
            range(nodes.start, nodes.stop), kinds, displays, strict=True
        ):
            if node in shown:
                pieces.append(own[node])
            elif kind == _TEXT:
                pieces.append(" " if own[node] else "")
            elif kind == _ELEMENT and (display in _BLOCKS or page.name(node) == "br"):
                pieces.append("\n")
        return "".join(pieces)

    @property
    def texts(self) -> list[str]:
        """The same, text by text."""
        own = self._own
        return [squeeze(own[node]) for node in self._shown]

    @property
    def _shown(self) -> list[int]:
        """The texts in it that are seen, or all if none is: hidden, it may still name the page."""
        visible = self._page.visible
        filled = [node for node, text in self._own.items() if text.strip()]
        return [node for node in filled if visible[node]] or filled

    @property
    def _nodes(self) -> slice:
        return slice(self._node, min(int(self._page.end[self._node]), self._node + MOST_NODES))

    @property
    def _own(self) -> dict[int, str]:
        """By text in it what it says; nothing for those in buttons, drawings and the like."""
        if self._own_texts is None:
            page, nodes = self._page, self._nodes
            texts = page.is_text[nodes].nonzero()[0] + nodes.start
            strings = page.columns["text"][texts].tolist()
            self._own_texts = {
                node: page.strings[text] if text >= 0 and not self._is_silent(node) else ""
                for node, text in zip(texts.tolist(), strings, strict=True)
            }
        return self._own_texts

    def _is_silent(self, node: int) -> bool:
        """Whether a text is in a button, a drawing or the like in this element."""
        parents = self._page.parents
        above = parents[node]
        for _ in range(MOST_SILENT):
            if above <= self._node:
                return False
            if self._page.name(above) in SILENT:
                return True
            above = parents[above]
        return False


def clues_of_page(page: Page, looks: SeenTexts | None = None) -> Clues:
    """What a rendered page says about its name, in words and, with `looks`, in large letters."""
    clues = collect((SeenElement(page, node) for node in _telling(page)), page.url)
    if on_sheets(page) and not _shows(looks or SeenTexts.of(page), clues.tag):
        clues.tag = ""
    largest = looks.largest(MOST_SIGHTS) if looks else ()
    clues.seen = [TitleText(line.text, "seen", line.node, NOWHERE) for line in largest]
    clues.copyright = _copyright(page)
    clues.words = lambda: words_of_page(page)
    return clues


def _shows(looks: SeenTexts, tag: str) -> bool:
    """Whether a PDF begins with the title in its properties.

    Many have the name of a file there, or what the typesetter called it.
    """
    wanted, texts = letters(tag), [line.text for line in looks.lines]
    similar = any(alike(fold(tag), fold(text)) >= SAME_TITLE for text in texts)
    return similar or wanted in letters(" ".join(texts)) or not texts


def _copyright(page: Page) -> str:
    """What follows the last copyright sign."""
    texts = [page.strings[text] for text in page.columns["run_text"].tolist()]
    last = next((row for row in range(len(texts) - 1, -1, -1) if "©" in texts[row]), -1)
    behind = " ".join(texts[last : last + 4]) if last >= 0 else ""
    return _NO_NAME.sub(" ", behind[behind.find("©") :])[:COPYRIGHT]


def _telling(page: Page) -> list[int]:
    """The nodes that may say something about the name of the page, in document order."""
    nodes = set(page.elements("title", "meta", *HEADINGS))
    nodes.update(_links(page), _logos(page))
    scripts = _having(page, "type", lambda kind: kind.lower() == "application/ld+json")
    nodes.update(set(page.elements("script")).intersection(scripts))
    for attribute in ("class", "aria-label"):
        nodes.update(_having_words(page, attribute, _NAMED))
    nodes.update(_having(page, "itemprop", ("headline", "name").__contains__))
    nodes.update(_having(page, "role", "heading".__eq__))
    return sorted(nodes)


def _having(page: Page, attribute: str, fits: Callable[[str], bool]) -> list[int]:
    """The nodes whose attribute has a value that fits; each value is looked at once."""
    nodes, values = with_attribute(page, attribute)
    fitting = set(filter(fits, set(values)))
    if not fitting:
        return []
    return [node for node, value in zip(nodes.tolist(), values, strict=True) if value in fitting]


def _having_words(page: Page, attribute: str, words: Sequence[str]) -> list[int]:
    """The nodes whose attribute has one of these words in it, in whatever case."""
    values = list(set(with_attribute(page, attribute)[1]))
    fitting = Searched(values).holding(words).nonzero()[0].tolist()
    return _having(page, attribute, {values[at] for at in fitting}.__contains__)


def _links(page: Page) -> set[int]:
    """The address that the page prefers, and titled feeds and searches."""
    related = set(_having(page, "rel", lambda rel: rel.lower() in ("alternate", "search")))
    related.intersection_update(with_attribute(page, "title")[0].tolist())
    related.update(_having(page, "rel", is_canonical))
    return related.intersection(page.elements("link"))


def _logos(page: Page) -> Iterator[int]:
    """Links to the front page, and pictures with a text in what is a header or named a logo."""
    is_link, is_picture = named(page, {"a"}), named(page, {"img"})
    yield from (node for node in _having(page, "href", "/".__eq__) if is_link[node])
    heads = set(page.elements("header"))
    heads.update(_having_words(page, "class", ("logo",)))
    described, _ = with_attribute(page, "alt")
    in_heads = inside(np.array(sorted(heads), dtype=np.int64), page.end)
    for node in described[is_picture[described] & in_heads[described]].tolist():
        if not heads.isdisjoint(_around(node, page.parents)):
            yield node


def _around(node: int, parents: list[int]) -> Iterator[int]:
    """The nodes around a node, from the inside."""
    for _ in range(MOST_AROUND_LOGO):
        node = parents[node]
        if node < 0:
            return
        yield node


class SeenText(NamedTuple):
    """The text of one block as it is seen."""

    text: str
    node: int
    size: float
    bold: bool
    x: float
    y: float
    width: float


@dataclass(frozen=True)
class SeenTexts:
    """How the texts in the upper part of a page look."""

    page: Page
    lines: list[SeenText]

    @classmethod
    def of(cls, page: Page) -> SeenTexts:
        """Look at a page."""
        return cls(page, list(_lines(page)))

    def largest(self, most: int) -> list[SeenText]:
        """The largest texts that are short enough for a title."""
        short = [line for line in self.lines if len(line.text) <= LONGEST]
        return sorted(short, key=lambda line: (-line.size, -line.bold, line.y))[:most]

    @cached_property
    def _by_text(self) -> dict[str, SeenText]:
        """By folded text the largest block of it."""
        largest: dict[str, SeenText] = {}
        for line in self.largest(len(self.lines)):
            largest.setdefault(fold(line.text), line)
        return largest

    @cached_property
    def _sizes(self) -> list[float]:
        return sorted({line.size for line in self.lines}, reverse=True)

    @cached_property
    def _body(self) -> float:
        """The size of most text."""
        sizes = np.array([line.size for line in self.lines])
        return weighted_median(sizes, np.array([len(line.text) for line in self.lines]))

    @cached_property
    def _others(self) -> NDArray[np.float64]:
        """Three rows: size, boldness and top of all texts that are not icons."""
        others = [line for line in self.lines if len(line.text) > MARK]
        return np.array([(line.size, line.bold, line.y) for line in others]).reshape(-1, 3).T

    @cached_property
    def _main_sizes(self) -> list[float]:
        """The sizes of what is in the main zone or above it, the largest first."""
        return sorted({line.size for line in self.lines if self._heads(line)}, reverse=True)

    @cached_property
    def main(self) -> Box:
        """The smallest zone of the page that holds most of its running text."""
        page, columns = self.page, self.page.columns
        texts = columns["run_text"].tolist()
        lengths = np.array([len(page.strings[text]) for text in texts], np.int64)
        running = np.where((lengths >= RUNNING) & page.visible[columns["run_node"]], lengths, 0)
        return zone_with_most(page, np.bincount(columns["run_node"], running, len(page)))

    def _heads(self, line: SeenText) -> bool:
        """Whether a text is in the main zone or above it, not beside it."""
        main = self.main
        return line.x < main.right and line.x + line.width > main.x and line.y < main.bottom

    def page_features(self, evidence: TitleEvidence) -> dict[str, float]:
        """How large the names are that a page gives itself."""
        names = {
            "heading": evidence.heading,
            "subject": evidence.subject.text,
            "first": evidence.subject.parts[0],
        }
        return {f"page seen {name}": self._rank(text) for name, text in names.items()}

    def _rank(self, folded: str) -> float:
        line = self._by_text.get(folded)
        return float(self._sizes.index(line.size)) if line else -1.0

    def features(self, candidate: Candidate) -> dict[str, float]:
        """How a candidate looks; all below zero if it is not seen."""
        hidden = {"seen hidden": float(self._is_hidden(candidate))}
        line = self._by_text.get(candidate.folded)
        if line is None:
            return hidden | dict.fromkeys(_FEATURES, -1.0)
        return hidden | dict(zip(_FEATURES, self._look(line), strict=True))

    def _is_hidden(self, candidate: Candidate) -> bool:
        """Whether the page has a candidate in its text and shows it nowhere."""
        nodes = [find.piece.node for find in candidate.finds if find.piece.node is not None]
        return bool(nodes) and not self.page.visible[nodes].any()

    def _look(self, line: SeenText) -> tuple[float, ...]:
        width, height = self.page.info.viewport
        sizes, bold, tops = self._others
        heads = self._heads(line)
        return (
            math.log(max(line.size, 1) / max(self._body, 1)),
            float(self._sizes.index(line.size)),
            math.log1p(np.count_nonzero(sizes > line.size)),
            float(line.bold),
            line.y / height,
            line.x / width,
            line.width / width,
            float(heads),
            float(self._main_sizes.index(line.size)) if heads else -1.0,
            (self.main.y - line.y) / height,
            math.log1p(np.count_nonzero((sizes == line.size) & (bold == line.bold))),
            math.log1p(np.count_nonzero((sizes >= line.size) & (tops < line.y))),
        )


_FEATURES = ("seen size", "seen rank", "seen larger", "seen bold", "seen top", "seen left",
             "seen width", "seen heads", "seen main rank", "seen above main", "seen same",
             "seen before")  # fmt: skip


def _texts(page: Page, runs: NDArray[np.int64], spans: list[tuple[int, int]]) -> list[str]:
    """What a person reads in each of these spans of runs."""
    if on_sheets(page):
        nodes = page.columns["run_node"][runs]
        return [text_of(page, nodes[start:stop]) for start, stop in spans]
    pieces = [page.strings[text] for text in page.columns["run_text"][runs].tolist()]
    return [squeeze(" ".join(pieces[start:stop])) for start, stop in spans]


def _lines(page: Page) -> Iterator[SeenText]:
    """The visible blocks of text in the upper part of the page, in document order."""
    columns = page.columns
    nodes, boxes = columns["run_node"], columns["run_box"]
    upper = (boxes[:, 1] < SCREENS * page.info.viewport[1]) & page.visible[nodes]
    rows = np.flatnonzero(upper)
    blocks = block_elements(page)[nodes[rows]]
    order = np.argsort(blocks, kind="stable")
    rows, blocks = rows[order], blocks[order]
    starts = run_starts(blocks)[:MOST_LINES]
    sides = unions(boxes[rows], starts).tolist()
    if not len(starts):
        return
    sizes = np.maximum.reduceat(columns["font_size"][nodes[rows]], starts).tolist()
    bold = np.logical_or.reduceat(columns["font_weight"][nodes[rows]] >= BOLD, starts).tolist()
    heads, spans = blocks[starts].tolist(), list(pairwise([*starts.tolist(), len(rows)]))
    texts = _texts(page, rows, spans)
    for at, (text, (left, top, right, _)) in enumerate(zip(texts, sides, strict=True)):
        if text:
            yield SeenText(
                text=text,
                node=heads[at],
                size=round(sizes[at], 1),
                bold=bold[at],
                x=left,
                y=top,
                width=right - left,
            )
