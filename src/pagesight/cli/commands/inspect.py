"""`pagesight inspect`: a report that shows the zones of a page on its picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagesight.cli.options import FAILED, ReadingOptions, reads_pages
from pagesight.readers.registry import layer_names

EXAMPLES = """\b
Examples:
  pagesight inspect page.html -o report.html
  pagesight inspect https://example.com/ -o report.html --layer xycut
  pagesight inspect page.html --png zones.png
  pagesight inspect *.html -o reports
"""

_LAYERS = " or ".join(", ".join(layer_names()).rsplit(", ", 1))


@reads_pages
def inspect(
    options: ReadingOptions,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The report, for several sources a folder: NAME.inspect.html beside SRC if not "
            "given.",
        ),
    ] = None,
    png: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw one layer over the page into this file, for several sources into this "
            "folder; without -o, make no report.",
        ),
    ] = None,
    layer: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"The layer to show first, and to draw: {_LAYERS}.",
            autocompletion=layer_names,
        ),
    ] = None,
) -> None:
    """Make a report: the picture of a page with its zones, to look at in a browser."""
    from pagesight.cli.inspecting import Targets, inspect_all

    if inspect_all(options, Targets(output, png, several=options.count != 1), layer):
        raise typer.Exit(FAILED)
