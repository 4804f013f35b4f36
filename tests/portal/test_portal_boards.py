"""Boards, tabs and tiles: what is kept, and who may see and change it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

import pytest
from portals import HOUR, NEWS, PASSWORD, WEATHER, Harbour
from starlette.testclient import TestClient

from pagesight.portal.errors import Conflict, Invalid, NotAllowed, NotThere, PortalError
from pagesight.portal.portal import Portal
from pagesight.portal.settings import Settings
from pagesight.portal.values import Account, Board, Look, Place
from pagesight.portal.web import make_app
from watched import FakeClock

pytest_plugins = ["portal_fixtures"]
pytestmark = pytest.mark.usefixtures("cheap_passwords")


def test_a_board_is_composed_and_kept(database: str) -> None:
    with Portal.open(Settings(database=database)) as portal:
        ann = portal.first_account("Ann", PASSWORD)
        board = portal.make_board(ann, " Morning  news ")
        tab = portal.make_tab(ann, board.uid, "Sport")
        portal.rename_tab(ann, tab.uid, "Chess")
        portal.move_tab(ann, tab.uid, 0)
        portal.rename_board(ann, board.uid, "Evening")
        kept = portal.board(ann, board.uid)
        assert kept.name == "Evening"
        assert [tab.name for tab in kept.tabs] == ["Chess", "First"]
        assert kept.version > board.version
        portal.remove_tab(ann, tab.uid)
        with pytest.raises(Conflict):
            portal.remove_tab(ann, kept.tabs[1].uid)
        portal.remove_board(ann, board.uid)
        assert portal.boards(ann) == []


def test_boards_are_put_in_order(portal: Portal, ann: Account) -> None:
    boards = [portal.make_board(ann, name) for name in "abc"]
    moved = portal.move_board(ann, boards[2].uid, 0)
    assert [board.name for board in moved] == ["c", "a", "b"]


# Who may what


def others(board: Board) -> dict[str, Callable[[Portal, Account], Any]]:
    """What somebody may try on a board."""
    tab, place = board.tabs[0], Place(x=0, y=0, width=1, height=1)
    return {
        "rename": lambda portal, who: portal.rename_board(who, board.uid, "Mine"),
        "make tab": lambda portal, who: portal.make_tab(who, board.uid, "Mine"),
        "rename tab": lambda portal, who: portal.rename_tab(who, tab.uid, "Mine"),
        "move tab": lambda portal, who: portal.move_tab(who, tab.uid, 0),
        "remove tab": lambda portal, who: portal.remove_tab(who, tab.uid),
        "arrange": lambda portal, who: portal.arrange(who, tab.uid, {"x": place}),
        "share": lambda portal, who: portal.share(who, board=board.uid),
        "remove": lambda portal, who: portal.remove_board(who, board.uid),
        "people": lambda portal, who: portal.set_people(who, board.uid, {}),
        "order": lambda portal, who: portal.move_board(who, board.uid, 0),
    }


def test_nobody_else_sees_a_board(portal: Portal, ann: Account, ben: Account) -> None:
    board = portal.make_board(ann, "Private")
    assert portal.boards(ben) == []
    looks: list[Callable[[Portal, Account], Any]] = [
        lambda portal, who: portal.board(who, board.uid),
        lambda portal, who: portal.tile_views(who, board.uid),
        lambda portal, who: portal.stamp(who, board.uid),
    ]
    for attempt in (*looks, *others(board).values()):
        with pytest.raises(NotThere):
            attempt(portal, ben)
    assert portal.board(ann, board.uid) == board


def test_who_may_look_may_not_change(portal: Portal, ann: Account, ben: Account) -> None:
    board = portal.make_board(ann, "Seen")
    board = portal.set_people(ann, board.uid, {"Ben": False})
    assert portal.board(ben, board.uid) == board
    assert portal.boards(ben) == [board]
    for attempt in others(board).values():
        with pytest.raises(NotAllowed):
            attempt(portal, ben)


def test_who_may_change_does_not_own(portal: Portal, ann: Account, ben: Account) -> None:
    board = portal.make_board(ann, "Ours")
    portal.set_people(ann, board.uid, {"ben": True})
    assert portal.rename_board(ben, board.uid, "Ours, too").name == "Ours, too"
    for name in ("remove", "people", "order"):
        with pytest.raises(NotAllowed):
            others(board)[name](portal, ben)
    portal.set_people(ann, board.uid, {})
    with pytest.raises(NotThere):
        portal.board(ben, board.uid)


def test_boards_are_shown_to_people_who_are_there(portal: Portal, ann: Account) -> None:
    board = portal.make_board(ann, "Ours")
    with pytest.raises(Invalid):
        portal.set_people(ann, board.uid, {"Zoe": True})
    assert portal.set_people(ann, board.uid, {"Ann": False}).people == {}


def test_nobody_else_touches_a_tile(harbour: Harbour, ben: Account) -> None:
    portal, (tile,) = harbour.portal, harbour.place()
    mine = portal.make_board(ben, "Mine")
    attempts: list[Callable[[], Any]] = [
        lambda: portal.tile(ben, tile.uid),
        lambda: portal.change_tile(ben, tile.uid, name="Mine"),
        lambda: portal.move_tile(ben, tile.uid, mine.tabs[0].uid),
        lambda: portal.remove_tile(ben, tile.uid),
        lambda: portal.check_now(ben, tile.uid),
        lambda: portal.history(ben, tile.uid),
        lambda: portal.observation(ben, tile.uid, 1),
        lambda: portal.picture(ben, tile.uid, 1),
        lambda: portal.changes(ben, tile.uid),
        lambda: portal.users_of(ben, tile.uid),
        lambda: portal.question(ben, tile.uid),
        lambda: portal.answer(ben, tile.uid, gone=True),
        lambda: portal.share(ben, tile=tile.uid),
        lambda: portal.place(ben, harbour.tab, "x", xpaths=[NEWS]),
    ]
    for attempt in attempts:
        with pytest.raises(NotThere):
            attempt()
    assert harbour.portal.tile(harbour.account, tile.uid).tile == tile


# Tiles


def test_tiles_are_arranged(harbour: Harbour) -> None:
    portal, ann = harbour.portal, harbour.account
    news, weather = harbour.place(NEWS, WEATHER)
    board = portal.board(ann, harbour.board.uid)
    places = {
        news.uid: Place(x=6, y=0, width=6, height=3),
        weather.uid: Place(x=0, y=0, width=6, height=3),
    }
    arranged = portal.arrange(ann, harbour.tab, places, board.version)
    assert [tile.uid for tile in arranged.tiles] == [weather.uid, news.uid]
    assert {tile.uid: tile.place for tile in arranged.tiles} == places
    with pytest.raises(Conflict):
        portal.arrange(ann, harbour.tab, places, board.version)
    with pytest.raises(NotThere):
        portal.arrange(ann, harbour.tab, {"nothing": places[news.uid]})


@pytest.mark.parametrize(
    "place", [(-1, 0, 1, 1), (0, 0, 0, 1), (8, 0, 5, 1), (0, 0, 1, 61), (0, 20_000, 1, 1)]
)
def test_a_place_is_on_the_tab(harbour: Harbour, place: tuple[int, int, int, int]) -> None:
    (tile,) = harbour.place()
    x, y, width, height = place
    with pytest.raises(Invalid):
        harbour.portal.arrange(
            harbour.account, harbour.tab, {tile.uid: Place(x=x, y=y, width=width, height=height)}
        )


def test_a_tile_is_changed(harbour: Harbour) -> None:
    portal, ann, (tile,) = harbour.portal, harbour.account, harbour.place()
    changed = portal.change_tile(
        ann, tile.uid, name="Tea", look="picture", every=600, is_paused=True,
        condition={"kind": "below", "number": "3.5"}, excluded=["/h2"],
    )  # fmt: skip
    assert (changed.name, changed.look, changed.every) == ("Tea", Look.PICTURE, 600)
    assert changed.condition == {"kind": "below", "number": 3.5}
    assert changed.is_paused
    assert portal.change_tile(ann, tile.uid, condition=None, every=None).condition is None


@pytest.mark.parametrize(
    "field",
    [{"look": "loud"}, {"every": 1}, {"every": 10**9}, {"condition": {"kind": "magic"}},
     {"condition": {"kind": "above", "number": "nan"}},
     {"condition": {"kind": "present", "words": " "}}, {"channel": 1}, {"name": ""},
     {"part": 2}, {"excluded": ["//*"]}, {"excluded": ["no path"]}],
)  # fmt: skip
def test_a_tile_is_not_changed_to_what_cannot_be(harbour: Harbour, field: dict[str, Any]) -> None:
    (tile,) = harbour.place()
    with pytest.raises(Invalid):
        harbour.portal.change_tile(harbour.account, tile.uid, **field)
    assert harbour.view().tile == tile


def test_a_tile_goes_to_another_board(harbour: Harbour) -> None:
    portal, ann, (tile,) = harbour.portal, harbour.account, harbour.place()
    other = portal.make_board(ann, "Other")
    portal.move_tile(ann, tile.uid, other.tabs[0].uid)
    assert portal.board(ann, harbour.board.uid).tiles == ()
    assert [one.uid for one in portal.board(ann, other.uid).tiles] == [tile.uid]
    portal.remove_tile(ann, tile.uid)
    assert portal.board(ann, other.uid).tiles == ()


def test_a_stamp_changes_with_what_is_seen(harbour: Harbour, clock: FakeClock) -> None:
    portal, ann = harbour.portal, harbour.account
    stamps = [portal.stamp(ann, harbour.board.uid)]
    harbour.place()
    stamps.append(portal.stamp(ann, harbour.board.uid))
    assert stamps[-1] == portal.stamp(ann, harbour.board.uid)
    clock.now += HOUR
    harbour.publish(news=["Another tea"])
    stamps.append(portal.stamp(ann, harbour.board.uid))
    stamps.append(portal.stamp(portal.mark_seen(ann), harbour.board.uid))
    assert len(set(stamps)) == len(stamps)


# Shares


def test_a_link_opens_one_board(harbour: Harbour) -> None:
    portal, ann = harbour.portal, harbour.account
    harbour.place(NEWS, WEATHER)
    portal.make_board(ann, "Secret")
    share, token = portal.share(ann, board=harbour.board.uid)
    shown = portal.shared(token)
    assert shown.name == "Tea"
    assert len(shown.views) == 2
    assert not any(view.may_edit for view in shown.views)
    assert [one.uid for one in portal.shares(ann)] == [share.uid]
    portal.unshare(ann, share.uid)
    with pytest.raises(NotThere):
        portal.shared(token)


def test_a_link_opens_one_tile_and_nothing_else(harbour: Harbour) -> None:
    portal, ann = harbour.portal, harbour.account
    news, weather = harbour.place(NEWS, WEATHER)
    share, token = portal.share(ann, tile=news.uid)
    shown = portal.shared(token)
    assert shown.board is None
    assert [view.tile.uid for view in shown.views] == [news.uid]
    portal.shared_picture(token, news.uid)
    with pytest.raises(NotThere):
        portal.shared_picture(token, weather.uid)
    other, _ = portal.share(ann, tile=weather.uid)
    signature = token.partition(".")[2]
    for forged in (share.uid, f"{share.uid}.", f"{other.uid}.{signature}", f"{share.uid}.0",
                   news.uid, f"{news.uid}.{signature}", "", ".", "é.é"):  # fmt: skip
        with pytest.raises(NotThere):
            portal.shared(forged)


def test_a_frame_of_a_shared_board_is_made_from_its_tile_alone(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    portal, ann = harbour.portal, harbour.account
    news, _ = harbour.place(NEWS, WEATHER)
    _, token = portal.share(ann, board=harbour.board.uid)
    read, latest = [], portal.store.latest

    def counted(parts: Iterable[int], *, present: bool = False) -> object:
        read.append(numbers := set(parts))
        return latest(numbers, present=present)

    monkeypatch.setattr(portal.store, "latest", counted)
    (view,) = portal.shared(token, news.uid).views
    assert view.tile.uid == news.uid
    assert read == [{news.part}]
    with pytest.raises(NotThere):
        portal.shared(token, "nothing")


def test_a_link_ends(harbour: Harbour) -> None:
    portal, ann = harbour.portal, harbour.account
    expires = portal.now() + timedelta(hours=1)
    _, token = portal.share(ann, board=harbour.board.uid, expires=expires, public=True)
    assert portal.shared(token).board
    harbour.clock.now += HOUR
    with pytest.raises(NotThere):
        portal.shared(token)
    with pytest.raises(Invalid):
        portal.share(ann, board=harbour.board.uid, expires=expires)


def test_a_link_is_to_one_thing(harbour: Harbour) -> None:
    (tile,) = harbour.place()
    for chosen in ({}, {"board": harbour.board.uid, "tile": tile.uid}):
        with pytest.raises(Invalid):
            harbour.portal.share(harbour.account, **chosen)  # type: ignore[arg-type]


@pytest.mark.parametrize("public", [False, True])
def test_search_engines_list_what_is_public(harbour: Harbour, public: bool) -> None:
    (tile,) = harbour.place(NEWS)
    _, token = harbour.portal.share(harbour.account, board=harbour.board.uid, public=public)
    with TestClient(make_app(harbour.portal), base_url="http://localhost") as client:
        for path in (f"/shared/{token}", f"/shared/{token}/{tile.uid}"):
            answer = client.get(path)
            assert answer.status_code == 200
            assert ("noindex" in answer.text) is not public
        assert "noindex" in client.get("/sign-in").text


def test_who_sees_nothing_cannot_end_a_link(harbour: Harbour, ben: Account) -> None:
    share, token = harbour.portal.share(harbour.account, board=harbour.board.uid)
    with pytest.raises(PortalError):
        harbour.portal.unshare(ben, share.uid)
    assert harbour.portal.shared(token)
