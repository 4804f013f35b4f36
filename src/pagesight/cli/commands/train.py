"""`pagesight train`: the weights of a reading, learned anew from pages with known answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagesight.cli.commands.evaluate import CorporaFolder, Renderer, run_task, task_argument
from pagesight.cli.options import RendererName, file_option

EXAMPLES = """\
  pagesight train title
  pagesight train title --output weights.json
  pagesight train records --labels jobs.jsonl -o jobs.json
"""


def train(
    task: Annotated[str, task_argument("train")],
    corpora: CorporaFolder = None,
    output: Annotated[
        Path | None,
        file_option("Where the weights go: to where they are shipped if not given."),
    ] = None,
    renderer: Renderer = RendererName.AUTO,
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Learn attributes of your own from pages that this file of JSON Lines marks; for "
            "records.",
        ),
    ] = None,
) -> None:
    """Learn the weights of a reading from the corpora.

    The same corpora give the same weights, byte for byte.
    """
    from pagesight.cli.files import folder_for

    with folder_for(output):
        given = {"labels": labels} if labels else {}
        run_task("train", task, corpora, renderer, output=output, **given)
