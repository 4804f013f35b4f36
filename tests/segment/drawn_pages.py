"""Pages drawn by hand: boxes with words in them, in any nesting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pagesight.page import Display, NodeKind, Page, PageInfo

Extent = tuple[float, float, float, float]


@dataclass
class Part:
    """An element, or with `text` a block of text; `columns` sets columns of both."""

    children: Sequence[Part] = ()
    box: Extent = (0, 0, 0, 0)
    text: str | None = None
    tag: str = "div"
    attributes: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, Any] = field(default_factory=dict)


def block(box: Extent, text: str = "words", **columns: Any) -> Part:
    """A block that shows a text in this place."""
    return Part(box=box, text=text, columns=columns)


def around(*children: Part, tag: str = "div", **attributes: str) -> Part:
    """An element around others."""
    return Part(children, tag=tag, attributes=attributes)


def line(x: float, y: float, text: str, size: float = 10, **columns: Any) -> Part:
    """A line of a PDF, placed on its sheet; letters are half as wide as they are high."""
    return Part(box=(x, y, size / 2 * len(text), size), text=text, tag="line",
                columns={"font_size": size, **columns})  # fmt: skip


def draw_sheets(*sheets: Sequence[Part]) -> Page:
    """The PDF that has these lines on its sheets, each of 600 x 1000 px."""
    parts = []
    for number, lines in enumerate(sheets, start=1):
        top = 1000.0 * (number - 1)
        for part in lines:
            x, y, width, height = part.box
            part.box, part.columns = (x, y + top, width, height), {**part.columns, "sheet": number}
        box = (0.0, top, 600.0, 1000.0)
        parts.append(Part(lines, box, tag="sheet", columns={"sheet": number}))
    return draw(Part(parts, tag="pdf"), media="pdf")


def draw(*parts: Part, media: str = "html") -> Page:
    """The page that consists of these parts."""
    drawing = _Drawing(media)
    drawing.node(-1, NodeKind.DOCUMENT, "#document", {"display": Display.BLOCK})
    for part in parts:
        drawing.add(part, 0)
    return drawing.page()


class _Drawing:
    def __init__(self, media: str) -> None:
        self.media = media
        self.rows: list[dict[str, Any]] = []
        self.strings: dict[str, int] = {}
        self.firsts, self.names, self.values = [0], [0][:0], [0][:0]

    def add(self, part: Part, above: int) -> None:
        waiting = [(part, above)]
        while waiting:
            part, above = waiting.pop()
            shown = {"box": part.box, "display": Display.BLOCK, **part.columns}
            here = self.node(above, NodeKind.ELEMENT, part.tag, shown, part.attributes)
            if part.text is not None:
                written = {"text": self.string(part.text), "display": Display.INLINE}
                self.node(here, NodeKind.TEXT, "#text", {**shown, **written})
            waiting += [(child, here) for child in reversed(part.children)]

    def node(
        self,
        parent: int,
        kind: NodeKind,
        name: str,
        columns: Mapping[str, Any],
        attributes: Mapping[str, str] = {},
    ) -> int:
        defaults = {"text": -1, "box": (0, 0, 9, 9), "font_size": 16.0, "font_weight": 400,
                    "background": 0xFFFFFFFF, "sheet": 0}  # fmt: skip
        row = {**defaults, "parent": parent, "kind": kind, "name": self.string(name), **columns}
        self.rows.append(row)
        self.names += [self.string(name) for name in attributes]
        self.values += [self.string(value) for value in attributes.values()]
        self.firsts.append(len(self.names))
        return len(self.rows) - 1

    def string(self, value: str) -> int:
        return self.strings.setdefault(value, len(self.strings))

    def page(self) -> Page:
        columns = {name: [row[name] for row in self.rows] for name in self.rows[0]}
        texts = [node for node, row in enumerate(self.rows) if row["text"] >= 0]
        runs = {"run_node": texts, "run_box": [self.rows[node]["box"] for node in texts],
                "run_text": [self.rows[node]["text"] for node in texts]}  # fmt: skip
        attributes = {"attr_first": self.firsts, "attr_name": self.names, "attr_value": self.values}
        info = PageInfo(
            renderer="by hand", renderer_version="1", media=self.media, size=(1280.0, 2000.0)
        )
        return Page({**columns, **attributes, **runs}, list(self.strings), info)
