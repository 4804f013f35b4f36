"""Zones of many sources: for people, and for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.text import Text

from pagesight.cli.options import ReadingOptions
from pagesight.cli.output import say_json, say_lines
from pagesight.cli.readings.zones import part_lines, tree_lines, tree_reading
from pagesight.cli.work import work_through
from pagesight.document import Document
from pagesight.page import Page
from pagesight.readers.zones.reader import read_zones
from pagesight.readers.zones.reading import ZonesReading


def show_parts(options: ReadingOptions, granularity: float) -> int:
    """Print the parts of each page; returns how many sources failed."""
    return _show(options, lambda page: read_zones(page, granularity), part_lines)


def show_tree(options: ReadingOptions, name: str, permitted_doc: int) -> int:
    """Print a whole tree of each page; returns how many sources failed."""
    return _show(options, lambda page: tree_reading(page, name, permitted_doc), tree_lines)


def _show(
    options: ReadingOptions,
    read: Callable[[Page], ZonesReading],
    lines: Callable[[Document, ZonesReading], Iterator[Text]],
) -> int:
    def use(document: Document) -> None:
        reading = read(document.page)
        if options.as_json:
            say_json(document.state() | reading.to_json())
        else:
            say_lines(lines(document, reading))

    return work_through(options, use)
