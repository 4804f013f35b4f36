"""A batch from beginning to end: plan, shards, report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from pagesight.batch.durable import write_durably
from pagesight.batch.folder import Folder
from pagesight.batch.inputs import InputSpec, specs_of
from pagesight.batch.options import BatchOptions
from pagesight.batch.plan import key_of, make_plan
from pagesight.batch.status import RUN_LOCK, Status, StatusReader
from pagesight.errors import BatchError, BatchNotInstalled, SourceNotFound

LOCAL, RAY = "local", "ray"
_NEEDED = ("fastwarc", "pyarrow", "zstandard", "brotli")


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """What does the work. Nothing of it changes the rows."""

    name: str = LOCAL
    workers: int | None = None
    """How many at a time; on Ray, as many as the cluster has processors if it is not given."""

    address: str | None = None
    """Of a Ray cluster."""

    part: tuple[int, int] = (1, 1)
    """K of N: every N-th shard, beginning with the K-th."""


def inputs_of(paths: Sequence[Path], manifest: Path | None = None) -> list[InputSpec]:
    """The inputs that are named, in their order; raises an error if there is none."""
    inputs = [spec for path in paths for spec in specs_of(path)]
    if manifest is not None:
        if not manifest.is_file():
            raise SourceNotFound("there is no such list", source=str(manifest))
        inputs.append(InputSpec(path=str(manifest), kind="manifest"))
    if not inputs:
        raise BatchError("there are no pages in these inputs")
    return inputs


def prepare(
    inputs: Sequence[InputSpec],
    folder: Folder,
    options: BatchOptions,
    tell: Callable[[int], None] = lambda _: None,
) -> None:
    """Make the plan if there is none yet; raises `ForeignFolder` if there is another one."""
    check_installed(*_NEEDED, extra="batch")
    folder.check(key_of(inputs, options))
    if not folder.has_plan:
        folder.keep(make_plan(inputs, options, tell))


def run(folder: Folder, engine: Engine, tell: Callable[[Status], None]) -> Status:
    """Read all shards that are not complete, or the part of them that is asked for."""
    part, parts = engine.part
    numbers = range(part - 1, len(folder.plan.shards), parts)
    status = StatusReader(folder)
    with folder.lock(f"{RUN_LOCK}-{part}-of-{parts}", patience=5.0):
        for number in numbers:
            if folder.is_done(number):
                folder.tidy(number)  # which a run that was killed has left
        _run_shards(folder, folder.open_shards(numbers), engine, lambda: tell(status.read()))
        if left := folder.open_shards(numbers):
            raise BatchError(f"{len(left):,} shards are not complete", source=str(folder.path))
        if not folder.open_shards():
            write_report(folder)
    (folder.work / f"{RUN_LOCK}-{part}-of-{parts}").unlink(missing_ok=True)
    return status.read()


def _run_shards(
    folder: Folder, numbers: Sequence[int], engine: Engine, tell: Callable[[], None]
) -> None:
    if engine.name == RAY:
        check_installed("ray", extra="ray")
        from pagesight.batch.ray_engine import run_on_ray

        run_on_ray(folder, numbers, engine.workers, engine.address, tell)
    else:
        from pagesight.batch.supervisor import run_locally

        run_locally(folder, numbers, engine.workers or 1, tell)


def write_report(folder: Folder) -> None:
    """Write what the pages were like, as a file to look at."""
    from pagesight.batch.report import report_html

    html = report_html(folder.plan, StatusReader(folder).read())
    write_durably(folder.report, html.encode("utf-8", "replace"))


def check_installed(*modules: str, extra: str) -> None:
    """Raise an error that says what to install, if one of the modules is missing."""
    if missing := [module for module in modules if find_spec(module) is None]:
        raise BatchNotInstalled(
            f"{', '.join(missing)} is not installed", hint=f"pip install 'pagesight[{extra}]'"
        )
