"""The reading `title`: what a person would call a page.

>>> read_title_fast(b"<title>Green tea | Tea shop</title><h1>Green tea</h1>").title.text
'Green tea'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagesight.lazy import offered
from pagesight.readers.registry import Reading

if TYPE_CHECKING:
    from pagesight.readers.title.reader import read_title, read_title_fast
    from pagesight.readers.title.reading import TitleCandidate, TitleReading
    from pagesight.readers.title.seed.methods import METHODS, read_title_by

__all__ = ["METHODS", "READING", "TitleCandidate", "TitleReading", "read_title", "read_title_by",
           "read_title_fast"]  # fmt: skip

READING = Reading(
    name="title",
    question="what is the page called?",
    read="pagesight.readers.title.reader:read_title",
    unread="pagesight.readers.title.reading:unread",
    lines="pagesight.cli.commands.title:lines",
    train="pagesight.readers.title.learning.training:train",
    evaluate="pagesight.readers.title.learning.evaluation:evaluate",
)

if not TYPE_CHECKING:
    __getattr__ = offered(__name__, __all__, "reading", "reader", "seed.methods")
