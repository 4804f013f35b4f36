"""How a portal is started."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass, replace

from pagesight.crawl.politeness import Clock
from pagesight.render import AnyRenderer
from pagesight.sources import DEFAULT_LIMITS, Guard, Limits

ALLOW_PRIVATE = "start the server with --allow-private to reach it"
HOST, PORT = "127.0.0.1", 8181
ANYWHERE = ("0.0.0.0", "::")  # noqa: S104 – compared, not bound


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the server and its workers have in common."""

    database: str | None = None
    """An address or a path; see `Watch.open`."""

    host: str = HOST
    port: int = PORT
    public_address: str | None = None
    """Where people reach it, if not at host and port: behind a reverse proxy."""

    private: bool = False
    """Whether pages on this machine and in its network may be watched, too."""

    workers: int = 1
    """Processes that look at pages, which the server starts; none: they run elsewhere."""

    threads: int = 4
    """Pages that a worker looks at side by side."""

    renderer: str | AnyRenderer = "auto"
    """A name, or an open renderer, which stays open."""

    timeout: float = 30.0
    """Seconds for rendering a page."""

    delay: float = 2.0
    """Seconds between two requests to a server."""

    limits: Limits = DEFAULT_LIMITS
    clock: Clock = time

    @property
    def address(self) -> str:
        """Where people reach it."""
        if self.public_address:
            return self.public_address.rstrip("/")
        name = socket.gethostname() if self.host in ANYWHERE else self.host
        return f"http://[{name}]:{self.port}" if ":" in name else f"http://{name}:{self.port}"

    @property
    def guard(self) -> Guard | None:
        """What decides where requests may go; None if they may go anywhere."""
        if self.limits.guard or self.private:
            return self.limits.guard
        return Guard(hint=ALLOW_PRIVATE)

    @property
    def guarded_limits(self) -> Limits:
        """The limits of a fetch, which reaches public addresses only unless private ones may be."""
        return replace(self.limits, guard=self.guard)
