"""What the portal refuses, and why.

    PortalError
    ├── NotAllowed      one may see it, but not do that
    ├── NotThere        there is no such thing, or none that this person may see
    ├── Conflict        somebody else has changed it meanwhile
    ├── Invalid         what a person typed cannot be used; `field` says which
    └── TooOften        to be tried again after `retry_after` seconds

Messages are for people; none of them says whether something exists that they may not see.
"""

from __future__ import annotations

from pagesight.errors import PagesightError


class PortalError(PagesightError):
    """The base of what the portal refuses."""


class NotAllowed(PortalError):
    """Seen, but not to be changed."""


class NotThere(PortalError):
    """Nothing that this person may see."""


class Conflict(PortalError):
    """Another version than the one that somebody has changed."""


class Invalid(PortalError):
    """What somebody typed cannot be used."""

    def __init__(
        self, message: str, *, field: str, source: str | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message, source=source, hint=hint)
        self.field = field


class TooOften(PortalError):
    """Tried too often."""

    def __init__(
        self,
        message: str,
        *,
        retry_after: float,
        source: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, source=source, hint=hint)
        self.retry_after = retry_after
