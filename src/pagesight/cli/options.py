"""The options that commands which read pages share, defined once."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import update_wrapper
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec, TypeVar, get_type_hints

import typer

from pagesight.jobs import MOST_JOBS, usual_jobs

if TYPE_CHECKING:
    from pagesight.cli.files import Target
    from pagesight.render import RenderOptions
    from pagesight.sources import Guard, Limits

P = ParamSpec("P")
Format = TypeVar("Format", bound=StrEnum)

FAILED = 1
WRONG_USE = 2
STDIN = "-"
SRC_HELP = "a file (HTML, PDF, a saved Page), an http(s) address, or - for standard input"
OUTPUT_RULE = (
    "With a suffix, or if it is a file, it is the file for everything; without one, with a slash "
    "at the end, or if it is a folder, it is the folder for one file per SRC."
)

_KIND = Parameter.KEYWORD_ONLY
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30}


class WrongUse(typer.BadParameter):
    """Arguments that cannot be used together, or not here."""

    def format_message(self) -> str:
        """The message alone; it names the options itself."""
        return self.message


# As `pagesight.render.RENDERERS` has them, which would take long to load.
RendererName = StrEnum("RendererName", ["AUTO", "CHROMIUM", "EMBEDDED"])


# Typer sends defaults through the parsers as well, hence `object`.


def parse_size(given: object) -> int:
    """A number of bytes, with or without a unit: ``500kB``, ``20MiB``, ``1.5 GB``."""
    parts = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmg]i?|)b?", str(given).strip().lower())
    if not parts or not (size := int(float(parts[1]) * _UNITS[parts[2]])):
        raise typer.BadParameter(f"'{given}' is not a size such as 20MB, 500kB or 65536")
    return size


def parse_seconds(given: object) -> float:
    """A positive, finite number of seconds."""
    if seconds := parse_delay(given, " above 0"):
        return seconds
    raise typer.BadParameter(f"'{given}' is not a number of seconds above 0")


def parse_delay(given: object, limit: str = "") -> float:
    """A finite number of seconds, perhaps none."""
    try:
        seconds = float(str(given))
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise typer.BadParameter(f"'{given}' is not a number of seconds{limit}")
    return seconds


def parse_count(given: object, least: int = 1, most: int | None = None) -> int:
    """A whole number of at least `least`, and of at most `most`."""
    number = int(str(given)) if re.fullmatch(r"\d{1,9}", str(given).strip(), re.ASCII) else -1
    if least <= number and (most is None or number <= most):
        return number
    limits = f"of at least {least}" if most is None else f"from {least} to {most}"
    raise typer.BadParameter(f"'{given}' is not a whole number {limits}")


def parse_point(given: str) -> tuple[float, float]:
    """A point on a page: two numbers with a comma between them."""
    number = r"\s*(\d{1,7}(?:\.\d+)?)\s*"
    if found := re.fullmatch(f"{number},{number}", given, re.ASCII):
        return float(found[1]), float(found[2])
    raise WrongUse(f"'{given}' is not a point such as 640,300")


def parse_address(given: object) -> str:
    """An address, as a browser shows it."""
    address = str(given).strip()
    if not re.match(r"https?://[^/?#]|file:/", address, re.IGNORECASE):
        raise typer.BadParameter(f"'{given}' is not an address such as https://example.com/tea")
    return address


def flag(name: str, help_: str) -> Any:
    """An option without a value."""
    return typer.Option(name, help=help_)


def name_option(help_: str, *names: str, **settings: Any) -> Any:
    """An option that takes one of some names."""
    return typer.Option(*names, metavar="NAME", help=help_, **settings)


def count_option(help_: str, *names: str, least: int = 1, most: int | None = None) -> Any:
    """An option that takes a whole number."""

    def parse(given: object) -> int:
        return parse_count(given, least, most)

    return typer.Option(*names, metavar="N", parser=parse, help=help_, show_default=False)


def seconds_option(help_: str) -> Any:
    """An option that takes a time limit."""
    return typer.Option(metavar="SECONDS", parser=parse_seconds, help=help_, show_default=False)


def size_option(help_: str) -> Any:
    """An option that takes a number of bytes."""
    return typer.Option(metavar="SIZE", parser=parse_size, help=help_, show_default=False)


def output_option(what: str, *names: str) -> Any:
    """The option that names what is written, -o if no other names are given."""
    return typer.Option(
        *(names or ("--output", "-o")),
        metavar="PATH",
        path_type=str,  # a Path would drop the slash at the end
        help=f"{what} {OUTPUT_RULE}",
    )


def file_option(help_: str) -> Any:
    """The option -o of a command that writes one file."""
    return typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help=help_)


def selectors_option(help_: str) -> Any:
    """An option that takes a CSS selector or an XPath, once or several times."""
    return typer.Option(metavar="SELECTOR", help=help_)


def points_option(help_: str) -> Any:
    """An option that takes a point on a page, once or several times."""
    return typer.Option(metavar="X,Y", help=help_)


Renderer = Annotated[
    RendererName,
    name_option(
        "What lays HTML out: chromium, embedded (no scripts, no CSS grid), or auto (chromium where "
        "one is found)."
    ),
]
Timeout = Annotated[
    float, seconds_option("Time for fetching a page, and again for rendering it: 30 if not given.")
]
MaxSize = Annotated[
    int,
    size_option(
        "The largest page to read, in bytes or with a unit (500kB, 20MB): 20MiB if not given."
    ),
]
ReadingTime = Annotated[
    float, seconds_option("CPU time for each reading of a page: 20 if not given.")
]
PublicOnly = Annotated[
    bool,
    flag(
        "--public-only",
        "Reach public addresses only, neither this machine nor private networks, whatever a page "
        "loads or leads to.",
    ),
]
Overwrite = Annotated[bool, flag("--overwrite", "Replace files that exist; without it, they stay.")]


@dataclass(frozen=True, kw_only=True)
class ReadingOptions:
    """Which pages to read, and how. Each field is an argument or an option."""

    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="SRC", help=SRC_HELP, hidden=True),  # see `reads_pages`
    ] = None
    renderer: Renderer = RendererName.AUTO
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            parser=parse_address,
            help="The address that the page had; for one SRC.",
        ),
    ] = None
    root: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            exists=True,
            file_okay=False,
            help='The folder that addresses beginning with "/" are relative to.',
        ),
    ] = None
    manifest: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Read the sources that this file lists, one path, address or JSON object a line; "
            "- for standard input.",
        ),
    ] = None
    jobs: Annotated[
        int | None,
        count_option(
            f"Pages at a time: as many as processors, at most {MOST_JOBS}, if not given.",
            "--jobs",
            "-j",
        ),
    ] = None
    as_json: Annotated[bool, flag("--json", "Print one JSON object a line, in input order.")] = (
        False
    )
    timeout: Timeout = 30.0
    max_size: MaxSize = 20 << 20
    reading_time: ReadingTime = 20.0
    public_only: PublicOnly = False

    @property
    def names(self) -> list[str]:
        return self.sources or []

    @property
    def count(self) -> int | None:
        """How many sources there are; None if a manifest lists them."""
        return None if self.manifest else len(self.names)

    def problem(self) -> str | None:
        """What is wrong with these options together, or None."""
        if not self.names and self.manifest is None:
            return "no source given"
        if self.url and self.count != 1:
            return "--url is the address of one page, and there are several sources"
        if [*self.names, self.manifest].count(STDIN) > 1:
            return "standard input can be read once only"
        return None

    def render_options(self) -> RenderOptions:
        """The options of the renderer."""
        from pagesight.render import RenderOptions

        return RenderOptions(timeout=self.timeout, jobs=self.jobs or self._usual_jobs())

    def limits(self) -> Limits:
        """The limits of loading and reading."""
        limits = limits_of(self.timeout, self.max_size, public_only=self.public_only)
        return replace(limits, reading_time=self.reading_time)

    def _usual_jobs(self) -> int:
        return 1 if self.count == 1 else usual_jobs()


def limits_of(timeout: float, max_size: int, *, public_only: bool) -> Limits:
    """The limits of a fetch: one time limit, so that no smaller one ends it earlier."""
    from pagesight.sources import Limits

    return Limits(
        max_size=max_size,
        connect_timeout=min(timeout, Limits().connect_timeout),
        read_timeout=timeout,
        total_timeout=timeout,
        guard=_guard() if public_only else None,
    )


def _guard() -> Guard:
    from pagesight.sources import Guard

    return Guard()


def reads_pages(command: Callable[Concatenate[ReadingOptions, P], int]) -> Callable[..., None]:
    """Turn a command that takes `ReadingOptions` first into one that takes each of its fields.

    The command returns how many sources failed.
    """

    def run(ctx: typer.Context, **values: Any) -> None:
        shared = {field.name: values.pop(field.name) for field in fields(ReadingOptions)}
        options = ReadingOptions(**shared)
        if problem := options.problem():
            raise WrongUse(problem, ctx=ctx)
        if command(options, **values):  # type: ignore[call-arg]
            raise typer.Exit(FAILED)

    update_wrapper(run, command, assigned=("__module__", "__name__", "__qualname__", "__doc__"))
    run.__doc__ = f"{command.__doc__}\n\nSRC is {SRC_HELP}."
    parameters = [
        Parameter("ctx", _KIND, annotation=typer.Context),
        *_further_parameters(command),
        *_shared_parameters(),
    ]
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def chosen_format(options: ReadingOptions, given: Format | None, formats: type[Format]) -> Format:
    """The format that --format or --json asks for; text if neither is given."""
    if options.as_json and given not in (None, "json"):
        raise WrongUse(f"--json and --format {given} do not agree")
    return given or formats("json" if options.as_json else "text")


def target_of(output: str | None, *, overwrite: bool) -> Target | None:
    """Where -o leads, if it is given."""
    if output is None:
        if overwrite:
            raise WrongUse("--overwrite is for what -o writes")
        return None
    from pagesight.cli.files import Target

    return Target.of(output, overwrite=overwrite)


def _further_parameters(command: Callable[..., int]) -> list[Parameter]:
    """The parameters of a command after the first."""
    parameters = list(signature(command, eval_str=True).parameters.values())[1:]
    return [parameter.replace(kind=_KIND) for parameter in parameters]


def _shared_parameters() -> list[Parameter]:
    hints = get_type_hints(ReadingOptions, include_extras=True)
    return [
        Parameter(field.name, _KIND, default=field.default, annotation=hints[field.name])
        for field in fields(ReadingOptions)
    ]
