"""`pagesight render`: pages laid out once, saved for reading later."""

from __future__ import annotations

from typing import Annotated

import typer

from pagesight.cli.options import FAILED, Overwrite, ReadingOptions, output_option, reads_pages

EXAMPLES = """\b
Examples:
  pagesight render *.html -o pages
  pagesight render --from list.jsonl -o pages --jobs 8
  pagesight read --json --from pages/manifest.jsonl
"""


@reads_pages
def render(
    options: ReadingOptions,
    output: Annotated[str, output_option("Where the saved Pages go.")],
    overwrite: Overwrite = False,
) -> None:
    """Render pages and save them, to be read later without a renderer."""
    from pagesight.cli.rendering import save_all
    from pagesight.cli.saving import Target

    if save_all(options, Target.of(output, overwrite=overwrite)):
        raise typer.Exit(FAILED)
