"""The words of a page, as far as they say something about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagesight.page import Page

SILENT = frozenset({"style", "script", "noscript", "template", "svg", "rt", "rp", "button"})
"""Elements whose texts say nothing about the page."""


def words_of_page(page: Page) -> str:
    """What is seen, except what is written for browsers in which scripts do not run."""
    import numpy as np

    from pagesight.segment.nodes import inside, named

    silent = inside(np.flatnonzero(named(page, SILENT)), page.end)
    texts = np.flatnonzero(page.visible & ~silent & (page.columns["text"] >= 0))
    return " ".join(page.strings[text] for text in page.columns["text"][texts].tolist())
