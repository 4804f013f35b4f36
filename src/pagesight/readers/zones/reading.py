"""What the reading `zones` returns: the parts of a page, and the tree that they are taken from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

from pagesight.page import Page
from pagesight.readers.value import Result, Value, to_plain
from pagesight.segment.tree import Zone, ZoneTree

DEEPEST = 200  # levels of a nested tree; programs that read JSON do not go much deeper


@dataclass(frozen=True, kw_only=True, repr=False)
class PagePart(Value):
    """A part of a page that a person would draw a line around."""

    _also: ClassVar[tuple[str, ...]] = ("id",)

    kind: str | None = None
    """What it is; None in a tree whose zones were not judged, as its confidence is."""

    @classmethod
    def of(cls, zone: Zone, kind: str | None = None, confidence: float | None = None) -> PagePart:
        """The part that a zone of the tree is."""
        return cls(text=zone.text, confidence=confidence, place=zone, box=zone.box, kind=kind)

    @property
    def zone(self) -> Zone:
        """The zone in the tree."""
        assert isinstance(self.place, Zone)
        return self.place

    @property
    def id(self) -> int:
        """The number of the zone in the tree."""
        return self.zone.id


@dataclass(frozen=True, eq=False, repr=False)
class ZonesReading(Result):
    """The parts of a page in reading order.

    Whatever is seen is in exactly one of them, except rules and empty panels.
    """

    tree: ZoneTree
    zones: tuple[PagePart, ...]

    problem: str | None = None

    @property
    def summary(self) -> str:
        """How many zones of which kind there are."""
        kinds = Counter(zone.kind or "zone" for zone in self.zones)
        return ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "nothing to see"

    def to_json(self) -> dict[str, Any]:
        """As plain JSON types: the tree nested, and the parts."""
        return {"tree": nested(self.tree), "zones": to_plain(self.zones)}


def nested(tree: ZoneTree, deepest: int = DEEPEST) -> dict[str, Any]:
    """A tree as nested objects; zones that are deeper than `deepest` appear on that level."""
    made: list[dict[str, Any]] = []
    depths: list[int] = []
    around: list[int] = []  # where each zone, or a child that lies too deep, is added
    for zone, parent in zip(tree, tree.parent.tolist(), strict=True):
        box, xpath = to_plain(zone.box), zone.xpath
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
    return {name: to_plain(mark[zone].item()) for name, mark in tree.marks.items()}


def unread(page: Page, problem: str) -> ZonesReading:
    """The reading of a page that could not be read."""
    return ZonesReading(ZoneTree.bare(page, {}), (), problem)
