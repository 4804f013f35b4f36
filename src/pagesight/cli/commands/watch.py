"""`pagesight watch`: parts of pages over time."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pagesight.cli.options import (
    FAILED,
    MaxSize,
    Overwrite,
    PublicOnly,
    Renderer,
    RendererName,
    Timeout,
    WrongUse,
    flag,
    limits_of,
    name_option,
    output_option,
    parse_count,
    parse_delay,
    parse_point,
    points_option,
    selectors_option,
    target_of,
)
from pagesight.cli.output import (
    Progress,
    counted,
    labelled,
    say,
    say_bytes,
    say_error,
    say_json,
    say_line,
    say_lines,
    styled,
    undisturbed,
)
from pagesight.errors import PagesightError

if TYPE_CHECKING:
    from rich.text import Text

    from pagesight.sources import Limits
    from pagesight.watch import Changes, Checked, Observation, Part, Watch

EXAMPLES = """\
  pagesight watch add https://example.com/ --part '#news' --part '#weather'
  pagesight watch check                          look at all pages again
  pagesight watch check --notify ntfy://topic    and tell me if something changed
  pagesight watch list
  pagesight watch diff 1                         what changed in part 1?
  pagesight watch export 1 --format atom -o news.atom
"""
CHANGED = 3  # the exit status of `check --exit-status`
MOST_SHOWN = 5  # new items of a part
SUFFIXES = {"atom": ".atom", "jsonfeed": ".json", "json": ".jsonl"}

ExportFormat = StrEnum("ExportFormat", ["ATOM", "JSONFEED", "JSON"])
DiffFormat = StrEnum("DiffFormat", ["TEXT", "HTML"])

GROUP = typer.Typer(
    name="watch",
    epilog=f"\b\nExamples:\n{EXAMPLES}",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)

Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="The database: an address as SQLAlchemy takes it, or the path of a SQLite file. If "
        "not given, PAGESIGHT_DATABASE, or a file in the data folder of the user.",
    ),
]
AsJson = Annotated[bool, flag("--json", "Print one JSON object a line.")]
Number = Annotated[
    int, typer.Argument(metavar="ID", parser=parse_count, help="The number of a part; see list.")
]
Numbers = Annotated[
    list[int] | None,
    typer.Argument(
        metavar="ID", parser=parse_count, help="Numbers of parts; all parts if none is given."
    ),
]


@GROUP.callback(invoke_without_command=True)
def watch(ctx: typer.Context) -> None:
    """Watch parts of pages: know them again, keep what they say, report what changed."""
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


@GROUP.command()
def add(
    source: Annotated[
        str, typer.Argument(metavar="SRC", help="An http(s) address, or a file (HTML, PDF).")
    ],
    part: Annotated[
        list[str] | None,
        selectors_option(
            "A part to watch, by a CSS selector or an XPath; may be repeated. Without --part and "
            "--at, all components of the page are watched."
        ),
    ] = None,
    at: Annotated[
        list[str] | None,
        points_option("A part to watch, by a point on the page in CSS pixels; may be repeated."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="What to call the part, if it is one."),
    ] = None,
    database: Database = None,
    as_json: AsJson = False,
    renderer: Renderer = RendererName.AUTO,
    timeout: Timeout = 30.0,
    max_size: MaxSize = 20 << 20,
    public_only: PublicOnly = False,
) -> None:
    """Watch parts of a page from now on."""
    points = [parse_point(given) for given in at or []]
    limits = limits_of(timeout, max_size, public_only=public_only)
    with _opened(database, renderer, limits, as_json=as_json) as watching:
        parts = watching.add(source, select=part or [], at=points, name=name)
        _say_parts(watching, parts, as_json=as_json)


@GROUP.command("list")
def list_(database: Database = None, as_json: AsJson = False) -> None:
    """List the parts that are watched, with how each was seen last."""
    with _opened(database, as_json=as_json) as watching:
        parts = watching.parts()
        if not parts and not as_json:
            say("nothing is watched yet; begin with pagesight watch add", "yellow")
        _say_parts(watching, parts, as_json=as_json)


@GROUP.command()
def check(
    numbers: Numbers = None,
    due: Annotated[
        bool, flag("--due", "Check only pages whose next check is due: an hour after the last.")
    ] = False,
    notify: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL",
            help="Send what changed to this service, as Apprise names it (mailto://, ntfy://, "
            "slack://, json:// and others); may be repeated.",
        ),
    ] = None,
    exit_status: Annotated[
        bool, flag("--exit-status", f"End with status {CHANGED} if something changed.")
    ] = False,
    delay: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            parser=parse_delay,
            show_default=False,
            help="Wait between two requests to a server, longer if its robots.txt says so: 2 if "
            "not given.",
        ),
    ] = 2.0,
    database: Database = None,
    as_json: AsJson = False,
    renderer: Renderer = RendererName.AUTO,
    timeout: Timeout = 30.0,
    max_size: MaxSize = 20 << 20,
    public_only: PublicOnly = False,
) -> None:
    """Look at watched pages again, and say what changed.

    Each line is printed when what it says is in the database.
    """
    limits = limits_of(timeout, max_size, public_only=public_only)
    with _opened(database, renderer, limits, delay, as_json=as_json) as watching:
        failed, changed = _check_all(watching, numbers, notify or [], due=due, as_json=as_json)
    if failed:
        raise typer.Exit(FAILED)
    if changed and exit_status:
        raise typer.Exit(CHANGED)


def _observation(metavar: str, help_: str) -> Any:
    """An argument that is the number of an observation."""
    return typer.Argument(metavar=metavar, parser=parse_count, show_default=False, help=help_)


@GROUP.command()
def diff(
    number: Number,
    before: Annotated[
        int | None,
        _observation("BEFORE", "The number of an observation: the last but one if not given."),
    ] = None,
    after: Annotated[
        int | None, _observation("AFTER", "The number of another one: the last if not given.")
    ] = None,
    format_: Annotated[
        DiffFormat,
        name_option("What to print: text (as diff -u), or html, with changes marked.", "--format"),
    ] = DiffFormat.TEXT,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Show what changed in a part between two observations."""
    with _opened(database, as_json=as_json) as watching:
        changes = watching.diff(number, before, after)
        if as_json:
            say_json({"part": number} | changes.to_json())
        elif format_ is DiffFormat.HTML:
            say_bytes(changes.html.encode())
        else:
            say_lines(_difference(changes), cut=False)


@GROUP.command()
def history(number: Number, database: Database = None, as_json: AsJson = False) -> None:
    """List all observations of a part, the oldest first."""
    with _opened(database, as_json=as_json) as watching:
        observations = watching.history(number)
        if as_json:
            for seen in observations:
                say_json(seen.to_json())
        else:
            say_lines(_told(observations))


@GROUP.command()
def export(
    numbers: Numbers = None,
    format_: Annotated[
        ExportFormat,
        name_option(
            "What to write: atom or jsonfeed (feeds of new items, one for each part), or json (all "
            "that is known, with pictures).",
            "--format",
        ),
    ] = ExportFormat.JSON,
    output: Annotated[str | None, output_option("Where it goes.")] = None,
    overwrite: Overwrite = False,
    database: Database = None,
) -> None:
    """Write what is known about parts: as feeds of new items, or as JSON."""
    target = target_of(output, overwrite=overwrite)
    with _opened(database) as watching:
        parts = [watching.part(one) for one in numbers] if numbers else [*watching.parts()]
        is_feed = format_ is not ExportFormat.JSON
        if is_feed and len(parts) != 1 and not (target and target.is_folder):
            raise WrongUse("a feed is about one part: name one, or a folder with -o")
        if target:
            target.prepare()
        written = [_exported(watching, one, format_) for one in parts]
        if target is None:
            say_bytes(b"".join(written))
        elif target.is_folder:
            for one, data in zip(parts, written, strict=True):
                name = f"{one.id} {one.name}"
                say_line(str(target.save(name, SUFFIXES[format_.value], data)))
        else:
            target.write(target.path, b"".join(written))
            say_line(f"{target.path}: {counted(len(parts), 'part')} written")


@GROUP.command()
def remove(
    numbers: Annotated[
        list[int],
        typer.Argument(metavar="ID", parser=parse_count, help="Numbers of parts; see list."),
    ],
    database: Database = None,
) -> None:
    """Forget parts, with everything that was observed of them."""
    with _opened(database) as watching:
        watching.remove(numbers)
        say(f"{counted(len(set(numbers)), 'part')} removed")


@GROUP.command()
def confirm(
    number: Number,
    node: Annotated[
        str | None,
        typer.Option(
            metavar="SELECTOR",
            help="The part is not the candidate, but the element that a CSS selector or an XPath "
            "selects.",
        ),
    ] = None,
    gone: Annotated[bool, flag("--gone", "The part is no longer on the page.")] = False,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Say whether a candidate is the part that a check was unsure about: it is, if not said."""
    if node and gone:
        raise WrongUse("--node and --gone do not agree")
    with _opened(database, as_json=as_json) as watching:
        watching.confirm(number, node=node, gone=gone)
        _say_parts(watching, [watching.part(number)], as_json=as_json)


# Opening


@contextmanager
def _opened(
    database: str | None,
    renderer: RendererName = RendererName.AUTO,
    limits: Limits | None = None,
    delay: float = 2.0,
    *,
    as_json: bool = False,
) -> Iterator[Watch]:
    """The database, opened; an error is one line and status 1."""
    try:
        from pagesight.cli.sources import opened_renderer
        from pagesight.render import RenderOptions
        from pagesight.sources import DEFAULT_LIMITS
        from pagesight.watch import Watch

        limits = limits or DEFAULT_LIMITS
        rendering = opened_renderer(renderer, RenderOptions(timeout=limits.total_timeout))
        try:
            with Watch.open(database, renderer=rendering, limits=limits, delay=delay) as watching:
                yield watching
        finally:
            with undisturbed():
                rendering.close()
    except PagesightError as error:
        say_error(str(error), error.hint)
        if as_json:
            say_json({"error": error.to_json()})
        raise typer.Exit(FAILED) from None


# Checking


def _check_all(
    watching: Watch, numbers: Sequence[int] | None, services: list[str], *, due: bool, as_json: bool
) -> tuple[int, int]:
    """Check, print and send; how many pages failed, and how many changed."""
    from pagesight.watch.notifying import check_services

    check_services(services)
    failed = changed = 0
    with Progress(None if due or numbers else len(watching.pages())) as progress:
        for checked in watching.check(numbers or None, due=due):
            with progress.aside():
                _report(checked, as_json=as_json)
                failed += bool(checked.error) + _notified(services, checked)
            changed += any(seen.is_new for seen in checked.parts)
            progress.advance()
    return failed, changed


def _report(checked: Checked, *, as_json: bool) -> None:
    if checked.error:
        say_error(f"{checked.page.address}: {checked.error['message']}")
    if as_json:
        say_json(checked.to_json())
    elif not checked.error:
        say_lines(_checked_lines(checked))


def _notified(services: list[str], checked: Checked) -> bool:
    """Send what changed; whether that failed."""
    from pagesight.watch.notifying import notify

    try:
        notify(services, checked)
    except PagesightError as error:
        say_error(str(error), error.hint)
        return True
    return False


def _checked_lines(checked: Checked) -> Iterator[Text]:
    style = "bold" if checked.outcome.value == "changed" else "dim"
    yield labelled(checked.outcome.value, styled((checked.page.address, "cyan")), style)
    for seen in checked.parts:
        if changes := seen.changes:
            yield labelled(f"  {seen.part.id}", f"{seen.part.name}: {changes.summary}", "")
            for item in changes.new_items[:MOST_SHOWN]:
                yield labelled("", styled(("+ ", "green"), item.title))
            if (left := len(changes.new_items) - MOST_SHOWN) > 0:
                yield labelled("", styled((f"and {left} more", "dim")))


# What is printed


def _say_parts(watching: Watch, parts: Sequence[Part], *, as_json: bool) -> None:
    seen = watching.latest(parts)
    if not as_json:
        say_lines(_overview(parts, seen))
        return
    for part in parts:
        say_json(part.to_json() | {"observation": seen[part.id].to_json()})


def _overview(parts: Sequence[Part], seen: dict[int, Observation]) -> Iterator[Text]:
    page = None
    for part in parts:
        if part.page.id != page:
            page = part.page.id
            yield styled(part.page.address, style="cyan")
            if since := part.page.failing_since:
                message = (part.page.error or {}).get("message", "")
                told = f"an old copy, since {since:%Y-%m-%d %H:%M}: {message}"
                yield labelled("", styled((told, "red")))
        yield from _lines(part, seen[part.id])


def _lines(part: Part, seen: Observation) -> Iterator[Text]:
    status = "gone" if part.state.value == "gone" else seen.status.value
    times = f"observation {seen.number} of {seen.time:%Y-%m-%d %H:%M}"
    yield labelled(f"  {part.id}", styled((part.name, "bold"), f"  {status}, {times}"), "")
    if status == "unsure":
        yield labelled("", styled((f"is this it? pagesight watch confirm {part.id}", "yellow")))


def _told(observations: Sequence[Observation]) -> Iterator[Text]:
    from pagesight.watch.changes import compare

    before = None
    for seen in observations:
        told = compare(before, seen).summary if before else "first seen"
        line = f"{seen.time:%Y-%m-%d %H:%M}  {seen.status.value:<8}  {told}"
        yield labelled(f"  {seen.number}", line, "")
        before = seen


def _difference(changes: Changes) -> Iterator[Text]:
    styles = {"+": "green", "-": "red", "@": "dim"}
    for line in changes.text.splitlines():
        yield styled(line, style=styles.get(line[:1], ""))
    yield styled(changes.summary, style="bold")


def _exported(watching: Watch, part: Part, format_: ExportFormat) -> bytes:
    from pagesight.watch import feeds

    observations = watching.history(part.id)
    if format_ is ExportFormat.ATOM:
        return feeds.atom(part, observations).encode()
    if format_ is ExportFormat.JSONFEED:
        return feeds.json_feed(part, observations).encode()
    kept = [_with_picture(watching, seen) for seen in observations]
    fields = part.to_json() | {"observations": kept}
    return json.dumps(fields, ensure_ascii=False).encode(errors="replace") + b"\n"


def _with_picture(watching: Watch, seen: Observation) -> dict[str, Any]:
    data = watching.picture(seen.part, seen.number) if seen.has_picture else None
    return seen.to_json() | {"picture": b64encode(data).decode() if data else None}
