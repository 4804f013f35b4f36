"""Working through the sources of a command, whatever becomes of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from queue import Empty, Queue
from threading import Thread
from typing import Any, TypeVar

from pagesight.cli.options import ReadingOptions, RendererName
from pagesight.cli.output import (
    Progress,
    is_watched,
    say,
    say_error,
    say_json,
    undisturbed,
)
from pagesight.document import Document, Failure, read_arriving
from pagesight.errors import PagesightError, UnexpectedError, error_fields
from pagesight.render import AnyRenderer, RenderOptions, open_renderer
from pagesight.sources import Request

T = TypeVar("T")
S = TypeVar("S", Document, Request)

NO_CHROMIUM = (
    "no Chromium found: using the embedded renderer (no scripts, no CSS grid); see pagesight doctor"
)
MOMENT = 0.05  # seconds without anything new
_MOST_WAITING = 64


def work_through(
    options: ReadingOptions,
    use: Callable[[Document], object],
    fail: Callable[[Failure], None] | None = None,
    *,
    pictures: bool = False,
) -> int:
    """Read all sources, `use` each document in input order, and return how many sources failed.

    Failures are reported here, and passed to `fail` as well. With `pictures`, documents have
    pictures of their pages.
    """
    return use_results(options, read_sources(options, pictures=pictures), use, fail)


def use_results(
    options: ReadingOptions,
    results: Iterable[S | Failure],
    use: Callable[[S], object],
    fail: Callable[[Failure], None] | None = None,
) -> int:
    """As `work_through`, with sources that were read in another way, or are not read yet."""
    failures = 0
    with Progress(total_of(options)) as progress:
        for result in results:
            with progress.aside():
                failure = result if isinstance(result, Failure) else _used(result, use)
                if failure:
                    failures += 1
                    report(failure, as_json=options.as_json)
                    if fail:
                        fail(failure)
            progress.advance()
    return failures


def report(failure: Failure, *, as_json: bool) -> None:
    """Report that a source failed: to the person, and to the program."""
    say_error(str(failure.error), failure.error.hint)
    if as_json:
        say_json(failure_fields(failure))


def failure_fields(failure: Failure) -> dict[str, Any]:
    """A failure as JSON output has it."""
    return {"source": failure.source, "error": error_fields(failure.error)}


def read_sources(
    options: ReadingOptions, *, pictures: bool = False
) -> Iterator[Document | Failure]:
    """Read the sources that the options name."""
    limits = options.limits()
    renderer = opened_renderer(options.renderer, options.render_options())
    try:
        # Whoever writes the list may be slow, and what has been read need not wait for that.
        yield from read_arriving(arriving(requests_of(options)), renderer, limits, pictures)
    finally:
        with undisturbed():  # its processes and temporary files go before a signal ends us
            renderer.close()


def opened_renderer(name: RendererName, options: RenderOptions) -> AnyRenderer:
    """A renderer that says so if it has to do without Chromium."""

    def opened(used: str) -> None:
        second_best = name is RendererName.AUTO and renderer.html == used
        if second_best and used == RendererName.EMBEDDED:  # not for a live page without Playwright
            say(NO_CHROMIUM, "yellow")

    renderer = open_renderer(name.value, options, on_open=opened)
    return renderer


def arriving(items: Iterable[T]) -> Iterator[T | None]:
    """The items in their order, and None for every moment in which none arrives.

    A thread waits for them. It ends with the items, or with the program (see `app`).
    """
    queue: Queue[tuple[T] | BaseException] = Queue(_MOST_WAITING)
    Thread(target=_put_all, args=(items, queue), name="pagesight-arriving", daemon=True).start()
    while True:
        try:
            arrived = queue.get(timeout=MOMENT)
        except Empty:
            yield None
            continue
        if isinstance(arrived, StopIteration):
            return
        if isinstance(arrived, BaseException):
            raise arrived
        yield arrived[0]


def _put_all(items: Iterable[T], queue: Queue[tuple[T] | BaseException]) -> None:
    try:
        for item in items:
            queue.put((item,))
    except BaseException as error:  # noqa: BLE001 - it is raised where the items are used
        queue.put(error)
    else:
        queue.put(StopIteration())


def requests_of(options: ReadingOptions) -> Iterator[Request | Failure]:
    """The sources in their order: those of the command line, then those of the list.

    What is wrong with the list, or with a line of it, is a failure in its place. Raised here, it
    would cost the pages that are being rendered at that time.
    """
    for name in options.names:
        yield Request(source=name, url=options.url, root=options.root)
    if options.manifest is not None:
        yield from _listed(options.manifest, options)


def _listed(manifest: str, options: ReadingOptions) -> Iterator[Request | Failure]:
    from pagesight.sources import manifest_entries

    is_empty = True
    try:
        for place, entry in manifest_entries(manifest):
            is_empty = False
            if isinstance(entry, PagesightError):
                yield Failure(place, entry)
            else:
                yield replace(entry, root=entry.root or options.root)
    except PagesightError as error:
        yield Failure(error.source or manifest, error)
        return
    if is_empty:
        say(f"{manifest} lists no sources", "yellow")


def total_of(options: ReadingOptions) -> int | None:
    """How many sources there are; None if that is not known, or if nobody wants to know it."""
    if options.manifest is None:
        return options.count
    from pagesight.sources import count_entries

    listed = count_entries(options.manifest) if is_watched() else None
    return None if listed is None else len(options.names) + listed


def _used(result: S, use: Callable[[S], object]) -> Failure | None:
    """Use a result; the failure that came of it, or None."""
    source = result.name if isinstance(result, Request) else result.source
    try:
        use(result)
        if isinstance(result, Document):
            for name, problem in result.problems.items():
                say(f"{source}: {name}: {problem}; see --reading-time", "yellow")
    except PagesightError as error:
        return Failure(source, error.about(source))
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None:
            raise  # of standard output: nobody reads it any more, or the disk is full
        return Failure(source, UnexpectedError.of(error, source))
    return None
