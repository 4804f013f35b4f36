"""The reading `outline`: which texts are headings, and on which level."""

from __future__ import annotations

from pagesight.readers.outline.heading import Heading
from pagesight.readers.outline.reading import OutlineModel, OutlineReading, Tags, read_outline

__all__ = ["Heading", "OutlineModel", "OutlineReading", "Tags", "read_outline"]
