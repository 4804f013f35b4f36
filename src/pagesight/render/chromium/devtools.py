"""A browser at the other end of two pipes, and the DevTools protocol through them.

Playwright puts a Node process between Python and the browser, and every snapshot passes it as text
twice. Straight from the browser's own pipe, a page takes half the time. Besides, a browser on a
pipe ends by itself when the pipe is closed: it does not outlive this process, whatever happens.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import itertools
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Event = dict[str, Any]
Listener = Callable[[str, Event], None]

FROM_US, TO_US = 3, 4  # file descriptors of a browser with --remote-debugging-pipe
PIPE_SIZE = 1 << 20  # a snapshot has megabytes: fewer, larger chunks
CRASHED = "Inspector.targetCrashed"
POLL = 0.01  # seconds between checks whether a process has ended


class DevToolsError(Exception):
    """The browser refused a command, or is gone."""


class Connection(asyncio.Protocol):
    """A running browser. Commands go to the browser itself, or to a tab by its session."""

    def __init__(self, process: int, profile: Path) -> None:
        self._process = process
        self._profile = profile
        self._chunks: list[bytes] = []
        self._numbers = itertools.count(1)
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self._listeners: dict[str, Listener] = {}
        self._read: asyncio.BaseTransport | None = None
        self._write: asyncio.WriteTransport | None = None
        self._ended = False

    @classmethod
    async def launch(cls, path: str, arguments: Sequence[str]) -> Connection:
        """Start a browser with a new, empty profile. Raises `OSError` if that fails."""
        profile = Path(tempfile.mkdtemp(prefix="pagesight-"))
        command = [path, *arguments, "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        try:
            process, speak, listen = _spawn(command, profile / "messages")
        except OSError:
            shutil.rmtree(profile, ignore_errors=True)
            raise
        connection = cls(process, profile)
        loop = asyncio.get_running_loop()
        try:
            connection._read, _ = await loop.connect_read_pipe(lambda: connection, listen)
            connection._write, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, speak)
        except BaseException:
            speak.close()
            listen.close()
            await connection.close(timeout=0.0)
            raise
        return connection

    @property
    def alive(self) -> bool:
        """Whether the browser is still running."""
        return not self._ended

    @property
    def last_words(self) -> str:
        """What the browser wrote last to standard error."""
        with contextlib.suppress(OSError):
            lines = (self._profile / "messages").read_text(errors="replace").split("\n")
            return next((line.strip() for line in reversed(lines) if line.strip()), "")
        return ""

    def send(self, method: str, *, session: str = "", **parameters: Any) -> asyncio.Future[Any]:
        """Send a command now; its answer may be awaited later."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self._ended or self._write is None:
            answer.set_exception(DevToolsError("the browser is gone"))
            return answer
        number = next(self._numbers)
        message: Event = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self._pending[number] = answer
        self._write.write(json.dumps(message).encode() + b"\0")
        return answer

    def listen(self, session: str, listener: Listener | None) -> None:
        """Pass the events of a session to `listener` from now on; to nobody if it is None."""
        if listener is None:
            self._listeners.pop(session, None)
        else:
            self._listeners[session] = listener

    async def close(self, timeout: float) -> None:
        """End the browser, by force if necessary."""
        with contextlib.suppress(DevToolsError, TimeoutError):
            await asyncio.wait_for(self.send("Browser.close"), timeout)
        for transport in (self._write, self._read):
            if transport is not None:
                transport.close()
        if not await self._has_ended(timeout):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process, signal.SIGKILL)
            await self._has_ended(timeout)
        shutil.rmtree(self._profile, ignore_errors=True)

    def data_received(self, data: bytes) -> None:
        """Messages end with a zero; one may come in many chunks, and many in one chunk."""
        *ends, rest = data.split(b"\0")
        for end in ends:
            message = b"".join((*self._chunks, end)) if self._chunks else end
            self._chunks.clear()
            self._take(json.loads(message))
        if rest:
            self._chunks.append(rest)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Fail all commands that wait for an answer, and all tabs, which may wait for an event."""
        self._ended = True
        for session in [*self._listeners]:
            self._tell(session, CRASHED, {})
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(DevToolsError("the browser is gone"))
                answer.exception()  # its sender may no longer wait for it
        self._pending.clear()

    def _take(self, message: Event) -> None:
        if "id" not in message:
            self._tell(message.get("sessionId", ""), message["method"], message["params"])
            return
        answer = self._pending.pop(message["id"], None)
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(DevToolsError(message["error"].get("message", "refused")))
        else:
            answer.set_result(message["result"])

    def _tell(self, session: str, method: str, parameters: Event) -> None:
        """Pass an event on. A listener that fails costs its own tab, not the pages of others."""
        if listener := self._listeners.get(session):
            try:
                listener(method, parameters)
            except Exception as error:  # noqa: BLE001 - it may be anything
                context = {"message": f"{method} was not understood", "exception": error}
                asyncio.get_running_loop().call_exception_handler(context)
                listener(CRASHED, {})

    async def _has_ended(self, timeout: float) -> bool:
        """Wait for the process to end; whether it did."""
        deadline = asyncio.get_running_loop().time() + timeout
        while asyncio.get_running_loop().time() < deadline:
            try:
                if os.waitpid(self._process, os.WNOHANG)[0]:
                    return True
            except ChildProcessError:
                return True
            await asyncio.sleep(POLL)
        return False


def _spawn(command: list[str], messages: Path) -> tuple[int, Any, Any]:
    """Start a program in a group of its own; return its id and the pipes to it and from it.

    This process is not forked, since it may have threads.
    """
    its_input, our_output = _pipe()
    our_input, its_output = _pipe()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, str(messages), os.O_WRONLY | os.O_CREAT, 0o600),
        (os.POSIX_SPAWN_DUP2, its_input, FROM_US),
        (os.POSIX_SPAWN_DUP2, its_output, TO_US),
    ]
    try:
        process = os.posix_spawn(command[0], command, os.environ, file_actions=actions, setpgroup=0)
    except OSError:
        os.close(our_output)
        os.close(our_input)
        raise
    finally:
        os.close(its_input)
        os.close(its_output)
    return process, os.fdopen(our_output, "wb", 0), os.fdopen(our_input, "rb", 0)


def _pipe() -> tuple[int, int]:
    """The two ends of a pipe, with numbers that do not collide with 3 and 4."""
    ends = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 16) for end in ends)
    for end in ends:
        os.close(end)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a smaller pipe is slower, not wrong
            fcntl.fcntl(high[0], fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    return high[0], high[1]
