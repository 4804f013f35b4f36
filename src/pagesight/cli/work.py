"""Working through the sources of a command, whatever becomes of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from pagesight.cli.arriving import arriving
from pagesight.cli.options import ReadingOptions, RendererName
from pagesight.cli.output import error_fields, say, say_error, say_json, undisturbed
from pagesight.cli.progress import Progress, is_watched
from pagesight.document import Document, Failure, read_arriving
from pagesight.errors import PagesightError, UnexpectedError
from pagesight.render import open_renderer
from pagesight.sources import Request, count_entries, manifest_entries

NO_CHROMIUM = (
    "no Chromium found: using the embedded renderer (no scripts, no CSS grid); see pagesight doctor"
)


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
    failures = 0
    with Progress(total_of(options)) as progress:
        for result in read_sources(options, pictures=pictures):
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

    def opened(name: str) -> None:
        if options.renderer is RendererName.AUTO and name == RendererName.EMBEDDED:
            say(NO_CHROMIUM, "yellow")

    renderer = open_renderer(options.renderer.value, options.render_options(), on_open=opened)
    try:
        # Whoever writes the list may be slow, and what has been read need not wait for that.
        yield from read_arriving(arriving(requests_of(options)), renderer, limits, pictures)
    finally:
        with undisturbed():  # its processes and temporary files go before a signal ends us
            renderer.close()


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
    listed = count_entries(options.manifest) if is_watched() else None
    return None if listed is None else len(options.names) + listed


def _used(document: Document, use: Callable[[Document], object]) -> Failure | None:
    """Use a document; the failure that came of it, or None."""
    try:
        use(document)
    except PagesightError as error:
        return Failure(document.source, error.about(document.source))
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None:
            raise  # of standard output: nobody reads it any more, or the disk is full
        return Failure(document.source, UnexpectedError.of(error, document.source))
    return None
