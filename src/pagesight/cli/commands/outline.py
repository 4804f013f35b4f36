"""`pagesight outline`: the headings of pages, and pages with the right headings."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pagesight.cli.options import (
    FAILED,
    Overwrite,
    ReadingOptions,
    WrongUse,
    chosen_format,
    output_option,
    reads_pages,
)

EXAMPLES = """\b
Examples:
  pagesight outline page.html
  pagesight outline --json *.html > outlines.jsonl
  pagesight outline --format markdown page.html > contents.md
  pagesight outline --format html page.html > better.html
  pagesight outline --format html -o better *.html
  pagesight outline --tags ignore page.html
"""


class Format(StrEnum):
    """What an outline is written as."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"


class TagsOption(StrEnum):
    """What h1 to h6 count for; `pagesight.readers.outline.Tags`, which would take long to load."""

    AUTO = "auto"
    IGNORE = "ignore"


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
        str | None,
        output_option(
            "Where the documents of --format html go; without it, one SRC goes to standard output."
        ),
    ] = None,
    overwrite: Overwrite = False,
    tags: Annotated[
        TagsOption,
        typer.Option(
            metavar="NAME",
            help="What h1 to h6 count for: auto (believed where they agree with the look, "
            "corrected where they do not) or ignore (only the look counts).",
        ),
    ] = TagsOption.AUTO,
    keep_gaps: Annotated[
        bool,
        typer.Option(
            "--keep-gaps",
            help="Leave levels as they are, also where an outline skips one. Without it, only what "
            "stands before the h1, such as a sidebar, may begin below h2.",
        ),
    ] = False,
) -> None:
    """Say which texts of pages are headings, and on which level."""
    from pagesight.cli.outlining import How, write_documents, write_outlines
    from pagesight.cli.saving import Target

    chosen = chosen_format(options, format_, Format)
    if output and chosen is not Format.HTML:
        raise WrongUse("-o is for --format html")
    how = How(tags.value, keep_gaps)
    if chosen is Format.HTML:
        if not output and options.count != 1:
            raise WrongUse("--format html of several sources needs a folder: -o DIR")
        target = Target.of(output, overwrite=overwrite) if output else None
        failed = write_documents(options, target, how)
    else:
        failed = write_outlines(options, chosen.value, how)
    if failed:
        raise typer.Exit(FAILED)
