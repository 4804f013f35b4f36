"""The headings of a page."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from pagesight.cli.readings import labelled
from pagesight.readers.outline.heading import OutlineReading

MOST = 4  # headings that are shown
LONGEST = 30  # characters of each


def lines(reading: OutlineReading, _: int | None) -> Iterator[Text]:
    """How many headings there are, and the first; `pagesight outline` shows all."""
    headings = reading.headings
    if not headings:
        return
    first = [heading.text for heading in headings[:MOST]]
    shown = " · ".join(text if len(text) <= LONGEST else text[:LONGEST] + "…" for text in first)
    more = " …" if len(headings) > MOST else ""
    number = f"{len(headings):,} heading{'' if len(headings) == 1 else 's'}"
    yield labelled("outline", f"{number}: {shown}{more}")
