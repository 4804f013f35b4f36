"""What a link shows to somebody without an account, each part in a frame without rights."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from pagesight.portal.errors import NotThere
from pagesight.portal.values import Shared, TileView
from pagesight.portal.web.screens.picking import png
from pagesight.portal.web.showing import content_of
from pagesight.portal.web.visits import Visit, get

FRAMED = (
    "default-src 'none'; img-src 'self'; style-src 'self' 'nonce-{nonce}'; sandbox allow-popups"
)


def shared(visit: Visit) -> Response:
    """A board or a tile."""
    return visit.show("shared.html", shared=_shared(visit), secret=visit.path["secret"])


def tile(visit: Visit) -> Response:
    """One tile of it, for the frame."""
    shown = _shared(visit)
    view = _view(visit, shown)
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


def _shared(visit: Visit) -> Shared:
    return visit.portal.shared(visit.path["secret"])


def _view(visit: Visit, shown: Shared) -> TileView:
    for view in shown.views:
        if view.tile.uid == visit.path["uid"]:
            return view
    raise NotThere("this link does not lead anywhere any more")


ROUTES: list[Route] = [
    get("/shared/{secret}", shared),
    get("/shared/{secret}/{uid}", tile),
    get("/shared/{secret}/{uid}/picture", picture),
]
