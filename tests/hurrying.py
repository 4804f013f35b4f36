"""Time limits for pages that have to fail, whatever else the machine is doing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from pagesight.render import AnyRenderer

AMPLE = 120.0  # seconds for a page that has to be rendered, on a busy machine


@contextlib.contextmanager
def hurried(renderer: AnyRenderer, seconds: float) -> Iterator[AnyRenderer]:
    """An open renderer with a short time limit, for pages that may fail; then as before.

    Pages that have to be rendered well, before and after, keep an ample limit: how long they take
    depends on what else the machine is doing.
    """
    usual = renderer.options.timeout
    object.__setattr__(renderer.options, "timeout", seconds)  # frozen for everyone else
    try:
        yield renderer
    finally:
        object.__setattr__(renderer.options, "timeout", usual)
