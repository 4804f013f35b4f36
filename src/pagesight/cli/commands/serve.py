"""`pagesight serve`: a personal page made of parts of other pages, as a web server."""

from __future__ import annotations

from typing import Annotated

import typer

from pagesight.cli.commands.watch import Database
from pagesight.cli.options import (
    FAILED,
    Renderer,
    RendererName,
    count_option,
    flag,
    parse_address,
)
from pagesight.cli.output import say_error, say_line
from pagesight.errors import PagesightError

EXAMPLES = """\
  pagesight serve                              for yourself, on this machine
  pagesight serve --host 0.0.0.0 --allow-private
                                               for the home network, with pages in it
  pagesight serve --database postgresql+pg8000://portal@db/portal
                  --public-address https://parts.example.com
                                               for many, behind a reverse proxy
  pagesight serve --worker --database postgresql+pg8000://portal@db/portal
                                               one more worker, on another machine
"""
LAST_PORT = 65_535


def serve(
    host: Annotated[
        str,
        typer.Option(metavar="HOST", help="Where to listen; 0.0.0.0: on all networks."),
    ] = "127.0.0.1",
    port: Annotated[
        int, count_option("The port: 8181 if not given; 0: any.", least=0, most=LAST_PORT)
    ] = 8181,
    database: Database = None,
    public_address: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            parser=parse_address,
            help="Where people reach it, if a reverse proxy is in front: https://parts.example.com.",
        ),
    ] = None,
    allow_private: Annotated[
        bool,
        flag("--allow-private", "Look at pages of this machine and of its network, too."),
    ] = False,
    worker: Annotated[
        bool, flag("--worker", "Only look at pages, for a server that uses the same database.")
    ] = False,
    workers: Annotated[
        int,
        count_option(
            "Processes that look at pages: 1 if not given; 0: they run elsewhere.",
            least=0,
            most=32,
        ),
    ] = 1,
    renderer: Renderer = RendererName.AUTO,
) -> None:
    """Serve a personal page made of parts of other pages.

    The first visitor makes the first account. Ctrl-C ends it.
    """
    try:
        from pagesight.portal import Settings

        config = Settings(
            database=database,
            host=host,
            port=port,
            public_address=public_address.rstrip("/") if public_address else None,
            private=allow_private,
            workers=workers,
            renderer=renderer.value,
        )
        if worker:
            from pagesight.portal import run_worker

            raise typer.Exit(run_worker(config))
        from pagesight.portal import serve as run

        run(config, _say)
    except PagesightError as error:
        say_error(str(error), error.hint)
        raise typer.Exit(FAILED) from None


def _say(address: str, is_known: bool) -> None:
    say_line(f"Pagesight is at {address}")
    if not is_known:
        say_line("The first visitor makes the first account.")
    say_line("Ctrl-C ends it.")
