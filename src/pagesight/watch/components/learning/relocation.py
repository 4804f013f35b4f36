"""Scrapling's adaptive relocation, beside ours: where it is installed.

The trees that it sees are those of the rendered pages, with the attributes that a Page keeps.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pagesight.page import NodeKind, Page
from pagesight.page.derived import once_per_page
from pagesight.watch.components.learning.methods import Answer, Method, Parts
from pagesight.watch.components.sight import sight_of

NAME = "Scrapling"
PERCENTAGE = 40  # of likeness, from which on Scrapling takes an element; its own default


def installed() -> dict[str, Method]:
    """The method by its name, if it is there."""
    if find_spec("scrapling") is None:
        return {}
    logging.getLogger("scrapling").setLevel(logging.ERROR)
    return {NAME: relocated}


def relocated(pages: Sequence[Page], parts: Parts, page: Page) -> list[Answer]:
    """Scrapling's adaptive relocation of the elements on the last snapshot."""
    selector: Any = import_module("scrapling.parser").Selector
    _, elements = _tree(pages[-1])
    root, nodes = _tree(page)
    node_of = {element: node for node, element in nodes.items()}
    answers: list[Answer] = []
    for part in parts:
        answer = []
        for node in part:
            best = selector(root=root).relocate(elements[node], PERCENTAGE)
            answer += [node_of[element] for element in best[:1]]
        shown = [node for node in answer if sight_of(page).units.of_node[node] >= 0]
        answers.append(Answer(1.0, shown) if len(shown) == len(part) else Answer(0.0, []))
    return answers


@once_per_page
def _tree(page: Page) -> tuple[Any, dict[int, Any]]:
    """The elements of a page as lxml has them, and by node."""
    html: Any = import_module("lxml.html")
    parent, kind = page.columns["parent"].tolist(), page.columns["kind"].tolist()
    elements: dict[int, Any] = {}
    last: dict[int, Any] = {}
    for node in range(len(page)):
        above = elements.get(parent[node])
        if kind[node] == NodeKind.ELEMENT and (above is not None or not elements):
            attributes = {n: v for n, v in page.attributes(node).items() if n.isidentifier()}
            element = html.Element(page.name(node).replace(":", "-"), attributes)
            elements[node] = element
            if above is not None:
                above.append(element)
                last[parent[node]] = element
        elif kind[node] == NodeKind.TEXT and above is not None:
            text = page.own_text(node).replace("\x00", "")
            if (before := last.get(parent[node])) is not None:
                before.tail = (before.tail or "") + text
            else:
                above.text = (above.text or "") + text
    return next(iter(elements.values())), elements
