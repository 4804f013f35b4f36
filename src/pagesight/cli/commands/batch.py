"""`pagesight batch`: millions of pages, from archives, tables and folders."""

from __future__ import annotations

import re
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pagesight.cli.options import (
    FAILED,
    STDIN,
    RendererName,
    WrongUse,
    count_option,
    flag,
    name_option,
    seconds_option,
    size_option,
)
from pagesight.cli.output import (
    Progress,
    counted,
    labelled,
    pace,
    say,
    say_error,
    say_json,
    say_line,
    say_lines,
)
from pagesight.errors import PagesightError
from pagesight.jobs import MOST_JOBS, usual_jobs

if TYPE_CHECKING:
    from pagesight.batch.folder import Folder
    from pagesight.batch.options import BatchOptions
    from pagesight.batch.running import Engine
    from pagesight.batch.status import Status

EXAMPLES = """\
  pagesight batch crawl.warc.gz -o rows
  pagesight batch *.warc.gz -o rows --readings title,outline --workers 8
  pagesight batch pages.parquet -o rows --html-column content
  pagesight batch --from list.jsonl -o rows --format jsonl
  pagesight batch -o rows --status
  pagesight batch *.warc.gz -o rows --shard 3/20         the third of 20 machines
  pagesight batch *.warc.gz -o rows --engine ray --address auto
"""
RowFormat = StrEnum("RowFormat", ["PARQUET", "JSONL"])
EngineName = StrEnum("EngineName", ["LOCAL", "RAY"])


# What is not given is what `BatchOptions` and `Engine` have.
def batch(
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            file_okay=False,
            help="The folder of the rows. A batch that is there already is continued.",
        ),
    ],
    sources: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="SRC",
            help="WARC files (plain, .gz, .zst), WACZ, Parquet, JSON Lines, and folders of them or "
            "of pages.",
        ),
    ] = None,
    manifest: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Read the pages that this file lists, one path, address or JSON object a line.",
        ),
    ] = None,
    readings: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="What to read, with commas between the names: everything if not given.",
        ),
    ] = None,
    format_: Annotated[
        RowFormat, name_option("The format of the rows: parquet or jsonl.", "--format")
    ] = RowFormat.PARQUET,
    renderer: Annotated[
        RendererName,
        name_option(
            "What lays HTML out: chromium, embedded (no scripts, no CSS grid), or auto (chromium "
            "where one is found)."
        ),
    ] = RendererName.AUTO,
    workers: Annotated[
        int | None,
        count_option(
            f"Processes at a time: as many as processors, at most {MOST_JOBS}, if not given; on "
            "Ray, as many as the cluster has.",
            "--workers",
            "-j",
        ),
    ] = None,
    shard_size: Annotated[
        int | None,
        count_option("Pages in a shard: 500 if not given, and fewer where there are few pages."),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="K/N",
            help="Read every N-th shard only, beginning with the K-th: for N machines that share "
            "the folder.",
        ),
    ] = None,
    engine: Annotated[
        EngineName, name_option("What does the work: local or ray.", "--engine")
    ] = EngineName.LOCAL,
    address: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help='The Ray cluster: "auto" or host:port.'),
    ] = None,
    html_column: Annotated[
        str, typer.Option(metavar="COLUMN", help="The column of a table that has the pages.")
    ] = "html",
    address_column: Annotated[
        str,
        typer.Option(
            metavar="COLUMN",
            help="The column of their addresses; where there is no page, it is fetched from there.",
        ),
    ] = "url",
    id_column: Annotated[
        str, typer.Option(metavar="COLUMN", help="The column that tells rows apart, if any does.")
    ] = "id",
    status: Annotated[
        bool, flag("--status", "Show how far the batch in the folder is, and end.")
    ] = False,
    as_json: Annotated[
        bool, flag("--json", "Print the status, or what came of it, as a JSON object.")
    ] = False,
    timeout: Annotated[
        float,
        seconds_option(
            "CPU time for rendering a page, and time for fetching one: 30 if not given."
        ),
    ] = 30.0,
    max_size: Annotated[
        int,
        size_option(
            "The largest page to read, in bytes or with a unit (500kB, 20MB): 20MiB if not given."
        ),
    ] = 20 << 20,
    reading_time: Annotated[
        float, seconds_option("CPU time for each reading of a page: 20 if not given.")
    ] = 20.0,
    memory: Annotated[
        int,
        size_option(
            "What the readings of a page may take, in bytes or with a unit: 3GiB if not given. A "
            "worker that keeps half of it is replaced."
        ),
    ] = 3 << 30,
) -> None:
    """Read pages in large numbers into Parquet files or JSON Lines, a row for each.

    Ended in the middle, by whatever, the same command continues where it was. What could not be
    read is a row, too, with an error. In the end there is a report to look at.
    """
    from pagesight.batch.folder import Folder
    from pagesight.batch.options import BatchOptions
    from pagesight.batch.running import Engine
    from pagesight.render import choose

    folder = Folder(output)
    try:
        if status:
            show(folder, as_json=as_json)
            return
        options = BatchOptions(
            readings=parse_readings(readings),
            renderer=choose(renderer.value),
            format=format_.value,
            shard_size=shard_size,
            timeout=timeout,
            max_size=max_size,
            reading_time=reading_time,
            memory=memory,
            html=html_column,
            address=address_column,
            identifier=id_column,
        )
        local = workers or usual_jobs()
        work = Engine(
            name=engine.value,
            workers=local if engine is EngineName.LOCAL else workers,
            address=address,
            part=parse_part(shard),
        )
        run_batch(sources or [], manifest, folder, options, work, as_json=as_json)
    except PagesightError as error:
        say_error(str(error), error.hint)
        raise typer.Exit(FAILED) from None


def run_batch(
    sources: list[Path],
    manifest: str | None,
    folder: Folder,
    options: BatchOptions,
    engine: Engine,
    *,
    as_json: bool,
) -> None:
    """Plan, read, and say what came of it."""
    from pagesight.batch.running import inputs_of, prepare, run

    if not sources and manifest is None:
        raise WrongUse("no source given")
    if manifest == STDIN:
        raise WrongUse("a batch cannot be continued with standard input; write the list to a file")
    inputs = inputs_of(sources, Path(manifest) if manifest is not None else None)
    with Progress(None) as progress:
        prepare(inputs, folder, options, lambda found: progress.reach(found, "pages found"))
    reached = _Pace(folder)
    with Progress(folder.plan.count) as progress:
        status = run(folder, engine, lambda now: progress.reach(now.rows, reached.text(now)))
    _say_status(folder, status, as_json=as_json)


class _Pace:
    """How fast it goes since this run began, which may have continued another."""

    def __init__(self, folder: Folder) -> None:
        from pagesight.batch.status import StatusReader

        self._before = StatusReader(folder).read().rows
        self._start = time.monotonic()

    def text(self, status: Status) -> str:
        """The pace, the time left, and the errors by kind."""
        seconds = time.monotonic() - self._start
        told = pace(status.rows - self._before, status.pages - self._before, seconds)
        return ", ".join([told, *_errors(status)])


def show(folder: Folder, *, as_json: bool) -> None:
    """Print how far a batch is."""
    from pagesight.batch.status import StatusReader

    _say_status(folder, StatusReader(folder).read(), as_json=as_json)


def _say_status(folder: Folder, status: Status, *, as_json: bool) -> None:
    if as_json:
        say_json({"folder": str(folder.path), **status.to_json()})
        return
    state = "complete" if status.is_complete else "running" if status.running else "not running"
    say_lines(
        [
            labelled("batch", f"{folder.path}, {state}"),
            labelled("rows", f"{status.rows:,} of {status.pages:,}"),
            labelled("shards", f"{status.shards_done:,} of {status.shards:,}"),
            labelled("errors", ", ".join(_errors(status)) or "none"),
        ]
    )
    if status.blamed:
        say_line(f"a worker died while it read {counted(status.blamed, 'page')}")
    if not status.is_complete and not status.running:
        say("the command that it was begun with continues it", "yellow")
    if folder.report.exists():
        say_lines([labelled("report", str(folder.report))])


def _errors(status: Status) -> list[str]:
    return [f"{count:,} {kind}" for kind, count in status.errors.most_common()]


def parse_part(given: str | None) -> tuple[int, int]:
    """K/N, which part of all shards this is."""
    if given is None:
        return 1, 1
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", given.strip(), re.ASCII)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise WrongUse(f"'{given}' is not a part such as 3/20")
    return int(found[1]), int(found[2])


def parse_readings(given: str | None) -> tuple[str, ...]:
    """The names of readings, in the order in which they are known."""
    from pagesight.readers.registry import readings

    known: list[Any] = [reading.name for reading in readings()]
    wanted = known if given is None else [name.strip() for name in given.split(",")]
    if unknown := [name for name in wanted if name not in known]:
        raise WrongUse(f"'{unknown[0]}' is not one of the readings {', '.join(known)}")
    return tuple(name for name in known if name in wanted)
