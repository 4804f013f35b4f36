"""The result of looking for the parts of a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from pagesight.page import Box, Page
from pagesight.readers.value import ASIDE, Result, ToJson

FOUND, CHANGED, MISSING, UNSURE = "found", "changed", "missing", "unsure"
STATUSES = (FOUND, CHANGED, MISSING, UNSURE)
Signs = tuple[float, ...]
CHANGES = ("moved", "resized", "restyled", "renamed", "split", "merged", "content")


@dataclass(frozen=True, kw_only=True)
class Place(ToJson):
    """An element that may be a part, and the probability that it is."""

    confidence: float
    xpath: str
    css: str
    box: Box
    node: int = field(metadata=ASIDE)
    signs: Signs = field(default=(), metadata=ASIDE)
    """What its confidence comes from; none where it is certain."""


@dataclass(frozen=True, kw_only=True)
class Component(ToJson):
    """A part that was looked for, and where it is now.

    Where it is not found, or nobody can be sure, there is no place; `runner_up` is then the best
    candidate that there was.
    """

    _also: ClassVar[tuple[str, ...]] = ("xpath", "css", "box")

    id: str
    select: str | None
    name: str
    status: str
    confidence: float
    """The probability that it is there; where it is not found, that it is `runner_up`."""

    runner_up: Place | None
    changes: tuple[str, ...] = ()
    place: Place | None = field(default=None, metadata=ASIDE)
    second: Place | None = field(default=None, metadata=ASIDE)
    """Where it is not found, what else it may be: the best candidate beside `runner_up`."""

    @property
    def nodes(self) -> tuple[int, ...]:
        """The elements of the page that it consists of."""
        return (self.place.node,) if self.place else ()

    @property
    def xpath(self) -> str | None:
        return self.place.xpath if self.place else None

    @property
    def css(self) -> str | None:
        return self.place.css if self.place else None

    @property
    def box(self) -> Box | None:
        return self.place.box if self.place else None


@dataclass(frozen=True, repr=False)
class ComponentsReading(Result):
    """The parts that were looked for on a page, in the order of the index."""

    components: tuple[Component, ...]

    @property
    def summary(self) -> str:
        counts = dict.fromkeys(STATUSES, 0)
        for component in self.components:
            counts[component.status] += 1
        return ", ".join(f"{count} {status}" for status, count in counts.items() if count)


def place_of(page: Page, node: int, confidence: float, signs: Signs = ()) -> Place:
    """An element of a page as a place."""
    element = page[node]
    return Place(confidence=confidence, xpath=element.xpath, css=element.css,
                 box=element.box, node=node, signs=signs)  # fmt: skip
