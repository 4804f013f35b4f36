"""Pages: those that are watched, and those that parts are picked from."""

from __future__ import annotations

from pagesight.portal.api.fields import Field
from pagesight.portal.api.operations import Answer, Call, Operation, answer, listed
from pagesight.portal.api.tiles import EVERY, EXCLUDED, LOOK, PNG, WHERE, picture, place_of
from pagesight.portal.values import Pickable, Preview, Scope, Tile, TileView
from pagesight.watch import Part, WatchedPage

ADDRESS = Field(name="address", is_required=True, about="of a page")
PLACED = (
    Field(name="preview", is_required=True, about="the uid of a preview that is ready"),
    Field(name="xpaths", type="array", items="string", is_required=True, about="of its parts"),
    EXCLUDED, Field(name="name"), LOOK, EVERY, WHERE,
)  # fmt: skip


def list_pages(call: Call) -> Answer:
    """The pages of which your boards show parts."""
    pages = {view.page.id: view.page for view in _views(call) if view.page}
    return listed(call, sorted(pages.values(), key=lambda page: page.id), lambda page: page.id)


def list_parts(call: Call) -> Answer:
    """The parts that your boards show."""
    parts = {view.part.id: view.part for view in _views(call) if view.part}
    return listed(call, sorted(parts.values(), key=lambda part: part.id), lambda part: part.id)


def _views(call: Call) -> list[TileView]:
    boards = call.portal.boards(call.account)
    return [view for one in boards for view in call.portal.tile_views(call.account, one.uid)]


def make_preview(call: Call) -> Answer:
    """Look at a page, to pick parts of it; ask for the preview until it is ready."""
    preview = call.portal.preview(call.account, call.body["address"])
    return answer(preview, status=202, location=f"/api/v1/previews/{preview.uid}")


def get_preview(call: Call) -> Answer:
    """How far a preview is."""
    return answer(call.portal.preview_of(call.account, call.path["uid"]))


def list_pickable(call: Call) -> Answer:
    """What can be picked on a page, from the whole page to its smallest parts."""
    return answer(call.portal.pickable(call.account, call.path["uid"]))


def get_preview_picture(call: Call) -> Answer:
    """How the page looks."""
    return picture(call.portal.preview_picture(call.account, call.path["uid"]))


def place_parts(call: Call) -> Answer:
    """Put parts of a page on a tab. A part that is watched already is shared, not added twice."""
    fields = dict(call.body) | {"place": place_of(call)}
    preview = fields.pop("preview")
    tiles = call.portal.place(call.account, call.path["uid"], preview, **fields)
    return answer(tiles, status=201)


OPERATIONS = (
    Operation(method="GET", path="/pages", handler=list_pages, gives=WatchedPage, is_listed=True),
    Operation(method="GET", path="/parts", handler=list_parts, gives=Part, is_listed=True),
    Operation(method="POST", path="/previews", handler=make_preview, scope=Scope.WRITE,
              body=[ADDRESS], gives=Preview, status=202),
    Operation(method="GET", path="/previews/{uid}", handler=get_preview, gives=Preview),
    Operation(method="GET", path="/previews/{uid}/parts", handler=list_pickable,
              gives=list[Pickable]),
    Operation(method="GET", path="/previews/{uid}/picture", handler=get_preview_picture, gives=PNG),
    Operation(method="POST", path="/tabs/{uid}/tiles", handler=place_parts, scope=Scope.WRITE,
              body=PLACED, gives=list[Tile], status=201),
)  # fmt: skip
