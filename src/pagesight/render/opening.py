"""Choosing and opening a renderer."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Self

from pagesight.errors import RenderError
from pagesight.page import Note, Page
from pagesight.render.renderer import Picture, Renderer, RenderOptions
from pagesight.sources import Kind, Source

RENDERERS = ("auto", "chromium", "embedded")
_FORKED = "open one in each process"


def choose(name: str = "auto") -> str:
    """The renderer that HTML goes through: `auto` is chromium if one is found, else embedded."""
    if _checked(name) != "auto":
        return name
    from pagesight.render.chromium.discovery import find_browser

    return "chromium" if find_browser() else "embedded"


def _checked(name: str) -> str:
    if name not in RENDERERS:
        raise ValueError(f"no renderer {name!r}; there are {', '.join(RENDERERS)}")
    return name


class AnyRenderer:
    """Renders every kind of source: HTML by the chosen renderer, PDF, and saved Pages.

    Renderers are opened when they are first needed; `on_open` is then called with the name. Use it
    as a context manager, or call `close`.
    """

    def __init__(
        self,
        name: str = "auto",
        options: RenderOptions | None = None,
        *,
        on_open: Callable[[str], None] | None = None,
    ) -> None:
        self.name = _checked(name)
        self.options = options or RenderOptions()
        self._on_open = on_open
        self._open: dict[str, Renderer] = {}
        self._closed = False
        self._lock = threading.Lock()
        self._process = os.getpid()

    @cached_property
    def html(self) -> str:
        """The renderer that HTML goes through; saved Pages and PDFs do not need to know."""
        return choose(self.name)

    def render(self, source: Source) -> Page:
        """Turn a source into a Page; raises a `RenderError` or `PageFileError` if that fails."""
        if source.kind is Kind.PAGE:
            return Page.from_bytes(source.data, source=source.name)
        from pagesight.render.showing import shown

        renderer = self._renderer_of(source)
        page, _ = shown(
            source,
            lambda again, timeout: (renderer.render(again, timeout=timeout), None),
            timeout=self._looks_within,
        )
        return self._noted(source, page)

    def render_with_picture(self, source: Source) -> tuple[Page, Picture | None]:
        """Turn a source into a Page and a picture of it; saved Pages have no picture."""
        if source.kind is Kind.PAGE:
            return Page.from_bytes(source.data, source=source.name), None
        from pagesight.render.showing import shown

        renderer = self._renderer_of(source)
        page, picture = shown(
            source,
            lambda again, timeout: renderer.render_with_picture(again, timeout=timeout),
            timeout=self._looks_within,
        )
        return self._noted(source, page), picture

    def close(self) -> None:
        """End all processes of the renderers."""
        with self._lock:
            self._closed = True
            while self._open:
                self._open.popitem()[1].close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def version_of(self, name: str) -> str:
        """The version of one of the renderers."""
        return self._renderer(name).version

    def _renderer_of(self, source: Source) -> Renderer:
        if source.kind is Kind.PDF:
            return self._renderer("pdf")
        return self._renderer("embedded" if self._lacks_live(source) else self.html)

    @property
    def _looks_within(self) -> float | None:
        """The seconds for all looks at a page; without an end where CPU time is what counts."""
        return None if self.options.cpu_time else self.options.timeout

    def _lacks_live(self, source: Source) -> bool:
        """Whether `auto` cannot use its browser: nothing is installed to drive it on live pages."""
        if not (self.name == "auto" and self.html == "chromium" and source.live):
            return False
        from pagesight.render.chromium.discovery import live_installed

        return not live_installed()

    def _noted(self, source: Source, page: Page) -> Page:
        """The page, with a note if it is less than the browser would have shown."""
        if source.kind is Kind.PDF or not self._lacks_live(source):
            return page
        from pagesight.render.chromium.discovery import LIVE_HINT

        note = Note("live", f"the document alone, without what it loads; {LIVE_HINT}")
        return Page(page.columns, page.strings, replace(page.info, notes=(*page.info.notes, note)))

    def _renderer(self, name: str) -> Renderer:
        if os.getpid() != self._process:  # after a fork, without the threads of the renderer
            raise RenderError("the renderer belongs to another process", hint=_FORKED)
        with self._lock:
            if self._closed:
                raise RenderError("the renderer is closed")
            if name not in self._open:
                self._open[name] = _open(name, self.options)
                if self._on_open:
                    self._on_open(name)
            return self._open[name]


def _open(name: str, options: RenderOptions) -> Renderer:
    if name == "chromium":
        from pagesight.render.chromium.renderer import ChromiumRenderer

        return ChromiumRenderer(options)
    from pagesight.render.worker.renderer import WorkerRenderer

    return WorkerRenderer(name, options)


open_renderer = AnyRenderer  # as it is called for many pages; close it, or use it in a `with`


def render(source: Source, name: str = "auto", options: RenderOptions | None = None) -> Page:
    """Render one page."""
    with open_renderer(name, options) as renderer:
        return renderer.render(source)
