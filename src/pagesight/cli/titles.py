"""Titles of many sources: of rendered pages, or of pages that are only parsed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.text import Text

from pagesight.cli.options import ReadingOptions
from pagesight.cli.output import say_json, say_lines
from pagesight.cli.progress import Progress
from pagesight.cli.readings import headline
from pagesight.cli.readings.title import title_lines
from pagesight.cli.work import report, requests_of, total_of, work_through
from pagesight.document import Document, Failure, json_head
from pagesight.errors import NotAPage, PagesightError, UnexpectedError
from pagesight.page import Page
from pagesight.readers.title.reader import read_title, read_title_fast
from pagesight.readers.title.reading import TitleReading
from pagesight.sources import Kind, Limits, Request, load

OURS = "ours"
_NAMES = {Kind.PDF: "a PDF", Kind.PAGE: "a saved Page"}


def say_rendered(options: ReadingOptions) -> int:
    """Print the titles of rendered pages; returns how many sources failed."""

    def use(document: Document) -> None:
        reading = document.title
        _say(options, document.state(), reading)

    return work_through(options, use)


def say_parsed(options: ReadingOptions, method: str) -> int:
    """Print the titles of pages that are only parsed; returns how many sources failed."""
    failures = 0
    with Progress(total_of(options)) as progress:
        for source, result in _parsed(options, method):
            with progress.aside():
                if isinstance(result, TitleReading):
                    _say(options, json_head(source, problem=result.problem), result)
                else:
                    failures += 1
                    report(Failure(source, result), as_json=options.as_json)
            progress.advance()
    return failures


def _parsed(
    options: ReadingOptions, method: str
) -> Iterator[tuple[str, TitleReading | PagesightError]]:
    limits = options.limits()
    for request in requests_of(options):
        if isinstance(request, Failure):
            yield request.source, request.error
        else:
            yield request.name, _read(request, limits, method)


def _read(request: Request, limits: Limits, method: str) -> TitleReading | PagesightError:
    try:
        return _title(request, limits, method)
    except PagesightError as error:
        return error.about(request.name)
    except Exception as error:  # noqa: BLE001 - see UnexpectedError
        return UnexpectedError.of(error, request.name)


def _title(request: Request, limits: Limits, method: str) -> TitleReading:
    source = load(request, limits=limits)
    if source.kind.is_markup:
        if method == OURS:
            return read_title_fast(source.text, source.url)
        from pagesight.readers.title.seed.methods import read_title_by

        return read_title_by(method, source.text, source.url)
    if source.kind is Kind.PAGE and method == OURS:
        return read_title(Page.from_bytes(source.data, source=source.name))
    hint = "leave out --fast" if method == OURS else f"leave out --method {method}"
    raise NotAPage(f"{_NAMES[source.kind]} has no markup to parse", hint=hint)


def _say(options: ReadingOptions, head: dict[str, Any], reading: TitleReading) -> None:
    if options.as_json:
        say_json(head | reading.to_json())
        return
    title = reading.title.text if reading.title else None
    say_lines([*headline(title, head["source"]), *title_lines(reading), Text()])
