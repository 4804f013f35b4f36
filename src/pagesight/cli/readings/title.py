"""What a page is called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.text import Text

from pagesight.cli.output import printable
from pagesight.cli.readings.reading import Reading

if TYPE_CHECKING:
    from pagesight.document import Document
    from pagesight.readers.title import TitleReading

LABEL = 12
MOST_OTHERS = 3
LEAST_SHOWN = 0.01


def fields(document: Document) -> dict[str, Any]:
    """What `pagesight title --json` says, too."""
    return document.title.to_json()


def lines(document: Document, _: int | None) -> Iterator[Text]:
    """The title in one line; `pagesight title` says more."""
    reading = document.title
    if reading.title:
        site = f", of {reading.site_name}" if reading.site_name else ""
        yield _labelled("called", f"{reading.title}  ({reading.confidence:.0%}{site})")
    if reading.problem:
        yield _labelled("problem", reading.problem)


def title_lines(reading: TitleReading) -> Iterator[Text]:
    """Everything about a title but the title."""
    if reading.problem:
        yield _labelled("problem", reading.problem)
    if reading.site_name:
        yield _labelled("site", reading.site_name)
    best = reading.best
    if best is None:
        return
    if reading.confidence:
        yield _labelled("confidence", f"{reading.confidence:.2f}")
    yield _labelled("from", best.origin + (f"  {best.xpath}" if best.xpath else ""))
    others = [other for other in reading.candidates[1:] if other.score >= LEAST_SHOWN]
    for other in others[:MOST_OTHERS]:
        yield _labelled("or", f"{other.text}  ({other.score:.2f}, {other.origin})")


def _labelled(label: str, text: str) -> Text:
    return Text.assemble((f"{label:<{LABEL}}", "dim"), printable(text))


READING = Reading(name="title", fields=fields, lines=lines)
