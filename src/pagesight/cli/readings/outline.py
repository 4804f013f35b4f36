"""The headings of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.text import Text

from pagesight.cli.output import printable
from pagesight.cli.readings.reading import Reading

if TYPE_CHECKING:
    from pagesight.document import Document

LABEL = 12
MOST = 4  # headings that are shown
LONGEST = 30  # characters of each


def fields(document: Document) -> dict[str, Any]:
    """What `pagesight outline --json` says, too."""
    return document.outline.to_json()


def lines(document: Document, _: int | None) -> Iterator[Text]:
    """How many headings there are, and the first; `pagesight outline` shows all."""
    headings = document.outline.headings
    if not headings:
        return
    first = [heading.text for heading in headings[:MOST]]
    shown = " · ".join(text if len(text) <= LONGEST else text[:LONGEST] + "…" for text in first)
    more = " …" if len(headings) > MOST else ""
    number = f"{len(headings):,} heading{'' if len(headings) == 1 else 's'}"
    said = printable(f"{number}: {shown}{more}")
    yield Text.assemble((f"{'outline':<{LABEL}}", "dim"), said)


READING = Reading(name="outline", fields=fields, lines=lines)
