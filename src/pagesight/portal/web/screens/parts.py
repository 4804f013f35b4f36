"""One part: as it is now, as it was, what changed, and how it is watched."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from pagesight.portal.errors import Invalid, NotThere
from pagesight.portal.values import Look, TileView
from pagesight.portal.web.screens.picking import png
from pagesight.portal.web.showing import content_of, marked, shown
from pagesight.portal.web.visits import Visit, get, go, post
from pagesight.watch import Observation

LISTED = 60  # moments around the one that is shown
CONDITIONS = {
    "": "Every change",
    "new items": "New items only",
    "above": "A number rises above …",
    "below": "A number falls below …",
    "present": "These words appear …",
    "absent": "These words disappear …",
}


def part(visit: Visit) -> Response:
    """A part at a moment, compared with the one before or another one."""
    view = _view(visit)
    if view.part is None:
        return visit.show("part_waiting.html", view=view)
    me, portal, uid = visit.account, visit.portal, view.tile.uid
    last = portal.observation(me, uid)
    chosen = _among(visit.number("to"), last.number) or last.number
    moments = portal.history(me, uid, before=chosen + LISTED // 2, most=LISTED)
    after = next(seen for seen in moments if seen.number == chosen)
    changes = None
    if chosen > 1:
        before = _among(visit.number("from"), chosen - 1) or chosen - 1
        changes = portal.changes(me, uid, before, chosen)
    return visit.show(
        "part.html",
        view=view,
        last=last,
        moments=moments,
        after=after,
        changes=changes,
        marked=marked(visit, changes) if changes else None,
        content=_content(visit, view, after, is_last=chosen == last.number),
        users=portal.users_of(me, uid),
        feed=portal.feed_link(me, uid),
    )


def _content(visit: Visit, view: TileView, seen: Observation, *, is_last: bool) -> Any:
    if is_last:
        return content_of(visit, view)
    if view.tile.look is Look.PICTURE and seen.has_picture:
        return None
    return shown(visit, seen, view.tile.look)


def _among(number: int | None, last: int) -> int | None:
    """A number, if there is such an observation: they are numbered without gaps."""
    return number if number and 1 <= number <= last else None


def picture(visit: Visit) -> Response:
    """How a part looked at a moment."""
    uid, number = visit.path["uid"], visit.path["number"]
    return png(visit.portal.picture(visit.account, uid, number))


def edit(visit: Visit) -> Response:
    """How a part is shown and watched."""
    view = _view(visit)
    return visit.show(
        "part_edit.html",
        view=view,
        boards=[one for one in visit.portal.boards(visit.account) if one.may_edit(visit.account)],
        channels=visit.portal.channels(visit.account),
        conditions=CONDITIONS,
    )


def change(visit: Visit) -> Response:
    """Save that."""
    view = _view(visit)
    uid = view.tile.uid
    visit.portal.change_tile(
        visit.account,
        uid,
        name=visit.text("name"),
        look=visit.text("look") or view.tile.look,
        every=visit.number("every"),
        condition=condition_of(visit.text("when"), visit.text("value")),
        is_paused=bool(visit.text("is_paused")),
        **_channel(visit, view),
    )
    _, _, tab = visit.text("tab").partition("/")
    if tab:
        visit.portal.move_tile(visit.account, uid, tab)
    return go(f"/tiles/{uid}", "saved")


def _channel(visit: Visit, view: TileView) -> dict[str, int | None]:
    """Where messages go; that of somebody else, which the form does not know, stays."""
    chosen, now = visit.number("channel"), view.tile.channel
    mine = {one.id for one in visit.portal.channels(visit.account)}
    return {} if chosen is None and now not in {None, *mine} else {"channel": chosen}


def condition_of(when: str, value: str) -> dict[str, Any] | None:
    """Which changes matter, as it is kept; None: all."""
    if when not in CONDITIONS:
        raise Invalid("this condition is not known", field="when")
    if not when:
        return None
    if when == "new items":
        return {"kind": when}
    if not value:
        raise Invalid("say which number or which words", field="value")
    if when in ("above", "below"):
        return {"kind": when, "number": _float(value)}
    return {"kind": when, "words": value}


def _float(value: str) -> float:
    try:
        return float(value.replace(",", "."))
    except ValueError:
        raise Invalid(f"{value[:40]!r} is not a number", field="value") from None


def check_now(visit: Visit) -> Response:
    """Look at the page again, without waiting."""
    visit.portal.check_now(visit.account, visit.path["uid"])
    return go(f"/tiles/{visit.path['uid']}", "checking")


def pause(visit: Visit) -> Response:
    """Look at it no more, or again."""
    view = _view(visit)
    visit.portal.change_tile(visit.account, view.tile.uid, is_paused=not view.tile.is_paused)
    return go(f"/tiles/{view.tile.uid}", "saved")


def remove(visit: Visit) -> Response:
    """Take a tile off its board."""
    visit.portal.remove_tile(visit.account, visit.path["uid"])
    return go("/", "removed")


def question(visit: Visit) -> Response:
    """Whether this is it."""
    asked = visit.portal.question(visit.account, visit.path["uid"])
    return visit.show("question.html", question=asked)


def candidate(visit: Visit) -> Response:
    """A picture of what a part was, or may be now."""
    asked = visit.portal.question(visit.account, visit.path["uid"])
    pictures = [asked.known_picture, *(one.picture for one in asked.candidates)]
    number = visit.path["number"]
    if number >= len(pictures):
        raise NotThere("there is no such candidate")
    response = png(pictures[number])
    response.headers["Cache-Control"] = "no-store"  # the next question has other ones
    return response


def answer(visit: Visit) -> Response:
    """What somebody says it is."""
    uid, said = visit.path["uid"], visit.text("answer")
    if said == "it":
        visit.portal.answer(visit.account, uid, xpath=visit.text("xpath"))
    elif said in ("gone", "pause"):
        visit.portal.answer(visit.account, uid, gone=said == "gone", pause=said == "pause")
    else:
        raise Invalid("this is not an answer", field="answer")
    return go(f"/tiles/{uid}", "paused" if said == "pause" else "answered")


def _view(visit: Visit) -> TileView:
    return visit.portal.tile(visit.account, visit.path["uid"])


ROUTES: list[Route] = [
    get("/tiles/{uid}", part),
    post("/tiles/{uid}", change, back=edit),
    get("/tiles/{uid}/edit", edit),
    get("/tiles/{uid}/pictures/{number:int}", picture),
    post("/tiles/{uid}/check", check_now, back=part),
    post("/tiles/{uid}/pause", pause),
    post("/tiles/{uid}/remove", remove),
    get("/tiles/{uid}/question", question),
    get("/tiles/{uid}/candidates/{number:int}", candidate),
    post("/tiles/{uid}/question", answer, back=question),
]
