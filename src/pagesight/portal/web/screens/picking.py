"""From an address to tiles: the page with its parts drawn on it, and where they go."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.responses import Response
from starlette.routing import Route

from pagesight.errors import NoSuchPart, PagesightError
from pagesight.page import Page
from pagesight.portal.errors import Invalid
from pagesight.portal.values import Board, Look, Pickable, Place, Preview, PreviewState
from pagesight.portal.web.arranging import room
from pagesight.portal.web.fronts import front_of
from pagesight.portal.web.visits import Visit, get, go, post
from pagesight.portal.web.words import SIZES
from pagesight.render import Picture
from pagesight.watch.offering import Offer, parts_of


def add(visit: Visit) -> Response:
    """The address of a page is asked for."""
    return visit.show("add.html", address=visit.text("address"))


def look_at(visit: Visit) -> Response:
    """Have a page rendered."""
    preview = visit.portal.preview(visit.account, visit.text("address"))
    return go(f"/pick/{preview.uid}")


def pick(visit: Visit) -> Response:
    """The page, as soon as it is there."""
    preview = _preview(visit)
    if preview.state is not PreviewState.READY:
        return visit.show("preview.html", preview=preview)
    nodes = visit.portal.pickable(visit.account, preview.uid)
    page = visit.portal.preview_page(visit.account, preview.uid)
    size = _size(visit.portal.preview_picture(visit.account, preview.uid), nodes)
    return visit.show(
        "pick.html",
        preview=preview,
        nodes=nodes,
        front=front_of(nodes, {offer.xpath for offer in _offers(page)}),
        title=page.head.title or "",
        size=size,
        window=min(size[0], page.info.viewport[0]),  # what sticks out would make all of it tiny
    )


def _offers(page: Page) -> tuple[Offer, ...]:
    """The parts that a person would pick."""
    try:
        return parts_of(page)
    except NoSuchPart:
        return ()


def _size(picture: bytes | None, nodes: Sequence[Pickable]) -> tuple[int, int]:
    """Width and height of what the parts are drawn on."""
    if picture is not None:
        painted = Picture.of_png(picture)
        return painted.width, painted.height
    boxes = [node.box for node in nodes]
    return round(max(box.right for box in boxes)), round(max(box.bottom for box in boxes))


def picture(visit: Visit) -> Response:
    """What the page looks like."""
    data = visit.portal.preview_picture(visit.account, visit.path["uid"])
    return png(data)


def place_form(visit: Visit) -> Response:
    """Where the parts go, and how they look."""
    preview = _preview(visit)
    nodes = {str(node.id): node for node in visit.portal.pickable(visit.account, preview.uid)}
    chosen = [nodes[number] for number in visit.texts("part") if number in nodes]
    if not chosen:
        return go(f"/pick/{preview.uid}?done=nothing")
    return visit.show(
        "place.html",
        preview=preview,
        chosen=chosen,
        without=[number for number in visit.texts("without") if number in nodes],
        boards=_own(visit),
    )


def place(visit: Visit) -> Response:
    """Put the parts on a tab."""
    preview = _preview(visit)
    nodes = {str(node.id): node for node in visit.portal.pickable(visit.account, preview.uid)}
    try:
        xpaths = [nodes[number].xpath for number in visit.texts("part")]
        excluded = [nodes[number].xpath for number in visit.texts("without")]
    except KeyError:
        raise Invalid("this part is not on the page", field="part") from None
    board_uid, tab_uid, undo = _tab(visit)
    try:
        visit.portal.place(
            visit.account,
            tab_uid,
            preview.uid,
            xpaths=xpaths,
            excluded=excluded,
            name=visit.text("name") or None,
            look=visit.text("look") or Look.PLAIN,
            every=visit.number("every"),
            place=_place(visit, tab_uid),
        )
    except PagesightError:
        undo()
        raise
    return go(f"/boards/{board_uid}/{tab_uid}", "placed")


def _tab(visit: Visit) -> tuple[str, str, Callable[[], object]]:
    """The board and the tab that somebody chose, made if they are new; and what undoes that."""
    me, portal = visit.account, visit.portal
    board_uid, _, tab_uid = visit.text("tab").partition("/")
    if not board_uid:
        board = portal.make_board(me, visit.text("new_board") or "My page")
        return board.uid, board.tabs[0].uid, lambda: portal.remove_board(me, board.uid)
    if not tab_uid:
        tab = portal.make_tab(me, board_uid, visit.text("new_tab") or "More")
        return board_uid, tab.uid, lambda: portal.remove_tab(me, tab.uid)
    return board_uid, tab_uid, lambda: None


def _place(visit: Visit, tab_uid: str) -> Place:
    """Where there is room for the size that somebody chose."""
    width, height = SIZES.get(visit.text("size"), SIZES["small"])
    tabs = [tab for board in _own(visit) for tab in board.tabs if tab.uid == tab_uid]
    return room({tile.uid: tile.place for tab in tabs for tile in tab.tiles}, width, height)


def _preview(visit: Visit) -> Preview:
    return visit.portal.preview_of(visit.account, visit.path["uid"])


def _own(visit: Visit) -> list[Board]:
    """The boards that somebody may put something on."""
    boards = visit.portal.boards(visit.account)
    return [board for board in boards if board.may_edit(visit.account)]


def png(data: bytes | None) -> Response:
    """A picture, which stays as it is."""
    if data is None:
        return Response(status_code=404)
    return Response(
        data, media_type="image/png", headers={"Cache-Control": "private, max-age=86400"}
    )


ROUTES: list[Route] = [
    get("/add", add),
    post("/add", look_at, back=add),
    get("/pick/{uid}", pick),
    get("/pick/{uid}/picture", picture),
    get("/place/{uid}", place_form),
    post("/place/{uid}", place, back=place_form),
]
