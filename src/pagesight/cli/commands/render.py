"""`pagesight render`: pages laid out once, saved for reading later."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagesight.cli.options import FAILED, ReadingOptions, reads_pages

EXAMPLES = """\b
Examples:
  pagesight render *.html -o pages
  pagesight render --from list.jsonl -o pages --jobs 8
  pagesight read --json --from pages/manifest.jsonl
"""


@reads_pages
def render(
    options: ReadingOptions,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            file_okay=False,
            help="The folder for the saved Pages; it is made if it is not there.",
        ),
    ],
) -> None:
    """Render pages and save them, to be read later without a renderer."""
    from pagesight.cli.saving import save_all

    if save_all(options, output):
        raise typer.Exit(FAILED)
