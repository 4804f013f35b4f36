"""Fetches through a guard: the request goes to the address that was checked, and to no other."""

from __future__ import annotations

import ssl

import httpx

from pagesight.sources.egress.addresses import canonical
from pagesight.sources.egress.guard import USUAL_PORTS, Guard


class GuardedTransport(httpx.AsyncBaseTransport):
    """Looks each request's host up once, and dials what the guard lets pass.

    The server still sees its name, in the Host header and in TLS, and its certificate has to be of
    that name. Redirects are requests of their own, so they are checked as well.
    """

    def __init__(self, guard: Guard, trusted: ssl.SSLContext) -> None:
        self._guard = guard
        # No connection is used twice: one to the same address may be of another name.
        once = httpx.Limits(max_keepalive_connections=0)
        self._inner = httpx.AsyncHTTPTransport(verify=trusted, trust_env=False, limits=once)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request to the first of its host's addresses that takes connections."""
        url = request.url
        if url.scheme not in USUAL_PORTS:
            raise httpx.UnsupportedProtocol(f"not an http(s) address: {url.scheme}")
        host = url.raw_host.decode("ascii")
        *others, last = await self._guard.addresses(host, url.port or USUAL_PORTS[url.scheme])
        for address in others:
            try:
                return await self._dial(request, address)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue  # nothing was sent yet
        return await self._dial(request, last)

    async def _dial(self, request: httpx.Request, address: str) -> httpx.Response:
        name = canonical(request.url.raw_host.decode("ascii"))
        dialled = httpx.Request(
            request.method,
            request.url.copy_with(host=address),
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": name},
        )
        return await self._inner.handle_async_request(dialled)

    async def aclose(self) -> None:
        """Close what is still open."""
        await self._inner.aclose()
