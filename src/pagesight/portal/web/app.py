"""The application that a server runs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from pagesight.portal.api.serving import routes
from pagesight.portal.foreign import Foreign
from pagesight.portal.foreign.pictures import Pictures
from pagesight.portal.portal import Portal
from pagesight.portal.transfer.archive import LARGEST_FILE
from pagesight.portal.web.files import Files
from pagesight.portal.web.guards import Origins, Policy, Sessions, Sizes
from pagesight.portal.web.screens import (
    boards,
    changed,
    doors,
    parts,
    picking,
    settings,
    shared,
)
from pagesight.portal.web.templating import Templates
from pagesight.portal.web.visits import MOST_UPLOADED
from pagesight.render.cache import cache_folder

SCREENS = (doors, picking, boards, parts, changed, settings, shared)


def make_app(portal: Portal) -> Starlette:
    """All screens of a portal, behind what guards them."""
    files = Files()
    public = portal.config.public_address
    is_secure = bool(public and public.startswith("https:"))
    cookie = "__Host-session" if is_secure else "session"
    pictures = Pictures(cache_folder() / "pictures", portal.config.guarded_limits)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        pictures.close()

    app = Starlette(
        routes=[*_routes(files), *routes(portal, pictures)],
        lifespan=lifespan,
        middleware=[
            Middleware(Policy, is_secure=is_secure),
            Middleware(Origins, public=public),
            Middleware(Sizes, usual=2 * MOST_UPLOADED, imported=LARGEST_FILE + MOST_UPLOADED),
            Middleware(Sessions, find=portal.session, cookie=cookie),
        ],
        exception_handlers={HTTPException: _missing, 500: _broken},
    )
    app.state.portal = portal
    app.state.templates = Templates(files)
    app.state.foreign = Foreign(portal.key("picture"))
    app.state.cookie = cookie
    app.state.public = public
    return app


def _routes(files: Files) -> list[BaseRoute]:
    screens = [route for screen in SCREENS for route in screen.ROUTES]
    return [*screens, Route("/static/{name}", files.serve, methods=["GET"])]


def _missing(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return _bare(request, "missing.html", status)


def _broken(request: Request, error: Exception) -> Response:  # noqa: ARG001 – it is logged
    return _bare(request, "broken.html", 500)


def _bare(request: Request, template: str, status: int) -> Response:
    templates: Templates = request.app.state.templates
    return templates.bare(request, template, status)
