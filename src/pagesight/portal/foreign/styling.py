"""A part as it looked on its page: HTML whose styles are computed from the Page, and inline.

No stylesheet of the page is needed for it, and nothing of one gets in: each declaration is written
here, from the columns of the Page. Margins are not among them, but where boxes are is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape
from itertools import pairwise
from typing import Any

from pagesight.markup.tree import VOID
from pagesight.page import Align, Box, Display, Float, Node, NodeKind, Page, Position, Visibility
from pagesight.page.head import join
from pagesight.page.style import Decoration, Style

MOST_NODES = 6_000  # of a part; a larger one is shown plain
WIDEST_SPACE = 48  # px between things, or around them; more is the layout of a wide page
WORD_SPACE = 0.5  # font sizes; a wider gap between two things on a line is not a space
LEAST_FILLED = 0.7  # of the width of a row, by things that share it
NARROWEST = 160  # px of things that share a row, before they wrap
LINE = "#80808080"  # a border's colour is not known; this is seen on light and on dark
LIGHT = 160  # of 255; letters as light as that need something dark behind them
SHADE = "#444444"  # in place of a dark picture behind light letters

LEFT_OUT = frozenset(
    "script style template svg math iframe frame object embed applet canvas audio video link meta "
    "base title head noscript input select textarea option datalist dialog map area".split()
)
KEPT = frozenset(
    "a abbr address article aside b blockquote br caption cite code col colgroup dd del dfn div dl "
    "dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol "
    "p pre q s samp section small span strong sub sup table tbody td tfoot th thead time tr u ul "
    "var wbr".split()
)
TAG = "data-tag"
"""The name of an element that is written as another one, so that paths still lead to it."""

_ATTRIBUTES = {"a": ("title",), "img": ("alt",), "td": ("colspan", "rowspan"),
               "th": ("colspan", "rowspan"), "ol": ("start",), "time": ("datetime",)}  # fmt: skip
_DISPLAYS = {
    Display.BLOCK: "block", Display.INLINE: "inline", Display.INLINE_BLOCK: "inline-block",
    Display.LIST_ITEM: "list-item", Display.FLEX: "block", Display.INLINE_FLEX: "inline-block",
    Display.GRID: "block", Display.INLINE_GRID: "inline-block", Display.TABLE: "table",
    Display.INLINE_TABLE: "inline-table", Display.TABLE_ROW: "table-row",
    Display.TABLE_CELL: "table-cell", Display.TABLE_GROUP: "table-row-group",
    Display.TABLE_CAPTION: "table-caption", Display.TABLE_COLUMN: "table-column",
    Display.CONTENTS: "contents", Display.OTHER: "block",
}  # fmt: skip
_ROWS = (Display.FLEX, Display.INLINE_FLEX, Display.GRID, Display.INLINE_GRID)
_SPACED = (Display.BLOCK, Display.LIST_ITEM, Display.INLINE_BLOCK, Display.TABLE_CELL, *_ROWS)
_ALIGNS = {
    Align.START: "start", Align.LEFT: "left", Align.RIGHT: "right", Align.CENTER: "center",
    Align.JUSTIFY: "justify", Align.END: "end",
}  # fmt: skip
_LINES = {
    Decoration.UNDERLINE: "underline",
    Decoration.OVERLINE: "overline",
    Decoration.LINE_THROUGH: "line-through",
}
_FAMILIES = {
    "ui-monospace, monospace": re.compile("mono|courier|consol|menlo|code"),
    "arial, sans-serif": re.compile("sans|arial|helvetica|verdana|tahoma|grotesk|system-ui"),
    "ui-serif, serif": re.compile("serif|times|georgia|garamond|palatino|roman|didot|bodoni"),
}
_OUT_OF_FLOW = (Position.ABSOLUTE, Position.FIXED)


def styled(page: Page, nodes: Sequence[int], base: str = "") -> str | None:
    """The part that consists of these nodes, as it looked; None if it is too large for that.

    `base` is what its addresses are relative to.
    """
    if sum(int(page.end[node]) - node for node in nodes) > MOST_NODES:
        return None
    return "\n".join("".join(_Writer(page, base).written(page[node])) for node in nodes)


def family_of(names: str) -> str:
    """The generic fonts that come closest to a list of names."""
    for name in names.lower().split(","):
        for family, pattern in _FAMILIES.items():
            if pattern.search(name):
                return family
    return "arial, sans-serif"


class _Writer:
    """Writes nodes of one page."""

    def __init__(self, page: Page, base: str) -> None:
        self.page = page
        self.base = base

    def written(self, top: Node) -> Iterator[str]:
        """A node and what is below it, as far as it is seen."""
        waiting: list[_Element | Node | str] = [_Element(top, None)]
        while waiting:
            here = waiting.pop()
            if isinstance(here, str):
                yield here
            elif isinstance(here, Node):
                yield " " if self.page.set_apart[here.id] else ""
                yield escape(here.own_text, quote=False)
            else:
                yield self._start(here)
                if here.tag not in VOID:
                    waiting += [f"</{here.tag}>", *reversed(here.content)]

    def _start(self, element: _Element) -> str:
        attributes = dict(self._attributes(element))
        written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
        return f"<{element.tag}{written}>"

    def _attributes(self, element: _Element) -> Iterator[tuple[str, str]]:
        node = element.node
        if element.tag != node.tag:
            yield TAG, node.tag
        if not element.is_seen:
            yield "hidden", ""
            return
        yield "style", ";".join(f"{name}:{value}" for name, value in element.declarations())
        given = node.attributes
        yield from ((name, given[name]) for name in _ATTRIBUTES.get(node.tag, ()) if name in given)
        if node.tag in ("a", "img") and (target := node.target):
            yield "href" if node.tag == "a" else "src", join(self.base, target) or target


class _Element:
    """An element to be written, below another one."""

    def __init__(self, node: Node, above: _Element | None) -> None:
        self.node = node
        self.above = above
        self.is_in_paragraph: bool = above is not None and (
            above.is_in_paragraph or above.node.tag == "p"
        )
        self.tag = node.tag if node.tag in KEPT else self._other_tag()

    def _other_tag(self) -> str:
        """What an element is written as whose name is not kept; a `div` would end a paragraph."""
        is_inline = self.style.display.is_inline or self.is_in_paragraph
        return "span" if is_inline else "div"

    @cached_property
    def style(self) -> Style:
        return self.node.style

    @cached_property
    def is_seen(self) -> bool:
        """Whether there is anything to see, here or below."""
        node = self.node
        is_break = node.tag == "br" and node.visibility is not Visibility.NOT_RENDERED
        return is_break or bool(node.page.visible[node.id : int(node.page.end[node.id])].any())

    @cached_property
    def content(self) -> list[_Element | Node]:
        """What is written inside: elements, and texts.

        An element that is not seen is written as well, empty, if others of its name follow: the
        paths of these count it.
        """
        if not self.is_seen:
            return []
        written: list[_Element | Node] = []
        following = set[str]()
        for node in reversed([*_children(self.node)]):
            if node.kind in (NodeKind.TEXT, NodeKind.PSEUDO):
                written += [node] if _is_text(node) else []
            elif node.tag not in LEFT_OUT:
                element = _Element(node, self)
                if element.is_seen or node.tag in following:
                    following.add(node.tag)
                    written.append(element)
        return written[::-1]

    @cached_property
    def flow(self) -> list[Node]:
        """What is seen inside, and takes room there."""
        nodes = (one.node if isinstance(one, _Element) else one for one in self.content)
        return [node for node in nodes if _takes_room(node)]

    @cached_property
    def is_row(self) -> bool:
        """Whether what is inside shares a row, as in a grid."""
        if self.style.display not in _ROWS:
            return False
        return any(_is_beside(one.box, other.box) for one, other in pairwise(self.flow))

    @cached_property
    def is_filled(self) -> bool:
        """Whether the first row of what is inside takes nearly all of its width."""
        boxes = [node.box for node in self.flow]
        row = sum(box.width for box in boxes if _overlap(box, boxes[0]))
        return row >= LEAST_FILLED * self.node.box.width

    def declarations(self) -> Iterator[tuple[str, str]]:
        """The style, as far as it is not inherited."""
        yield "display", self._display()
        yield from self._letters()
        yield from self._surface()
        yield from self._room()
        if self.node.tag == "img":
            yield from _picture(self.node.box)

    def _display(self) -> str:
        if self.is_row:
            return "flex"
        has_marker = any(child.tag == "::marker" for child in self.node.children)
        if self.style.display is Display.LIST_ITEM and not has_marker:
            return "block"
        return _DISPLAYS.get(self.style.display, "block")

    def _letters(self) -> Iterator[tuple[str, str]]:
        """What is inherited, where it differs from what is above."""
        here = _letters(self.style)
        above = _letters(self.above.style) if self.above else {}
        yield from ((name, value) for name, value in here.items() if above.get(name) != value)
        if self.style.decoration and not (
            self.above and self.above.style.decoration == self.style.decoration
        ):
            lines = [name for line, name in _LINES.items() if line in self.style.decoration]
            yield "text-decoration-line", " ".join(lines)

    def _surface(self) -> Iterator[tuple[str, str]]:
        style = self.style
        if background := self._background():
            yield "background-color", background
        if any(style.border):
            yield "border-width", " ".join(f"{_number(width)}px" for width in style.border)
            yield "border-style", "solid"
            yield "border-color", LINE
        if style.opacity < 1:
            yield "opacity", _number(style.opacity)

    def _background(self) -> str | None:
        style = self.style
        if self.above is None:
            return style.background
        if not style.own_background.endswith("00") or len(style.own_background) == len("#rrggbb"):
            return style.own_background
        is_light = min(bytes.fromhex(style.color[1:7])) > LIGHT
        return SHADE if style.has_background_image and is_light else None

    def _room(self) -> Iterator[tuple[str, str]]:
        style, box = self.style, self.node.box
        if style.floats is not Float.NONE:
            yield "float", style.floats.name.lower()
            yield "width", f"{_number(box.width)}px"
        if style.display in _SPACED and self.flow:
            yield "padding", " ".join(f"{side}px" for side in self._padding())
        elif style.display is Display.TABLE and self.above:
            yield "width", "100%" if box.width > 0.9 * self.above.node.box.width else "auto"
        if self.is_row:
            yield "flex-wrap", "wrap"
            yield "gap", " ".join(f"{gap}px" for gap in self._gaps())
            yield "align-items", "center" if _is_centred(self.flow) else "flex-start"
        if self.above is not None:
            yield from self._place(self.above)

    def _padding(self) -> Iterator[int]:
        """The room around what is inside: top, right, bottom, left."""
        boxes = [node.box for node in self.flow]
        top, right, bottom, left = self.style.border
        box = self.node.box
        left = _space(min(one.x for one in boxes) - box.x - left)
        right = _space(box.right - right - max(one.right for one in boxes))
        yield _space(min(one.y for one in boxes) - box.y - top)
        yield min(left, right)  # lines of text end where they like
        yield _space(box.bottom - bottom - max(one.bottom for one in boxes))
        yield left

    def _gaps(self) -> tuple[int, int]:
        """The room between rows of what is inside, and between things on a row."""
        pairs = [(one.box, other.box) for one, other in pairwise(self.flow)]
        beside = next(other.x - one.right for one, other in pairs if _is_beside(one, other))
        below = (other.y - one.bottom for one, other in pairs if other.y >= one.bottom - 1)
        return _space(next(below, beside)), _space(beside)

    def _place(self, above: _Element) -> Iterator[tuple[str, str]]:
        """Where it is among what is beside it."""
        if above.is_row:
            yield from self._share(above)
            return
        box, before = self.node.box, above.before(self.node)
        if before and box.y >= before.bottom - 1 and not self.style.display.is_inline:
            yield "margin-top", f"{_space(box.y - before.bottom)}px"
        elif before and _is_beside(before, box):
            gap = box.x - before.right
            is_space = self.style.display.is_inline and gap < WORD_SPACE * self.style.font_size
            yield "margin-left", "0" if is_space else f"{_space(gap)}px"

    def _share(self, above: _Element) -> Iterator[tuple[str, str]]:
        """How wide it is in its row."""
        width = self.node.box.width
        if above.is_filled:
            yield "flex", f"{_number(width)} 1 {_number(min(width, NARROWEST))}px"
        else:
            yield "flex", "0 1 auto"

    def before(self, node: Node) -> Box | None:
        """The box of what is seen before a node inside."""
        return self._before.get(node.id)

    @cached_property
    def _before(self) -> dict[int, Box]:
        return {node.id: before.box for before, node in pairwise(self.flow)}


def _children(node: Node) -> Iterator[Node]:
    """The children of a node; what a shadow tree holds are children of its host."""
    for child in node.children:
        if child.kind in (NodeKind.SHADOW, NodeKind.DOCUMENT):
            yield from child.children
        else:
            yield child


def _is_text(node: Node) -> bool:
    """Whether a text or generated content is seen, or is the space between others."""
    return node.tag != "::marker" and (node.visible or node.own_text.isspace())


def _takes_room(node: Node) -> bool:
    if not node.visible or not (node.box.width and node.box.height):
        return False
    style = node.style
    is_beside = style.floats is not Float.NONE or style.position in _OUT_OF_FLOW
    return node.kind is not NodeKind.ELEMENT or not is_beside


def _letters(style: Style) -> dict[str, str]:
    return {
        "font-size": f"{_number(style.font_size)}px",
        "font-weight": str(style.font_weight),
        "font-style": "italic" if style.italic else "normal",
        "font-family": family_of(style.font_family),
        "color": style.color,
        "text-align": _ALIGNS[style.align],
    }


def _picture(box: Box) -> Iterator[tuple[str, str]]:
    if box.width >= 1 and box.height >= 1:
        yield "width", f"{_number(box.width)}px"
        yield "aspect-ratio", f"{_number(box.width)} / {_number(box.height)}"


def _is_beside(one: Box, other: Box) -> bool:
    return _overlap(one, other) and other.x >= one.right - 1


def _overlap(one: Box, other: Box) -> bool:
    """Whether two boxes are on one row."""
    shared = min(one.bottom, other.bottom) - max(one.y, other.y)
    return shared > 0.3 * min(one.height, other.height)


def _is_centred(nodes: Sequence[Node]) -> bool:
    """Whether the middles of things are level, and not their tops."""
    boxes = [node.box for node in nodes]
    middles = [box.y + box.height / 2 for box in boxes]
    tops = [box.y for box in boxes]
    return max(middles) - min(middles) < max(tops) - min(tops)


def _space(gap: float) -> int:
    return round(min(max(gap, 0.0), WIDEST_SPACE))


def _number(value: Any) -> str:
    return f"{float(value):.2f}".rstrip("0").rstrip(".")
