"""What a page is called."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from pagesight.cli.readings import labelled
from pagesight.readers.title.reading import TitleReading

MOST_OTHERS = 3
LEAST_SHOWN = 0.01


def lines(reading: TitleReading, _: int | None) -> Iterator[Text]:
    """The title in one line; `pagesight title` says more."""
    if reading.title:
        site = f", of {reading.site_name.text}" if reading.site_name else ""
        yield labelled("called", f"{reading.title.text}  ({reading.confidence:.0%}{site})")
    if reading.problem:
        yield labelled("problem", reading.problem)


def title_lines(reading: TitleReading) -> Iterator[Text]:
    """Everything about a title except the title."""
    if reading.problem:
        yield labelled("problem", reading.problem)
    if reading.site_name:
        yield labelled("site", reading.site_name.text)
    best = reading.title
    if best is None:
        return
    if reading.confidence:
        yield labelled("confidence", f"{reading.confidence:.2f}")
    yield labelled("from", best.origin + (f"  {best.xpath}" if best.xpath else ""))
    others = [other for other in reading.candidates[1:] if other.score >= LEAST_SHOWN]
    for other in others[:MOST_OTHERS]:
        yield labelled("or", f"{other.text}  ({other.score:.2f}, {other.origin})")
