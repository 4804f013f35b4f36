"""Pages small enough to write down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pagesight.page import Display, NodeKind, Page, PageInfo

INFO = PageInfo(renderer="by hand", renderer_version="1", url="https://tea.example/shop/green.html")
Box = tuple[float, float, float, float]

_INLINE = frozenset("a b br code em i img s small span strong sub sup svg u".split())
_UNSEEN = frozenset("base head link meta script style template title".split())


@dataclass
class El:
    """An element; `column=value` sets a column, `attributes` are attributes."""

    tag: str
    children: tuple[El | str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, Any] = field(default_factory=dict)
    kind: NodeKind = NodeKind.ELEMENT


def el(tag: str, *children: El | str, attributes: Mapping[str, str] = {}, **columns: Any) -> El:
    return El(tag, children, attributes, columns)


def text(string: str, **columns: Any) -> El:
    """A text node with columns of its own; a plain string is one without."""
    return El("#text", (string,), {}, columns, NodeKind.TEXT)


def document(*children: El | str, **columns: Any) -> El:
    return El("#document", children, {}, columns, NodeKind.DOCUMENT)


def shadow(*children: El | str) -> El:
    return El("#shadow-root", children, {}, {"display": Display.CONTENTS}, NodeKind.SHADOW)


def pseudo(name: str, content: str) -> El:
    return El(name, (content,), {}, {"display": Display.INLINE}, NodeKind.PSEUDO)


def make_page(*children: El | str, info: PageInfo = INFO, runs: Mapping[str, Any] = {}) -> Page:
    """A page of this content, below a document node."""
    building = _Building()
    building.add(document(*children), -1)
    return Page({**building.columns(), **runs}, list(building.strings), info)


class _Building:
    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.strings: dict[str, int] = {}
        self.attributes: list[tuple[int, int]] = []
        self.firsts = [0]

    def add(self, node: El | str, parent: int) -> None:
        node = text(node) if isinstance(node, str) else node
        own = node.kind in (NodeKind.TEXT, NodeKind.PSEUDO)
        row = {
            "parent": parent,
            "kind": node.kind,
            "name": self.string(node.tag),
            "text": self.string(str(node.children[0])) if own else -1,
            "display": _display(node),
            **node.columns,
        }
        self.rows.append(row)
        for name, value in node.attributes.items():
            self.attributes.append((self.string(name), self.string(value)))
        self.firsts.append(len(self.attributes))
        here = len(self.rows) - 1
        for child in () if own else node.children:
            self.add(child, here)

    def string(self, value: str) -> int:
        return self.strings.setdefault(value, len(self.strings))

    def columns(self) -> dict[str, Any]:
        defaults = {"box": (0, 0, 10, 10), "color": 0xFF, "opacity": 1, "background": 0xFFFFFFFF,
                    "border": (0, 0, 0, 0)}  # fmt: skip
        names = {name for row in self.rows for name in row}
        return {
            **{name: [row.get(name, defaults.get(name, 0)) for row in self.rows] for name in names},
            "attr_first": self.firsts,
            "attr_name": [name for name, _ in self.attributes],
            "attr_value": [value for _, value in self.attributes],
        }


def _display(node: El) -> Display:
    if node.tag in _UNSEEN:
        return Display.NONE
    inline = node.kind is NodeKind.TEXT or node.tag in _INLINE
    return Display.INLINE if inline else Display.BLOCK
