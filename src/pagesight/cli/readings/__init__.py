"""What `pagesight read` says about a page.

A new reading is a module here that defines a `Reading`, and an entry in `READINGS`.
"""

from __future__ import annotations

from pagesight.cli.readings import article, facts, first_sight, outline, title, zones
from pagesight.cli.readings.reading import Reading

READINGS: tuple[Reading, ...] = (
    facts.READING,
    title.READING,
    article.READING,
    outline.READING,
    first_sight.READING,
    zones.READING,
)
"""In the order in which they are shown."""

__all__ = ["READINGS", "Reading"]
