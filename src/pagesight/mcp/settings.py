"""What a server may do, and what its answers may cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pagesight.jobs import usual_jobs
from pagesight.render import AnyRenderer
from pagesight.sources import DEFAULT_LIMITS, Guard, Limits

ALLOW_PRIVATE = "start the server with --allow-private to read it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a server is started."""

    database: str | None = None
    """That of watched parts: an address or a path; see `Watch.open`."""

    folders: Sequence[str | Path] = ()
    """Files below these may be read; without any, no file may."""

    addresses: bool = True
    """Whether pages at an address may be read."""

    private: bool = False
    """Whether addresses of this machine and of its network may be read, too."""

    read_only: bool = False
    """Whether nothing may be watched, checked or confirmed."""

    renderer: str | AnyRenderer = "auto"
    """A name, or an open renderer, which stays open."""

    jobs: int = usual_jobs()
    """Calls at a time; others wait."""

    timeout: float = 30.0
    """Seconds for rendering a page; an open renderer has its own."""

    limits: Limits = DEFAULT_LIMITS
    call_time: float = 120.0
    """Seconds for a call."""

    answer_size: int = 20_000
    """Characters of an answer, about; what is longer can be continued."""

    @property
    def guarded_limits(self) -> Limits:
        """The limits of a fetch, which reaches public addresses only unless private ones may be."""
        guard = None if self.private else Guard(hint=ALLOW_PRIVATE)
        return replace(self.limits, guard=self.limits.guard or guard)
