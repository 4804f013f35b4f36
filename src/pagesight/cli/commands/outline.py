"""`pagesight outline`: the headings of pages, and pages with the right headings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from pagesight.cli.options import (
    Overwrite,
    ReadingOptions,
    WrongUse,
    chosen_format,
    flag,
    name_option,
    output_option,
    reads_pages,
    target_of,
)
from pagesight.cli.output import (
    counted,
    labelled,
    say_bytes,
    say_json,
    say_line,
    say_screen,
    styled,
)
from pagesight.errors import NotAPage

if TYPE_CHECKING:
    from rich.text import Text

    from pagesight.cli.files import Target
    from pagesight.document import Document
    from pagesight.readers.outline.heading import Heading, OutlineReading

    Read = Callable[[Document], OutlineReading]

EXAMPLES = """\
  pagesight outline page.html
  pagesight outline --json *.html > outlines.jsonl
  pagesight outline --format markdown page.html > contents.md
  pagesight outline --format html page.html > better.html
  pagesight outline --format html -o better *.html
  pagesight outline --tags ignore page.html
"""
MOST = 4  # headings that `pagesight read` shows
LONGEST = 31  # characters of each

OutlineFormat = StrEnum("OutlineFormat", ["TEXT", "JSON", "MARKDOWN", "HTML"])
# As `pagesight.readers.outline.Tags` has them, which would take long to load.
TagsOption = StrEnum("TagsOption", ["AUTO", "IGNORE"])


@reads_pages
def outline(
    options: ReadingOptions,
    format_: Annotated[
        OutlineFormat | None,
        name_option(
            "What to write: text (a tree) if not given, json (as --json), markdown (a table of "
            "contents), or html (the document again, with the right h1 to h6).",
            "--format",
        ),
    ] = None,
    output: Annotated[
        str | None,
        output_option(
            "Where the documents of --format html go; without it, one SRC goes to standard output."
        ),
    ] = None,
    overwrite: Overwrite = False,
    tags: Annotated[
        TagsOption,
        name_option(
            "What h1 to h6 count for: auto (believed where they agree with the look, corrected "
            "where they do not) or ignore (only the look counts)."
        ),
    ] = TagsOption.AUTO,
    keep_gaps: Annotated[
        bool,
        flag(
            "--keep-gaps",
            "Leave levels as they are, also where an outline skips one. Without it, only what is "
            "before the h1, such as a sidebar, may begin below h2.",
        ),
    ] = False,
) -> int:
    """List the headings of pages, with their levels."""
    chosen = chosen_format(options, format_, OutlineFormat)
    target = target_of(output, overwrite=overwrite)

    def read(document: Document) -> OutlineReading:
        reading: OutlineReading = document.reading("outline", tags=tags.value, keep_gaps=keep_gaps)
        return reading

    if chosen is OutlineFormat.HTML:
        if not target and options.count != 1:
            raise WrongUse("--format html of several sources needs a folder: -o DIR")
        return write_documents(options, target, read)
    if target:
        raise WrongUse("-o is for --format html")
    return write_outlines(options, chosen.value, read)


def write_outlines(options: ReadingOptions, format_: str, read: Read) -> int:
    """Print the outline of each source as text, json or markdown; returns how many failed."""
    from pagesight.cli.sources import work_through

    several = options.count != 1

    def use(document: Document) -> None:
        reading = read(document)
        if format_ == OutlineFormat.JSON:
            say_json(document.json_of(reading))
        elif format_ == OutlineFormat.MARKDOWN:
            say_bytes(_markdown(document, reading, several=several).encode(errors="replace"))
        else:
            say_screen(document.page.head.title, document.source, _tree_lines(reading))

    return work_through(replace(options, as_json=format_ == OutlineFormat.JSON), use)


def _markdown(document: Document, reading: OutlineReading, *, several: bool) -> str:
    from pagesight.output.contents import table_of_contents
    from pagesight.output.markdown import escaped

    contents = table_of_contents(reading)
    return f"# {escaped(document.source)}\n\n{contents}\n" if several else contents


def write_documents(options: ReadingOptions, target: Target | None, read: Read) -> int:
    """Write each document with its headings, or print it; returns how many sources failed."""
    from pagesight.cli.sources import work_through
    from pagesight.sources import Kind

    if target:
        target.prepare(several=options.count != 1)

    def use(document: Document) -> None:
        data = _with_headings(document, read)
        if target is None:
            say_bytes(data)
            return
        # Browsers go by the suffix: they read XML in another way than HTML.
        is_xhtml = document.original and document.original.kind is Kind.XHTML
        path = target.save(document.source, ".xhtml" if is_xhtml else ".html", data)
        say_line(f"{path}: from {document.source}")

    return work_through(options, use)


def _with_headings(document: Document, read: Read) -> bytes:
    from pagesight.output.html import document_with_headings

    original = document.original
    if original is None or not original.kind.is_markup:
        raise NotAPage("there is no markup to give headings to", hint="name an HTML document")
    return document_with_headings(original, document.page, read(document).headings)


def _tree_lines(reading: OutlineReading) -> Iterator[Text]:
    yield from map(_heading_line, reading.headings)
    if not reading.headings:
        yield styled("(no headings)", style="dim")


def _heading_line(heading: Heading) -> Text:
    indented = "  " * (heading.level - 1) + heading.text
    return styled(
        (f"h{heading.level}  ", "green"), (f"{heading.confidence:4.0%}  ", "dim"), indented
    )


def lines(reading: OutlineReading, _: int | None) -> Iterator[Text]:
    """How many headings there are, and the first, for `pagesight read`."""
    from pagesight.readers.value import shortened

    headings = reading.headings
    if not headings:
        return
    shown = " · ".join(shortened(heading.text, LONGEST) for heading in headings[:MOST])
    more = " …" if len(headings) > MOST else ""
    yield labelled("outline", f"{counted(len(headings), 'heading')}: {shown}{more}")
