"""Tiles: what is in them, their history, what changed, and the question which part it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pagesight.portal.api.boards import PLACE
from pagesight.portal.api.fields import Field, checked
from pagesight.portal.api.operations import (
    NOTHING,
    Answer,
    Call,
    Operation,
    answer,
    astray,
    paged,
)
from pagesight.portal.errors import NotThere
from pagesight.portal.values import JobState, Look, Place, Question, Scope, Tile, TileView
from pagesight.watch import Changes, Observation
from pagesight.watch.feeds import atom, json_feed

PNG, ATOM, JSON_FEED = "image/png", "application/atom+xml", "application/feed+json"
LOOK = Field(name="look", values=[look.value for look in Look])
EVERY = Field(
    name="every", type="integer", may_be_null=True,
    about="seconds between two checks; null: as often as it changes",
)  # fmt: skip
EXCLUDED = Field(
    name="excluded", type="array", items="string", about="XPaths of what is cut out of the part"
)
LARGEST = 2**31 - 1  # number of an observation: databases have no larger ones
WHERE = Field(name="place", type="object", items="integer", about="x, y, width, height")
NUMBERS = (
    Field(name="before", type="integer", about="an observation; without it, the one before"),
    Field(name="after", type="integer", about="an observation; without it, the last one"),
)


@dataclass(frozen=True, slots=True)
class Work:
    """How far the next check of a page is."""

    state: JobState


def place_of(call: Call) -> Place | None:
    """The place in a body."""
    given = call.body.get("place")
    return None if given is None else Place(**checked(given, PLACE))


def list_tiles(call: Call) -> Answer:
    """All tiles of a board with what is shown in them: the last good copies."""
    views = call.portal.tile_views(call.account, call.path["uid"])
    return answer(views, tag=tag_of_board(call))


def tag_of_board(call: Call) -> str:
    """What changes whenever anything on a board does."""
    return f'"{call.portal.stamp(call.account, call.path["uid"])}"'


def get_tile(call: Call) -> Answer:
    """A tile with what is shown in it: the last good copy."""
    view = call.portal.tile(call.account, call.path["uid"])
    return answer(view)


def change_tile(call: Call) -> Answer:
    """Change how a tile is shown and watched, or move it to another tab."""
    uid, changes = call.path["uid"], dict(call.body)
    tab = changes.pop("tab", None)
    if "place" in changes:
        changes["place"] = place_of(call)
    tile = call.portal.change_tile(call.account, uid, **changes)
    return answer(call.portal.move_tile(call.account, uid, tab) if tab else tile)


def remove_tile(call: Call) -> Answer:
    """Forget a tile."""
    call.portal.remove_tile(call.account, call.path["uid"])
    return NOTHING


def check_tile(call: Call) -> Answer:
    """Look at the page of a tile as soon as its server may be asked."""
    call.portal.check_now(call.account, call.path["uid"])
    return answer(_work(call), status=202)


def get_check(call: Call) -> Answer:
    """How far that is."""
    return answer(_work(call))


def _work(call: Call) -> Work:
    return Work(call.portal.check_state(call.account, call.path["uid"]))


def list_observations(call: Call) -> Answer:
    """Everything that was observed of the part of a tile, the newest first."""

    def read(before: Any, most: int) -> Sequence[Observation]:
        if type(before) not in (int, type(None)) or abs(before or 0) > LARGEST:
            raise astray()
        history = call.portal.history(call.account, call.path["uid"], before=before, most=most)
        return history[::-1]

    return paged(call, read, lambda seen: seen.number)


def get_observation(call: Call) -> Answer:
    """One observation."""
    return answer(call.portal.observation(call.account, call.path["uid"], call.path["number"]))


def get_picture(call: Call) -> Answer:
    """How the part looked then."""
    return picture(call.portal.picture(call.account, call.path["uid"], call.path["number"]))


def picture(data: bytes | None) -> Answer:
    """A picture, if there is one."""
    if data is None:
        raise NotThere("there is no picture of it")
    return Answer(data=data, media=PNG)


def get_changes(call: Call) -> Answer:
    """What changed between two observations."""
    numbers = (call.query.get("before"), call.query.get("after"))
    return answer(call.portal.changes(call.account, call.path["uid"], *numbers))


def get_question(call: Call) -> Answer:
    """What the part was, and what it may be now, if nobody can be sure."""
    return answer(call.portal.question(call.account, call.path["uid"]))


def answer_question(call: Call) -> Answer:
    """Say which candidate it is, that it is gone, or that it does not matter for now.

    One answer serves everybody who shows the part.
    """
    return answer(call.portal.answer(call.account, call.path["uid"], **call.body))


def get_feed(call: Call) -> Answer:
    """What was new in a part, as Atom."""
    feed = call.portal.feed(call.account, call.path["uid"])
    return Answer(data=atom(*feed).encode(), media=ATOM)


def get_json_feed(call: Call) -> Answer:
    """What was new in a part, as JSON Feed."""
    feed = call.portal.feed(call.account, call.path["uid"])
    return Answer(data=json_feed(*feed).encode(), media=JSON_FEED)


_TILE, _SEEN = "/tiles/{uid}", "/tiles/{uid}/observations"
_CHANGES = (
    Field(name="name"), LOOK, EVERY, EXCLUDED, WHERE,
    Field(name="condition", type="object", may_be_null=True, about="which changes matter"),
    Field(name="channel", type="integer", may_be_null=True, about="where messages go"),
    Field(name="is_paused", type="boolean"),
    Field(name="tab", about="the uid of another tab"),
)  # fmt: skip
_ANSWERS = (
    Field(name="xpath", about="of the candidate, or of another element"),
    Field(name="gone", type="boolean"),
    Field(name="pause", type="boolean"),
)

OPERATIONS = (
    Operation(method="GET", path="/boards/{uid}/tiles", handler=list_tiles, gives=list[TileView],
              tag=tag_of_board),
    Operation(method="GET", path=_TILE, handler=get_tile, gives=TileView),
    Operation(method="PATCH", path=_TILE, handler=change_tile, scope=Scope.WRITE, body=_CHANGES,
              gives=Tile, current=get_tile),
    Operation(method="DELETE", path=_TILE, handler=remove_tile, scope=Scope.WRITE, status=204,
              current=get_tile),
    Operation(method="POST", path=f"{_TILE}/check", handler=check_tile, scope=Scope.WRITE,
              gives=Work, status=202),
    Operation(method="GET", path=f"{_TILE}/check", handler=get_check, gives=Work),
    Operation(method="GET", path=_SEEN, handler=list_observations, gives=Observation,
              is_listed=True),
    Operation(method="GET", path=f"{_SEEN}/{{number:int}}", handler=get_observation,
              gives=Observation),
    Operation(method="GET", path=f"{_SEEN}/{{number:int}}/picture", handler=get_picture, gives=PNG),
    Operation(method="GET", path=f"{_TILE}/changes", handler=get_changes, query=NUMBERS,
              gives=Changes),
    Operation(method="GET", path=f"{_TILE}/question", handler=get_question, gives=Question),
    Operation(method="POST", path=f"{_TILE}/question", handler=answer_question, scope=Scope.WRITE,
              body=_ANSWERS, gives=TileView),
    Operation(method="GET", path=f"{_TILE}/feed.atom", handler=get_feed, gives=ATOM),
    Operation(method="GET", path=f"{_TILE}/feed.json", handler=get_json_feed, gives=JSON_FEED),
)  # fmt: skip
