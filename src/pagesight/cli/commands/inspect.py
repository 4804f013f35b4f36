"""`pagesight inspect`: a report that shows the zones of a page on its picture."""

from __future__ import annotations

from typing import Annotated

import typer

from pagesight.cli.options import FAILED, Overwrite, ReadingOptions, output_option, reads_pages
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
        str | None,
        output_option("Where the reports go: NAME.inspect.html beside SRC if not given."),
    ] = None,
    png: Annotated[
        str | None,
        output_option(
            "Where drawings of one layer over the page go; without -o, there is no report.",
            "--png",
        ),
    ] = None,
    overwrite: Overwrite = False,
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

    if inspect_all(options, Targets.of(output, png, overwrite=overwrite), layer):
        raise typer.Exit(FAILED)
