"""Node and Run: cheap views on the columns of a Page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagesight.page import address
from pagesight.page.box import Box
from pagesight.page.style import (
    Align,
    Decoration,
    Display,
    Float,
    NodeKind,
    Position,
    Style,
    hex_color,
)
from pagesight.page.visibility import Visibility

if TYPE_CHECKING:
    from pagesight.page.page import Page


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text on one line, as it was laid out."""

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
        """The name in lower case; ``#text`` of a text, ``#document`` of a document."""
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
        """The text of a text node or of generated content, as the document has it."""
        text = int(self.page.columns["text"][self.id])
        return self.page.strings[text] if text >= 0 else ""

    @property
    def text(self) -> str:
        """What a person reads here: visible text, white space folded, one line per block."""
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
        """What is painted later lies on top; -1 where unknown."""
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
        return address.xpath(self.page, self.id)

    @property
    def css(self) -> str:
        return address.css(self.page, self.id)
