"""`pagesight title`: what pages are called."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pagesight.cli.options import FAILED, ReadingOptions, reads_pages

EXAMPLES = """\b
Examples:
  pagesight title page.html
  pagesight title --fast --json --from list.jsonl
  pagesight title --method tta-s3 --url https://example.com/tea saved/tea.html
"""


class Method(StrEnum):
    """The ways to find a title, as `pagesight.readers.title.METHODS` has them."""

    OURS = "ours"
    TTA = "tta"
    TTA_1 = "tta-s1"
    TTA_2 = "tta-s2"
    TTA_3 = "tta-s3"
    TTA_12 = "tta-s1+s2"
    TTA_13 = "tta-s1+s3"
    TTA_23 = "tta-s2+s3"
    TITLEFINDER = "titlefinder"
    TITLEFINDER_TF = "titlefinder-tf"
    TITLEFINDER_OVERLAP = "titlefinder-overlap"
    TITLE_TAG = "title-tag"


@reads_pages
def title(
    options: ReadingOptions,
    fast: Annotated[
        bool, typer.Option("--fast", help="Only parse the pages: render nothing, not even PDF.")
    ] = False,
    method: Annotated[
        Method,
        typer.Option(
            metavar="NAME",
            help="How the title is found: ours, tta (the Title Tag Analyzer; with some of its "
            "criteria tta-s1, tta-s2, tta-s3, tta-s1+s2 and so on), titlefinder (also "
            "titlefinder-tf, titlefinder-overlap), or title-tag. All but ours only parse.",
        ),
    ] = Method.OURS,
) -> None:
    """Say what pages are called, how sure that is, and what else they might be called."""
    from pagesight.cli.titles import say_parsed, say_rendered

    failed = (
        say_parsed(options, method) if fast or method is not Method.OURS else say_rendered(options)
    )
    if failed:
        raise typer.Exit(FAILED)
