"""The kinds of content that are read."""

from __future__ import annotations

from enum import StrEnum

PAGE_MAGIC = b"PAGESIGHT\n"
"""The first bytes of a saved Page file."""


class Kind(StrEnum):
    """What the bytes of a source are."""

    HTML = "html"
    XHTML = "xhtml"
    PDF = "pdf"
    PAGE = "page"

    @property
    def is_markup(self) -> bool:
        return self in (Kind.HTML, Kind.XHTML)
