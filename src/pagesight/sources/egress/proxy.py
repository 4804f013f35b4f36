"""The way out for a browser: a forward proxy that dials only what a guard lets pass.

It takes ``CONNECT`` for https: and WebSockets, and plain requests for http:. Each connection serves
one request, so that none can reach a server that was checked for another one.
"""

from __future__ import annotations

import asyncio
import re
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from pagesight.errors import AddressRefused
from pagesight.sources.egress.guard import USUAL_PORTS, Guard

MOST_CONNECTIONS = 256  # at a time; a browser keeps 32 to a proxy, and more for WebSockets
LARGEST_HEAD = 128 * 1024  # bytes before the body of a request or answer; cookies may be long
MOST_BYTES = 256 * 1024 * 1024  # of one connection, in each direction
CONNECT_TIMEOUT = 10.0  # seconds for each address of a server
HEAD_TIMEOUT = 20.0  # seconds for the head of a request
LONGEST_SILENCE = 60.0  # seconds without a byte from the server
LONGEST_CONNECTION = 600.0  # seconds
MOST_REFUSALS = 10_000  # that are remembered
_CHUNK = 64 * 1024
_LONGEST_NUMBER = 15  # digits
_CONNECT = re.compile(rb"CONNECT (\S+) HTTP/1\.[01]\Z")
_REQUEST = re.compile(rb"([A-Z]{1,20}) http://([^/?#\s]+)([^#\s]*) HTTP/1\.[01]\Z", re.IGNORECASE)
_INTERIM = re.compile(rb"HTTP/1\.\d 1\d\d")
# About a connection, not about what it carries.
_OF_CONNECTION = re.compile(
    rb"(?:connection|proxy-connection|keep-alive|proxy-authorization|upgrade)\s*:", re.IGNORECASE
)

Streams = tuple[StreamReader, StreamWriter]


class _Unusable(Exception):
    """A request that is not answered; the message is the status line of what is said instead."""


class Proxy:
    """A proxy at an address of this machine, in the event loop that starts it."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard
        self.refused: dict[str, str] = {}  # by host and port why it was not dialled
        self._open: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server

    @classmethod
    async def start(cls, guard: Guard) -> Proxy:
        """A proxy that listens."""
        proxy = cls(guard)
        proxy._server = await asyncio.start_server(
            proxy._accept, "127.0.0.1", 0, limit=LARGEST_HEAD
        )
        return proxy

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        """End all connections, and listen no more."""
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await asyncio.sleep(0)  # in which what was aborted is closed

    def why_refused(self, url: str) -> str | None:
        """Why the address of a request was not dialled; None if it was, or was not asked for."""
        try:
            parts = urlsplit(url)
            port = parts.port or USUAL_PORTS.get(parts.scheme.replace("ws", "http"), 0)
        except ValueError:
            return None
        return self.refused.get(f"{parts.hostname}:{port}")

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        if len(self._open) >= MOST_CONNECTIONS:
            writer.transport.abort()
            return
        task = asyncio.create_task(self._serve_in_time(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _serve_in_time(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            async with asyncio.timeout(LONGEST_CONNECTION):
                await self._serve(reader, writer)
        except (OSError, EOFError, ValueError, TimeoutError):
            pass  # whoever asked sees the connection end
        except asyncio.CancelledError:
            writer.transport.abort()
            raise
        finally:
            writer.close()

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            head = await asyncio.wait_for(_head(reader), HEAD_TIMEOUT)
            if connect := _CONNECT.match(head[0]):
                await self._tunnel(connect[1], (reader, writer))
            elif request := _REQUEST.match(head[0]):
                method, place, path = request.groups()
                head[0] = b"%b %b%b HTTP/1.1" % (method, b"" if path[:1] == b"/" else b"/", path)
                await self._forward(place, head, (reader, writer))
            else:
                raise _Unusable("400 Not a request to a proxy")
        except _Unusable as problem:
            await _say(writer, f"HTTP/1.1 {problem}\r\nContent-Length: 0\r\nConnection: close\r\n")

    async def _tunnel(self, place: bytes, client: Streams) -> None:
        async with self._dialled(place, None) as server:
            await _say(client[1], "HTTP/1.1 200 Connected\r\n")
            await _until_one_ends(
                _pump(client[0], server[1]),
                _pump(server[0], client[1], silence=LONGEST_SILENCE),
            )

    async def _forward(self, place: bytes, head: list[bytes], client: Streams) -> None:
        length = _body_length(head)
        async with self._dialled(place, USUAL_PORTS["http"]) as server:
            server[1].write(_closing(head))
            await _until_one_ends(
                _send_body(client[0], server[1], length), _pass_answer(server[0], client[1])
            )

    @asynccontextmanager
    async def _dialled(self, place: bytes, usual_port: int | None) -> AsyncIterator[Streams]:
        """A connection to a host and port, as long as it is needed."""
        parts = urlsplit(f"//{place.decode('latin-1')}")
        host, port = parts.hostname, parts.port or usual_port
        if not host or not port:
            raise _Unusable("400 No host, or no port")
        try:
            reader, writer = await self._connected(host, port)
        except AddressRefused as error:
            self._remember(f"{host}:{port}", error.message)
            raise _Unusable("403 Not a public address") from error
        except (OSError, ValueError, TimeoutError) as error:
            raise _Unusable("502 No connection") from error
        try:
            yield reader, writer
        finally:
            writer.transport.abort()

    def _remember(self, place: str, why: str) -> None:
        while len(self.refused) >= MOST_REFUSALS:
            del self.refused[next(iter(self.refused))]  # the oldest
        self.refused[place] = why

    async def _connected(self, host: str, port: int) -> Streams:
        *others, last = await self.guard.addresses(host, port)
        for address in others:
            with suppress(OSError, TimeoutError):
                return await _connection(address, port)
        return await _connection(last, port)


async def _connection(address: str, port: int) -> Streams:
    connecting = asyncio.open_connection(address, port, limit=LARGEST_HEAD)
    return await asyncio.wait_for(connecting, CONNECT_TIMEOUT)


async def _say(writer: StreamWriter, head: str) -> None:
    writer.write(f"{head}\r\n".encode())
    await writer.drain()


async def _head(reader: StreamReader) -> list[bytes]:
    """The lines before a body; an `EOFError` or a `ValueError` if they have no end."""
    lines: list[bytes] = []
    size = 0
    while line := await reader.readline():
        size += len(line)
        if size > LARGEST_HEAD:
            raise ValueError("the head is too large")
        if line.strip():
            lines.append(line.rstrip(b"\r\n"))
        elif lines:
            return lines
    raise EOFError


def _body_length(head: list[bytes]) -> int:
    """How many bytes follow the head of a request. Browsers state it, or send nothing."""
    headers = [line.lower().partition(b":") for line in head[1:]]
    if any(name == b"transfer-encoding" for name, _, _ in headers):
        raise _Unusable("411 Length required")
    lengths = {value.strip() for name, _, value in headers if name == b"content-length"} or {b"0"}
    length = lengths.pop()
    if lengths or not length.isdigit() or len(length) > _LONGEST_NUMBER:
        raise _Unusable("400 Not a length")
    return int(length)


def _closing(head: list[bytes]) -> bytes:
    """A head that says that its connection is used once."""
    kept = [line for line in head if not _OF_CONNECTION.match(line)]
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])


async def _send_body(client: StreamReader, server: StreamWriter, length: int) -> None:
    """Pass on the body of a request; ends when the browser leaves, or sends something else."""
    await _pump(client, server, length)
    await client.read(1)


async def _pass_answer(server: StreamReader, client: StreamWriter) -> None:
    """Pass on an answer, which tells the browser to use another connection next time."""
    head = [b"HTTP/1.1 100 Not begun"]
    while _INTERIM.match(head[0]):
        head = await asyncio.wait_for(_head(server), LONGEST_SILENCE)
    client.write(_closing(head))
    await _pump(server, client, silence=LONGEST_SILENCE)


async def _pump(
    reader: StreamReader,
    writer: StreamWriter,
    most: int = MOST_BYTES,
    *,
    silence: float | None = None,
) -> None:
    """Pass bytes on until there are no more, or as many as there may be."""
    left = min(most, MOST_BYTES)
    while left:
        data = await asyncio.wait_for(reader.read(min(left, _CHUNK)), silence)
        if not data:
            break
        left -= len(data)
        writer.write(data)
        await writer.drain()


async def _until_one_ends(*works: Coroutine[Any, Any, None]) -> None:
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
