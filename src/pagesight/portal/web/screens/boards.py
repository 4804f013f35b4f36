"""My page: boards, their tabs, and the tiles on them."""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pagesight.portal.errors import Invalid, NotThere
from pagesight.portal.values import Board, Place, Tab, Tile
from pagesight.portal.web.arranging import MOVES, moved_by
from pagesight.portal.web.showing import content_of, stamp_of
from pagesight.portal.web.visits import Visit, get, go, post


def home(visit: Visit) -> Response:
    """The first board, or how to begin."""
    boards = visit.portal.boards(visit.account)
    return go(f"/boards/{boards[0].uid}") if boards else go("/add")


def board(visit: Visit) -> Response:
    """A board, at one of its tabs."""
    shown = visit.portal.board(visit.account, visit.path["uid"])
    tab = _tab(shown, visit.path.get("tab"))
    views = [
        view
        for view in visit.portal.tile_views(visit.account, shown.uid)
        if tab and view.tile.tab == tab.id
    ]
    views.sort(key=lambda view: (view.tile.place.y, view.tile.place.x))
    return visit.show(
        "board.html",
        board=shown,
        tab=tab,
        boards=visit.portal.boards(visit.account),
        cards=[(view, content_of(visit, view), stamp_of(view)) for view in views],
        may_edit=shown.may_edit(visit.account),
    )


def stamps(visit: Visit) -> Response:
    """What tells a browser which tiles are not as it shows them any more."""
    views = visit.portal.tile_views(visit.account, visit.path["uid"])
    return JSONResponse({view.tile.uid: stamp_of(view) for view in views})


def card(visit: Visit) -> Response:
    """One tile."""
    view = visit.portal.tile(visit.account, visit.path["uid"])
    return visit.show("card.html", view=view, content=content_of(visit, view), stamp=stamp_of(view))


def arrange(visit: Visit) -> Response:
    """Tiles were dragged: where all of them are now."""
    places, version = _arrangement(visit.body)
    changed = visit.portal.arrange(visit.account, visit.path["tab"], places, version)
    return JSONResponse({"version": changed.version})


def _arrangement(body: Any) -> tuple[dict[str, Place], int]:
    try:
        return (
            {uid: Place(**{name: int(place[name]) for name in Place.__slots__})
             for uid, place in body["places"].items()},
            int(body["version"]),
        )  # fmt: skip
    except (AttributeError, KeyError, TypeError, ValueError):
        raise Invalid("this is not an arrangement of tiles", field="places") from None


def move(visit: Visit) -> Response:
    """Move or resize a tile by a button."""
    view = visit.portal.tile(visit.account, visit.path["uid"])
    shown, tab = _home(visit, view.tile)
    step = MOVES.get(visit.text("move"))
    if step is None:
        raise Invalid("a tile cannot move that way", field="move")
    places = {tile.uid: tile.place for tile in tab.tiles}
    moved = moved_by(places, view.tile.uid, step)
    visit.portal.arrange(visit.account, tab.uid, moved, shown.version)
    return go(f"/boards/{shown.uid}/{tab.uid}#tile-{view.tile.uid}")


def edit(visit: Visit) -> Response:
    """A board's name, its tabs, and who may see it."""
    shown = visit.portal.board(visit.account, visit.path["uid"])
    is_mine = shown.owner == visit.account.id
    return visit.show(
        "board_edit.html",
        board=shown,
        is_mine=is_mine,
        people=visit.portal.people(visit.account) if is_mine else [],
        shares=visit.portal.shares(visit.account, board=shown.uid) if is_mine else [],
        link=visit.text("link"),
    )


def make_board(visit: Visit) -> Response:
    """A new board."""
    made = visit.portal.make_board(visit.account, visit.text("name"))
    return go(f"/boards/{made.uid}")


def change_board(visit: Visit) -> Response:
    """Another name, or the end of a board."""
    uid = visit.path["uid"]
    if visit.text("action") == "remove":
        visit.portal.remove_board(visit.account, uid)
        return go("/", "removed")
    visit.portal.rename_board(visit.account, uid, visit.text("name"))
    return go(f"/boards/{uid}/edit", "saved")


def make_tab(visit: Visit) -> Response:
    """A new tab."""
    visit.portal.make_tab(visit.account, visit.path["uid"], visit.text("name"))
    return go(f"/boards/{visit.path['uid']}/edit", "saved")


def change_tab(visit: Visit) -> Response:
    """Another name, another place, or the end of a tab."""
    tab, action = visit.path["tab"], visit.text("action")
    if action == "remove":
        visit.portal.remove_tab(visit.account, tab)
    elif action in ("up", "down"):
        tabs = [one.uid for one in visit.portal.board(visit.account, visit.path["uid"]).tabs]
        if tab in tabs:
            position = tabs.index(tab) + (1 if action == "down" else -1)
            visit.portal.move_tab(visit.account, tab, max(0, position))
    else:
        visit.portal.rename_tab(visit.account, tab, visit.text("name"))
    return go(f"/boards/{visit.path['uid']}/edit", "saved")


def set_people(visit: Visit) -> Response:
    """Who else may see a board, and who may change it."""
    allowed = {"see": False, "change": True}
    people = {
        key.removeprefix("person-"): allowed[value]
        for key, value in visit.form.items()
        if key.startswith("person-") and isinstance(value, str) and value in allowed
    }
    visit.portal.set_people(visit.account, visit.path["uid"], people)
    return go(f"/boards/{visit.path['uid']}/edit", "saved")


def _tab(shown: Board, uid: str | None) -> Tab | None:
    if uid is None:
        return shown.tabs[0] if shown.tabs else None
    for tab in shown.tabs:
        if tab.uid == uid:
            return tab
    raise NotThere("this tab is not here any more")


def _home(visit: Visit, tile: Tile) -> tuple[Board, Tab]:
    """Where a tile is."""
    for shown in visit.portal.boards(visit.account):
        for tab in shown.tabs:
            if tab.id == tile.tab:
                return shown, tab
    raise NotThere("this tile is not here any more")


ROUTES: list[Route] = [
    get("/", home),
    post("/boards", make_board),
    get("/boards/{uid}", board),
    post("/boards/{uid}", change_board, back=edit),
    get("/boards/{uid}/edit", edit),
    get("/boards/{uid}/stamps", stamps),
    post("/boards/{uid}/people", set_people, back=edit),
    post("/boards/{uid}/tabs", make_tab, back=edit),
    post("/boards/{uid}/tabs/{tab}", change_tab, back=edit),
    get("/boards/{uid}/{tab}", board),
    post("/tabs/{tab}/places", arrange),
    get("/tiles/{uid}/card", card),
    post("/tiles/{uid}/move", move),
]
