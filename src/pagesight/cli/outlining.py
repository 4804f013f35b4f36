"""Outlines of many sources: for people, for programs, and as documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rich.text import Text

from pagesight.cli.options import ReadingOptions
from pagesight.cli.output import printable, say_bytes, say_json, say_lines
from pagesight.cli.readings import headline
from pagesight.cli.saving import Target
from pagesight.cli.work import work_through
from pagesight.document import Document
from pagesight.errors import NotAPage
from pagesight.readers.outline.heading import Heading, OutlineReading
from pagesight.readers.outline.reading import read_outline
from pagesight.sources import Kind


@dataclass(frozen=True, slots=True)
class How:
    """How outlines are read."""

    tags: str = "auto"
    keep_gaps: bool = False

    def read(self, document: Document) -> OutlineReading:
        return read_outline(document.page, tags=self.tags, keep_gaps=self.keep_gaps)


def write_outlines(options: ReadingOptions, format_: str, how: How) -> int:
    """Print the outline of each source as text, json or markdown; returns how many failed."""
    several = options.count != 1

    def use(document: Document) -> None:
        reading = how.read(document)
        if format_ == "json":
            say_json(document.state() | reading.to_json())
        elif format_ == "markdown":
            from pagesight.output.contents import table_of_contents
            from pagesight.output.markdown import escaped

            heading = f"# {escaped(document.source)}\n\n" if several else ""
            contents = heading + table_of_contents(reading) + ("\n" if several else "")
            say_bytes(contents.encode(errors="replace"))
        else:
            say_lines(_lines(document, reading))

    return work_through(replace(options, as_json=format_ == "json"), use)


def write_documents(options: ReadingOptions, target: Target | None, how: How) -> int:
    """Write each document with its headings, or print it; returns how many sources failed."""
    if target:
        target.prepare(several=options.count != 1)

    def use(document: Document) -> None:
        data = _with_headings(document, how)
        if target is None:
            say_bytes(data)
            return
        # Browsers go by the suffix: they read XML in another way than HTML.
        is_xhtml = document.original and document.original.kind is Kind.XHTML
        path = target.path_for(document.source, ".xhtml" if is_xhtml else ".html")
        target.write(path, data)
        say_lines([printable(f"{path}: from {document.source}")])

    return work_through(options, use)


def _with_headings(document: Document, how: How) -> bytes:
    from pagesight.output.html import document_with_headings

    original = document.original
    if original is None or not original.kind.is_markup:
        raise NotAPage("there is no markup to give headings to", hint="name an HTML document")
    return document_with_headings(original, document.page, how.read(document).headings)


def _lines(document: Document, reading: OutlineReading) -> Iterator[Text]:
    yield from headline(document.page.head.title, document.source)
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
