"""The parts of a page that a person would pick, to choose from before anything is watched."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pagesight.page import Box, Page
from pagesight.watch.components import learn
from pagesight.watch.items import items_of
from pagesight.watch.values import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A part that could be watched; its XPath selects it."""

    name: str
    xpath: str
    css: str
    box: Box
    text: str = field(repr=False)
    items: tuple[Item, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "name": self.name,
            "xpath": self.xpath,
            "css": self.css,
            "box": list(self.box),
            "text": self.text,
            "items": [item.to_json() for item in self.items],
        }


def parts_of(page: Page) -> tuple[Offer, ...]:
    """The parts that `Watch.add` would watch without selectors, in reading order.

    Raises `NoSuchPart` if nothing is seen on the page.
    """
    node = nodes_by_path(page)
    base = page.head.base or page.url or ""
    return tuple(
        _offer(page, component.name, node[component.profile.path], base)
        for component in learn([page]).components
    )


def nodes_by_path(page: Page) -> dict[str, int]:
    """Elements by their XPaths; the outer one of those that share one."""
    return {node.xpath: node.id for node in reversed([*page])}


def _offer(page: Page, name: str, node: int, base: str) -> Offer:
    element = page[node]
    return Offer(
        name=name,
        xpath=element.xpath,
        css=element.css,
        box=element.box,
        text=page.text_of([node]),
        items=items_of(page, [node], base),
    )
