"""The entrance: `read` a source, get a `Document`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pagesight.cpu import limited
from pagesight.errors import PagesightError, ReadingTimeout, UnexpectedError
from pagesight.jobs import usual_jobs
from pagesight.page import Page
from pagesight.readers import problem_of_page
from pagesight.readers.registry import reading_named, readings
from pagesight.readers.value import OUT_OF_TIME
from pagesight.render import AnyRenderer, Picture, RenderOptions, open_renderer
from pagesight.sources import DEFAULT_LIMITS, Limits, Request, Source, load

if TYPE_CHECKING:
    from pagesight.readers.article import ArticleReading
    from pagesight.readers.outline import OutlineReading
    from pagesight.readers.records import RecordsReading
    from pagesight.readers.title import TitleReading
    from pagesight.readers.zones import ZonesReading


SCHEMA = 1
"""The version of the JSON; see ``output/schema.json``."""


@dataclass(frozen=True, repr=False)
class Document:
    """A source, its rendered page, and all that can be read from it, each on first use.

    The readings are those of `pagesight.readers.registry`; each is an attribute.
    """

    source: str
    """The source as it was asked for."""

    page: Page

    picture: Picture | None = None
    """How the page looks, if that was asked for. Saved Pages have none."""

    original: Source | None = field(default=None, compare=False)
    """The bytes that the page was made of."""

    reading_time: float = field(default=DEFAULT_LIMITS.reading_time, compare=False)
    """CPU time of each reading, in seconds. What takes longer is empty, and says so."""

    problems: dict[str, str] = field(default_factory=dict, init=False, compare=False)
    """Why readings are empty, by name: ``out of time``, for example."""

    _readings: dict[str, Any] = field(default_factory=dict, init=False, compare=False)

    def reading(self, name: str, **options: Any) -> Any:
        """The result of a reading; raises `KeyError` if there is none of this name.

        With `options`, which are those of its function, it is not kept. A reading that takes more
        than its `reading_time` is empty, and has a `problem`; the others are read all the same.
        """
        if options:
            return self._read(name, "read", options)
        if name not in self._readings:
            self._readings.setdefault(name, self._read(name, "read", {}))
        return self._readings[name]

    def _read(self, name: str, what: str, options: dict[str, Any]) -> Any:
        reading = reading_named(name)
        try:
            return limited(lambda: reading.call(what, self.page, **options), self.reading_time)
        except ReadingTimeout as error:
            if not reading.unread:
                raise error.about(self.source) from None
            self.problems[name] = OUT_OF_TIME
            return reading.call("unread", self.page, OUT_OF_TIME)

    def glance(self, name: str) -> Any:
        """As `reading`, or an empty result where it is clear at a glance that nothing is there."""
        reading = reading_named(name)
        if not reading.glance:
            return self.reading(name)
        empty = self._read(name, "glance", {})
        return self.reading(name) if empty is None else empty

    @property
    def zones(self) -> ZonesReading:
        """The parts that the page consists of."""
        return cast("ZonesReading", self.reading("zones"))

    @property
    def title(self) -> TitleReading:
        """What the page is called."""
        return cast("TitleReading", self.reading("title"))

    @property
    def outline(self) -> OutlineReading:
        """The headings of the page, and their levels."""
        return cast("OutlineReading", self.reading("outline"))

    @property
    def article(self) -> ArticleReading:
        """The journal article that the page shows, if it shows one."""
        return cast("ArticleReading", self.reading("article"))

    @property
    def records(self) -> RecordsReading:
        """The products or other records that the page lists, or the one that it is about."""
        return cast("RecordsReading", self.reading("records"))

    if not TYPE_CHECKING:  # or no misspelt name would be noticed

        def __getattr__(self, name: str) -> Any:
            """The readings that others have registered."""
            if not name.startswith("_") and name in {known.name for known in readings()}:
                return self.reading(name)
            raise AttributeError(f"a Document has no {name!r}, and there is no such reading")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(reading.name for reading in readings())})

    @cached_property
    def problem(self) -> str | None:
        """Why this is not the page that was asked for, ``not found`` for example; None if it is."""
        if "title" in self._readings and "title" not in self.problems:
            return self.title.problem
        try:
            return limited(lambda: problem_of_page(self.page), self.reading_time)
        except ReadingTimeout:
            return None

    def state(self) -> dict[str, Any]:
        """What the JSON of every command begins with."""
        return json_head(self.source, self.page, self.problem)

    def json_of(self, result: Any) -> dict[str, Any]:
        """One reading, as plain JSON types: what the command of that name prints with --json."""
        fields: dict[str, Any] = result.to_json()
        problem = getattr(result, "problem", None)  # which results of other packages need not have
        return self.state() | fields | {"problem": problem or self.problem}

    def to_json(self, names: Iterable[str] | None = None) -> dict[str, Any]:
        """Everything that can be read, as plain JSON types: what `pagesight read --json` prints.

        With `names`, only these readings.
        """
        wanted = [reading.name for reading in readings()] if names is None else names
        results = {name: self.glance(name).to_json() for name in wanted}
        for name, problem in self.problems.items():
            results[name]["problem"] = problem
        return {**self.state(), **facts(self.page), "readings": results}

    def __repr__(self) -> str:
        return f"<Document {self.source!r} {self.page!r}>"

    def _repr_html_(self) -> str:
        from pagesight.output.notebook import table

        results = {reading.name: self.glance(reading.name) for reading in readings()}
        rows = {name: getattr(result, "summary", repr(result)) for name, result in results.items()}
        rows |= self.problems
        if self.problem:
            rows = {"problem": self.problem, **rows}
        return table(self.source, rows, self.picture)


def json_head(source: str, page: Page | None = None, problem: str | None = None) -> dict[str, Any]:
    """What the JSON of every command begins with; without a page, of one that is only parsed."""
    return {
        "source": source,
        "schema": SCHEMA,
        "complete": page is None or page.complete,
        "notes": [asdict(note) for note in page.info.notes] if page else [],
        "problem": problem,
    }


def facts(page: Page) -> dict[str, Any]:
    """What a page is and how it was rendered."""
    info = page.info
    return {
        "url": page.url,
        "title_tag": page.head.title,
        "language": page.head.language,
        "renderer": {"name": info.renderer, "version": info.renderer_version},
        "viewport": list(info.viewport),
        "size": [int(side) if side.is_integer() else round(side, 2) for side in info.size],
        "nodes": len(page),
        "visible_nodes": int(page.visible.sum()),
        "words": len(page.root.text.split()),
        "media": info.media,
    }


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

    A source that cannot be read becomes a `Failure`, and the others are read all the same. A name
    opens a renderer for these pages with `options`, by default with as many jobs as processors, at
    most four. Wrong arguments are an error at once, before any page is read.
    """
    if isinstance(sources, str | bytes):
        raise TypeError("read_all takes many sources, in a list for example; read takes one")
    if isinstance(sources, Sequence):  # what comes one by one is looked at when it comes
        sources = [_request(source, None, None) for source in sources]
    if isinstance(renderer, str) and options is None:
        options = RenderOptions(jobs=usual_jobs())
    requests = (_request(source, None, None) for source in sources)
    return _read_each(requests, _opened(renderer, options), limits, pictures)


def _read_each(
    requests: Iterable[Request],
    opened: AbstractContextManager[AnyRenderer],
    limits: Limits,
    pictures: bool,
) -> Iterator[Document | Failure]:
    with opened as renderer:
        yield from read_arriving(requests, renderer, limits, pictures)


def _opened(
    renderer: str | AnyRenderer, options: RenderOptions | None
) -> AbstractContextManager[AnyRenderer]:
    """A renderer that is closed again if it was opened here."""
    if not isinstance(renderer, AnyRenderer):
        return open_renderer(renderer, options)
    if options is not None:
        raise TypeError("this renderer is open, and has its options; give them to open_renderer")
    return nullcontext(renderer)


def read_arriving(
    requests: Iterable[Request | Failure | None],
    renderer: AnyRenderer,
    limits: Limits = DEFAULT_LIMITS,
    pictures: bool = False,
) -> Iterator[Document | Failure]:
    """As `read_all`, but of requests that come one by one.

    None is a moment in which none has come: results need not wait for the next request.
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
            page, shown = renderer.render_with_picture(source)
        else:
            page, shown = renderer.render(source), None
        return Document(request.name, page, shown, source, limits.reading_time)
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
