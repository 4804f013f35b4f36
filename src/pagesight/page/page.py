"""Page and Node: views of the columns, for people and for readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.page import file
from pagesight.page.address import Addresses
from pagesight.page.columns import PageTable, among, nearest
from pagesight.page.head import Head, base_of, join
from pagesight.page.style import (
    Align,
    Box,
    Decoration,
    Display,
    Float,
    NodeKind,
    Position,
    Style,
    Visibility,
    hex_color,
)

WORD_SPACE = 0.3  # font sizes; texts that are farther apart on one line are two words
_CLINGING = frozenset(".,;:!?)]}%’”»…")  # whatever the gap, no word begins with one of these
_INLINE = tuple(display for display in Display if display.is_inline)
_POINTERS = {
    "a": "href", "area": "href", "link": "href", "img": "src", "iframe": "src", "frame": "src",
    "form": "action", "video": "src", "audio": "src", "source": "src", "embed": "src",
    "object": "data", "script": "src", "input": "src",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a text on one line, as it was laid out."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True, repr=False)
class Node:
    """One node of a page. Two views of the same node are equal."""

    page: Page
    id: int

    def __repr__(self) -> str:
        return f"<Node {self.id} {self.xpath}>"

    @property
    def kind(self) -> NodeKind:
        return NodeKind(self.page.columns["kind"][self.id])

    @property
    def tag(self) -> str:
        """The name in lower case; ``#text`` for a text, ``#document`` for a document."""
        return self.page.name(self.id)

    @property
    def parent(self) -> Node | None:
        above = int(self.page.columns["parent"][self.id])
        return Node(self.page, above) if above >= 0 else None

    @property
    def children(self) -> list[Node]:
        end = self.page.end
        nodes, child = [], self.id + 1
        while child < end[self.id]:
            nodes.append(Node(self.page, child))
            child = int(end[child])
        return nodes

    @property
    def descendants(self) -> Iterator[Node]:
        return (Node(self.page, node) for node in range(self.id + 1, int(self.page.end[self.id])))

    @property
    def ancestors(self) -> Iterator[Node]:
        """From the parent upwards."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    @property
    def attributes(self) -> dict[str, str]:
        return self.page.attributes(self.id)

    @property
    def own_text(self) -> str:
        """The text of a text node or of generated content, as in the document."""
        return self.page.own_text(self.id)

    @property
    def text(self) -> str:
        """What a person reads here: visible text, white space collapsed, one line per block."""
        return self.page.text(self.id)

    @property
    def runs(self) -> list[Run]:
        """The visible lines of text in this node."""
        return self.page.runs(self.id)

    @property
    def box(self) -> Box:
        return Box(*self.page.columns["box"][self.id].tolist())

    @property
    def sheet(self) -> int:
        """The page number in a PDF, counted from 1; 0 on a web page."""
        return int(self.page.columns["sheet"][self.id])

    @property
    def paint_order(self) -> int:
        """What is painted later is on top; -1 where unknown."""
        return int(self.page.columns["paint"][self.id])

    @property
    def visibility(self) -> Visibility:
        return Visibility(self.page.columns["visibility"][self.id])

    @property
    def visible(self) -> bool:
        return self.visibility is Visibility.VISIBLE

    @property
    def style(self) -> Style:
        columns = self.page.columns
        family = int(columns["font_family"][self.id])
        top, right, bottom, left = columns["border"][self.id].tolist()
        return Style(
            display=Display(columns["display"][self.id]),
            position=Position(columns["position"][self.id]),
            floats=Float(columns["float"][self.id]),
            font_size=float(columns["font_size"][self.id]),
            font_weight=int(columns["font_weight"][self.id]),
            italic=bool(columns["italic"][self.id]),
            font_family=self.page.strings[family] if family >= 0 else "",
            color=hex_color(int(columns["color"][self.id])),
            background=hex_color(int(columns["background"][self.id])),
            own_background=hex_color(int(columns["own_background"][self.id])),
            has_background_image=bool(columns["background_image"][self.id]),
            decoration=Decoration(int(columns["decoration"][self.id])),
            align=Align(columns["align"][self.id]),
            opacity=float(columns["opacity"][self.id]),
            border=(top, right, bottom, left),
        )

    @property
    def target(self) -> str | None:
        """The absolute address that a link, picture, frame or form points to."""
        return self.page.target(self.id)

    @property
    def value(self) -> str | None:
        """What a form control holds."""
        attributes = self.attributes
        return attributes.get(":value", attributes.get("value"))

    @property
    def xpath(self) -> str:
        return self.page.addresses.xpath(self.id)

    @property
    def css(self) -> str:
        return self.page.addresses.css(self.id)


class Page(PageTable):
    """What a browser window shows, frozen: a tree of nodes with boxes, styles and text.

    ``columns`` are read-only numpy arrays by node id, ``strings`` the table that they point into.
    `Node` objects are views of them: ``page[12].box``, ``page.root.text``.
    """

    def __getitem__(self, node: int) -> Node:
        if not 0 <= node < len(self):
            raise IndexError(f"a page of {len(self)} nodes has no node {node}")
        return Node(self, node)

    def __iter__(self) -> Iterator[Node]:
        return (Node(self, node) for node in range(len(self)))

    def __repr__(self) -> str:
        width, height = self.info.size
        address = f" {self.url}" if self.url else ""
        return f"<Page{address} {len(self)} nodes, {width:.0f} x {height:.0f}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Page):
            return NotImplemented
        return (
            self.info == other.info
            and self.strings == other.strings
            and all(
                np.array_equal(self.columns[name], other.columns[name]) for name in self.columns
            )
        )

    def __hash__(self) -> int:
        return hash((self.info, len(self)))

    @property
    def root(self) -> Node:
        return Node(self, 0)

    @property
    def complete(self) -> bool:
        """Whether everything that belongs to the page was loaded and laid out."""
        return not self.info.notes

    @cached_property
    def _base(self) -> str:
        return base_of(self)

    @cached_property
    def head(self) -> Head:
        """What the document states about itself: title, meta, canonical address, JSON-LD."""
        return Head.of(self)

    def find(self, *tags: str) -> list[Node]:
        """All elements of these names, in document order."""
        return [Node(self, node) for node in self.elements(*tags)]

    def text(self, node: int) -> str:
        """The visible text below a node: white space collapsed, one line per block."""
        return self.text_of([node])

    def text_of(self, nodes: Sequence[int]) -> str:
        """The visible text below several nodes of disjoint subtrees, in the given order."""
        first = np.searchsorted(self._texts, nodes).tolist()
        stop = np.searchsorted(self._texts, self.end[np.asarray(nodes, np.int64)]).tolist()
        line_of, strings = self._lines_of_texts
        lines: list[list[str]] = []
        last_line = -1
        for begin, end in zip(first, stop, strict=True):
            for line, string in zip(line_of[begin:end], strings[begin:end], strict=True):
                if line != last_line:
                    lines.append([string])
                    last_line = line
                else:
                    lines[-1].append(string)
        collapsed = [" ".join("".join(line).split()) for line in lines]
        return "\n".join(filter(None, collapsed))

    def runs(self, node: int) -> list[Run]:
        """The visible texts below a node, line by line."""
        column = self.columns["run_node"]
        inside = (column >= node) & (column < self.end[node])
        rows = np.flatnonzero(inside & self.visible[column]).tolist()
        texts, boxes = self.columns["run_text"], self.columns["run_box"]
        return [Run(self.strings[texts[row]], Box(*boxes[row].tolist())) for row in rows]

    def target(self, node: int) -> str | None:
        """The absolute address that an element points to."""
        attributes = self.attributes(node)
        if current := attributes.get(":src"):
            return current
        name = _POINTERS.get(self.name(node))
        value = attributes.get(name) if name else None
        if value is None:
            return None
        return join(self._base, value) or value

    def save(self, path: str | Path) -> None:
        """Write the page into one compressed file."""
        Path(path).write_bytes(self.to_bytes())

    @classmethod
    def load(cls, path: str | Path) -> Page:
        """Read a saved page; raises `PageFileError` if the file is not one."""
        return cls.from_bytes(Path(path).read_bytes(), source=str(path))

    def to_bytes(self, *, compress: bool = True) -> bytes:
        """The page as it is saved."""
        return file.dump(self, compress=compress)

    @classmethod
    def from_bytes(cls, data: bytes, *, source: str | None = None) -> Page:
        """The page that `to_bytes` wrote; `source` is named in errors."""
        return cls(*file.parse(data, source))

    @cached_property
    def blank(self) -> NDArray[np.bool_]:
        """By string whether it is nothing but white space; the last is for none."""
        blank = [*map(str.isspace, self.strings), False]
        if "" in self.strings:
            blank[self.strings.index("")] = True
        return np.array(blank, dtype=np.bool_)

    @cached_property
    def text_sizes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """By string: its words, and its characters other than white space.

        0 for strings that are in no text that is laid out; the last is for none.
        """
        text = self.columns["text"]
        laid_out = self.visible | among(self.columns["visibility"], (Visibility.ZERO_SIZE,))
        strings = np.flatnonzero(np.bincount(text[laid_out & (text >= 0)]))
        split = [self.strings[string].split() for string in strings.tolist()]
        words, characters = np.zeros((2, len(self.strings) + 1), dtype=np.int64)
        words[strings] = [len(parts) for parts in split]
        characters[strings] = [len("".join(parts)) for parts in split]
        return words, characters

    @cached_property
    def set_apart(self) -> NDArray[np.bool_]:
        """Whether each text looks separated by a space from the text before it.

        A margin separates two words as well as white space does: `<a>Home</a><a>News</a>`.
        """
        apart = np.zeros(len(self), dtype=np.bool_)
        texts = self.visible & self.is_text
        rows = np.flatnonzero(texts[self.columns["run_node"]])
        nodes, box = self.columns["run_node"][rows], self.columns["run_box"][rows]
        first = np.flatnonzero(nodes[1:] != nodes[:-1]) + 1
        here, before = box[first], box[first - 1]
        top = np.maximum(here[:, 1], before[:, 1])
        bottom = np.minimum(here[:, 1] + here[:, 3], before[:, 1] + before[:, 3])
        level = bottom - top > 0.5 * np.minimum(here[:, 3], before[:, 3])
        gap = np.maximum(here[:, 0] - before[:, 0] - before[:, 2],
                         before[:, 0] - here[:, 0] - here[:, 2])  # fmt: skip
        wide = gap > WORD_SPACE * self.columns["font_size"][nodes[first]]
        separated = nodes[first][level & wide]
        strings = (self.strings[text] for text in self.columns["text"][separated].tolist())
        apart[separated] = [string[:1] not in _CLINGING for string in strings]
        return apart

    @cached_property
    def addresses(self) -> Addresses:
        """XPaths and selectors of nodes."""
        return Addresses(self)

    @cached_property
    def _texts(self) -> NDArray[np.int64]:
        """The visible text nodes, and those that hold nothing but white space."""
        text = self.columns["text"]
        blank = among(self.columns["visibility"], (Visibility.ZERO_SIZE,))
        blank &= self.blank[text]
        texts = self.is_text & (text >= 0)
        return np.flatnonzero(texts & (self.visible | blank))

    @cached_property
    def _lines_of_texts(self) -> tuple[list[int], list[str]]:
        """By text a number for the line that it is on, and what it adds to that line."""
        texts, count = self._texts, len(self._line_breaks) + 1
        lines = self._blocks[texts] * count + np.searchsorted(self._line_breaks, texts)
        strings = (self.strings[text] for text in self.columns["text"][texts].tolist())
        apart = self.set_apart[texts].tolist()
        spaced = [f" {text}" if gap else text for text, gap in zip(strings, apart, strict=True)]
        return lines.tolist(), spaced

    @cached_property
    def block_of(self) -> list[int]:
        """The nearest box of each node that is not inline: its own, or that of an ancestor."""
        blocks: list[int] = self._blocks.tolist()
        return blocks

    @cached_property
    def _blocks(self) -> NDArray[np.int64]:
        flows = among(self.columns["kind"], (NodeKind.TEXT, NodeKind.PSEUDO))
        flows |= among(self.columns["display"], _INLINE)
        return nearest(~flows, self.columns["parent"])

    @cached_property
    def _line_breaks(self) -> NDArray[np.int64]:
        """The nodes that end a line of text: `br`, and blocks, even empty ones."""
        columns = self.columns
        flows = ~among(columns["position"], (Position.ABSOLUTE, Position.FIXED))
        flows &= among(columns["float"], (Float.NONE,))
        breaks: NDArray[np.bool_] = ~among(columns["display"], (Display.NONE, *_INLINE)) & flows
        breaks &= self.is_element
        breaks[self.elements("br")] = True
        return np.flatnonzero(breaks & ~among(columns["visibility"], (Visibility.NOT_RENDERED,)))
