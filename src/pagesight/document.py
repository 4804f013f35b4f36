"""The front door: `read` a source, get a `Document`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pagesight.errors import PagesightError, UnexpectedError
from pagesight.page import Page
from pagesight.render import AnyRenderer, Picture, RenderOptions, open_renderer
from pagesight.sources import DEFAULT_LIMITS, Limits, Request, Source, load

if TYPE_CHECKING:
    from pagesight.readers.article import ArticleReading
    from pagesight.readers.outline import OutlineReading
    from pagesight.readers.title import TitleReading
    from pagesight.readers.zones import ZonesReading


@dataclass(frozen=True)
class Document:
    """A source and its rendered page."""

    source: str
    """The source as it was asked for."""

    page: Page

    picture: Picture | None = field(default=None, repr=False)
    """How the page looks, if that was asked for. Saved Pages have none."""

    original: Source | None = field(default=None, repr=False, compare=False)
    """The bytes that the page was made of."""

    @cached_property
    def zones(self) -> ZonesReading:
        """The parts that the page consists of."""
        from pagesight.readers.zones import read_zones

        return read_zones(self.page)

    @cached_property
    def title(self) -> TitleReading:
        """What the page is called."""
        from pagesight.readers.title import read_title

        return read_title(self.page)

    @cached_property
    def outline(self) -> OutlineReading:
        """The headings of the page, and their levels."""
        from pagesight.readers.outline import read_outline

        return read_outline(self.page)

    @cached_property
    def article(self) -> ArticleReading:
        """The journal article that the page shows, if it shows one."""
        from pagesight.readers.article.reader import read_article

        return read_article(self.page)


@dataclass(frozen=True)
class Failure:
    """A source that could not be read, and why."""

    source: str
    error: PagesightError


def read(
    source: str | Path | bytes | Request,
    *,
    url: str | None = None,
    root: str | Path | None = None,
    renderer: str | AnyRenderer = "auto",
    limits: Limits = DEFAULT_LIMITS,
    options: RenderOptions | None = None,
    picture: bool = False,
) -> Document:
    """Read a page from a path, an address, or bytes.

    `url` is the address that a page from a file had, `root` the folder that addresses beginning
    with a slash are relative to. Pass an open renderer to read many pages; a name opens one for
    this page only. With `picture`, the document also has a picture of the page. Raises a
    `PagesightError` that names the source.
    """
    request = _request(source, url, root)
    with _opened(renderer, options) as opened:
        return _read(request, opened, limits, picture)


def read_all(
    sources: Iterable[str | Path | bytes | Request],
    *,
    renderer: str | AnyRenderer = "auto",
    limits: Limits = DEFAULT_LIMITS,
    options: RenderOptions | None = None,
    pictures: bool = False,
) -> Iterator[Document | Failure]:
    """Read many pages, as many at a time as the renderer has jobs; results in input order.

    A source that cannot be read becomes a `Failure`, and the others go on. A name opens a renderer
    for these pages, with `options`.
    """
    if isinstance(sources, str | bytes):
        raise TypeError("read_all takes many sources, in a list for example; read takes one")
    with _opened(renderer, options) as opened:
        requests = (_request(source, None, None) for source in sources)
        yield from read_arriving(requests, opened, limits, pictures)


@contextmanager
def _opened(renderer: str | AnyRenderer, options: RenderOptions | None) -> Iterator[AnyRenderer]:
    """A renderer that is closed again if it was opened here."""
    if not isinstance(renderer, AnyRenderer):
        with open_renderer(renderer, options) as opened:
            yield opened
        return
    if options is not None:
        raise TypeError("this renderer is open, and has its options; give them to open_renderer")
    yield renderer


def read_arriving(
    requests: Iterable[Request | Failure | None],
    renderer: AnyRenderer,
    limits: Limits = DEFAULT_LIMITS,
    pictures: bool = False,
) -> Iterator[Document | Failure]:
    """As `read_all`, but of requests that come one by one.

    None stands for a moment in which none has come: results need not wait for the next request.
    A `Failure` keeps its place among the results.
    """
    jobs = renderer.options.jobs
    ahead: deque[Future[Document | Failure]] = deque()
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="pagesight")
    try:
        for request in requests:
            if request is not None:
                ahead.append(pool.submit(_read_or_fail, request, renderer, limits, pictures))
            # Enough ahead to keep everyone busy, little enough to hold.
            while ahead and (ahead[0].done() or len(ahead) > 2 * jobs):
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _request(
    source: str | Path | bytes | Request, url: str | None, root: str | Path | None
) -> Request:
    if isinstance(source, Request):
        return source
    if not isinstance(source, str | Path | bytes):
        raise TypeError(f"a source is a path, an address or bytes, not {type(source).__name__}")
    return Request(source=source, url=url, root=Path(root) if root else None)


def _read(request: Request, renderer: AnyRenderer, limits: Limits, picture: bool) -> Document:
    try:
        source = load(request, limits=limits)
        if picture:
            return Document(request.name, *renderer.render_with_picture(source), original=source)
        return Document(request.name, renderer.render(source), original=source)
    except PagesightError as error:
        raise error.about(request.name) from error.__cause__


def _read_or_fail(
    request: Request | Failure, renderer: AnyRenderer, limits: Limits, picture: bool
) -> Document | Failure:
    if isinstance(request, Failure):
        return request
    try:
        return _read(request, renderer, limits, picture)
    except PagesightError as error:
        return Failure(request.name, error)
    except Exception as error:  # noqa: BLE001 – a defect on one page must not lose the others
        return Failure(request.name, UnexpectedError.of(error, request.name))
