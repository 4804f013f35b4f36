"""`pagesight mcp`: readings and watched parts as tools, over the Model Context Protocol."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pagesight.cli.commands.watch import Database
from pagesight.cli.options import (
    FAILED,
    MaxSize,
    ReadingTime,
    Renderer,
    RendererName,
    Timeout,
    count_option,
    flag,
    limits_of,
    seconds_option,
)
from pagesight.cli.output import say_error
from pagesight.errors import PagesightError
from pagesight.jobs import MOST_JOBS, usual_jobs

EXAMPLES = """\
  pagesight mcp                             pages at an address, and watched parts
  pagesight mcp --files ~/pages             files below this folder, too
  pagesight mcp --no-addresses --read-only  nothing is fetched, nothing is written
"""


def mcp(
    files: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            exists=True,
            file_okay=False,
            help="A folder below which files may be read; may be repeated. If not given, no file "
            "may be read.",
        ),
    ] = None,
    no_addresses: Annotated[bool, flag("--no-addresses", "Read no pages at an address.")] = False,
    allow_private: Annotated[
        bool,
        flag("--allow-private", "Read addresses of this machine and of its network, too."),
    ] = False,
    read_only: Annotated[
        bool, flag("--read-only", "Watch, check and confirm nothing: only read what is known.")
    ] = False,
    database: Database = None,
    call_time: Annotated[float, seconds_option("Time for a call: 120 if not given.")] = 120.0,
    answer_size: Annotated[
        int,
        count_option(
            "Characters of an answer, about: 20000 if not given. What is longer can be continued.",
            least=1000,
        ),
    ] = 20_000,
    jobs: Annotated[
        int | None,
        count_option(
            f"Calls at a time: as many as processors, at most {MOST_JOBS}, if not given.",
            "--jobs",
            "-j",
        ),
    ] = None,
    renderer: Renderer = RendererName.AUTO,
    timeout: Timeout = 30.0,
    max_size: MaxSize = 20 << 20,
    reading_time: ReadingTime = 20.0,
) -> None:
    """Offer what Pagesight reads and watches as tools, over the Model Context Protocol.

    A program that uses a language model starts it, and talks to it over standard input and output.
    """
    try:
        from pagesight.mcp import Settings, serve

        serve(
            Settings(
                database=database,
                folders=files or (),
                addresses=not no_addresses,
                private=allow_private,
                read_only=read_only,
                renderer=renderer.value,
                jobs=jobs or usual_jobs(),
                timeout=timeout,
                limits=replace(
                    limits_of(timeout, max_size, public_only=False), reading_time=reading_time
                ),
                call_time=call_time,
                answer_size=answer_size,
            )
        )
    except PagesightError as error:
        say_error(str(error), error.hint)
        raise typer.Exit(FAILED) from None
    if threading.active_count() > 1:  # one waits for a slow server, though nobody waits for it
        from pagesight.cli.app import leave

        leave(0)
