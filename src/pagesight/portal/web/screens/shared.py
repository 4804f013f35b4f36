"""What a link shows to somebody without an account, each part in a frame without rights."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from pagesight.portal.web.screens.picking import png
from pagesight.portal.web.showing import content_of
from pagesight.portal.web.visits import Visit, get

FRAMED = (
    "default-src 'none'; img-src 'self'; style-src 'self' 'nonce-{nonce}'; sandbox allow-popups"
)


def shared(visit: Visit) -> Response:
    """A board or a tile."""
    secret = visit.path["secret"]
    return visit.show("shared.html", shared=visit.portal.shared(secret), secret=secret)


def tile(visit: Visit) -> Response:
    """One tile of it, for the frame."""
    shown = visit.portal.shared(visit.path["secret"], visit.path["uid"])
    (view,) = shown.views
    response = visit.show(
        "shared_tile.html",
        view=view,
        content=content_of(visit, view),
        is_public=shown.share.is_public,
    )
    nonce = visit.request.state.nonce
    response.headers["Content-Security-Policy"] = (
        f"{FRAMED.format(nonce=nonce)}; frame-ancestors 'self'"
    )
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


def picture(visit: Visit) -> Response:
    """How a tile of it looks."""
    response = png(visit.portal.shared_picture(visit.path["secret"], visit.path["uid"]))
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"  # the frame has no origin
    return response


ROUTES: list[Route] = [
    get("/shared/{secret}", shared),
    get("/shared/{secret}/{uid}", tile),
    get("/shared/{secret}/{uid}/picture", picture),
]
