"""The default styles of browsers for headings and paragraphs."""

from __future__ import annotations

import re
from typing import Any

from pagesight.markup.tree import HEADINGS

# Chromium's rules; since version 140 a nested h1 is as large as any other.
_SIZES = {"h1": 2, "h2": 1.5, "h3": 1.17, "h4": 1, "h5": 0.83, "h6": 0.67}
_MARGINS = {"h1": 0.67, "h2": 0.83, "h3": 1, "h4": 1.33, "h5": 1.67, "h6": 2.33}
_BLOCK = "display:block;font-size:{};font-weight:{};margin-block:{};margin-inline:0"
DEFAULTS = {
    **{tag: _BLOCK.format(f"{_SIZES[tag]}em", "bold", f"{_MARGINS[tag]}em") for tag in HEADINGS},
    "p": _BLOCK.format("inherit", "inherit", "1em"),
}
_PLAIN = _BLOCK.format("inherit", "inherit", "0")
# Without a standard doctype, browsers drop the default margins of the first and the last heading or
# paragraph of a body or cell.
_STANDARD = re.compile(
    r"<!doctype\s+html\s*>|HTML 4.01//|Strict//|XHTML|HTML 4.01.*http|about:",
    re.IGNORECASE | re.DOTALL,
)
_CELLS = ("body", "td", "th")
EDGES = ("start", "end")


def is_quirky(doctype: str) -> bool:
    """Whether browsers lay a document of this doctype (or none) out as they did in 1998."""
    return not _STANDARD.search(doctype)


def default_style(node: Any, *, quirky: bool) -> str:
    """The declarations that browsers have for an element, as for a `div` if it is another one."""
    return DEFAULTS.get(node.tag, _PLAIN) + "".join(
        f";margin-block-{edge}:0" for edge in flat_edges(node, quirky=quirky)
    )


def flat_edges(node: Any, *, quirky: bool) -> list[str]:
    """The edges at which an element has no margin by default: those at the edge of a cell."""
    return [edge for edge in EDGES if quirky and _is_at(node, edge)]


def _is_at(node: Any, edge: str) -> bool:
    """Whether nothing is between an element and the edge of the body or cell around it."""
    while node.tag not in _CELLS:
        beside = node.prev if edge == "start" else node.next
        while beside is not None and not _is_content(beside):
            beside = beside.prev if edge == "start" else beside.next
        if beside is not None or node.parent is None:
            return False
        node = node.parent
    return True


def _is_content(node: Any) -> bool:
    if node.is_text_node:
        return bool((node.text_content or "").strip())
    return bool(node.is_element_node) and node.tag not in ("script", "style", "link", "meta")
