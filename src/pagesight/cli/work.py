"""Working through the sources of a command, whatever becomes of each."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from pagesight.cli.arriving import arriving
from pagesight.cli.options import ReadingOptions, RendererName
from pagesight.cli.output import error_fields, say, say_error, say_json, undisturbed
from pagesight.cli.progress import Progress
from pagesight.document import Document, Failure, read_arriving
from pagesight.errors import PagesightError, UnexpectedError
from pagesight.page import Page
from pagesight.render import AnyRenderer, Picture
from pagesight.sources import Request, Source, read_manifest

T = TypeVar("T")
NO_CHROMIUM = (
    "no Chromium found: using the embedded renderer (no scripts, no CSS grid); see pagesight doctor"
)


def work_through(
    options: ReadingOptions,
    use: Callable[[Document], None],
    fail: Callable[[Failure], None] | None = None,
    *,
    pictures: bool = False,
) -> int:
    """Read all sources, `use` each document in input order, and tell how many sources failed.

    Failures are reported here; `fail` is told about them as well. With `pictures`, documents have
    pictures of their pages.
    """
    failures = 0
    with Progress(options.count) as progress:
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
    """Say that a source failed: to the person, and to the program."""
    say_error(str(failure.error), failure.error.hint)
    if as_json:
        say_json(failure_fields(failure))


def failure_fields(failure: Failure) -> dict[str, Any]:
    """A failure as JSON output has it."""
    return {"source": failure.source, "error": error_fields(failure.error)}


def read_sources(
    options: ReadingOptions, *, pictures: bool = False
) -> Iterator[Document | Failure]:
    """Read what the options name."""
    requests = Requests(options)
    limits = options.limits()
    with _Renderer(options) as renderer:
        # Whoever writes the manifest may be slow, and what is read need not wait for that.
        yield from read_arriving(arriving(requests), renderer, limits, pictures)
    if requests.trouble:
        yield Failure(requests.trouble.source or str(options.manifest), requests.trouble)


def _used(document: Document, use: Callable[[Document], None]) -> Failure | None:
    """Use a document; the failure that came of it, or None."""
    try:
        use(document)
    except PagesightError as error:
        return Failure(document.source, error.about(document.source))
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None:
            raise  # of standard output: nobody listens any more, or there is no room
        return Failure(document.source, UnexpectedError.of(error, document.source))
    return None


class Requests:
    """The sources in their order: those of the command line, then those of the manifest.

    A manifest that turns out to be no manifest ends the list, and is kept as `trouble`. If it were
    raised here, the pages that are being rendered at that time would be lost.
    """

    def __init__(self, options: ReadingOptions) -> None:
        self.options = options
        self.trouble: PagesightError | None = None

    def __iter__(self) -> Iterator[Request]:
        options = self.options
        for name in options.names:
            yield Request(source=name, url=options.url, root=options.root)
        if options.manifest is None:
            return
        any_listed = False
        try:
            for request in read_manifest(options.manifest):
                any_listed = True
                yield replace(request, root=request.root or options.root)
        except PagesightError as error:
            self.trouble = error
        if not (any_listed or self.trouble):
            say(f"{options.manifest} lists no sources", "yellow")


class _Renderer(AnyRenderer):
    """The renderer that the options name. Says so if it is not the one that `auto` promises."""

    def __init__(self, options: ReadingOptions) -> None:
        super().__init__(options.renderer.value, options.render_options())
        self._second_best = options.renderer is RendererName.AUTO and self.html != "chromium"
        self._saying = threading.Lock()

    def render(self, source: Source) -> Page:
        """Turn a source into a Page; whatever goes wrong is an error of this source."""
        return self._expecting_all(super().render, source)

    def render_with_picture(self, source: Source) -> tuple[Page, Picture | None]:
        """The same, with a picture."""
        return self._expecting_all(super().render_with_picture, source)

    def close(self) -> None:
        """End all processes, and what they have in temporary files, before a signal ends us."""
        with undisturbed():
            super().close()

    def _expecting_all(self, render: Callable[[Source], T], source: Source) -> T:
        if source.kind.is_markup:
            self._say_once()
        try:
            return render(source)
        except PagesightError:
            raise
        except Exception as error:
            raise UnexpectedError.of(error, source.name) from error

    def _say_once(self) -> None:
        with self._saying:
            if self._second_best:
                self._second_best = False
                say(NO_CHROMIUM, "yellow")
