"""One page, one row: who it is, what went wrong, or what was read from it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pagesight.batch.memory import limited_memory
from pagesight.batch.options import BatchOptions
from pagesight.batch.plan import Planned
from pagesight.document import read
from pagesight.errors import PagesightError, UnexpectedError
from pagesight.render import AnyRenderer, open_renderer
from pagesight.sources import Request

Row = dict[str, Any]


class PageReader:
    """Reads pages, one after the other, with a renderer that stays warm."""

    def __init__(self, options: BatchOptions) -> None:
        self._options = options
        self._limits = options.limits()
        self._renderer: AnyRenderer = open_renderer(options.renderer, options.render_options())

    def row(self, planned: Planned) -> Row:
        """The row of a page, whatever becomes of it."""
        try:
            return identity_of(planned) | {"error": None} | self._read(planned.item.request())
        except PagesightError as error:
            return failed_row(planned, error)
        except Exception as error:  # noqa: BLE001 - a defect on one page must not lose the others
            return failed_row(planned, UnexpectedError.of(error))

    def close(self) -> None:
        """End the renderer."""
        self._renderer.close()

    def _read(self, request: Request) -> Row:
        document = read(request, renderer=self._renderer, limits=self._limits)
        with limited_memory(self._options.memory):
            fields = document.to_json(self._options.readings)
        del fields["source"]  # which is that of the row
        return fields


def failed_row(planned: Planned, error: PagesightError) -> Row:
    """The row of a page that could not be read."""
    return identity_of(planned) | {"error": error.to_json()}


def identity_of(planned: Planned) -> Row:
    """What a row begins with."""
    known = planned.item.identity
    place = f"{planned.input}:{planned.index}"
    name = {"source": known.target or known.path or known.record_id or place}
    return {**name, "input": planned.input, "index": planned.index, **asdict(known)}
