"""Outlines of many sources: for people, for programs, and as documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rich.text import Text

from pagesight.cli.options import ReadingOptions
from pagesight.cli.output import printable, say_bytes, say_json, say_lines
from pagesight.cli.saving import Names, make_folder, write_over_own
from pagesight.cli.work import work_through
from pagesight.document import Document
from pagesight.errors import NotAPage
from pagesight.output.contents import table_of_contents
from pagesight.output.html import document_with_headings
from pagesight.output.markdown import escaped
from pagesight.readers.outline import Heading, OutlineReading, read_outline
from pagesight.sources import Kind


@dataclass(frozen=True, slots=True)
class How:
    """How outlines are read."""

    tags: str = "auto"
    keep_gaps: bool = False

    def read(self, document: Document) -> OutlineReading:
        return read_outline(document.page, tags=self.tags, keep_gaps=self.keep_gaps)


def write_outlines(options: ReadingOptions, format_: str, how: How) -> int:
    """Print the outline of each source as text, json or markdown; tells how many failed."""
    several = options.count != 1

    def use(document: Document) -> None:
        reading = how.read(document)
        if format_ == "json":
            say_json({"source": document.source, **reading.to_json()})
        elif format_ == "markdown":
            heading = f"# {escaped(document.source)}\n\n" if several else ""
            contents = heading + table_of_contents(reading) + ("\n" if several else "")
            say_bytes(contents.encode(errors="replace"))
        else:
            say_lines(_lines(document, reading))

    return work_through(replace(options, as_json=format_ == "json"), use)


def write_documents(options: ReadingOptions, folder: Path | None, how: How) -> int:
    """Write each document with its headings into `folder`, or print it; tells how many failed."""
    names = Names(".html")
    if folder:
        make_folder(folder)

    def use(document: Document) -> None:
        data = _with_headings(document, how)
        if folder is None:
            say_bytes(data)
            return
        path = folder / names.new(document.source)
        if document.original and document.original.kind is Kind.XHTML:
            path = path.with_suffix(".xhtml")  # browsers go by it: XML is read otherwise than HTML
        write_over_own(path, data, lambda _: False, "may be a document that you need")
        say_lines([printable(f"{path}: from {document.source}")])

    return work_through(options, use)


def _with_headings(document: Document, how: How) -> bytes:
    original = document.original
    if original is None or not original.kind.is_markup:
        raise NotAPage("there is no markup to give headings to", hint="name an HTML document")
    return document_with_headings(original, document.page, how.read(document).headings)


def _lines(document: Document, reading: OutlineReading) -> Iterator[Text]:
    yield Text(printable(document.page.head.title or "(no title)"), style="bold")
    yield Text(printable(document.source), style="cyan")
    yield from map(_line, reading.headings)
    if not reading.headings:
        yield Text("(no headings)", style="dim")
    yield Text()


def _line(heading: Heading) -> Text:
    return Text.assemble(
        (f"h{heading.level}  ", "green"),
        (f"{heading.confidence:4.0%}  ", "dim"),
        "  " * (heading.level - 1) + printable(heading.text),
    )
