"""What browsers, readers of feeds and monitors get: pictures, feeds, metrics, health."""

from __future__ import annotations

from anyio import CapacityLimiter, to_thread
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from pagesight.errors import PagesightError
from pagesight.portal.api.metrics import CONTENT_TYPE, metrics_of
from pagesight.portal.api.operations import Answer, tags_in
from pagesight.portal.api.problems import Refused, problem_of
from pagesight.portal.api.routing import account_of, api_routes, sent
from pagesight.portal.api.tiles import ATOM, JSON_FEED
from pagesight.portal.foreign.pictures import HEADERS, Pictures
from pagesight.portal.foreign.signing import Signer
from pagesight.portal.portal import Portal
from pagesight.portal.values import Scope
from pagesight.watch.feeds import atom, json_feed

AT_ONCE = 8  # pictures that are fetched side by side; screens must not wait for them
FEEDS = {"atom": (atom, ATOM), "json": (json_feed, JSON_FEED)}


def routes(portal: Portal, pictures: Pictures) -> list[BaseRoute]:
    """All that is not a screen."""
    signed = _Pictures(portal, pictures)
    return [
        *api_routes(portal),
        Route("/pictures/{signature}/{encoded}", signed.answer, methods=["GET"]),
        Route("/feeds/{secret}/{kind}", _Feeds(portal).answer, methods=["GET"]),
        Route("/metrics", _Metrics(portal).answer, methods=["GET"]),
        Route("/health", _Health(portal).answer, methods=["GET"]),
    ]


class _Pictures:
    """Pictures of strangers, at addresses that this installation has signed."""

    def __init__(self, portal: Portal, pictures: Pictures) -> None:
        self._signer = Signer(portal.key("picture"))
        self._pictures = pictures
        self._limiter: CapacityLimiter | None = None

    async def answer(self, request: Request) -> Response:
        """What is sent."""
        url = self._signer.url(**request.path_params)
        if url is None:
            return PlainTextResponse("There is no such picture.\n", 404)
        self._limiter = self._limiter or CapacityLimiter(AT_ONCE)
        try:
            raster = await to_thread.run_sync(self._pictures.get, url, limiter=self._limiter)
        except PagesightError:
            headers = HEADERS | {"Cache-Control": "no-store"}  # it may be there soon
            return PlainTextResponse("There is no such picture.\n", 404, headers)
        return Response(raster.data, 200, HEADERS, raster.media_type)


class _Feeds:
    """Feeds, at addresses that each open one feed."""

    def __init__(self, portal: Portal) -> None:
        self._portal = portal

    async def answer(self, request: Request) -> Response:
        """What is sent."""
        return await run_in_threadpool(self._answer, request)

    def _answer(self, request: Request) -> Response:
        if (kind := request.path_params["kind"]) not in FEEDS:
            return PlainTextResponse("There is no such feed.\n", 404)
        write, media = FEEDS[kind]
        try:
            text = write(*self._portal.opened_feed(request.path_params["secret"]))
        except PagesightError as error:
            return problem_of(error)
        answer = Answer(data=text.encode("utf-8", "replace"), media=media)
        return sent(answer, tags_in(request.headers.get("if-none-match")))


class _Metrics:
    """Numbers for Prometheus, to programs of who looks after the portal."""

    def __init__(self, portal: Portal) -> None:
        self._portal = portal

    async def answer(self, request: Request) -> Response:
        """What is sent."""
        return await run_in_threadpool(self._answer, request)

    def _answer(self, request: Request) -> Response:
        try:
            account = account_of(self._portal, request, Scope.ADMIN)
            health = self._portal.health(account)
        except (Refused, PagesightError) as error:
            return problem_of(error)
        return Response(metrics_of(health), 200, {"Content-Type": CONTENT_TYPE})


class _Health:
    """Whether the work is being done, for whoever starts and stops servers; nothing else."""

    def __init__(self, portal: Portal) -> None:
        self._portal = portal

    async def answer(self, _: Request) -> Response:
        """What is sent."""
        health = await run_in_threadpool(self._portal.health)
        state = "well" if health.is_well else "no worker"
        return JSONResponse({"status": state}, 200 if health.is_well else 503)
