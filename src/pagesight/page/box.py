"""Box: a rectangle in CSS pixels on the whole page."""

from __future__ import annotations

from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle; x grows to the right, y downwards, from the top left corner of the page."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def area(self) -> float:
        return self.width * self.height

    def contains(self, other: Box, slack: float = 0.0) -> bool:
        """Whether `other` lies within this box, give or take `slack` pixels."""
        return (
            other.x >= self.x - slack
            and other.y >= self.y - slack
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )

    def intersection(self, other: Box) -> Box | None:
        """The common part of two boxes, or None where they do not overlap."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        width = min(self.right, other.right) - x
        height = min(self.bottom, other.bottom) - y
        return Box(x, y, width, height) if width > 0 and height > 0 else None

    def union(self, other: Box) -> Box:
        """The smallest box that holds both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)
