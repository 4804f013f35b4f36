"""The document as a browser parses it, and as the layout engine gets it.

Lexbor builds the tree by the rules of the HTML standard, as Chromium does, so that addresses
agree. The engine then gets that very tree, written out again, with the number of its node in the
style of every element.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser

from pagesight.errors import PageTooComplex
from pagesight.lazy import table
from pagesight.markup.attributes import KEPT, LINKED_DATA, TEXTLESS, shorten
from pagesight.markup.media import USUAL_SCREEN, Screen
from pagesight.markup.tags import doctype_of
from pagesight.markup.tree import VOID, Attributes, children, is_stylesheet, lost_newline
from pagesight.page import NodeKind
from pagesight.page.head import join
from pagesight.render.embedded.conditions import decided_media
from pagesight.render.embedded.numbering import lined, numbered_style
from pagesight.render.embedded.pictures import drawn_address
from pagesight.render.embedded.terms import adapted, plain
from pagesight.render.resources import BASE

DEEPEST = 513  # as in Chromium's parser; elements that are nested deeper become siblings

# Not painted, or painted by what the engine does not have: scripts, frames.
_UNPAINTED = frozenset(
    "script template noembed noframes iframe audio annotation annotation-xml".split()
)
# What they hold is not painted: other languages, and fallbacks for browsers that do not know them.
_OPAQUE = frozenset({"svg", "video", "progress", "meter"})
_SUBSTITUTES = table(__package__, "substitutes.tsv")
_FRAMES = frozenset({"iframe", "frame", "object"})
_PICTURES = frozenset({"img", "input", "source", "video"})
_MEASURES = frozenset(
    "width height border cellpadding cellspacing colspan rowspan span size cols rows hspace vspace"
    .split()
)  # fmt: skip
_PREFORMATTED = frozenset({"xmp", "plaintext"})  # written as `pre`, which eats a newline
GRID = re.compile(r"display\s*:\s*(?:inline-)?grid", re.IGNORECASE)
_HEAD = "\x00"  # where the defaults go; no document has this character


@dataclass(slots=True)
class Dom:
    """The tree as columns of a Page, and the document for the engine."""

    parent: list[int] = field(default_factory=list)
    kind: list[int] = field(default_factory=list)
    name: list[int] = field(default_factory=list)
    text: list[int] = field(default_factory=list)
    attr_first: list[int] = field(default_factory=lambda: [0])
    attr_name: list[int] = field(default_factory=list)
    attr_value: list[int] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    styles: list[str] = field(default_factory=list)  # the texts of style elements
    stylesheets: list[str] = field(default_factory=list)  # addresses of linked ones
    pictures: list[str] = field(default_factory=list)  # addresses that elements show
    base: str = BASE
    scripts: int = 0
    frames: int = 0
    shadows: int = 0
    drawn_texts: int = 0
    uses_grid: bool = False
    document: str = ""

    def with_defaults(self, style: str) -> str:
        """The document with a style that all others come after."""
        return self.document.replace(_HEAD, f"<style>{style}</style>" if style else "", 1)


def parse(
    text: str,
    max_nodes: int,
    *,
    numbered: bool = True,
    screen: Screen = USUAL_SCREEN,
    simple: bool = False,
) -> Dom:
    """Parse a document; raises `PageTooComplex` beyond `max_nodes`."""
    parser = LexborHTMLParser(text)
    builder = _Builder(max_nodes, numbered, screen, simple)
    builder.write(doctype_of(text).replace(_HEAD, ""))
    builder.append(-1, NodeKind.DOCUMENT, "#document")
    if parser.root is not None:
        builder.add_tree(parser.root)
    builder.dom.strings = list(builder.index)
    builder.dom.document = "".join(builder.written)
    return builder.dom


class _Place(NamedTuple):
    """Where a node goes: below which node, how deep, and whether it is painted there."""

    parent: int
    depth: int
    painted: bool


class _Builder:
    """Walks the parser's tree once, without recursion."""

    def __init__(self, max_nodes: int, numbered: bool, screen: Screen, simple: bool) -> None:
        self.dom = Dom()
        self.max_nodes = max_nodes
        self.numbered = numbered
        self.screen = screen
        self.simple = simple
        self.index: dict[str, int] = {}
        self.written: list[str] = []
        self.write = self.written.append
        self.stack: list[tuple[Any, _Place] | str] = []  # nodes to open, closing tags to write

    def add_tree(self, root: Any) -> None:
        self.stack.append((root, _Place(0, 1, True)))
        while self.stack:
            item = self.stack.pop()
            if isinstance(item, str):
                self.write(item)
                continue
            node, place = item
            if node.is_text_node:
                self.add_text(node.text_content or "", place.parent, place.painted)
            elif node.is_element_node:
                self.add_element(node, place)

    def add_element(self, node: Any, place: _Place) -> None:
        tag, attributes = node.tag, node.attributes
        this = self.append(place.parent, NodeKind.ELEMENT, tag)
        self.add_attributes(attributes)
        self.notice(tag, attributes)
        if tag == "text" and not place.painted and node.text(strip=True):  # in a drawing
            self.dom.drawn_texts += 1
        written = place.painted and self.is_written(tag, attributes, place.parent)
        if written:
            self.open(this, tag, attributes)
        if tag == "head":
            self.write(_HEAD)
        if tag in TEXTLESS and not _is_linked_data(tag, attributes):
            self.write_textless(node, written)
        elif tag not in VOID:
            self.add_content(node, this, place, written)

    def is_written(self, tag: str, attributes: Attributes, parent: int) -> bool:
        """Whether the engine gets an element that is painted."""
        if tag == "link" and "stylesheet" in (attributes.get("rel") or "").lower():
            return is_stylesheet(attributes)  # the engine would take those that have to be chosen
        # In a head, nothing may be around a link, so only the content of a noscript is written.
        bare = tag == "noscript" and self.dom.tags[parent] == "head"
        return tag not in _UNPAINTED and not bare

    def add_content(self, node: Any, this: int, place: _Place, written: bool) -> None:
        """What is in an element, and its closing tag, for later."""
        tag, inner = node.tag, children(node)
        closing = [f"</{_written(tag)}>"] if written else []
        if written and (newline := lost_newline(node, _PREFORMATTED)):
            self.write(newline)
        inside = (written or tag == "noscript") and place.painted and tag not in _OPAQUE
        if place.depth < DEEPEST:
            seen = _seen(tag, node.attributes, inner)
            within = _Place(this, place.depth + 1, inside)
            unseen = within._replace(painted=False)
            self.stack += closing
            self.stack += [
                (child, within if seen is None or child is seen else unseen)
                for child in reversed(inner)
            ]
        else:
            texts = (child.text_content or "" for child in inner if child.is_text_node)
            self.add_text("".join(texts), this, inside)
            # Too deep for the engine: the elements inside come after this one, not into it.
            after = place._replace(painted=inside)
            self.stack += [(child, after) for child in reversed(inner) if child.is_element_node]
            self.stack += closing

    def write_textless(self, node: Any, written: bool) -> None:
        """Write the end of an element whose text is not content; only the engine reads styles."""
        if written:
            if node.tag == "style":
                self.write_style(node.text(deep=True, separator=""))
            self.write(f"</{_written(node.tag)}>")

    def add_text(self, text: str, parent: int, painted: bool) -> None:
        if not text:
            return
        self.append(parent, NodeKind.TEXT, "#text", text)
        if painted:
            self.write(escape(text, quote=False))

    def append(self, parent: int, kind: NodeKind, tag: str, text: str | None = None) -> int:
        dom = self.dom
        if len(dom.parent) >= self.max_nodes:
            raise PageTooComplex(f"more than {self.max_nodes:,} nodes")
        dom.parent.append(parent)
        dom.kind.append(kind)
        dom.name.append(self.string(tag))
        dom.text.append(-1 if text is None else self.string(text))
        dom.tags.append(tag)
        dom.attr_first.append(len(dom.attr_name))
        return len(dom.parent) - 1

    def add_attributes(self, attributes: Attributes) -> None:
        for name, value in attributes.items():
            if name in KEPT:
                self.dom.attr_name.append(self.string(name))
                self.dom.attr_value.append(self.string(shorten(value or "")))
        self.dom.attr_first[-1] = len(self.dom.attr_name)

    def notice(self, tag: str, attributes: Attributes) -> None:
        """Count what the engine does not have, and collect what is needed of the document."""
        dom = self.dom
        dom.scripts += tag == "script" and not _is_linked_data(tag, attributes)
        dom.frames += tag in _FRAMES
        dom.shadows += tag == "template" and bool(attributes.get("shadowrootmode"))
        if tag == "link" and is_stylesheet(attributes):
            dom.stylesheets.append(_address(attributes, "href"))
        elif tag == "base" and dom.base == BASE:
            dom.base = join(BASE, _address(attributes, "href")) or BASE
        elif tag in _PICTURES:
            dom.pictures.append(_address(attributes, "src"))
        if style := attributes.get("style"):
            self.notice_grid(style)
            if tag in ("html", "body"):
                dom.styles.append(f"{tag}{{{style}}}")

    def notice_grid(self, css: str) -> None:
        if "grid" in css and GRID.search(css):
            self.dom.uses_grid = True

    def open(self, node: int, tag: str, attributes: Attributes) -> None:
        """Write an opening tag."""
        style = self.engine_style(attributes.get("style") or "")
        if self.numbered:
            style = numbered_style(style, node)
        parts = [f"<{_written(tag)}"]
        parts += [
            f' {name}="{escape(self.for_engine(name, value))}"' if value else f' {name}=""'
            for name, value in attributes.items()
            if name != "style" and '"' not in name and "<" not in name
        ]
        parts.append(f' style="{escape(style)}">' if style else ">")
        self.write("".join(parts))

    def for_engine(self, name: str, value: str) -> str:
        """The value of an attribute as the engine gets it."""
        if self.simple and name in _MEASURES:
            return ""
        if name == "media":
            return decided_media(value, self.screen)
        return drawn_address(value) if self.numbered else value

    def write_style(self, css: str) -> None:
        self.notice_grid(css)
        self.dom.styles.append(css)
        self.write(self.engine_style(css).replace("</style", ""))

    def engine_style(self, css: str) -> str:
        if not css:  # as of most elements
            return css
        css = plain(css) if self.simple else css
        style = adapted(css, self.screen, for_people=not self.numbered)
        return lined(style) if self.numbered else style

    def string(self, value: str) -> int:
        return self.index.setdefault(value, len(self.index))


def _seen(tag: str, attributes: Attributes, nodes: list[Any]) -> Any:
    """The one child that is seen: the summary of closed details; None where all are."""
    if tag != "details" or "open" in attributes:
        return None
    return next((node for node in nodes if node.tag == "summary"), nodes)


def _written(tag: str) -> str:
    return _SUBSTITUTES.get(tag, tag)


def _is_linked_data(tag: str, attributes: Attributes) -> bool:
    return tag == "script" and (attributes.get("type") or "").strip().lower() == LINKED_DATA


def _address(attributes: Attributes, name: str) -> str:
    return (attributes.get(name) or "").strip()
