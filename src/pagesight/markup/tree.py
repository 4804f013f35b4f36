"""The trees of the HTML parser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from selectolax.lexbor import LexborHTMLParser

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
# Elements without content and end tag
VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input link meta param source track wbr"
    .split()
)  # fmt: skip
_EAT_NEWLINE = frozenset({"pre", "listing", "textarea"})

Attributes = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class TreeElement:
    """An element of a parsed document: its name, its parent's number (or -1), its node."""

    name: str
    parent: int
    node: Any


def children(node: Any) -> list[Any]:
    """The nodes in a node of the parser, texts and comments, too."""
    nodes = []
    child = node.first_child
    while child is not None:
        nodes.append(child)
        child = child.next
    return nodes


def elements(parser: LexborHTMLParser) -> list[TreeElement]:
    """All elements of a parsed document, in document order."""
    return elements_and_comments(parser)[0]


def elements_and_comments(
    parser: LexborHTMLParser,
) -> tuple[list[TreeElement], list[tuple[str, int]]]:
    """All elements in document order, and the comments with the number of their parent."""
    tree: list[TreeElement] = []
    comments: list[tuple[str, int]] = []
    stack: list[tuple[Any, int]] = [(parser.root, -1)] if parser.root is not None else []
    while stack:
        node, parent = stack.pop()
        if node.is_comment_node:
            comments.append((node.comment_content or "", parent))
        elif node.is_element_node:
            stack.extend((child, len(tree)) for child in reversed(children(node)))
            tree.append(TreeElement(node.tag, parent, node))
    return tree, comments


def lost_newline(node: Any, also: frozenset[str] = frozenset()) -> str:
    """The newline to write after a start tag: parsers eat the first one of some elements.

    If one is left, there were two.
    """
    first = node.first_child if node.tag in _EAT_NEWLINE or node.tag in also else None
    starts = first is not None and first.is_text_node and (first.text_content or "")[:1] == "\n"
    return "\n" if starts else ""


def is_stylesheet(attributes: Attributes) -> bool:
    """Whether a link is to a stylesheet that holds without being chosen."""
    kinds = (attributes.get("rel") or "").lower().split()
    chosen = "alternate" in kinds and attributes.get("title")
    return "stylesheet" in kinds and not chosen and "disabled" not in attributes
