"""What the reading `outline` finds: headings in reading order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pagesight.page import Box, Node

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True, slots=True)
class Heading:
    """A text that is a heading. Level 1 is the highest."""

    level: int
    text: str
    confidence: float
    node: Node

    @property
    def xpath(self) -> str:
        """The address of the element that holds it."""
        return self.node.xpath

    @property
    def css(self) -> str:
        """The CSS selector of that element."""
        return self.node.css

    @property
    def tag(self) -> str:
        """The tag that the page had for it: of the h1 to h6 around it, else of its own element."""
        node: Node | None = self.node
        while node is not None and node.tag not in HEADINGS:
            node = node.parent
        return (node or self.node).tag

    @property
    def box(self) -> Box:
        """Where that element stands on the page."""
        return self.node.box

    def fields(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "level": self.level,
            "text": self.text,
            "confidence": round(self.confidence, 4),
            "xpath": self.xpath,
            "css": self.css,
            "box": [round(edge, 2) for edge in self.box],
        }
