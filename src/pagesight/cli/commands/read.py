"""`pagesight read`: what pages are, and what can be read from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from pagesight.cli.options import FAILED, ReadingOptions, reads_pages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

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

    say_json(document.to_json())


def print_screen(document: Document) -> None:
    """Everything that was read, for a person."""
    from pagesight.cli.output import say_lines, width
    from pagesight.cli.readings import facts, first_sight
    from pagesight.readers.registry import readings

    def shown(*, sections: bool) -> Iterator[Text]:
        for reading in readings():
            if reading.lines and reading.section == sections:
                yield from reading.call("lines", document.glance(reading.name), width())

    say_lines([*facts.lines(document), *shown(sections=False)])
    say_lines([*first_sight.lines(document.page, width()), *shown(sections=True), ""])
