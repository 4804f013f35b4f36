"""`pagesight title`: what pages are called."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

from pagesight.cli.options import ReadingOptions, flag, name_option, reads_pages
from pagesight.cli.output import labelled, say_json, say_screen
from pagesight.errors import NotAPage

if TYPE_CHECKING:
    from rich.text import Text

    from pagesight.document import Document
    from pagesight.readers.title.reading import TitleReading
    from pagesight.sources import Limits, Request

EXAMPLES = """\
  pagesight title page.html
  pagesight title --fast --json --from list.jsonl
  pagesight title --method tta-s3 --url https://example.com/tea saved/tea.html
"""
MOST_OTHERS = 3
LEAST_SHOWN = 0.01

# As `pagesight.readers.title.METHODS` has them, which would take long to load.
Method = StrEnum(
    "Method",
    {"OURS": "ours", "TTA": "tta", "TTA_1": "tta-s1", "TTA_2": "tta-s2", "TTA_3": "tta-s3",
     "TTA_12": "tta-s1+s2", "TTA_13": "tta-s1+s3", "TTA_23": "tta-s2+s3",
     "TITLEFINDER": "titlefinder", "TITLEFINDER_TF": "titlefinder-tf",
     "TITLEFINDER_OVERLAP": "titlefinder-overlap", "TITLE_TAG": "title-tag"},
)  # fmt: skip


@reads_pages
def title(
    options: ReadingOptions,
    fast: Annotated[
        bool, flag("--fast", "Only parse the pages: render nothing, not even PDF.")
    ] = False,
    method: Annotated[
        Method,
        name_option(
            "How the title is found: ours, tta (the Title Tag Analyzer; with some of its criteria "
            "tta-s1, tta-s2, tta-s3, tta-s1+s2 and so on), titlefinder (also titlefinder-tf, "
            "titlefinder-overlap), or title-tag. All but ours only parse."
        ),
    ] = Method.OURS,
) -> int:
    """Find what pages are called, with how sure that is and what else it might be."""
    if fast or method is not Method.OURS:
        return say_parsed(options, method)
    return say_rendered(options)


def say_rendered(options: ReadingOptions) -> int:
    """Print the titles of rendered pages; returns how many sources failed."""
    from pagesight.cli.sources import work_through

    def use(document: Document) -> None:
        reading = document.title
        problem = reading.problem or document.problem
        _say(options, document.state() | {"problem": problem}, reading)

    return work_through(options, use)


def say_parsed(options: ReadingOptions, method: str) -> int:
    """Print the titles of pages that are only parsed; returns how many sources failed."""
    from pagesight.cli.sources import requests_of, use_results
    from pagesight.document import json_head

    limits = options.limits()

    def use(request: Request) -> None:
        reading = _title(request, limits, method)
        _say(options, json_head(request.name, problem=reading.problem), reading)

    return use_results(options, requests_of(options), use)


def _title(request: Request, limits: Limits, method: str) -> TitleReading:
    from pagesight.page import Page
    from pagesight.readers.title.reader import read_title, read_title_fast
    from pagesight.sources import Kind, load

    source = load(request, limits=limits)
    if source.kind.is_markup:
        if method == Method.OURS:
            return read_title_fast(source.text, source.url)
        from pagesight.readers.title.seed.methods import read_title_by

        return read_title_by(method, source.text, source.url)
    if source.kind is Kind.PAGE and method == Method.OURS:
        return read_title(Page.from_bytes(source.data, source=source.name))
    kind = "a PDF" if source.kind is Kind.PDF else "a saved Page"
    hint = "leave out --fast" if method == Method.OURS else f"leave out --method {method}"
    raise NotAPage(f"{kind} has no markup to parse", hint=hint)


def _say(options: ReadingOptions, head: dict[str, Any], reading: TitleReading) -> None:
    if options.as_json:
        say_json(head | reading.to_json())
        return
    title = reading.title.text if reading.title else None
    say_screen(title, head["source"], title_lines(reading))


def lines(reading: TitleReading, _: int | None) -> Iterator[Text]:
    """The title in one line, for `pagesight read`."""
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
