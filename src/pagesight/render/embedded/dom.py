"""The document as a browser parses it, and as the layout engine gets it.

Lexbor builds the tree by the rules of the HTML standard, as Chromium does, so that addresses
agree. The engine then gets that very tree, written out again, with the number of its node in the
style of every element.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from pagesight.errors import PageTooComplex
from pagesight.page import NodeKind
from pagesight.render.attributes import KEPT, LINKED_DATA, TEXTLESS, shorten
from pagesight.render.embedded.conditions import decided_query
from pagesight.render.embedded.numbering import lined, numbered_style
from pagesight.render.embedded.pictures import drawn_address
from pagesight.render.embedded.terms import adapted
from pagesight.render.markup import VOID, children
from pagesight.render.resources import BASE, join

DEEPEST = 513  # as in Chromium's parser; elements that are nested deeper become siblings

# Not painted, or painted by what the engine does not have: scripts, frames.
_UNPAINTED = frozenset(
    "script template noembed noframes iframe object audio annotation annotation-xml".split()
)
# What they hold is not painted: other languages, and what stands in where they are not known.
_OPAQUE = frozenset({"svg", "video", "progress", "meter"})
_FORMULAS = (
    "math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms "
    "mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics "
    "menclose mfenced maction none"
).split()
# Without scripts, browsers show what is in a noscript; the engine would hide it. In xmp and
# plaintext, a parser takes "&lt;" as it stands. Formulas are painted in one line.
_SUBSTITUTES = {
    "noscript": "span", "xmp": "pre", "plaintext": "pre", **dict.fromkeys(_FORMULAS, "span"),
}  # fmt: skip
_EATS_NEWLINE = frozenset({"pre", "listing", "textarea", "xmp", "plaintext"})  # the first one
GRID = re.compile(r"display\s*:\s*(?:inline-)?grid", re.IGNORECASE)
_HEAD = "\x00"  # where the defaults go; no document has this character
_DOCTYPE = re.compile(
    r"(?:[\s\ufeff]|(?><!--.*?-->)|<\?[^>]*>)*+(<!doctype[^>]*>)", re.IGNORECASE | re.DOTALL
)


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


def parse(text: str, max_nodes: int, *, numbered: bool = True) -> Dom:
    """Parse a document; raises `PageTooComplex` beyond `max_nodes`."""
    parser = LexborHTMLParser(text)
    builder = _Builder(max_nodes, numbered)
    doctype = _DOCTYPE.match(text)
    builder.start(doctype[1].replace(_HEAD, "") if doctype else "")
    if parser.root is not None:
        builder.add_tree(parser.root)
    return builder.finish()


class _Builder:
    """Walks the parser's tree once, without recursion."""

    def __init__(self, max_nodes: int, numbered: bool) -> None:
        self.dom = Dom()
        self.max_nodes = max_nodes
        self.numbered = numbered
        self.index: dict[str, int] = {}
        self.written: list[str] = []
        self.write = self.written.append

    def start(self, doctype: str) -> None:
        self.write(doctype)
        self.append(-1, NodeKind.DOCUMENT, "#document")

    def finish(self) -> Dom:
        self.dom.strings = list(self.index)
        self.dom.document = "".join(self.written)
        return self.dom

    def add_tree(self, root: Any) -> None:
        # (node to open, its parent's id, depth, whether it is painted) or a closing tag to write
        stack: list[tuple[Any, int, int, bool] | str] = [(root, 0, 1, True)]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                self.write(item)
                continue
            node, parent, depth, painted = item
            if node.is_text_node:
                self.add_text(node.text_content or "", parent, painted)
            elif node.is_element_node:
                self.add_element(node, parent, depth, painted, stack)

    def add_element(
        self, node: Any, parent: int, depth: int, painted: bool, stack: list[Any]
    ) -> None:
        tag, attributes = node.tag, node.attributes
        this = self.append(parent, NodeKind.ELEMENT, tag)
        self.add_attributes(attributes)
        self.notice(tag, attributes)
        if tag == "text" and not painted and node.text(strip=True):  # in a drawing
            self.dom.drawn_texts += 1
        # In a head, nothing may be around a link: of a noscript, only what it holds is written.
        bare = tag == "noscript" and self.dom.tags[parent] == "head"
        written = painted and tag not in _UNPAINTED and not bare and not _is_idle(tag, attributes)
        if written:
            self.open(this, tag, attributes)
        if tag == "head":
            self.write(_HEAD)
        if tag in TEXTLESS and not _is_linked_data(tag, attributes):
            self.write_textless(node, written)
        elif tag not in VOID:
            closing = [f"</{_written(tag)}>"] if written else []
            if written:
                self.keep_newline(node)
            inner = children(node)
            inside = (written or tag == "noscript") and painted and tag not in _OPAQUE
            if depth < DEEPEST:
                seen = _seen(tag, attributes, inner)
                stack.extend(closing)
                stack.extend(
                    (child, this, depth + 1, inside and (seen is None or child is seen))
                    for child in reversed(inner)
                )
            else:
                self.add_text(_own_text(inner), this, inside)
                # Too deep for the engine: the elements inside come after this one, not into it.
                elements = [child for child in inner if child.is_element_node]
                stack.extend((child, parent, depth, inside) for child in reversed(elements))
                stack.extend(closing)

    def write_textless(self, node: Any, written: bool) -> None:
        """The end of an element whose text nobody reads: of a style, but only for the engine."""
        if written:
            if node.tag == "style":
                self.write_style(node.text(deep=True, separator=""))
            self.write(f"</{_written(node.tag)}>")

    def keep_newline(self, node: Any) -> None:
        """Parsers eat the first newline of these elements. If one is left, there were two."""
        first = node.first_child if node.tag in _EATS_NEWLINE else None
        if first is not None and first.is_text_node and (first.text_content or "")[:1] == "\n":
            self.write("\n")

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

    def add_attributes(self, attributes: dict[str, str | None]) -> None:
        for name, value in attributes.items():
            if name in KEPT:
                self.dom.attr_name.append(self.string(name))
                self.dom.attr_value.append(self.string(shorten(value or "")))
        self.dom.attr_first[-1] = len(self.dom.attr_name)

    def notice(self, tag: str, attributes: dict[str, str | None]) -> None:
        """Count what the engine does not have."""
        if tag == "script" and not _is_linked_data(tag, attributes):
            self.dom.scripts += 1
        elif tag in ("iframe", "frame", "object"):
            self.dom.frames += 1
        elif tag == "template" and attributes.get("shadowrootmode"):
            self.dom.shadows += 1
        elif tag == "link" and _is_stylesheet(attributes) and not _is_idle(tag, attributes):
            self.dom.stylesheets.append((attributes.get("href") or "").strip())
        elif tag == "base" and attributes.get("href") and self.dom.base == BASE:
            self.dom.base = join(BASE, (attributes["href"] or "").strip()) or BASE
        elif tag in ("img", "input", "source", "video"):
            self.dom.pictures.append((attributes.get("src") or "").strip())
        elif tag in ("html", "body") and attributes.get("style"):
            self.dom.styles.append(f"{tag}{{{attributes['style']}}}")
        style = attributes.get("style")
        if style and "grid" in style and GRID.search(style):
            self.dom.uses_grid = True

    def open(self, node: int, tag: str, attributes: dict[str, str | None]) -> None:
        """Write an opening tag."""
        own = self.engine_style(attributes.get("style") or "")
        style = numbered_style(own, node) if self.numbered else own
        parts = [f"<{_written(tag)}"]
        parts += [
            f' {name}="{escape(_for_engine(name, value))}"' if value else f' {name}=""'
            for name, value in attributes.items()
            if name != "style" and '"' not in name and "<" not in name
        ]
        parts.append(f' style="{escape(style)}">' if style else ">")
        self.write("".join(parts))

    def write_style(self, css: str) -> None:
        if "grid" in css and GRID.search(css):
            self.dom.uses_grid = True
        self.dom.styles.append(css)
        self.write(self.engine_style(css).replace("</style", ""))

    def engine_style(self, css: str) -> str:
        if not css:  # as of most elements
            return css
        return lined(adapted(css)) if self.numbered else adapted(css, for_people=True)

    def string(self, value: str) -> int:
        return self.index.setdefault(value, len(self.index))


def _own_text(nodes: list[Any]) -> str:
    """The text that stands directly in an element, of its nodes."""
    return "".join(node.text_content or "" for node in nodes if node.is_text_node)


def _seen(tag: str, attributes: dict[str, str | None], nodes: list[Any]) -> Any:
    """The one child that is seen: the summary of closed details; None where all are."""
    if tag != "details" or "open" in attributes:
        return None
    return next((node for node in nodes if node.tag == "summary"), nodes)


def _for_engine(name: str, value: str) -> str:
    """The value of an attribute as the engine gets it."""
    return decided_query(value) if name == "media" else drawn_address(value)


def _written(tag: str) -> str:
    return _SUBSTITUTES.get(tag, tag)


def _is_stylesheet(attributes: dict[str, str | None]) -> bool:
    return "stylesheet" in (attributes.get("rel") or "").lower().split()


def _is_idle(tag: str, attributes: dict[str, str | None]) -> bool:
    """Whether a stylesheet is linked that a reader has to choose first; the engine takes it."""
    if tag != "link" or not _is_stylesheet(attributes):
        return False
    alternate = "alternate" in (attributes["rel"] or "").lower().split()
    return "disabled" in attributes or (alternate and bool(attributes.get("title")))


def _is_linked_data(tag: str, attributes: dict[str, str | None]) -> bool:
    return tag == "script" and (attributes.get("type") or "").strip().lower() == LINKED_DATA
