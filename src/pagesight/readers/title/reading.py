"""TitleReading: what a page is called, how sure that is, and what else it might be called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pagesight.page import Box


@dataclass(frozen=True, slots=True)
class TitleCandidate:
    """A text that may be the title, and where it was found."""

    text: str
    score: float
    """The probability that it is the title."""

    origin: str
    xpath: str | None = None
    css: str | None = None
    box: Box | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return {"text": self.text, "score": round(self.score, 4), "from": self.origin}


@dataclass(frozen=True, slots=True)
class TitleReading:
    """What a page is called. `title` is None where it says nothing at all."""

    title: str | None = None
    site_name: str | None = None
    confidence: float = 0.0
    """The probability that the title is right, word for word."""

    candidates: tuple[TitleCandidate, ...] = ()
    """The best first."""

    problem: str | None = None
    """Why this is not the page that was asked for: ``not found``, ``bot check``, …"""

    @property
    def best(self) -> TitleCandidate | None:
        """The candidate that became the title."""
        return self.candidates[0] if self.candidates else None

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        best = self.best
        return {
            "title": self.title,
            "site_name": self.site_name,
            "confidence": round(self.confidence, 4),
            "candidates": [candidate.to_json() for candidate in self.candidates],
            "problem": self.problem,
            "xpath": best.xpath if best else None,
            "css": best.css if best else None,
            "box": [round(side, 1) for side in best.box] if best and best.box else None,
        }
