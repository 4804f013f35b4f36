"""One package per reading; `registry` knows them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagesight.page import Page

MOST_EXPLAINED = 400  # words of a page that only says what is wrong; what is longer has content


def problem_of_page(page: Page) -> str | None:
    """Why a page is not the one that was asked for, ``not found`` for example; None if it is."""
    from pagesight.segment.nodes import words_of_page

    if len(words_of_page(page).split()) > MOST_EXPLAINED:
        return None
    from pagesight.readers.title.problems import problem_of
    from pagesight.readers.title.seen import clues_of_page

    return problem_of(clues_of_page(page))
