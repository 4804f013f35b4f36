"""Whether a page is the page that was asked for, and not an error, a bot check or a wall."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagesight.page import Page

SILENT = frozenset({"style", "script", "noscript", "template", "svg", "rt", "rp", "button"})
"""Elements whose texts say nothing about the page."""

MOST_SAID = 400  # words of a page that only explains what is wrong; what is longer has content


def problem_of_page(page: Page) -> str | None:
    """What keeps a page from being the one that was asked for; None if nothing does.

    This is `problem` of its `TitleReading`, for those who do not need the title.
    """
    if len(words_of_page(page).split()) > MOST_SAID:
        return None
    from pagesight.readers.title.problems import problem_of
    from pagesight.readers.title.seen import clues_of_page

    return problem_of(clues_of_page(page))


def words_of_page(page: Page) -> str:
    """What is seen, except what is written for browsers in which scripts do not run."""
    import numpy as np

    from pagesight.segment.nodes import inside, named

    silent = inside(np.flatnonzero(named(page, SILENT)), page.end)
    texts = np.flatnonzero(page.visible & ~silent & (page.columns["text"] >= 0))
    return " ".join(page.strings[text] for text in page.columns["text"][texts].tolist())
