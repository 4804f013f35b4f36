"""What the published method finds, as a reading of components."""

from __future__ import annotations

from functools import partial

from pagesight.page import Page
from pagesight.segment.tree import common_element
from pagesight.watch.components.reading import (
    FOUND,
    MISSING,
    Component,
    ComponentsReading,
    place_of,
)
from pagesight.watch.components.sight import sight_of
from pagesight.watch.seed import Asked, Found, PageIndex, update


def find_by_published(index: PageIndex, page: Page) -> ComponentsReading:
    """Where the components of a page index are; how sure that is, the method cannot tell.

    The confidence of each is the share of its identifying content that is there.
    """
    found = update(index, page)
    asked = index.asked or [Asked(one.id, None, one.id) for one in found]
    return ComponentsReading(tuple(map(partial(_component, page), asked, found)))


def _component(page: Page, asked: Asked, found: Found) -> Component:
    place = None
    if found.nodes and sight_of(page).shown[0]:  # a page without content is a component as well
        element = common_element(page, list(found.nodes))
        node = element if element.parent else page.find("html")[0]
        place = place_of(page, node.id, found.score)
    return Component(
        id=asked.id,
        select=asked.select,
        name=asked.name,
        status=FOUND if place else MISSING,
        confidence=found.score if place else 0.0,
        runner_up=None,
        place=place,
    )
