"""What the published method finds, as a reading of components."""

from __future__ import annotations

from pagesight.page import Page
from pagesight.segment.tree import common_element
from pagesight.watch.components.reading import (
    FOUND,
    MISSING,
    Component,
    ComponentsReading,
    place_of,
)
from pagesight.watch.seed import Found, PageIndex, update


def find_by_published(index: PageIndex, page: Page) -> ComponentsReading:
    """Where the components of a page index are; how sure that is, the method cannot tell.

    The confidence of each is the share of its identifying content that is there.
    """
    return ComponentsReading(tuple(_component(page, found) for found in update(index, page)))


def _component(page: Page, found: Found) -> Component:
    node = common_element(page, list(found.nodes)).id if found.nodes else None
    return Component(
        id=found.id,
        select=None,
        name=found.id,
        status=MISSING if node is None else FOUND,
        confidence=found.score,
        runner_up=None,
        place=None if node is None else place_of(page, node, found.score),
    )
