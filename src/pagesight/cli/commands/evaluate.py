"""`pagesight evaluate`: how well a reading does on pages with known answers."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from pagesight.cli.options import FAILED, RendererName, count_option, flag
from pagesight.lazy import imported
from pagesight.readers.registry import reading_named, readings

EXAMPLES = """\
  pagesight evaluate zones
  pagesight evaluate title --worst 10
  pagesight evaluate article --folds 99       leave out one publisher at a time
  pagesight evaluate outline --folds 99       leave out one style family at a time
"""


APART = {
    "components": {
        "train": "pagesight.watch.components.learning.training:train",
        "evaluate": "pagesight.watch.components.learning.evaluation:evaluate",
    }
}
"""What is learned and judged as readings are, but needs more than one page to be read."""


def tasks(verb: str) -> list[str]:
    """The names of what can be trained, or evaluated."""
    return sorted([*APART, *(reading.name for reading in readings() if getattr(reading, verb))])


def task_function(verb: str, task: str) -> Callable[..., None]:
    """What trains or evaluates it."""
    if task in APART:
        return cast(Callable[..., None], imported(APART[task][verb]))
    return cast(Callable[..., None], reading_named(task).function(verb))


def task_argument(verb: str) -> Any:
    """The argument that names one of them."""
    *others, last = tasks(verb)
    help_ = f"The reading to {verb}: {', '.join(others)} or {last}."
    return typer.Argument(metavar="TASK", help=help_, autocompletion=lambda: tasks(verb))


CorporaFolder = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="The folder of the corpora: PAGESIGHT_CORPORA if not given."),
]
Renderer = Annotated[RendererName, typer.Option(metavar="NAME", help="What lays the pages out.")]


def evaluate(
    task: Annotated[
        str,
        task_argument("evaluate"),
    ],
    corpora: CorporaFolder = None,
    renderer: Renderer = RendererName.AUTO,
    worst: Annotated[int, count_option("Show the N pages that were read worst.", least=0)] = 0,
    folds: Annotated[
        int | None,
        count_option(
            "In how many parts publishers (3 if not given; article), style families (5; outline) "
            "or brands (5; records) are left out in turn.",
            least=2,
        ),
    ] = None,
    bound: Annotated[
        bool,
        flag("--bound", "Print instead how much the vision tree can express; for records."),
    ] = False,
    paper: Annotated[
        bool,
        flag("--paper", "Print instead the table of the published model; for records."),
    ] = False,
) -> None:
    """Print how well a reading does, with the baselines that it is compared to.

    The pages come from the corpora; each is rendered once and then kept (see PAGESIGHT_CACHE).
    """
    special = {"folds": folds, "bound": bound or None, "paper": paper or None}
    given = {name: value for name, value in special.items() if value is not None}
    run_task("evaluate", task, corpora, renderer, worst=worst, **given)


def run_task(
    verb: str, task: str, folder: Path | None, renderer: RendererName, **options: object
) -> None:
    """Train or evaluate a reading, with a progress bar."""
    from pagesight.cli.output import Progress, say_error
    from pagesight.errors import PagesightError
    from pagesight.learning.corpora import Corpora

    if task not in tasks(verb):
        raise typer.BadParameter(f"no task {task!r}; there are {', '.join(tasks(verb))}")
    function = task_function(verb, task)
    for name in options.keys() - signature(function).parameters.keys():
        raise typer.BadParameter(f"--{name} is not for {task!r}")
    try:
        with Progress(None) as progress:
            reported = (progress.expect, progress.advance)
            function(Corpora(folder, renderer.value, *reported), **options)
    except PagesightError as error:
        say_error(str(error), error.hint)
        raise typer.Exit(FAILED) from None
