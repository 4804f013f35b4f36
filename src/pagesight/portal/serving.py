"""A server with its workers, until somebody ends it."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import FrameType
from typing import Any

import uvicorn

from pagesight.portal.errors import PortalError
from pagesight.portal.portal import Portal
from pagesight.portal.settings import Settings
from pagesight.portal.store.queue import Queue
from pagesight.portal.web import make_app
from pagesight.portal.work.supervisor import Supervisor

WAITING = 128  # connections that have not been taken yet
PATIENCE = 3  # seconds for requests to end when the server does


class CannotListen(PortalError):
    """Somebody else has the port, or there is no such host."""


class _Server(uvicorn.Server):
    """One that leaves signals to who has started it: workers end after it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture nothing."""
        with nullcontext():
            yield

    def stop(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """End soon; the second time at once."""
        self.force_exit = self.should_exit
        self.should_exit = True


def serve(config: Settings, say: Callable[[str, bool], None]) -> None:
    """Serve until a signal comes. `say` is told the address, and whether anybody is known there."""
    listening = _listening(config.host, config.port)
    with listening, Portal.open(config) as portal:
        server = _Server(
            uvicorn.Config(
                make_app(portal),
                log_level="warning",
                access_log=False,
                proxy_headers=False,  # anybody could write them
                server_header=False,
                timeout_graceful_shutdown=PATIENCE,
            )
        )
        with Supervisor(config, Queue(portal.store, config.clock)), _signals_to(server.stop):
            say(config.public_address or _address(listening), portal.has_accounts())
            server.run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=WAITING)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotListen(
            f"cannot listen at {host}, port {port}: {reason}", hint="choose another --port"
        ) from error


def _address(listening: socket.socket) -> str:
    """Where a browser on this machine finds the server."""
    host, port = listening.getsockname()[:2]
    anywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 – compared, not bound
    name = anywhere.get(host, host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


@contextmanager
def _signals_to(handle: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    kinds = (signal.SIGINT, signal.SIGTERM)
    before = {kind: signal.signal(kind, handle) for kind in kinds}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)
