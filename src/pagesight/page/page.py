"""Page: the columns with the strings they point to, and what is known of the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import numpy as np
from numpy.typing import ArrayLike

from pagesight.page import file
from pagesight.page.address import Addresses, SiblingRanks
from pagesight.page.box import Box
from pagesight.page.columns import Array, complete, subtree_ends
from pagesight.page.head import Head
from pagesight.page.node import Node, Run
from pagesight.page.style import Display, Float, NodeKind, Position
from pagesight.page.visibility import Visibility

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Note:
    """Something that makes a rendering less than the page: said, never silent."""

    kind: str  # e.g. "timeout", "blocked", "missing", "unsupported"
    detail: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PageInfo:
    """What is known of a page as a whole."""

    renderer: str
    renderer_version: str
    url: str | None = None
    media: str = "html"  # or "pdf"
    viewport: tuple[int, int] = (1280, 800)
    size: tuple[float, float] = (0.0, 0.0)  # of the whole page
    notes: tuple[Note, ...] = field(default=())


WORD_SPACE = 0.3  # font sizes; texts that are farther apart on one line are two words
_CLINGING = frozenset(".,;:!?)]}%’”»…")  # whatever the gap, no word begins with one of these
_POINTERS = {
    "a": "href", "area": "href", "link": "href", "img": "src", "iframe": "src", "frame": "src",
    "form": "action", "video": "src", "audio": "src", "source": "src", "embed": "src",
    "object": "data", "script": "src", "input": "src",
}  # fmt: skip


class Page:
    """What a browser window shows, frozen: a tree of nodes with boxes, styles and text.

    ``columns`` are read-only numpy arrays by node id, ``strings`` the table that they point into.
    `Node` objects are views on them: ``page[12].box``, ``page.root.text``.
    """

    def __init__(
        self, columns: Mapping[str, ArrayLike], strings: Sequence[str], info: PageInfo
    ) -> None:
        self.columns: Mapping[str, Array] = complete(columns)
        self.strings = tuple(strings)
        self.info = info

    def __len__(self) -> int:
        return len(self.columns["parent"])

    def __getitem__(self, node: int) -> Node:
        if not 0 <= node < len(self):
            raise IndexError(f"a page of {len(self)} nodes has no node {node}")
        return Node(self, node)

    def __iter__(self) -> Iterator[Node]:
        return (Node(self, node) for node in range(len(self)))

    def __repr__(self) -> str:
        width, height = self.info.size
        return f"<Page {self.url or ''} {len(self)} nodes, {width:.0f} x {height:.0f}>"

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
    def url(self) -> str | None:
        return self.info.url

    @property
    def complete(self) -> bool:
        """Whether everything that belongs to the page was loaded and laid out."""
        return not self.info.notes

    @cached_property
    def end(self) -> NDArray[np.int32]:
        """For each node the id after its last descendant."""
        return subtree_ends(self.columns["parent"])

    @cached_property
    def visible(self) -> NDArray[np.bool_]:
        """For each node whether a person sees it."""
        seen: NDArray[np.bool_] = self.columns["visibility"] == Visibility.VISIBLE
        return seen

    @cached_property
    def head(self) -> Head:
        """What the document says about itself: title, meta, canonical address, JSON-LD."""
        return Head.of(self)

    def find(self, *tags: str) -> list[Node]:
        """All elements of these names, in document order."""
        wanted = [index for index, string in enumerate(self.strings) if string in tags]
        named = np.isin(self.columns["name"], wanted)
        elements = self.columns["kind"] == NodeKind.ELEMENT
        return [Node(self, node) for node in np.flatnonzero(named & elements).tolist()]

    def name(self, node: int) -> str:
        """The tag of an element; ``#text``, ``#document`` and the like of other nodes."""
        return self.strings[int(self.columns["name"][node])]

    def attributes(self, node: int) -> dict[str, str]:
        """The attributes of a node. Names with a colon in front are current values."""
        first, last = self.columns["attr_first"][node : node + 2].tolist()
        names = self.columns["attr_name"][first:last].tolist()
        values = self.columns["attr_value"][first:last].tolist()
        return {self.strings[n]: self.strings[v] for n, v in zip(names, values, strict=True)}

    def attribute(self, node: int, name: str) -> str | None:
        """One attribute of a node, or None."""
        first, last = self.columns["attr_first"][node : node + 2].tolist()
        for row in range(first, last):
            if self.strings[self.columns["attr_name"][row]] == name:
                return self.strings[int(self.columns["attr_value"][row])]
        return None

    def text(self, node: int) -> str:
        """The visible text below a node: white space folded, one line per block."""
        return self.text_of([node])

    def text_of(self, nodes: Sequence[int]) -> str:
        """The visible text below several nodes of disjoint subtrees, in the given order."""
        lines: list[list[str]] = []
        last_line = None
        texts = np.concatenate([self._texts(node) for node in nodes] or [np.zeros(0, np.int64)])
        breaks = np.searchsorted(self._line_breaks, texts).tolist()  # before each text
        for text, line_breaks in zip(texts.tolist(), breaks, strict=True):
            line = (self._block_of[text], line_breaks)
            if line != last_line:
                lines.append([])
                last_line = line
            if self.set_apart[text]:
                lines[-1].append(" ")
            lines[-1].append(self.strings[self.columns["text"][text]])
        folded = (" ".join("".join(line).split()) for line in lines)
        return "\n".join(line for line in folded if line)

    def runs(self, node: int) -> list[Run]:
        """The visible pieces of text below a node, line by line."""
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
        try:
            return urljoin(self.head.base, value.strip())
        except ValueError:  # e.g. "http://[" in a link
            return value

    def is_foreign(self, node: int) -> bool:
        """Whether an element belongs to SVG or MathML."""
        return node in self._foreign

    @cached_property
    def _foreign(self) -> frozenset[int]:
        """The nodes of SVG and MathML, without the HTML that stands in a foreignObject."""
        roots = {index for index, name in enumerate(self.strings) if name in ("svg", "math")}
        windows = {i for i, name in enumerate(self.strings) if name.lower() == "foreignobject"}
        foreign: set[int] = set()
        if not roots:
            return frozenset()
        names, parents = self.columns["name"].tolist(), self.columns["parent"].tolist()
        kinds = self.columns["kind"].tolist()
        for node, above in enumerate(parents):
            inherits = above in foreign and names[above] not in windows
            if names[node] in roots or (inherits and kinds[node] != NodeKind.DOCUMENT):
                foreign.add(node)
        return frozenset(foreign)

    def save(self, path: str | Path) -> None:
        """Write the page into one compressed file."""
        Path(path).write_bytes(self.to_bytes())

    @classmethod
    def load(cls, path: str | Path) -> Page:
        """Read a saved page; raises `PageFileError` where the file holds none."""
        return cls.from_bytes(Path(path).read_bytes(), source=str(path))

    def to_bytes(self, *, compress: bool = True) -> bytes:
        """The page as it is saved."""
        return file.dump(self, compress=compress)

    @classmethod
    def from_bytes(cls, data: bytes, *, source: str | None = None) -> Page:
        """The page that `to_bytes` wrote; `source` is named in errors."""
        columns, strings, fields = file.parse(data, source)
        notes = tuple(Note(*note) for note in fields.pop("notes"))
        return cls(columns, strings, PageInfo(**fields, notes=notes))

    @cached_property
    def set_apart(self) -> NDArray[np.bool_]:
        """For each text whether there is a space to the text before it, to the eye.

        A margin parts two words as well as white space does: `<a>Home</a><a>News</a>`.
        """
        apart = np.zeros(len(self), dtype=np.bool_)
        read = self.visible & (self.columns["kind"] == NodeKind.TEXT)
        rows = np.flatnonzero(read[self.columns["run_node"]])
        nodes, box = self.columns["run_node"][rows], self.columns["run_box"][rows]
        first = np.flatnonzero(np.diff(nodes, prepend=-1))[1:]
        here, before = box[first], box[first - 1]
        top = np.maximum(here[:, 1], before[:, 1])
        bottom = np.minimum(here[:, 1] + here[:, 3], before[:, 1] + before[:, 3])
        level = bottom - top > 0.5 * np.minimum(here[:, 3], before[:, 3])
        gap = np.maximum(here[:, 0] - before[:, 0] - before[:, 2],
                         before[:, 0] - here[:, 0] - here[:, 2])  # fmt: skip
        wide = gap > WORD_SPACE * self.columns["font_size"][nodes[first]]
        found = nodes[first][level & wide]
        strings = (self.strings[text] for text in self.columns["text"][found].tolist())
        apart[found] = [string[:1] not in _CLINGING for string in strings]
        return apart

    @cached_property
    def sibling_ranks(self) -> SiblingRanks:
        """For addresses: ranks among siblings of one name."""
        return SiblingRanks(self.columns)

    @cached_property
    def addresses(self) -> Addresses:
        """XPaths and selectors of nodes."""
        return Addresses(self)

    @cached_property
    def id_counts(self) -> Counter[str]:
        """How often each `id` attribute occurs."""
        names = [index for index, string in enumerate(self.strings) if string == "id"]
        rows = np.flatnonzero(np.isin(self.columns["attr_name"], names)).tolist()
        return Counter(self.strings[self.columns["attr_value"][row]] for row in rows)

    def _texts(self, node: int) -> NDArray[np.int64]:
        """The visible text nodes below a node, with those that only hold white space."""
        span = slice(node, int(self.end[node]))
        kind = self.columns["kind"][span]
        text = self.columns["text"][span]
        collapsed = self.columns["visibility"][span] == Visibility.ZERO_SIZE
        blank = collapsed & np.isin(text, self._blank_strings)
        texts = (kind == NodeKind.TEXT) & (text >= 0)
        return np.flatnonzero(texts & (self.visible[span] | blank)) + node

    @cached_property
    def _blank_strings(self) -> list[int]:
        return [index for index, string in enumerate(self.strings) if not string.strip()]

    @cached_property
    def _block_of(self) -> list[int]:
        """For each node the nearest ancestor, or itself, that is no inline box."""
        inline = {display.value for display in Display if display.is_inline}
        kinds = self.columns["kind"].tolist()
        displays = self.columns["display"].tolist()
        blocks: list[int] = []
        for node, above in enumerate(self.columns["parent"].tolist()):
            flows = kinds[node] in (NodeKind.TEXT, NodeKind.PSEUDO) or displays[node] in inline
            blocks.append(blocks[above] if flows and above >= 0 else node)
        return blocks

    @cached_property
    def _line_breaks(self) -> NDArray[np.int64]:
        """The nodes that end a line of text: `br`, and blocks, even those that hold no text."""
        columns = self.columns
        inline = [Display.NONE, *(display for display in Display if display.is_inline)]
        flows = ~np.isin(columns["position"], (Position.ABSOLUTE, Position.FIXED))
        flows &= columns["float"] == Float.NONE
        breaks: NDArray[np.bool_] = ~np.isin(columns["display"], inline) & flows
        breaks &= columns["kind"] == NodeKind.ELEMENT
        breaks[[node.id for node in self.find("br")]] = True
        return np.flatnonzero(breaks & (columns["visibility"] != Visibility.NOT_RENDERED))
