"""The proxy of a guard: what it passes on, what it refuses, and that it ends."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guarding import PUBLIC, guard_of
from pagesight.sources.egress import proxy as module
from pagesight.sources.egress.proxy import Proxy
from serving import doorkeeper

PATIENCE = 20.0  # seconds at most, on a busy machine
REFUSED = b"HTTP/1.1 403 Not a public address\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

Talk = Callable[[StreamReader, StreamWriter], Awaitable[None]]


@asynccontextmanager
async def started(**names: str) -> AsyncIterator[Proxy]:
    proxy = await Proxy.start(guard_of(**names))
    try:
        yield proxy
    finally:
        await asyncio.wait_for(proxy.close(), PATIENCE)


@asynccontextmanager
async def server(talk: Talk) -> AsyncIterator[str]:
    """A server that says what it likes, at what the guard takes for a public address."""

    talks = set[asyncio.Task[Any]]()

    async def serve(reader: StreamReader, writer: StreamWriter) -> None:
        talks.add(cast("asyncio.Task[Any]", asyncio.current_task()))
        try:
            await talk(reader, writer)
        finally:
            await ended(writer)

    running = await asyncio.start_server(serve, PUBLIC, 0)
    try:
        yield f"{PUBLIC}:{running.sockets[0].getsockname()[1]}"
    finally:
        running.close()
        await asyncio.wait_for(asyncio.gather(*talks, return_exceptions=True), PATIENCE)


async def ended(writer: StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


@asynccontextmanager
async def connected(proxy: Proxy) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(proxy.address).port)
    try:
        yield reader, writer
    finally:
        await ended(writer)


async def said(proxy: Proxy, request: bytes) -> bytes:
    """All that the proxy answers until it ends the connection."""
    async with connected(proxy) as (reader, writer):
        writer.write(request)
        with suppress(ConnectionResetError):
            return await asyncio.wait_for(reader.read(), PATIENCE)
    return b""


def saying(answer: bytes, heard: list[bytes]) -> Talk:
    async def talk(reader: StreamReader, writer: StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(answer)
        await writer.drain()

    return talk


def test_a_request_is_passed_on_and_its_connection_is_used_once() -> None:
    heard: list[bytes] = []
    answer = b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\ntea"

    async def run() -> bytes:
        async with server(saying(answer, heard)) as host, started() as proxy:
            head = f"GET http://{host}//a?b=%2F HTTP/1.1\r\nHost: {host}\r\n"
            hops = "Proxy-Connection: keep-alive\r\nconnection: keep-alive, X\r\nX: 1\r\n\r\n"
            return await said(proxy, f"{head}{hops}".encode())

    assert asyncio.run(run()) == (
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\ntea"
    )
    (request,) = heard
    assert request.startswith(b"GET //a?b=%2F HTTP/1.1\r\nHost: ")
    assert request.endswith(b"\r\nX: 1\r\nConnection: close\r\n\r\n")
    assert b"keep-alive" not in request


@pytest.mark.parametrize(
    ("target", "path"), [("", b"/"), ("?a", b"/?a"), ("/", b"/"), ("/a%20b?", b"/a%20b?")]
)
def test_paths_stay_as_they_are(target: str, path: bytes) -> None:
    heard: list[bytes] = []

    async def run() -> None:
        async with server(saying(b"HTTP/1.1 204 Tea\r\n\r\n", heard)) as host, started() as proxy:
            await said(proxy, f"GET http://{host}{target} HTTP/1.1\r\n\r\n".encode())

    asyncio.run(run())
    assert heard[0].split()[1] == path


def test_bodies_are_passed_on_and_nothing_after_them() -> None:
    bodies: list[bytes] = []

    async def talk(reader: StreamReader, writer: StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        bodies.append(await reader.readexactly(3))
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\n\ntea")
        await writer.drain()
        writer.write_eof()
        bodies.append(await reader.read())

    async def run() -> bytes:
        async with server(talk) as host, started() as proxy:
            request = f"POST http://{host}/ HTTP/1.1\r\nContent-Length: 3\r\n\r\ncup"
            return await said(proxy, request.encode())

    assert asyncio.run(run()) == b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ntea"
    assert bodies == [b"cup", b""]


def test_a_second_request_on_a_connection_reaches_nobody() -> None:
    heard: list[bytes] = []

    async def talk(reader: StreamReader, writer: StreamWriter) -> None:
        heard.append(await reader.read(10_000))
        heard.append(await reader.read(10_000))

    async def run() -> None:
        async with server(talk) as host, started() as proxy:
            request = f"GET http://{host}/ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
            await said(proxy, request + request)

    asyncio.run(run())
    assert [part.count(b"GET") for part in heard] == [1, 0]


def test_a_tunnel() -> None:
    async def talk(reader: StreamReader, writer: StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data.upper())

    async def run() -> list[bytes]:
        async with server(talk) as host, started(tea=PUBLIC) as proxy:
            port = host.rpartition(":")[2]
            async with connected(proxy) as (reader, writer):
                writer.write(f"CONNECT tea.example:{port} HTTP/1.1\r\n\r\n".encode())
                heard = [await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)]
                for word in (b"tea", b"cup"):
                    writer.write(word)
                    heard.append(await asyncio.wait_for(reader.readexactly(3), PATIENCE))
                return heard

    assert asyncio.run(run()) == [b"HTTP/1.1 200 Connected\r\n\r\n", b"TEA", b"CUP"]


@pytest.mark.parametrize("request_line", ["CONNECT {}", "GET http://{}/", "GET http://x@{}/"])
@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "inside.example", "[::ffff:7f00:1]", "2130706433", "0.0.0.0"]
)
def test_what_is_not_public_is_not_dialled(request_line: str, host: str) -> None:
    async def run(port: str) -> tuple[bytes, str | None]:
        async with started(inside="127.0.0.1") as proxy:
            line = request_line.format(f"{host}:{port}")
            answer = await said(proxy, f"{line} HTTP/1.1\r\n\r\n".encode())
            return answer, proxy.why_refused(f"http://{host}:{port}/a")

    with doorkeeper() as (place, visitors):
        answer, why = asyncio.run(run(place.rpartition(":")[2]))
    assert answer == REFUSED
    assert "an address of this machine" in (why or "")
    assert visitors == []


def test_why_an_address_was_refused() -> None:
    async def run() -> list[str | None]:
        async with started() as proxy:
            for place in ("10.0.0.1:80", "10.0.0.1:443"):
                await said(proxy, f"CONNECT {place} HTTP/1.1\r\n\r\n".encode())
            urls = ("http://10.0.0.1/a", "wss://10.0.0.1/", "http://10.0.0.2/", "http://[", "data:")
            return [proxy.why_refused(url) for url in urls]

    private = "10.0.0.1 is an address of a private network"
    assert asyncio.run(run()) == [private, private, None, None, None]


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", b"400"),
        (b"GET ftp://tea.example/ HTTP/1.1\r\n\r\n", b"400"),
        (b"GET https://tea.example/ HTTP/1.1\r\n\r\n", b"400"),
        (b"tea\r\n\r\n", b"400"),
        (b"CONNECT tea.example HTTP/1.1\r\n\r\n", b"400"),
        (b"CONNECT :80 HTTP/1.1\r\n\r\n", b"400"),
        (b"CONNECT nobody.example:443 HTTP/1.1\r\n\r\n", b"502"),
        (b"CONNECT 256.1.1.1:443 HTTP/1.1\r\n\r\n", b"502"),
        (b"CONNECT tea.example:25 HTTP/1.1\r\n\r\n", b"403"),
        (b"POST http://tea.example/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", b"411"),
        (b"POST http://tea.example/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"400"),
        (
            b"POST http://tea.example/ HTTP/1.1\r\ncontent-length: 1\r\nContent-Length: 2\r\n\r\n",
            b"400",
        ),
    ],
)
def test_what_is_not_a_request(request_: bytes, status: bytes) -> None:
    async def run() -> bytes:
        async with started(tea=PUBLIC) as proxy:
            return await said(proxy, request_)

    assert asyncio.run(run()).split()[1] == status


@settings(max_examples=50)
@given(st.binary(max_size=200))
def test_noise_is_survived(noise: bytes) -> None:
    async def run() -> bytes:
        async with started() as proxy:
            async with connected(proxy) as (_, writer):
                writer.write(noise)
            return await said(proxy, b"CONNECT 10.0.0.1:443 HTTP/1.1\r\n\r\n")

    assert asyncio.run(run()) == REFUSED


# Limits


def test_a_head_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_HEAD", 1000)

    async def run() -> list[bytes]:
        async with started() as proxy:
            line = b"X: " + b"x" * 50 + b"\r\n"
            return [
                await said(proxy, b"GET http://tea.example/ HTTP/1.1\r\n" + line * 30),
                await said(proxy, b"x" * 3000),
            ]

    assert asyncio.run(run()) == [b"", b""]


def test_a_browser_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HEAD_TIMEOUT", 0.1)

    async def run() -> bytes:
        async with started() as proxy:
            return await said(proxy, b"GET http://tea")

    assert asyncio.run(run()) == b""


async def _silent(reader: StreamReader, _: StreamWriter) -> None:
    await reader.read()


@pytest.mark.parametrize("name", ["LONGEST_SILENCE", "LONGEST_CONNECTION"])
@pytest.mark.parametrize("line", ["CONNECT {}", "GET http://{}/"])
def test_a_server_that_says_nothing(line: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, name, 0.1)

    async def run() -> bytes:
        async with server(_silent) as host, started() as proxy:
            return await said(proxy, f"{line.format(host)} HTTP/1.1\r\n\r\n".encode())

    answer = asyncio.run(run())
    assert answer == (b"" if line.startswith("GET") else b"HTTP/1.1 200 Connected\r\n\r\n")


def test_a_server_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 100_000)

    async def talk(_: StreamReader, writer: StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"tea " * 1000)
            await writer.drain()

    async def run() -> bytes:
        async with server(talk) as host, started() as proxy:
            return await said(proxy, f"GET http://{host}/ HTTP/1.1\r\n\r\n".encode())

    assert len(asyncio.run(run()).partition(b"\r\n\r\n")[2]) == 100_000


def test_too_many_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CONNECTIONS", 3)
    private = b"CONNECT 10.0.0.1:443 HTTP/1.1\r\n\r\n"

    async def run() -> None:
        async with server(_silent) as host, started() as proxy:
            async with AsyncExitStack() as stack:
                for _ in range(3):
                    reader, writer = await stack.enter_async_context(connected(proxy))
                    writer.write(f"CONNECT {host} HTTP/1.1\r\n\r\n".encode())
                    assert await reader.readline()
                assert await said(proxy, private) == b""
            while await said(proxy, private) != REFUSED:  # until it is known that they have ended
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def test_refusals_are_remembered_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_REFUSALS", 2)

    async def run() -> list[str]:
        async with started() as proxy:
            for end in (1, 2, 3):
                await said(proxy, f"CONNECT 10.0.0.{end}:443 HTTP/1.1\r\n\r\n".encode())
            return list(proxy.refused)

    assert asyncio.run(run()) == ["10.0.0.2:443", "10.0.0.3:443"]


def test_nothing_is_left_after_the_end() -> None:
    async def run() -> list[asyncio.Task[Any]]:
        async with server(_silent) as host:
            proxy = await Proxy.start(guard_of())
            async with connected(proxy) as (reader, writer):
                writer.write(f"CONNECT {host} HTTP/1.1\r\n\r\n".encode())
                await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
                address = urlsplit(proxy.address)
                await asyncio.wait_for(proxy.close(), PATIENCE)
                with pytest.raises(ConnectionRefusedError):
                    await asyncio.open_connection(address.hostname, address.port)
                with suppress(ConnectionResetError):
                    assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
            return [task for task in asyncio.all_tasks() if "Proxy" in repr(task)]

    assert asyncio.run(run()) == []
