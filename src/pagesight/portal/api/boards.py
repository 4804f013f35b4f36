"""Boards, their tabs, and where tiles are on them."""

from __future__ import annotations

import re

from pagesight.portal.api.fields import Field, checked
from pagesight.portal.api.operations import ANY, NOTHING, Answer, Call, Operation, answer, listed
from pagesight.portal.errors import Conflict, Invalid
from pagesight.portal.values import Board, Place, Scope, Tab

NAME = Field(name="name", is_required=True)
OTHER_NAME = Field(name="name")
POSITION = Field(name="position", type="integer", about="from 0")
PEOPLE = Field(
    name="people", type="object", items="boolean",
    about="by name who else may see it, and whether they may change it",
)  # fmt: skip
PLACES = Field(
    name="places", type="object", items="object", is_required=True,
    about="by the uid of a tile its place: x, y, width, height",
)  # fmt: skip
PLACE = tuple(
    Field(name=name, type="integer", is_required=True) for name in ("x", "y", "width", "height")
)
_VERSION = re.compile(r'"[^"]*-(\d{1,9})"')


def list_boards(call: Call) -> Answer:
    """The boards that you may see, your own first."""
    return listed(call, call.portal.boards(call.account), lambda board: board.uid)


def get_board(call: Call) -> Answer:
    """A board with its tabs and tiles."""
    return _answer(call.portal.board(call.account, call.path["uid"]))


def _answer(board: Board, status: int = 200) -> Answer:
    location = f"/api/v1/boards/{board.uid}" if status == 201 else None
    return answer(board, status=status, tag=f'"{board.uid}-{board.version}"', location=location)


def make_board(call: Call) -> Answer:
    """Make a board with one tab."""
    return _answer(call.portal.make_board(call.account, call.body["name"]), 201)


def change_board(call: Call) -> Answer:
    """Give a board another name, another position among yours, or to other people."""
    uid, portal = call.path["uid"], call.portal
    portal.board(call.account, uid)
    if "name" in call.body:
        portal.rename_board(call.account, uid, call.body["name"])
    if "position" in call.body:
        portal.move_board(call.account, uid, call.body["position"])
    if "people" in call.body:
        portal.set_people(call.account, uid, call.body["people"])
    return get_board(call)


def remove_board(call: Call) -> Answer:
    """Forget a board with all its tiles."""
    call.portal.remove_board(call.account, call.path["uid"])
    return NOTHING


def make_tab(call: Call) -> Answer:
    """Make a tab, the last one of its board."""
    tab = call.portal.make_tab(call.account, call.path["uid"], call.body["name"])
    return answer(tab, status=201)


def change_tab(call: Call) -> Answer:
    """Give a tab another name or position; gives its board."""
    uid, portal = call.path["uid"], call.portal
    if not call.body:
        raise Invalid("say what to change", field="name")
    if "name" in call.body:
        portal.rename_tab(call.account, uid, call.body["name"])
    if "position" in call.body:
        portal.move_tab(call.account, uid, call.body["position"])
    return _answer(portal.arrange(call.account, uid, {}))


def remove_tab(call: Call) -> Answer:
    """Forget a tab with its tiles; gives its board."""
    return _answer(call.portal.remove_tab(call.account, call.path["uid"]))


def arrange_tiles(call: Call) -> Answer:
    """Move tiles of a tab, all at once; gives their board, whose tag `If-Match` takes."""
    places = {tile: Place(**checked(place, PLACE)) for tile, place in call.body["places"].items()}
    version = _version(call.tags)
    return _answer(call.portal.arrange(call.account, call.path["uid"], places, version))


def _version(tags: frozenset[str]) -> int | None:
    """The version of a board that a tag is of."""
    if tags in (set(), ANY):
        return None
    for known in filter(None, map(_VERSION.fullmatch, tags)):
        return int(known[1])
    raise Conflict("this is not the tag of a board")


OPERATIONS = (
    Operation(method="GET", path="/boards", handler=list_boards, gives=Board, is_listed=True),
    Operation(method="POST", path="/boards", handler=make_board, scope=Scope.WRITE, body=[NAME],
              gives=Board, status=201),
    Operation(method="GET", path="/boards/{uid}", handler=get_board, gives=Board),
    Operation(method="PATCH", path="/boards/{uid}", handler=change_board, scope=Scope.WRITE,
              body=[OTHER_NAME, POSITION, PEOPLE], gives=Board, current=get_board),
    Operation(method="DELETE", path="/boards/{uid}", handler=remove_board, scope=Scope.WRITE,
              status=204, current=get_board),
    Operation(method="POST", path="/boards/{uid}/tabs", handler=make_tab, scope=Scope.WRITE,
              body=[NAME], gives=Tab, status=201, current=get_board),
    Operation(method="PATCH", path="/tabs/{uid}", handler=change_tab, scope=Scope.WRITE,
              body=[OTHER_NAME, POSITION], gives=Board),
    Operation(method="DELETE", path="/tabs/{uid}", handler=remove_tab, scope=Scope.WRITE,
              gives=Board),
    Operation(method="PUT", path="/tabs/{uid}/places", handler=arrange_tiles, scope=Scope.WRITE,
              body=[PLACES], gives=Board, is_versioned=True),
)  # fmt: skip
