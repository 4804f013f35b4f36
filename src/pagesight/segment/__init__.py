"""From a Page to its zones."""

from __future__ import annotations

from pagesight.segment.tree import Zone, ZoneTree, common_element

__all__ = ["Zone", "ZoneTree", "common_element"]
