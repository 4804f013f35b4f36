"""Content from the web."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import httpx

from pagesight.errors import (
    FetchFailed,
    FetchTimeout,
    NotModified,
    SourceError,
    SourceNotFound,
    TooManyRedirects,
)
from pagesight.sources.source import Limits, Validators, login_of, too_large, without_login

NOT_MODIFIED = 304
_CONDITIONS = {"if-none-match", "if-modified-since"}
_ACCEPT = "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a server sent in the end, after all redirects."""

    data: bytes
    """As it came over the wire, possibly gzipped."""

    url: str
    content_type: str | None
    charset: str | None
    headers: tuple[tuple[str, str], ...]


def user_agent() -> str:
    """How Pagesight introduces itself to servers."""
    try:
        return f"Mozilla/5.0 (compatible; Pagesight/{version('pagesight')})"
    except PackageNotFoundError:
        return "Mozilla/5.0 (compatible; Pagesight)"


def fetch(url: str, limits: Limits, validators: Validators | None = None) -> Answer:
    """Ask the server for `url` and follow redirects, all within `limits`.

    With the `validators` of a copy, raises `NotModified` if the server says that it still holds.
    """
    # Only an event loop can cancel a fetch at any point, for example while headers trickle in.
    # It gets its own thread because the caller may be inside another loop.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(_fetch_in_time(url, limits, validators))).result()


async def _fetch_in_time(url: str, limits: Limits, validators: Validators | None) -> Answer:
    try:
        async with asyncio.timeout(limits.total_timeout):
            return await _fetch(url, limits, validators)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, OSError) as error:
        raise _explained(error, limits) from error


async def _fetch(url: str, limits: Limits, validators: Validators | None) -> Answer:
    timeout = httpx.Timeout(limits.read_timeout, connect=limits.connect_timeout)
    # Nothing but gzip, because its decompression is limited in size.
    headers = {"user-agent": user_agent(), "accept": _ACCEPT, "accept-encoding": "gzip"}
    headers |= validators.headers() if validators else {}
    async with _client(limits, timeout=timeout, headers=headers) as client:
        request: httpx.Request | None = _request(client, url)
        if not httpx.URL(url).host:
            raise FetchFailed("this address names no server")
        for _ in range(limits.max_redirects + 1):
            assert request is not None
            response = await client.send(request, stream=True)
            try:
                request = response.next_request
                if request is None:
                    return await _read(response, limits.max_size)
            finally:
                await response.aclose()
    error = TooManyRedirects(f"more than {limits.max_redirects} redirects")
    error.location = str(request.url) if request is not None else None
    raise error


def _client(limits: Limits, **settings: Any) -> httpx.AsyncClient:
    """A client that goes where the guard lets it, if there is one, and through no proxy then."""
    if limits.guard is None:
        return httpx.AsyncClient(verify=_trusted(), **settings)
    from pagesight.sources.egress.transport import GuardedTransport

    transport = GuardedTransport(limits.guard, _trusted())
    return httpx.AsyncClient(transport=transport, trust_env=False, **settings)


@cache
def _trusted() -> ssl.SSLContext:
    """The certificates that are trusted; reading them takes longer than most requests."""
    return httpx.create_ssl_context()


def _request(client: httpx.AsyncClient, url: str) -> httpx.Request:
    """A request whose address may be logged: user name and password are in a header."""
    headers = {}
    if login := login_of(url):
        headers["authorization"] = f"Basic {b64encode(':'.join(login).encode()).decode()}"
    return client.build_request("GET", without_login(url), headers=headers)


async def _read(response: httpx.Response, max_size: int) -> Answer:
    _check_head(response, max_size)
    data = bytearray()
    async for chunk in response.aiter_raw():
        data += chunk
        if len(data) > max_size:
            raise too_large(max_size)
    return Answer(
        data=bytes(data),
        url=str(response.url),
        content_type=response.headers.get("content-type"),
        charset=response.charset_encoding,
        headers=tuple(response.headers.multi_items()),
    )


def _check_head(response: httpx.Response, max_size: int) -> None:
    if response.status_code == NOT_MODIFIED and _CONDITIONS & set(response.request.headers):
        raise NotModified("the server says that the page has not changed")
    if not response.is_success:
        raise _refused(response)
    length = response.headers.get("content-length", "")
    if length.isdecimal() and int(length) > max_size:
        raise too_large(max_size)
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in {"", "identity", "gzip", "x-gzip"}:
        raise FetchFailed(f"the server compressed the page in a way not asked for ({coding})")


def _refused(response: httpx.Response) -> SourceError:
    status = f"HTTP status {response.status_code} {response.reason_phrase}".rstrip()
    if response.status_code in (404, 410):
        return SourceNotFound(f"the server has no such page ({status})")
    error = FetchFailed(f"the server did not give the page ({status})")
    error.retry_after = _seconds(response.headers.get("retry-after", ""))
    return error


def _seconds(written: str) -> float | None:
    """How long a server wants us to wait: it says so in seconds, or names a date."""
    if written.strip().isdecimal():
        return float(written)
    try:
        return max(0.0, parsedate_to_datetime(written).timestamp() - time.time())
    except ValueError:
        return None


def _explained(error: Exception, limits: Limits) -> SourceError:
    match error:
        case TimeoutError():
            hint = "Raise the limit with --timeout."
            return FetchTimeout(f"not fetched within {limits.total_timeout:g} s", hint=hint)
        case httpx.ConnectTimeout():
            return FetchTimeout(f"no connection to the server within {limits.connect_timeout:g} s")
        case httpx.TimeoutException():
            return FetchTimeout(f"no answer from the server for {limits.read_timeout:g} s")
        case httpx.UnsupportedProtocol():
            return FetchFailed("this leads to an address that is neither http:// nor https://")
        case httpx.InvalidURL() | ValueError():
            return FetchFailed(f"this is not a valid address ({error})")
    return FetchFailed(_reason(error))


def _reason(error: Exception) -> str:
    """Why there is no answer, in plain words, from the first cause that is known."""
    for cause in _causes(error):
        match cause:
            case ssl.SSLCertVerificationError():
                why = getattr(cause, "verify_message", cause)
                return f"the certificate of the server is not valid ({why})"
            case ssl.SSLError():
                why = getattr(cause, "reason", None) or cause
                return f"no secure connection to the server ({why})"
            case socket.gaierror():
                return "there is no server of that name"
            case ConnectionRefusedError():
                return "the server refused the connection"
            case ConnectionResetError():
                return "the server broke off the connection"
    return f"the fetch failed ({error or type(error).__name__})"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        else:
            error = error.__cause__ or error.__context__
