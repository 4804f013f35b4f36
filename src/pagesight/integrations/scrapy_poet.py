"""A provider for scrapy-poet: callbacks and page objects that ask for a `Document` get one.

SCRAPY_POET_PROVIDERS = {"pagesight.integrations.scrapy_poet.DocumentProvider": 500}

def parse(self, response, document: pagesight.Document):
yield {"title": document.title.title.text}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from scrapy import signals
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy_poet import PageObjectInputProvider
from twisted.internet.threads import deferToThread

from pagesight.document import Document, read
from pagesight.render import RenderOptions, open_renderer
from pagesight.sources import Request

RENDERER = "PAGESIGHT_RENDERER"  # the setting that names a renderer; embedded if there is none
JOBS = "PAGESIGHT_JOBS"  # pages at a time


class DocumentProvider(PageObjectInputProvider):
    """Renders what Scrapy has downloaded, without network; the readings are made on first use."""

    provided_classes: ClassVar[set[Callable[..., Any]]] = {Document}

    def __init__(self, injector: Any) -> None:
        super().__init__(injector)
        settings = injector.crawler.settings
        options = RenderOptions(jobs=settings.getint(JOBS, 1))
        self._renderer = open_renderer(settings.get(RENDERER, "embedded"), options)
        injector.crawler.signals.connect(self._close, signal=signals.spider_closed)

    async def __call__(
        self,
        to_provide: set[Callable[..., Any]],  # noqa: ARG002
        response: Response,
    ) -> Sequence[Any]:
        """The document of a response; other downloads continue meanwhile."""
        return [await maybe_deferred_to_future(deferToThread(self._read, response))]

    def _read(self, response: Response) -> Document:
        stated = (response.headers.get("Content-Type") or b"").decode("latin-1")
        kind, _, parameters = stated.partition(";")
        _, _, charset = parameters.partition("charset=")
        request = Request(
            source=response.body,
            url=response.url,
            content_type=kind.strip() or None,
            charset=charset.strip(" \"'") or None,
        )
        return read(request, renderer=self._renderer)

    def _close(self) -> None:
        self._renderer.close()
