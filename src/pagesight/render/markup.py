"""What is needed of the parser's trees."""

from __future__ import annotations

from typing import Any

# Elements without content and end tag
VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input link meta param source track wbr"
    .split()
)  # fmt: skip


def children(node: Any) -> list[Any]:
    """The nodes in a node of Lexbor, texts and comments, too."""
    found = []
    child = node.first_child
    while child is not None:
        found.append(child)
        child = child.next
    return found
