"""Which parts of a page are offered first: not the page as a whole, and not every word."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from pagesight.portal.values import Pickable

LARGEST = 0.25  # of the page: what is larger is offered in pieces


def front_of(nodes: Sequence[Pickable], offered: Collection[str] = ()) -> set[int]:
    """The ids of the nodes to begin with, none inside another one, that cover the page.

    `offered` are the XPaths of parts that people pick. What is around them, or large, is replaced
    by the nodes in it.
    """
    below: dict[int | None, list[Pickable]] = defaultdict(list)
    holding: set[int] = set()  # those with an offered one inside
    for node in reversed(nodes):  # children come after their parents
        below[node.parent].append(node)
        if node.parent is not None and (node.xpath in offered or node.id in holding):
            holding.add(node.parent)
    whole = max((_area(node) for node in below[None]), default=0.0)
    front, waiting = set[int](), [*below[None]]
    while waiting:
        node = waiting.pop()
        is_open = node.id in holding and node.xpath not in offered
        if below[node.id] and (is_open or _area(node) > LARGEST * whole):
            waiting.extend(below[node.id])
        else:
            front.add(node.id)
    return front


def _area(node: Pickable) -> float:
    return node.box.width * node.box.height
