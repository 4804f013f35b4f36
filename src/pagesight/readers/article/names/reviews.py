"""Reviews of books and the like: who reviewed the book wrote the article."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pagesight.readers.article.cues import CUES, REVIEW, REVIEWED_BY
from pagesight.readers.article.names.persons import bare_name, is_sure_name

NEAR_TITLE = 8  # zones above the end of the title in which the kind of article is told
NEAR = 4  # zones around a reviewer in which the editor is named


def is_review(texts: Sequence[str], title: int) -> bool:
    """Whether the title, which ends at a zone, or a line above it says that a book is reviewed."""
    return any(map(REVIEW.match, texts[max(title - NEAR_TITLE, 0) : title + 1]))


def reviewers(texts: Sequence[str], start: int) -> list[int]:
    """The zone from `start` on that names who reviewed a book, if there is one.

    Who reviewed the article itself is named beside its editor.
    """
    for zone in range(start, len(texts)):
        if told := REVIEWED_BY.match(texts[zone]):
            alone = told.end() == len(texts[zone])
            own = texts[zone + 1 : zone + 2] if alone else [texts[zone][told.end() :]]
            names = [re.split(r"[,;(&]|\band\b", text)[0] for text in own]
            named = any(is_sure_name(bare_name(name)) for name in names)
            return [zone + alone] if named and not _is_edited(texts, zone) else []
    return []


def _is_edited(texts: Sequence[str], zone: int) -> bool:
    """Whether an editor is named near a zone."""
    around = texts[max(zone - NEAR, 0) : zone + NEAR]
    return any(CUES["editor"].match(text) and not REVIEWED_BY.match(text) for text in around)
