"""`pagesight zones`: the parts that pages consist of."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pagesight.cli.options import FAILED, ReadingOptions, WrongUse, reads_pages

EXAMPLES = """\b
Examples:
  pagesight zones page.html
  pagesight zones --json *.html > zones.jsonl
  pagesight zones --granularity fine page.html
  pagesight zones --tree vips --permitted-doc 6 page.html
"""
GRANULARITIES = {"coarse": 0.35, "medium": 0.5, "fine": 0.8}
USUAL_DEGREE = 8


class TreeName(StrEnum):
    """The trees that may be shown as they are."""

    XYCUT = "xycut"
    VIPS = "vips"


def parse_granularity(given: object) -> float:
    """One of the names, or a number from 0 to 1."""
    text = str(given).strip().lower()
    try:
        granularity = GRANULARITIES.get(text) or float(text)
    except ValueError:
        granularity = -1.0
    if not 0 <= granularity <= 1:
        names = ", ".join(GRANULARITIES)
        raise typer.BadParameter(f"'{given}' is none of {names}, and no number from 0 to 1")
    return granularity


@reads_pages
def zones(
    options: ReadingOptions,
    granularity: Annotated[
        float | None,
        typer.Option(
            metavar="SIZE",
            parser=parse_granularity,
            autocompletion=lambda: [*GRANULARITIES],
            help="How finely to divide: coarse, medium, fine, or a number from 0 to 1: medium if "
            "not given.",
        ),
    ] = None,
    tree: Annotated[
        TreeName | None,
        typer.Option(
            metavar="NAME",
            help="Show a whole tree instead: xycut (divided at gaps) or vips (by coherence).",
        ),
    ] = None,
    permitted_doc: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=10,
            help=f"How coherent the smallest blocks of vips are, 1 to 10: {USUAL_DEGREE} if not "
            "given.",
        ),
    ] = None,
) -> None:
    """List the parts of a page: header, navigation, main, aside, footer, and so on."""
    if tree and granularity is not None:
        raise WrongUse("--granularity is for blocks: a --tree has all sizes")
    if permitted_doc and tree is not TreeName.VIPS:
        raise WrongUse("--permitted-doc is for --tree vips")
    from pagesight.cli.zoning import show_parts, show_tree

    if tree:
        failed = show_tree(options, tree.value, permitted_doc or USUAL_DEGREE)
    else:
        chosen = GRANULARITIES["medium"] if granularity is None else granularity
        failed = show_parts(options, chosen)
    if failed:
        raise typer.Exit(FAILED)
