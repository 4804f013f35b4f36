"""A block of a datatrove pipeline: documents of HTML become documents of the text that is seen.

from datatrove.pipeline.readers import WarcReader
from pagesight.integrations.datatrove import PagesightBlock

pipeline = [WarcReader("crawl/"), PagesightBlock(readings=("title", "outline")), ...]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from datatrove.pipeline.base import PipelineStep

from pagesight.document import read
from pagesight.errors import PagesightError
from pagesight.integrations.text import main_text
from pagesight.render import AnyRenderer, open_renderer
from pagesight.sources import Request


class PagesightBlock(PipelineStep):
    """Reads each document, whose text is HTML; its metadata get what was read.

    A document that cannot be read is left out, and counted by the kind of its error.
    """

    name = "Pagesight"
    type = "🛢 - EXTRAC"

    def __init__(self, readings: Sequence[str] = ("title",), renderer: str = "embedded") -> None:
        super().__init__()
        self.readings = tuple(readings)
        self.renderer = renderer

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Any]:  # noqa: ARG002
        """Read one document after the other with the same renderer."""
        with open_renderer(self.renderer) as renderer:
            for document in data:
                self.stat_update("total")
                if self._read(document, renderer):
                    self.stat_update("forwarded")
                    self.update_doc_stats(document)
                    yield document

    def _read(self, document: Any, renderer: AnyRenderer) -> bool:
        html = document.text.encode("utf-8", "surrogatepass")
        request = Request(source=html, url=document.metadata.get("url"), charset="utf-8")
        with self.track_time():
            try:
                page = read(request, renderer=renderer)
                document.text = main_text(page)
                document.metadata["pagesight"] = page.to_json(self.readings)
            except PagesightError as error:
                self.stat_update(error.kind)
                return False
        return True
