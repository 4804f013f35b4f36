"""Messages to people, each sent by a process of its own, which has one way out.

Apprise takes its proxy from the environment of the process, mail takes none, and either may go on
after it was given up. A process has an environment of its own, and can be ended.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import BoundedSemaphore, Thread

from pagesight.errors import NotificationFailed
from pagesight.sources import Guard
from pagesight.sources.egress.proxy import Proxy
from pagesight.watch.notifying import check_services, is_mail
from pagesight.watch.store.opening import VARIABLE as DATABASE

PATIENCE = 60.0  # seconds for a message
AT_ONCE = 4  # processes
MAIL_PORTS = (25, 465, 587)
COMMAND = (sys.executable, "-m", "pagesight.portal.courier")
_NOBODY = "nobody.invalid"  # who needs no proxy; without a name, another variable would be asked
_free = BoundedSemaphore(AT_ONCE)


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody is told."""

    title: str
    body: str


def send(address: str, message: Message, guard: Guard | None) -> None:
    """Send a message; raises `NotificationFailed`."""
    check_services([address])
    if not _free.acquire(blocking=False):
        raise NotificationFailed("many messages are being sent", hint="try again later")
    try:
        with _way_out(guard, is_mail=is_mail(address)) as proxy:
            _deliver(address, message, proxy)
    finally:
        _free.release()


def _deliver(address: str, message: Message, proxy: str | None) -> None:
    given = {"address": address, "title": message.title, "body": message.body, "proxy": proxy}
    try:
        answer = subprocess.run(
            COMMAND, input=json.dumps(given).encode(), stdout=subprocess.PIPE, timeout=PATIENCE,
            env=environment(os.environ, proxy), check=True,
        )  # fmt: skip
        error = json.loads(answer.stdout)["error"]
    except subprocess.TimeoutExpired:
        error = "the message was not taken in time"
    except (OSError, ValueError, subprocess.SubprocessError):
        error = "a message could not be sent"
    if error is not None:
        raise NotificationFailed(str(error))


def environment(ours: Mapping[str, str], proxy: str | None) -> dict[str, str]:
    """That of the process: without our database, and with no other proxy than this one."""
    kept = {name: value for name, value in ours.items() if name != DATABASE}
    if proxy is None:
        return kept
    kept = {name: value for name, value in kept.items() if not name.lower().endswith("_proxy")}
    return kept | {"http_proxy": proxy, "https_proxy": proxy, "no_proxy": _NOBODY}


@contextmanager
def _way_out(guard: Guard | None, *, is_mail: bool) -> Iterator[str | None]:
    """The address of a proxy that the guard decides for; it runs in a thread of its own."""
    if guard is None:
        yield None
        return
    guard = replace(guard, ports=(*guard.ports, *MAIL_PORTS)) if is_mail else guard
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
