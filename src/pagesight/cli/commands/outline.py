"""`pagesight outline`: the headings of pages, and pages with the right headings."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pagesight.cli.options import FAILED, ReadingOptions, WrongUse, reads_pages

EXAMPLES = """\b
Examples:
  pagesight outline page.html
  pagesight outline --json *.html > outlines.jsonl
  pagesight outline --format markdown page.html > contents.md
  pagesight outline --format html page.html > better.html
  pagesight outline --format html -o better *.html
"""


class Format(StrEnum):
    """What an outline is written as."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"


@reads_pages
def outline(
    options: ReadingOptions,
    format_: Annotated[
        Format | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="What to write: text (a tree) if not given, json (as --json), markdown (a table "
            "of contents), or html (the document again, with the right h1 to h6).",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            file_okay=False,
            help="The folder for the documents of --format html; without it, one SRC goes to "
            "standard output.",
        ),
    ] = None,
    keep_gaps: Annotated[
        bool,
        typer.Option(
            "--keep-gaps",
            help="Leave levels as they look, also where an outline skips one or begins below h1.",
        ),
    ] = False,
) -> None:
    """Say which texts of pages are headings, and on which level, whatever their tags are."""
    from pagesight.cli.outlining import write_documents, write_outlines

    if options.as_json and format_ not in (None, Format.JSON):
        raise WrongUse(f"--json and --format {format_} do not agree")
    if output and format_ is not Format.HTML:
        raise WrongUse("-o is for --format html")
    if format_ is Format.HTML:
        if not output and options.count != 1:
            raise WrongUse("--format html of several sources needs a folder: -o DIR")
        failed = write_documents(options, output, keep_gaps=keep_gaps)
    else:
        format_ = format_ or (Format.JSON if options.as_json else Format.TEXT)
        failed = write_outlines(options, format_.value, keep_gaps=keep_gaps)
    if failed:
        raise typer.Exit(FAILED)
