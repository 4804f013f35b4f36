"""The program `pagesight`: its commands, and how it ends."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import signal
import stat
import sys
import threading
import warnings
from functools import cache
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from pagesight import __version__
from pagesight.cli.options import FAILED, WRONG_USE
from pagesight.cli.output import end, say, say_error, undisturbed

INTERRUPTED = 128 + 2  # as shells report a program that a signal has ended
BROKEN_PIPE = 128 + 13
TERMINATED = 128 + 15
PATIENCE = 15.0  # seconds to leave after a signal to terminate

# Typer does not export the base of all complaints about arguments.
UsageError: Any = typer.BadParameter.__base__

EXAMPLES = """\b
Examples:
  pagesight read page.html                     what is this page?
  pagesight read --json https://example.com/   the same, for programs
  pagesight render *.html -o pages             render now, read later
  pagesight read --from pages/manifest.jsonl
  pagesight zones page.html                    which parts does it have?
  pagesight inspect page.html                  look at the parts of a page
  pagesight title page.html                    what is it called?
  pagesight outline page.html                  which headings does it have?
  pagesight article page.pdf                   who wrote it, and whom does it cite?
  pagesight records page.html                  what does it list, at which prices?
  pagesight components find i.json page.html   where are its parts now?
  pagesight watch check                        what changed since the last time?
  pagesight serve                              a page of your own, made of such parts
  pagesight mcp --files pages                  the same, for language models
  pagesight batch crawl.warc.gz -o rows        all pages of a web archive
  pagesight evaluate title                     how well is that known?
  pagesight train title                        learn it again
  pagesight crawl --from starts.txt -o corpora pages to learn from
  pagesight doctor                             which renderer is used, and why
"""


COMMANDS = {
    "read": "Show what pages are: a screen or a line of JSON for each.",
    "render": "Render pages and save them, to be read later without a renderer.",
    "zones": "List the parts of a page: header, navigation, main, aside, footer, and so on.",
    "inspect": "Make a report: the picture of a page with its zones, to look at in a browser.",
    "title": "Find what pages are called, with how sure that is and what else it might be.",
    "outline": "List the headings of pages, with their levels.",
    "article": "Read journal articles: title, authors, affiliations, abstract and references.",
    "records": "Read what pages list: products with names, pictures, prices, or any rows.",
    "components": "Know parts of a page again: on another day, and after a redesign.",
    "watch": "Watch parts of pages: know them again, keep what they say, report what changed.",
    "serve": "Serve a personal page made of parts of other pages.",
    "mcp": "Offer what Pagesight reads and watches as tools, over the Model Context Protocol.",
    "batch": "Read pages in large numbers into Parquet files or JSON Lines, a row for each.",
    "evaluate": "Print how well a reading does, with the baselines that it is compared to.",
    "train": "Learn the weights of a reading from the corpora.",
    "crawl": "Collect pages whose headings are in order, with their stylesheets, breadth first.",
    "doctor": "Show which renderers there are and which one is used, and try each.",
}
"""What each command does, as its help states it. Its module is imported when it is run."""


class Commands(TyperGroup):
    """The commands, with the errors and endings that all of them share."""

    def main(self, *args: Any, **settings: Any) -> Any:
        """Run; wrong use is one line and a hint, like all errors."""
        standalone_mode = settings.get("standalone_mode", True)
        try:
            status = super().main(*args, **{**settings, "standalone_mode": False})
        except UsageError as error:
            if not standalone_mode:
                raise
            _complain(error)
            sys.exit(WRONG_USE)
        except OSError as error:  # of a help that cannot be written
            _say_unwritten(error)
            sys.exit(FAILED)
        if not standalone_mode:
            return status
        sys.exit(status if isinstance(status, int) else 0)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """The names of the commands."""
        return [*COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Import a command."""
        return _command(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """List the commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def invoke(self, ctx: Any) -> Any:
        """Run a command; an interrupt and a closed pipe are not errors, a full disk is one."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            say("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            _drop_output()
            raise typer.Exit(BROKEN_PIPE) from None
        except OSError as error:
            _say_unwritten(error)
            raise typer.Exit(FAILED) from None


app = typer.Typer(
    name="pagesight",
    cls=Commands,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["--help", "-h"]},
    rich_markup_mode=None,  # plain help is there in half the time
    pretty_exceptions_enable=False,
)


@cache
def _command(name: str) -> Any:
    module = import_module(f"pagesight.cli.commands.{name}")
    if (group := getattr(module, "GROUP", None)) is not None:
        return typer.main.get_command(group)
    alone = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
    alone.command(name, epilog=f"\b\nExamples:\n{module.EXAMPLES}")(getattr(module, name))
    return typer.main.get_command(alone)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pagesight {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def program(
    ctx: typer.Context,
    version: Annotated[  # noqa: ARG001 - the callback of the option does all
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Read web pages by sight: render a page, and find out what it is."""
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def main() -> None:
    """Run the program, and end it."""
    # Sums in one order, so that training gives the same bytes anywhere; pages go side by side.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    signal.signal(signal.SIGTERM, _terminate)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not if it is to be ignored
        signal.signal(signal.SIGINT, _interrupt)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed: nobody wants to know, and no other file may take its place
            stream = os.fdopen(_nowhere(), "w", encoding="utf-8", closefd=False)
            setattr(sys, name, stream)
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app(prog_name="pagesight")
    except SystemExit as end:
        if end.code in (INTERRUPTED, TERMINATED, BROKEN_PIPE, FAILED):
            leave(end.code)
        raise


def _interrupt(*_: object) -> None:
    _hush()
    end(KeyboardInterrupt())


def _terminate(*_: object) -> None:
    """Leave through all context managers, so that no browser stays behind.

    Code that continues all the same gets a little time. Browsers end without us as well.
    """
    _hush()
    deadline = threading.Timer(PATIENCE, os._exit, (TERMINATED,))
    deadline.daemon = True
    deadline.start()
    end(SystemExit(TERMINATED))


def _hush() -> None:
    """What is cut off halfway complains about that; nobody needs to hear it."""
    logging.disable()
    warnings.simplefilter("ignore")
    sys.unraisablehook = lambda _: None


def leave(status: int) -> NoReturn:
    """End at once: a thread that still waits for standard input or for a page would continue.

    Browsers that are left open, by a generator that nobody has ended, are closed first.
    """
    with contextlib.suppress(BaseException), undisturbed():
        atexit._run_exitfuncs()  # what Python does in the end, without the threads
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            if stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode):
                os.set_blocking(stream.fileno(), False)  # nobody may be reading any more
            stream.flush()
    os._exit(status)


def _drop_output() -> None:
    """Let what is still buffered go nowhere; the interpreter flushes once more when it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(_nowhere(), sys.stdout.fileno())


def _nowhere() -> int:
    return os.open(os.devnull, os.O_WRONLY)


def _say_unwritten(error: OSError) -> None:
    _drop_output()
    say_error(f"{error.filename or 'the output cannot be written'}: {error.strerror or error}")


def _complain(error: Any) -> None:
    program = error.ctx.command_path if error.ctx else "pagesight"
    message = error.format_message().replace("Value error, ", "")  # which pydantic adds
    say_error(message.rstrip("."), hint=f"see {program} --help")
