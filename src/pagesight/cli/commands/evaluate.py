"""`pagesight evaluate`: how well a reading does on pages with known answers."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from pagesight.cli.options import FAILED, RendererName

EXAMPLES = """\b
Examples:
  pagesight evaluate zones
  pagesight evaluate title --worst 10
"""

TASKS: dict[str, str] = {
    "outline": "pagesight.readers.outline.evaluation",
    "title": "pagesight.readers.title.evaluation",
    "zones": "pagesight.readers.zones.evaluation",
}
"""By name the module whose function `evaluate(corpora, *, renderer, worst, advance)` prints the
tables of a reading."""


def evaluate(
    task: Annotated[str, typer.Argument(metavar="TASK", help="The reading to evaluate.")],
    corpora: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The folder of the corpora: PAGESIGHT_CORPORA if not given."
        ),
    ] = None,
    renderer: Annotated[
        RendererName, typer.Option(metavar="NAME", help="What lays the pages out.")
    ] = RendererName.AUTO,
    worst: Annotated[
        int, typer.Option(metavar="N", min=0, help="Show the N pages that were read worst.")
    ] = 0,
) -> None:
    """Print how well a reading does, with the baselines that it is compared to.

    The pages come from the corpora; each is rendered once and then kept (see PAGESIGHT_CACHE).
    """
    run_task("evaluate", task, TASKS, corpora=corpora, renderer=renderer.value, worst=worst)


def run_task(verb: str, task: str, tasks: dict[str, str], **options: object) -> None:
    """Call the function `verb` of the module that a task names, with a progress bar."""
    from pagesight.cli.output import say_error
    from pagesight.cli.progress import Progress
    from pagesight.errors import PagesightError

    if task not in tasks:
        raise typer.BadParameter(f"no task {task!r}; there are {', '.join(sorted(tasks))}")
    function: Callable[..., None] = getattr(import_module(tasks[task]), verb)
    try:
        with Progress(None) as progress:
            function(**options, advance=progress.advance)
    except PagesightError as error:
        say_error(str(error), error.hint)
        raise typer.Exit(FAILED) from None
