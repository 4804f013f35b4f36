"""What the reading `outline` finds: headings in reading order."""

from __future__ import annotations

from dataclasses import dataclass, field

from pagesight.page import Node, Page
from pagesight.readers.value import ASIDE, Result, Value, shortened

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
MOST_SHOWN = 4  # headings in a summary


@dataclass(frozen=True, kw_only=True, repr=False)
class Heading(Value):
    """A text that is a heading. Level 1 is the highest."""

    confidence: float
    level: int

    @classmethod
    def of(cls, node: Node, text: str, *, level: int, confidence: float) -> Heading:
        """The heading that an element holds."""
        return cls(text=text, confidence=confidence, place=node, box=node.box, level=level)

    @property
    def node(self) -> Node:
        """The element that holds it."""
        assert isinstance(self.place, Node)
        return self.place

    @property
    def tag(self) -> str:
        """The tag that the page had for it: of the h1 to h6 around it, else of its own element."""
        node: Node | None = self.node
        while node is not None and node.tag not in HEADINGS:
            node = node.parent
        return (node or self.node).tag


@dataclass(frozen=True, slots=True, repr=False)
class OutlineReading(Result):
    """The headings of a page, in the order of the document."""

    headings: tuple[Heading, ...]

    problem: str | None = field(default=None, metadata=ASIDE)

    @property
    def summary(self) -> str:
        """How many headings there are, and the first of them."""
        count = len(self.headings)
        first = " · ".join(shortened(heading.text, 30) for heading in self.headings[:MOST_SHOWN])
        more = " · …" if count > MOST_SHOWN else ""
        return f"{count} heading{'' if count == 1 else 's'}{': ' if count else ''}{first}{more}"


def unread(_: Page, problem: str) -> OutlineReading:
    """The reading of a page that could not be read."""
    return OutlineReading((), problem)
