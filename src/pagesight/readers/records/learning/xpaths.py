"""From the XPaths of a parsed file to the nodes of its Page.

Labels are XPaths in the tree that lxml makes of a file. A browser makes another: it adds tbody,
moves what may not be inside a table, and its frames have documents. But both meet the same tags in
the same order. So the elements of both trees are aligned as two sequences.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np

from pagesight.errors import CorpusNotFound
from pagesight.page import NodeKind, Page
from pagesight.segment.nodes import inside

_SEEN_BY_BOTH = ("id", "class", "href", "src")
Token = tuple[str, ...]  # the name first
Operation = tuple[str, int, int, int, int]
_LONGEST = 40  # characters of a text that tell one element from another


class Paths:
    """Finds the nodes of a Page by the XPaths of the file that it was made of."""

    def __init__(self, page: Page, path: Path) -> None:
        self._tree = _parsed(path)
        elements = [element for element in self._tree.iter() if isinstance(element.tag, str)]
        nodes = _elements(page)
        tokens = [_token_of_node(page, node) for node in nodes]
        pairs = _aligned([_token_of_element(element) for element in elements], tokens)
        self._node_of = {elements[one]: nodes[other] for one, other in pairs}
        self.missed = 0  # XPaths that led nowhere

    def node(self, xpath: str | None) -> int | None:
        """The node at an XPath; None where there is none, or the browser made another tree."""
        if not xpath:
            return None
        found = self._tree.xpath(xpath)
        node = self._node_of.get(found[0]) if found else None
        self.missed += node is None
        return node


def _parsed(path: Path) -> Any:
    try:
        from lxml import html  # type: ignore[import-untyped]
    except ModuleNotFoundError as error:
        message = "the labels are XPaths of trees that lxml makes"
        raise CorpusNotFound(message, hint="pip install lxml") from error
    return html.parse(str(path))


def _elements(page: Page) -> list[int]:
    """The elements of the page itself, not of frames and shadow trees."""
    kind = page.columns["kind"]
    borders = np.flatnonzero(np.isin(kind, (NodeKind.DOCUMENT, NodeKind.SHADOW)))
    apart = inside(borders[borders > 0], page.end)
    return [int(node) for node in np.flatnonzero((kind == NodeKind.ELEMENT) & ~apart)]


def _token_of_node(page: Page, node: int) -> Token:
    attributes = page[node].attributes
    values = (attributes.get(name, "") for name in _SEEN_BY_BOTH)
    following = page[node + 1] if node + 1 < len(page) else None
    text = following.own_text if following and following.tag == "#text" else ""
    return page.name(node).lower(), *(_plain(value) for value in values), _plain(text)


def _token_of_element(element: Any) -> Token:
    values = (element.get(name, "") for name in _SEEN_BY_BOTH)
    return element.tag.lower(), *(_plain(value) for value in values), _plain(element.text or "")


def _plain(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]


def _aligned(one: list[Token], other: list[Token]) -> Iterator[tuple[int, int]]:
    """Pairs of equal elements in the same order; between them, pairs of the same name."""
    for operation, first, last, begin, end in _operations(one, other):
        if operation == "equal":
            yield from zip(range(first, last), range(begin, end), strict=True)
        elif operation == "replace":
            names = (
                [token[0] for token in one[first:last]],
                [token[0] for token in other[begin:end]],
            )
            for same, low, high, start, _ in _operations(*names):
                if same == "equal":
                    yield from ((first + at, begin + start + at - low) for at in range(low, high))


def _operations(one: Sequence[Hashable], other: Sequence[Hashable]) -> Sequence[Operation]:
    return SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
