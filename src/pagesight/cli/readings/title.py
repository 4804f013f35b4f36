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
    """The reading, under a key of its own: ``title`` is the title tag."""
    return {"called": document.title.to_json()}


def lines(document: Document, _: int | None) -> Iterator[Text]:
    """The title and how sure it is."""
    reading = document.title
    yield Text()
    yield _labelled("title", reading.title or "(no title)")
    yield from title_lines(reading)


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
