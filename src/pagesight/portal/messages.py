"""Messages to people, through services that may be used, and past the guard."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock, Thread

from pagesight.errors import AddressRefused, NotificationFailed
from pagesight.sources import Guard
from pagesight.sources.egress.guard import USUAL_PORTS
from pagesight.sources.egress.proxy import Proxy
from pagesight.watch.notifying import deliver, mail_server

_NOBODY = "nobody.invalid"  # who needs no proxy; without a name, another variable would be asked
_environment = Lock()  # the addresses of proxies are there, for the whole process


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody is told."""

    title: str
    body: str


def send(address: str, message: Message, guard: Guard | None) -> None:
    """Send a message; raises `NotificationFailed`."""
    if guard and (host := mail_server(address)):
        _check_mail_server(host, guard)
    with _guarded(guard):
        deliver([address], title=message.title, body=message.body)


def _check_mail_server(host: str, guard: Guard) -> None:
    """Refuse a mail server that is not public: mail goes past the proxy."""
    try:
        asyncio.run(guard.addresses(host, USUAL_PORTS["https"]))
    except (AddressRefused, OSError) as error:
        raise NotificationFailed(f"mail is not sent there: {error}") from error


@contextmanager
def _guarded(guard: Guard | None) -> Iterator[None]:
    """Within, what looks for a proxy in the environment finds one that the guard decides for."""
    if guard is None:
        yield
        return
    with _environment, _proxy(guard) as address:
        ours = {"http_proxy": address, "https_proxy": address, "no_proxy": _NOBODY}
        before = {name: os.environ.get(name) for name in ours}
        os.environ.update(ours)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


@contextmanager
def _proxy(guard: Guard) -> Iterator[str]:
    """The address of a proxy that runs in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        proxy = asyncio.run_coroutine_threadsafe(Proxy.start(guard), loop).result()
        try:
            yield proxy.address
        finally:
            asyncio.run_coroutine_threadsafe(proxy.close(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
