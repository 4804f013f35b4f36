"""`pagesight components`: parts of a page, learned on one day and found again on another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pagesight.cli.options import (
    Overwrite,
    ReadingOptions,
    WrongUse,
    file_option,
    name_option,
    parse_point,
    points_option,
    reads_pages,
    selectors_option,
)
from pagesight.cli.output import (
    counted,
    labelled,
    say,
    say_bytes,
    say_error,
    say_json,
    say_screen,
)
from pagesight.errors import ModelError, PagesightError

if TYPE_CHECKING:
    from rich.text import Text

    from pagesight.document import Document, Failure
    from pagesight.page import Page
    from pagesight.watch.components import ComponentIndex, ComponentsReading
    from pagesight.watch.seed import PageIndex

EXAMPLES = """\
  pagesight components learn monday.html tuesday.html -o index.json
  pagesight components learn page.html --select '#news' --select //nav -o index.json
  pagesight components find index.json wednesday.html
  pagesight components find index.json --json later/*.html
"""
LEARN_EXAMPLES = """\
  pagesight components learn page.html -o index.json
  pagesight components learn monday.html tuesday.html --select '#news' -o index.json
"""
FIND_EXAMPLES = """\
  pagesight components find index.json wednesday.html
  pagesight components find index.json --json later/*.html
"""
LARGEST_INDEX = 200 << 20  # bytes

Method = StrEnum("Method", ["OURS", "SEED"])

GROUP = typer.Typer(
    name="components",
    epilog=f"\b\nExamples:\n{EXAMPLES}",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@GROUP.callback(invoke_without_command=True)
def components(ctx: typer.Context) -> None:
    """Know parts of a page again: on another day, and after a redesign."""
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


@reads_pages
def learn(
    options: ReadingOptions,
    output: Annotated[
        Path | None,
        file_option("Where the index goes: to standard output if not given."),
    ] = None,
    overwrite: Overwrite = False,
    select: Annotated[
        list[str] | None,
        selectors_option(
            "A part to learn, by a CSS selector or an XPath on the last snapshot; may be repeated. "
            "Without --select and --at, all parts of the page are learned."
        ),
    ] = None,
    at: Annotated[
        list[str] | None,
        points_option(
            "A part to learn, by a point on the last snapshot in CSS pixels; may be repeated."
        ),
    ] = None,
    method: Annotated[
        Method, name_option("How parts are known: ours, or seed (the published method).")
    ] = Method.OURS,
) -> int:
    """Learn parts of a page from snapshots of it, oldest first."""
    from pagesight.cli.sources import work_through
    from pagesight.cpu import limited

    points = [parse_point(given) for given in at or ()]
    documents: list[Document] = []
    failed: list[Failure] = []
    failures = work_through(options, documents.append, failed.append)
    if failed:  # what is selected would be looked for on another page
        say("nothing is learned: all snapshots are needed", "yellow")
        return failures
    pages, source = [document.page for document in documents], documents[-1].source
    try:
        learn_all = partial(_learned, pages, source, method, select or [], points)
        index = limited(learn_all, options.reading_time * len(pages))
        _write(index, source, output, overwrite=overwrite)
    except PagesightError as error:
        say_error(str(error.about(source)), error.hint)
        return failures + 1
    return failures


def _write(
    index: ComponentIndex | PageIndex, source: str, output: Path | None, *, overwrite: bool
) -> None:
    from pagesight.cli.files import write_file

    data = (json.dumps(index.to_json(), ensure_ascii=False) + "\n").encode()
    if output is None:
        say_bytes(data)
        return
    write_file(output, data, overwrite=overwrite)
    parts = getattr(index, "wanted", index.components)
    say(f"{output}: {counted(len(parts), 'part')} of {source}")


def _learned(
    pages: list[Page],
    source: str,
    method: Method,
    select: list[str],
    points: list[tuple[float, float]],
) -> ComponentIndex | PageIndex:
    from pagesight.watch.components import learn as learn_parts

    if method is Method.OURS:
        return learn_parts(pages, select=select, at=points, source=source)
    from pagesight.watch.seed import Asked, learn_index

    if not (select or points):
        return learn_index(pages)
    chosen = learn_parts(pages[-1:], select=select, at=points).components
    node_of = {node.xpath: node.id for node in pages[-1]}
    index = learn_index(pages, nodes=[node_of[part.profile.path] for part in chosen])
    return replace(index, asked=tuple(Asked(part.id, part.select, part.name) for part in chosen))


@reads_pages
def find(
    options: ReadingOptions,
    index: Annotated[
        Path,
        typer.Argument(metavar="INDEX", help="An index that learn has written.", dir_okay=False),
    ],
) -> int:
    """Find the parts of an index on other snapshots of the page."""
    from pagesight.cli.sources import work_through
    from pagesight.cpu import limited

    known = _loaded(index)

    def use(document: Document) -> None:
        reading = limited(lambda: _found(known, document.page), options.reading_time)
        if options.as_json:
            say_json(document.state() | reading.to_json())
        else:
            say_screen(document.page.head.title, document.source, component_lines(reading))

    return work_through(options, use)


def _loaded(path: Path) -> ComponentIndex | PageIndex:
    from pagesight.watch.components import ComponentIndex
    from pagesight.watch.seed import PageIndex

    try:
        if path.stat().st_size > LARGEST_INDEX:
            raise ModelError(f"{path} is too large for an index of components")
        fields = json.loads(path.read_bytes())
        is_ours = "inside" in fields
        return (ComponentIndex if is_ours else PageIndex).from_json(fields)
    except OSError as error:
        raise WrongUse(f"{path} cannot be read ({error.strerror or error})") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise WrongUse(f"{path} is not an index of components ({error})") from error
    except PagesightError as error:
        raise WrongUse(f"{path}: {error}") from error


def _found(index: ComponentIndex | PageIndex, page: Page) -> ComponentsReading:
    from pagesight.watch.components import ComponentIndex
    from pagesight.watch.components import find as find_parts

    if isinstance(index, ComponentIndex):
        return find_parts(index, page)
    from pagesight.watch.components.published import find_by_published

    return find_by_published(index, page)


def component_lines(reading: ComponentsReading) -> Iterator[Text]:
    """What became of each part."""
    for part in reading.components:
        place = part.place or (part.runner_up if part.status == "unsure" else None)
        where = f"  {part.confidence:.0%}  {place.xpath}" if place else ""
        changed = f"  ({', '.join(part.changes)})" if part.changes else ""
        yield labelled(part.status, f"{part.name}{where}{changed}")


GROUP.command("learn", epilog=f"\b\nExamples:\n{LEARN_EXAMPLES}")(learn)
GROUP.command("find", epilog=f"\b\nExamples:\n{FIND_EXAMPLES}")(find)
