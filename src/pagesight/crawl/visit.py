"""The outcome of a visit to an address."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self

from pagesight.errors import PagesightError


class Outcome(StrEnum):
    """How a visit ended."""

    KEPT = "kept"
    INCOHERENT = "incoherent"  # well-formed, but its heading levels are not
    MALFORMED = "malformed"  # not well-formed
    DUPLICATE = "duplicate"  # a page that was seen before, at another address
    FORBIDDEN = "forbidden"  # robots.txt does not allow the visit
    FAILED = "failed"


EXPLORED = (Outcome.KEPT, Outcome.INCOHERENT, Outcome.MALFORMED)
WELL_FORMED = (Outcome.KEPT, Outcome.INCOHERENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One address, asked for once."""

    url: str
    outcome: Outcome
    final: str = ""
    """The address that it led to, after redirects."""

    error: dict[str, str] | None = None
    """Why there is no page: its kind, and a message."""

    levels: str = ""
    """The levels of the headings in their order, e.g. ``1223``."""

    sheets: int = 0
    """How many stylesheets the page links to or contains."""

    links: tuple[str, ...] = ()
    file: str = ""
    digest: str = ""
    generator: str = ""

    def fields(self) -> dict[str, Any]:
        """As plain values, without what is empty."""
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Self:
        """What `fields` made, read from JSON."""
        made = {**fields, "outcome": Outcome(fields["outcome"])}
        return cls(**{**made, "links": tuple(fields.get("links", ()))})


def failed(url: str, error: PagesightError, **known: Any) -> Visit:
    """A visit that failed."""
    return Visit(url=url, outcome=Outcome.FAILED, error=error_fields(error), **known)


def error_fields(error: PagesightError) -> dict[str, str]:
    """An error as it is written down."""
    return {"kind": error.kind, "message": error.message}
