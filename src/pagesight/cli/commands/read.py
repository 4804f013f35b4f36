"""`pagesight read`: what pages are, and what can be read from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from pagesight.cli.options import FAILED, ReadingOptions, reads_pages

if TYPE_CHECKING:
    from pagesight.document import Document

EXAMPLES = """\b
Examples:
  pagesight read page.html
  pagesight read --url https://example.com/tea saved/tea.html
  pagesight read --json *.html *.pdf > pages.jsonl
  curl -s https://example.com/ | pagesight read --json -
  pagesight read --json --from list.jsonl --jobs 8
"""


@reads_pages
def read(options: ReadingOptions) -> None:
    """Say what pages are: one screen each, or one line of JSON each."""
    from pagesight.cli.work import work_through

    if work_through(options, print_json if options.as_json else print_screen):
        raise typer.Exit(FAILED)


def print_json(document: Document) -> None:
    """Everything that was read, as one line."""
    from pagesight.cli.output import say_json
    from pagesight.cli.readings import READINGS, facts

    readings = {reading.name: reading.fields(document) for reading in READINGS}
    readings = {name: found for name, found in readings.items() if found is not None}
    say_json({"source": document.source, **facts.fields(document), "readings": readings})


def print_screen(document: Document) -> None:
    """Everything that was read, for a person."""
    from pagesight.cli.output import say_lines, width
    from pagesight.cli.readings import READINGS

    for reading in READINGS:
        say_lines(reading.lines(document, width()))
    say_lines([""])
