"""What every request passes: who asks, from where, and what the browser may do with the answer."""

from __future__ import annotations

import ipaddress
import secrets
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from httpx import URL
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagesight.portal.values import Session

# All that nobody has to sign in for. Those that end in a slash stand for everything below them.
PUBLIC = (
    "/welcome",
    "/sign-in",
    "/invitations/",  # the secret is in the address
    "/shared/",  # so it is here
    "/static/",
)
# These ask for a token of their own, and answer in their own way.
TOKENS = ("/api/", "/feeds/", "/pictures/", "/metrics", "/health")
IMPORTS = ("/settings/transfer", "/api/v1/import")
MOST_FROM_STRANGERS = 64 << 10  # bytes of a form: a name and a password
SAFE = ("GET", "HEAD", "OPTIONS")

Handler = Callable[[Scope, Receive, Send], Any]


def is_below(path: str, places: tuple[str, ...]) -> bool:
    """Whether a path is one of some places, or below one that ends in a slash."""
    return any(path.startswith(p) if p.endswith("/") else path == p for p in places)


class Policy:
    """Tells the browser to load, run and send nothing but what is ours."""

    def __init__(self, app: ASGIApp, *, is_secure: bool) -> None:
        self.app = app
        self.is_secure = is_secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        nonce = secrets.token_urlsafe(16)
        scope.setdefault("state", {})["nonce"] = nonce

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers(nonce).items():
                    headers.setdefault(name, value)  # a screen may know better
            await send(message)

        await self.app(scope, receive, sending)

    def _headers(self, nonce: str) -> dict[str, str]:
        policy = (
            "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; "
            f"style-src 'self' 'nonce-{nonce}'; font-src 'self'; frame-src 'self'; "
            "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        )
        headers = {
            "Content-Security-Policy": policy,
            "Cache-Control": "no-store",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
            "Referrer-Policy": "same-origin",  # with "no-referrer", forms would have no origin
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
        }
        if self.is_secure:
            headers["Strict-Transport-Security"] = "max-age=31536000"
        return headers


class Origins:
    """Refuses what another site makes a browser send.

    Without a public address, the host must be one that no stranger's name can lead to: an address
    in numbers, or a name of this machine.
    """

    def __init__(self, app: ASGIApp, *, public: str | None) -> None:
        self.app = app
        self.public = _origin(public) if public else None
        self.names = {"localhost", *_own_names()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        await (refusal or self.app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if not self.public and not self._is_ours(headers.get("host", "")):
            return PlainTextResponse(
                "This name is not known here. Start the server with --public-address to use it.\n",
                421,
            )
        if scope["method"] in SAFE or _has_token(headers):
            return None
        expected = self.public or f"{scope['scheme']}://{headers.get('host', '')}".lower()
        if headers.get("origin", "").lower() == expected:
            return None
        return PlainTextResponse("This came from another site, and was not done.\n", 403)

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            ipaddress.ip_address(name)
        except ValueError:
            return host.partition(":")[0].lower() in self.names
        return True


def _origin(address: str) -> str:
    """As browsers write it: without the usual port, and in ASCII."""
    url = URL(address)
    return f"{url.scheme}://{url.netloc.decode('ascii')}"


def _own_names() -> set[str]:
    name = socket.gethostname().lower()
    return {name, f"{name.partition('.')[0]}.local"}


def _has_token(headers: Headers) -> bool:
    """Whether a program asks: no browser adds such a header by itself."""
    return headers.get("authorization", "").lower().startswith("bearer ")


class Sizes:
    """Refuses what is too large to be meant: a file to import is large, all else is not."""

    def __init__(self, app: ASGIApp, *, usual: int, imported: int) -> None:
        self.app = app
        self.usual = usual
        self.imported = imported

    def _most(self, path: str) -> int:
        if is_below(path, PUBLIC):
            return MOST_FROM_STRANGERS
        return self.imported if path in IMPORTS else self.usual

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most = self._most(scope["path"])
        length = Headers(scope=scope).get("content-length", "0")
        left = most

        async def receiving() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise HTTPException(413)
            return message

        if length.isdigit() and int(length) <= most:
            await self.app(scope, receiving, send)
        else:
            await PlainTextResponse("This is too large.\n", 413)(scope, receive, send)


class Sessions:
    """Lets nobody in who has not signed in, except to what is public."""

    def __init__(self, app: ASGIApp, *, find: Callable[[str], Session | None], cookie: str) -> None:
        self.app = app
        self.find = find
        self.cookie = cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        is_private = not is_below(scope["path"], (*PUBLIC, *TOKENS))
        session = (
            await self._session(request) if not is_below(scope["path"], ("/static/",)) else None
        )
        request.state.session = session
        if is_private and session is None:
            await _door(request)(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _session(self, request: Request) -> Session | None:
        token = request.cookies.get(self.cookie)
        request.state.token = token
        if not token or _has_token(request.headers):
            return None
        return await run_in_threadpool(self.find, token)


def _door(request: Request) -> Response:
    """Where somebody who has not signed in is sent."""
    if request.method in SAFE:
        return RedirectResponse("/sign-in", 303)
    return PlainTextResponse("Sign in first.\n", 401)
