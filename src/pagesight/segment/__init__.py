"""From a Page to its text blocks and zones."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pagesight.segment.blocks import TextBlocks, text_blocks
    from pagesight.segment.cutting import Axis
    from pagesight.segment.leaves import Leaves, leaf_zones
    from pagesight.segment.pruning import GapStatistics, gap_statistics, prune, reading_order
    from pagesight.segment.tree import Zone, ZoneTree, common_element
    from pagesight.segment.xycut import zone_tree

__all__ = ["Axis", "GapStatistics", "Leaves", "TextBlocks", "Zone", "ZoneTree", "common_element",
           "gap_statistics", "leaf_zones", "prune", "reading_order", "text_blocks",
           "zone_tree"]  # fmt: skip

_HOMES = {
    "blocks": ("TextBlocks", "text_blocks"),
    "cutting": ("Axis",),
    "leaves": ("Leaves", "leaf_zones"),
    "pruning": ("GapStatistics", "gap_statistics", "prune", "reading_order"),
    "tree": ("Zone", "ZoneTree", "common_element"),
    "xycut": ("zone_tree",),
}

if not TYPE_CHECKING:  # or no misspelt name would be noticed

    def __getattr__(name: str) -> Any:
        """Import on first use: who wants leaf zones needs no X-Y cut."""
        for module, names in _HOMES.items():
            if name in names:
                return getattr(import_module(f"pagesight.segment.{module}"), name)
        raise AttributeError(f"module 'pagesight.segment' has no attribute {name!r}")
