"""What the reading `zones` says: the blocks of a page, and the tree that they are taken from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pagesight.page import Box
from pagesight.segment.tree import Zone, ZoneTree

DEEPEST = 200  # levels of a nested tree; programs that read JSON do not go much deeper


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a page that a person would draw a line around."""

    zone: Zone  # in the tree
    kind: str
    confidence: float  # that it is of this kind

    @property
    def id(self) -> int:
        """The number of the zone in the tree."""
        return self.zone.id

    @property
    def box(self) -> Box:
        return self.zone.box

    @property
    def xpath(self) -> str:
        """The address of the innermost element around it."""
        return self.zone.xpath

    @property
    def css(self) -> str:
        """The CSS selector of the innermost element around it."""
        return self.zone.css

    @property
    def text(self) -> str:
        """What a person reads there, in reading order."""
        return self.zone.text

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        sure = round(self.confidence, 4)
        return {"kind": self.kind, "confidence": sure, **plain_zone(self.zone)}


@dataclass(frozen=True, eq=False)
class ZonesReading:
    """The blocks of a page in reading order.

    Whatever is seen is in one of them and in no other, but for rules and empty panels.
    """

    tree: ZoneTree
    zones: tuple[Block, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain values: the tree nested, and the blocks."""
        return {"tree": nested(self.tree), "zones": [block.to_json() for block in self.zones]}


def plain_zone(zone: Zone) -> dict[str, Any]:
    """A zone of its own, as plain values."""
    element = zone.element
    return {
        "id": zone.id,
        "box": plain_box(zone.box),
        "xpath": element.xpath,
        "css": element.css,
        "text": zone.text,
    }


def nested(tree: ZoneTree, deepest: int = DEEPEST) -> dict[str, Any]:
    """A tree as nested objects; zones that lie deeper than `deepest` stand on that level."""
    made: list[dict[str, Any]] = []
    depths: list[int] = []
    around: list[int] = []  # where each zone, or a child that lies too deep, is added
    for zone, parent in zip(tree, tree.parent.tolist(), strict=True):
        box, xpath = plain_box(zone.box), zone.xpath
        made.append({"id": zone.id, "box": box, "xpath": xpath, **_marks(tree, zone.id)})
        depths.append(0 if parent < 0 else depths[around[parent]] + 1)
        around.append(zone.id if depths[-1] < deepest else around[parent])
        if parent >= 0:
            made[around[parent]].setdefault("children", []).append(made[-1])
    for fields in made:
        fields.setdefault("children", [])
    return made[0]


def _marks(tree: ZoneTree, zone: int) -> dict[str, Any]:
    """What the segmentation says of a zone."""
    values = {name: mark[zone].item() for name, mark in tree.marks.items()}
    return {n: round(v, 2) if isinstance(v, float) else v for n, v in values.items()}


def plain_box(box: Box) -> list[float]:
    """x, y, width, height, to a hundredth of a pixel."""
    return [round(length, 2) for length in box]
