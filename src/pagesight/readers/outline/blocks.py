"""Text blocks, which are a matter of `segment`."""

from __future__ import annotations

from pagesight.segment.blocks import TextBlocks, text_blocks

__all__ = ["TextBlocks", "text_blocks"]
