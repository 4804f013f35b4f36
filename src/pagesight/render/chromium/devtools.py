"""A browser at the other end of two pipes, and the DevTools protocol through them.

Playwright puts a Node process between Python and the browser, through which every snapshot goes as
text twice. Straight from the browser's own pipe, a page takes half the time. Besides, a browser on
a pipe ends by itself when the pipe is closed: whatever becomes of this process, it does not stay.
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

FROM_US, TO_US = 3, 4  # where a browser with --remote-debugging-pipe listens and speaks
PIPE_SIZE = 1 << 20  # a snapshot is megabytes: fewer, larger pieces
CRASHED = "Inspector.targetCrashed"
POLL = 0.01  # seconds between looking whether a process has ended


class DevToolsError(Exception):
    """The browser refuses a command, or is gone."""


class Connection(asyncio.Protocol):
    """A running browser. Commands go to it as a whole, or to a tab by the name of its session."""

    def __init__(self, process: int, profile: Path) -> None:
        self._process = process
        self._profile = profile
        self._pieces: list[bytes] = []
        self._numbers = itertools.count(1)
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self._listeners: dict[str, Listener] = {}
        self._read: asyncio.BaseTransport | None = None
        self._write: asyncio.WriteTransport | None = None
        self._ended = False

    @classmethod
    async def launch(cls, path: str, arguments: Sequence[str]) -> Connection:
        """Start a browser with a new, empty profile. Raises `OSError` if the program does not."""
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
        """Whether the browser is still there."""
        return not self._ended

    @property
    def last_words(self) -> str:
        """What the browser wrote last, if it did not start."""
        with contextlib.suppress(OSError):
            lines = (self._profile / "messages").read_text(errors="replace").split("\n")
            return next((line.strip() for line in reversed(lines) if line.strip()), "")
        return ""

    async def send(self, method: str, *, session: str = "", **parameters: Any) -> Any:
        """One command, and the browser's answer."""
        return await self.post(method, session=session, **parameters)

    def post(self, method: str, *, session: str = "", **parameters: Any) -> asyncio.Future[Any]:
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
        """Tell `listener` about the events of a session from now on; nobody if it is None."""
        if listener is None:
            self._listeners.pop(session, None)
        else:
            self._listeners[session] = listener

    async def close(self, timeout: float) -> None:
        """End the browser, if need be by force."""
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
        """Messages end with a zero; one may come in many pieces, and many in one piece."""
        *whole, rest = data.split(b"\0")
        for end in whole:
            message = b"".join((*self._pieces, end)) if self._pieces else end
            self._pieces.clear()
            self._take(json.loads(message))
        if rest:
            self._pieces.append(rest)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Whoever waits for an answer will get none."""
        self._ended = True
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(DevToolsError("the browser is gone"))
                answer.exception()  # whoever sent it may wait no more
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
        """Pass an event on. A listener that fails must not cost the pages of other tabs."""
        if listener := self._listeners.get(session):
            try:
                listener(method, parameters)
            except Exception as error:  # noqa: BLE001 - it may be anything
                context = {"message": f"{method} was not understood", "exception": error}
                asyncio.get_running_loop().call_exception_handler(context)
                with contextlib.suppress(Exception):
                    listener(CRASHED, {})

    async def _has_ended(self, timeout: float) -> bool:
        """Wait for the process; whether it is gone."""
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
    """Start a program in a group of its own; its id, and the ends of the pipes to it and from it.

    Without a fork of this process, which may have threads.
    """
    its_ear, our_mouth = _pipe()
    our_ear, its_mouth = _pipe()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, str(messages), os.O_WRONLY | os.O_CREAT, 0o600),
        (os.POSIX_SPAWN_DUP2, its_ear, FROM_US),
        (os.POSIX_SPAWN_DUP2, its_mouth, TO_US),
    ]
    try:
        process = os.posix_spawn(command[0], command, os.environ, file_actions=actions, setpgroup=0)
    except OSError:
        os.close(our_mouth)
        os.close(our_ear)
        raise
    finally:
        os.close(its_ear)
        os.close(its_mouth)
    return process, os.fdopen(our_mouth, "wb", 0), os.fdopen(our_ear, "rb", 0)


def _pipe() -> tuple[int, int]:
    """The two ends of a pipe, numbered so that they are in nobody's way."""
    ends = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 16) for end in ends)
    for end in ends:
        os.close(end)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # less is slower, not wrong
            fcntl.fcntl(high[0], fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    return high[0], high[1]
