"""From a Page to its text blocks and zones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagesight.lazy import offered

if TYPE_CHECKING:
    from pagesight.segment.blocks import TextBlocks, text_blocks
    from pagesight.segment.leaves import Leaves, leaf_zones
    from pagesight.segment.pruning import GapStatistics, gap_statistics, prune, reading_order
    from pagesight.segment.tree import Zone, ZoneTree, common_element
    from pagesight.segment.xycut import Axis, zone_tree

__all__ = ["Axis", "GapStatistics", "Leaves", "TextBlocks", "Zone", "ZoneTree", "common_element",
           "gap_statistics", "leaf_zones", "prune", "reading_order", "text_blocks",
           "zone_tree"]  # fmt: skip

if not TYPE_CHECKING:  # or no misspelt name would be noticed
    __getattr__ = offered(__name__, __all__, "tree", "leaves", "blocks", "pruning", "xycut")
