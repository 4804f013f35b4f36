"""TitleReading: what a page is called, how sure that is, and what else it might be called."""

from __future__ import annotations

from dataclasses import dataclass, field

from pagesight.page import Page
from pagesight.readers.value import ASIDE, Result, Value, shortened


@dataclass(frozen=True, kw_only=True, repr=False)
class TitleCandidate(Value):
    """A text that may be the title, and where it was found."""

    score: float
    """Its share of the probability among all candidates; other methods have their own scores."""

    origin: str = field(metadata={"json": "from"})


@dataclass(frozen=True, slots=True, repr=False)
class TitleReading(Result):
    """What a page is called. `title` is None where it says nothing at all."""

    title: TitleCandidate | None = None
    site_name: Value | None = None
    confidence: float = 0.0
    """The probability that the title is right, word for word."""

    candidates: tuple[TitleCandidate, ...] = ()
    """The best first."""

    problem: str | None = field(default=None, metadata=ASIDE)
    """Why this is not the page that was asked for: ``not found``, ``bot check``, …"""

    @property
    def summary(self) -> str:
        """The title, and how sure it is."""
        return f"{shortened(self.title.text)} ({self.confidence:.0%})" if self.title else "no title"


def unread(_: Page, problem: str) -> TitleReading:
    """The reading of a page that could not be read."""
    return TitleReading(problem=problem)
