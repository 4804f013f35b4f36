"""From an address to tiles: previews, parts to pick, and what is shared."""

from __future__ import annotations

import pytest
from portals import NEWS, WEATHER, Harbour

from pagesight.portal.errors import Conflict, Invalid, NotThere
from pagesight.portal.values import Account, Place, PreviewState, TileState
from serving import Answer, nobody
from watched import page

pytest_plugins = ["portal_fixtures"]

WALL = "<title>Just a moment...</title><h1>Checking your browser</h1>"


def test_a_page_is_looked_at_by_a_worker(harbour: Harbour) -> None:
    portal, ann = harbour.portal, harbour.account
    preview = portal.preview(ann, harbour.site("/#top"))
    assert preview.state is PreviewState.WAITING
    assert preview.address == harbour.site("/")
    with pytest.raises(NotThere):
        portal.preview_page(ann, preview.uid)
    harbour.work()
    assert portal.preview_of(ann, preview.uid).state is PreviewState.READY
    assert "Green tea" in portal.preview_page(ann, preview.uid).text(0)
    assert portal.preview_picture(ann, preview.uid)


def test_a_page_that_cannot_be_had_says_why(harbour: Harbour) -> None:
    for address in (harbour.site("/nothing"), nobody()):
        preview = harbour.portal.preview(harbour.account, address)
        harbour.work()
        failed = harbour.portal.preview_of(harbour.account, preview.uid)
        assert failed.state is PreviewState.FAILED
        assert failed.error
        assert failed.error["message"]


def test_a_wall_is_told(harbour: Harbour) -> None:
    harbour.site.pages["/wall"] = WALL
    preview = harbour.preview("/wall")
    assert preview.state is PreviewState.READY
    assert preview.problem


def test_a_preview_is_for_one_person_and_a_while(harbour: Harbour, ben: Account) -> None:
    preview = harbour.preview()
    with pytest.raises(NotThere):
        harbour.portal.preview_of(ben, preview.uid)
    harbour.clock.now += 24 * 3600
    harbour.worker.tasks.expire()
    with pytest.raises(NotThere):
        harbour.portal.preview_of(harbour.account, preview.uid)


@pytest.mark.parametrize(
    "address",
    ["", "/etc/passwd", "file:///etc/passwd", "~/x", "./x", "ftp://example.com/",
     "javascript:alert(1)", "http://", "https://me:secret@example.com/"],
)  # fmt: skip
def test_only_pages_of_the_web_are_looked_at(harbour: Harbour, address: str) -> None:
    with pytest.raises(Invalid) as refused:
        harbour.portal.preview(harbour.account, address)
    assert refused.value.field == "address"


def test_a_scheme_need_not_be_typed(harbour: Harbour) -> None:
    preview = harbour.portal.preview(harbour.account, " Example.com/tea ")
    assert preview.address == "https://example.com/tea"


def test_what_can_be_picked_is_a_tree(harbour: Harbour) -> None:
    nodes = harbour.portal.pickable(harbour.account, harbour.preview().uid)
    paths = {node.xpath: node for node in nodes}
    assert len(paths) == len(nodes)
    assert {NEWS, WEATHER} <= paths.keys()
    for node in nodes:
        if node.parent is not None:
            assert node.depth == nodes[node.parent].depth + 1
            assert node.parent < node.id
    assert paths[NEWS].name == "News of the house"
    assert paths[NEWS].length


def test_parts_are_placed_without_asking_again(harbour: Harbour) -> None:
    preview = harbour.preview()
    asked = list(harbour.site.asked)
    tiles = harbour.portal.place(
        harbour.account, harbour.tab, preview.uid, xpaths=[NEWS, WEATHER, NEWS], every=600
    )
    assert harbour.site.asked == asked
    assert [tile.name for tile in tiles] == ["News of the house", "Weather today"]
    views = harbour.views()
    assert [view.state for view in views] == [TileState.FRESH] * 2
    assert views[0].observation
    assert "Green tea" in views[0].observation.text
    assert views[0].observation.styled
    assert "Green tea" in views[0].observation.styled
    assert not {tile.place for tile in tiles} & {Place(x=0, y=0, width=0, height=0)}
    assert tiles[0].place != tiles[1].place


def test_a_part_is_shared_by_all_who_place_it(harbour: Harbour, ben: Account) -> None:
    portal = harbour.portal
    (first,) = harbour.place(NEWS)
    harbour.publish(extra="<p>More</p>", news=["Red tea is new", "Green tea is here"])
    preview = harbour.preview(account=ben)
    board = portal.make_board(ben, "Mine")
    second, third = portal.place(
        ben, board.tabs[0].uid, preview.uid, xpaths=[NEWS, WEATHER], name=None
    )
    assert second.part == first.part != third.part
    assert portal.users_of(ben, second.uid) == ["ann", "ben"]
    assert portal.users_of(ben, third.uid) == ["ben"]


def test_a_part_of_an_old_preview_is_picked_again(harbour: Harbour) -> None:
    harbour.place(NEWS)
    preview = harbour.preview()
    harbour.site.pages["/"] = page(news=["Something else"])
    harbour.portal.check_now(harbour.account, harbour.view().tile.uid)
    harbour.work()
    with pytest.raises(Conflict):
        harbour.portal.place(harbour.account, harbour.tab, preview.uid, xpaths=[WEATHER])


@pytest.mark.parametrize("xpaths", [[], ["/html/body/div[9]"], ["nothing"], ["/html/head"]])
def test_only_what_is_seen_can_be_placed(harbour: Harbour, xpaths: list[str]) -> None:
    preview = harbour.preview()
    with pytest.raises(Invalid):
        harbour.portal.place(harbour.account, harbour.tab, preview.uid, xpaths=xpaths)
    assert harbour.views() == []


def test_what_is_cut_out_is_not_shown(harbour: Harbour) -> None:
    harbour.place(NEWS, excluded=[f"{NEWS}/h2", f"{NEWS}/ul/li[2]", WEATHER, "/x"])
    view = harbour.view()
    assert view.tile.excluded == ("/h2", "/ul/li[2]")
    assert view.observation
    assert view.observation.text == "Green tea is here"
    for html in (view.observation.html, view.observation.styled or ""):
        assert "Green tea" in html
        assert "Black tea" not in html
        assert "News of" not in html
    assert [item.title for item in view.observation.items] == ["Green tea is here"]


def test_a_page_that_is_not_html_is_told(harbour: Harbour) -> None:
    harbour.site.pages["/picture"] = Answer(b"\x89PNG\r\n\x1a\n" + bytes(50), "image/png")
    assert harbour.preview("/picture").state is PreviewState.FAILED
