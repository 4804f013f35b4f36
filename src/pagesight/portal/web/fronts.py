"""Which parts of a page are offered first: not the page as a whole, and not every word."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

LARGEST = 0.12  # of the page: what is larger is offered in pieces
MOST = 60  # parts to go through with the Tab key


def front_of(nodes: Sequence[Any]) -> set[int]:
    """The ids of the nodes to begin with; none of them is inside another one.

    From the top, a node that takes up much of the page is replaced by those in it, if there are
    several, or by the only one.
    """
    below: dict[int | None, list[Any]] = defaultdict(list)
    for node in nodes:
        below[node.parent].append(node)
    known = {node.id for node in nodes}
    tops = [node for node in nodes if node.parent is None or node.parent not in known]
    whole = max((_area(node) for node in tops), default=0.0)
    front: set[int] = set()
    open_nodes = list(tops)
    while open_nodes:
        node = open_nodes.pop()
        inner = below[node.id]
        is_large = _area(node) > LARGEST * whole or node in tops
        if inner and is_large and len(front) + len(open_nodes) + len(inner) <= MOST:
            open_nodes.extend(inner)
        else:
            front.add(node.id)
    return front


def _area(node: Any) -> float:
    return float(node.box.width * node.box.height)
