"""The HTML of a part: from the source where the page shows what is there, else from the Page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from pagesight.markup.tree import VOID, elements
from pagesight.output.html import elements_of_nodes
from pagesight.page import NodeKind, Page
from pagesight.page.head import join
from pagesight.sources import Source

LEAST_SHARED = 0.8  # of the words that a page shows, so that an element of the source is the part
_ADDRESSES = ("href", "src", "action", "poster", "data", "cite", "background")
_LISTS = ("srcset", "imagesrcset")
_WORDS = ("alt", "title")
_LEFT_OUT = ("script", "template")
# Browsers skip control characters and spaces before an address, and line ends and tabs within it.
_SCRIPT = re.compile(r"[\x00-\x20]*" + r"[\t\n\r]*".join("javascript:"), re.IGNORECASE)
_SRCSET = re.compile(r"\s*([^\s,]\S*[^\s,])(\s[^,]*)?(?:,|$)")


class Fragments:
    """The parts of one page as HTML, with absolute addresses."""

    def __init__(self, page: Page, source: Source) -> None:
        self.page = page
        self.source = source
        self.base = page.head.base or _place(source)

    def html(self, nodes: Sequence[int]) -> str:
        """The elements of these nodes, one after the other."""
        return "\n".join(map(self._html, nodes))

    def _html(self, node: int) -> str:
        element = self._elements.get(node)
        if element is not None and self._is_shown(element, node):
            return _serialised(element, self.base)
        return "".join(_written(self.page, node, self.base))

    @cached_property
    def _elements(self) -> dict[int, Any]:
        """By node of the page, the element of the source."""
        if not self.source.kind.is_markup:
            return {}
        self._parser = LexborHTMLParser(self.source.text)  # it must outlive its nodes
        tree = elements(self._parser)
        of_node = elements_of_nodes(self.page, tree)
        return {node: tree[element].node for node, element in of_node.items()}

    def _is_shown(self, element: Any, node: int) -> bool:
        """Whether the source says what the page shows: scripts may have changed it."""
        shown = Counter(self.page.text(node).split())
        written = Counter(element.text(deep=True, separator=" ").split())
        shared = (shown & written).total()
        return bool(shared >= LEAST_SHARED * shown.total())


def _place(source: Source) -> str:
    """What relative addresses in a file are relative to, where nobody says more."""
    return source.path.resolve().as_uri() if source.path else ""


def _absolute(base: str, name: str, value: str) -> str:
    """The value of an attribute, with its addresses absolute."""
    if name in _LISTS:
        found = _SRCSET.finditer(value)
        return ", ".join(f"{_joined(base, one[1])}{one[2] or ''}" for one in found)
    return _joined(base, value) if name in _ADDRESSES else value


def _joined(base: str, address: str) -> str:
    return join(base, address) or address


def _runs(name: str, value: str) -> bool:
    """Whether an attribute is a script, or holds a document that may have some."""
    if name.startswith("on") or name == "srcdoc":
        return True
    return name not in _WORDS and bool(_SCRIPT.match(value))


def _serialised(element: Any, base: str) -> str:
    """An element of the parser, without scripts."""
    for script in element.css(", ".join(_LEFT_OUT)):
        script.decompose()
    for node in [element, *element.css("*")]:
        for name, value in node.attributes.items():
            if _runs(name, value or ""):
                del node.attrs[name]
            elif name in (*_ADDRESSES, *_LISTS):
                node.attrs[name] = _absolute(base, name, value or "")
    return str(element.html)


def _written(page: Page, top: int, base: str) -> Iterator[str]:
    """A node of a Page, as far as it is visible."""
    waiting: list[int | str] = [top]  # nodes to write, and tags that end others
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            yield node
            continue
        kind, tag = page.columns["kind"][node], page.name(node)
        if kind == NodeKind.TEXT and page.visible[node]:
            yield escape(page.own_text(node), quote=False)
        elif kind == NodeKind.ELEMENT and tag not in _LEFT_OUT:
            yield _start_tag(tag, page.attributes(node), base)
            waiting += [] if tag in VOID else [f"</{tag}>"]
        if kind not in (NodeKind.TEXT, NodeKind.PSEUDO) and tag not in _LEFT_OUT:
            waiting += [child.id for child in reversed(page[node].children)]


def _start_tag(tag: str, attributes: dict[str, str], base: str) -> str:
    written = (
        f' {name}="{escape(_absolute(base, name, value))}"'
        for name, value in attributes.items()
        if not (name.startswith(":") or _runs(name, value))  # `:` are current values
    )
    return f"<{tag}{''.join(written)}>"
