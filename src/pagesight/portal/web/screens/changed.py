"""What changed, in all parts, since somebody was here last."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from pagesight.portal.web.visits import Visit, get, go, post


def news(visit: Visit) -> Response:
    """Everything that is new."""
    return visit.show(
        "news.html",
        news=visit.portal.news(visit.account),
        channels=visit.portal.channels(visit.account),
        since=visit.account.seen_until,
    )


def mark_seen(visit: Visit) -> Response:
    """What is new now is not new any more."""
    visit.portal.mark_seen(visit.account)
    return go("/news", "seen")


def set_digest(visit: Visit) -> Response:
    """Whether a message a day tells of it, and where it goes."""
    visit.portal.settings(
        visit.account,
        digest_channel=visit.number("channel"),
        digest_hour=visit.number("hour"),
        time_zone=visit.text("time_zone") or None,
    )
    return go("/news", "saved")


ROUTES: list[Route] = [
    get("/news", news),
    post("/news/seen", mark_seen),
    post("/news/digest", set_digest, back=news),
]
