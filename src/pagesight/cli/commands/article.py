"""`pagesight article`: what pages say of the journal articles that they show."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pagesight.cli.options import (
    FAILED,
    Overwrite,
    ReadingOptions,
    chosen_format,
    output_option,
    reads_pages,
)

EXAMPLES = """\b
Examples:
  pagesight article page.html
  pagesight article --json *.html *.pdf > articles.jsonl
  pagesight article -o reading-list.bib *.pdf
  pagesight article --format tei -o headers *.html
  pagesight article --metadata ignore page.html
"""


class Format(StrEnum):
    """What an article is written as."""

    TEXT = "text"
    JSON = "json"
    BIBTEX = "bibtex"
    RIS = "ris"
    CSL = "csl"
    TEI = "tei"
    JATS = "jats"
    MARKDOWN = "markdown"


class Model(StrEnum):
    """The models, as `pagesight.readers.article.reader.MODELS` has them."""

    OURS = "ours"
    SEED = "seed"


class Metadata(StrEnum):
    """What is done with the tags of a page, as `METADATA` of the reader has it."""

    AUTO = "auto"
    IGNORE = "ignore"


@reads_pages
def article(
    options: ReadingOptions,
    format_: Annotated[
        Format | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="What to write: text, json (as --json), bibtex, ris, csl, tei, jats or markdown. "
            "If not given, what the suffix of a file after -o says, or text.",
        ),
    ] = None,
    output: Annotated[
        str | None,
        output_option("Where the articles go; several tei or jats need a folder."),
    ] = None,
    overwrite: Overwrite = False,
    model: Annotated[
        Model,
        typer.Option(
            metavar="NAME",
            help="What labels the page: ours, or seed, the hidden Markov model of the layout "
            "paper.",
        ),
    ] = Model.OURS,
    metadata: Annotated[
        Metadata,
        typer.Option(
            metavar="NAME",
            help="Whether the citation tags of the page confirm and complete what is seen: auto, "
            "or ignore.",
        ),
    ] = Metadata.AUTO,
    every: Annotated[
        bool,
        typer.Option("--all", help="Also write what was found on pages that are not articles."),
    ] = False,
) -> None:
    """Read journal articles: title, authors, affiliations, abstract and references."""
    from pagesight.cli.articles import Job, format_of, write_articles
    from pagesight.cli.saving import Target

    target = None if output is None else Target.of(output, overwrite=overwrite)
    if target and not options.as_json and (named := format_of(target)):
        format_ = format_ or Format(named)
    chosen = chosen_format(options, format_, Format)
    job = Job(chosen.value, model.value, metadata.value, target, every)
    if write_articles(options, job):
        raise typer.Exit(FAILED)
