"""What all tools share: one renderer, the pages that were read, and the database."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Self

from pagesight.document import Document, read
from pagesight.mcp.access import Access
from pagesight.mcp.calls import Call
from pagesight.mcp.settings import Settings
from pagesight.render import AnyRenderer, RenderOptions, open_renderer
from pagesight.sources.source import is_address

if TYPE_CHECKING:
    from pagesight.watch import Watch

FRESH = 300.0  # seconds for which a page at an address is not fetched again
MOST_KEPT = 8  # pages
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass
class _Kept:
    """A page that was read, or is being read by the one that holds the lock."""

    lock: Lock = field(default_factory=Lock)
    document: Document | None = None
    time: datetime = _NEVER


class Service:
    """Reads pages and opens the database, both when they are first needed."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.access = Access(settings)
        self.renderer = _renderer(settings)
        self._pages: OrderedDict[tuple[str, float], _Kept] = OrderedDict()
        self._watch: Watch | None = None
        self._lock = Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with ExitStack() as stack:
            if self.renderer is not self.settings.renderer:
                stack.callback(self.renderer.close)
            if self._watch:
                stack.callback(self._watch.close)

    @contextmanager
    def page_at(
        self, source: str, call: Call, *, fresh: bool = False
    ) -> Iterator[tuple[Document, datetime]]:
        """A page, and when it was read: a file as it is now, an address perhaps minutes ago.

        Others who want the same page wait, and get it then.
        """
        place = self.access.checked(source)
        kept = self._kept(place)
        with kept.lock:
            call.go_on()
            age = (datetime.now(UTC) - kept.time).total_seconds()
            if kept.document is None or fresh or age > FRESH:
                kept.document = self._read(place)
                kept.time = datetime.now(UTC)
                call.go_on()
            yield kept.document, kept.time

    def _read(self, place: str) -> Document:
        return read(place, renderer=self.renderer, limits=self.settings.guarded_limits)

    def _kept(self, place: str) -> _Kept:
        """Where a page is kept; a file that was changed since is another one."""
        key = (place, 0.0 if is_address(place) else _changed(Path(place)))
        with self._lock:
            kept = self._pages.setdefault(key, _Kept())
            self._pages.move_to_end(key)
            if len(self._pages) > MOST_KEPT:
                self._pages.popitem(last=False)
        return kept

    def watch(self) -> Watch:
        """The watched parts; raises a `WatchError` if there is no database, or no way to use it."""
        from pagesight.watch import Watch

        with self._lock:
            if self._watch is None:
                self._watch = Watch.open(
                    self.settings.database,
                    renderer=self.renderer,
                    limits=self.settings.guarded_limits,
                    read_only=self.settings.read_only,
                )
            return self._watch


def _renderer(settings: Settings) -> AnyRenderer:
    if isinstance(settings.renderer, AnyRenderer):
        return settings.renderer
    options = RenderOptions(timeout=settings.timeout, jobs=settings.jobs)
    return open_renderer(settings.renderer, options)


def _changed(path: Path) -> float:
    """When a file was changed; whether it can be read is seen when it is."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
