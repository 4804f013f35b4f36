"""Every screen in a real browser, light and dark, on a desk and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

import pytest
from living import NAME, PASSWORD, Living
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Route

from pagesight.portal.values import Place

pytest_plugins = ["web_fixtures"]
pytestmark = pytest.mark.live
OUTLINE = """<opml version="2.0"><head><title>Ships</title></head><body>
<outline text="Ships today" htmlUrl="http://127.0.0.1:1/ships"/></body></opml>"""
FORMS = [*product(("light", "dark"), (1280, 360))]


@pytest.fixture(scope="module")
def screens(filled: Living) -> dict[str, str]:
    """The paths of all screens, with something on each."""
    me, portal = filled.me, filled.portal
    board, tiles = filled.board, filled.tiles
    places = {
        tile.uid: Place(x=number % 3 * 4, y=number // 3 * 4, width=4, height=4)
        for number, tile in enumerate(board.tiles)
    }
    portal.arrange(me, board.tabs[0].uid, places, board.version)
    portal.change_tile(me, tiles["fresh"].uid, look="original")
    portal.change_tile(me, tiles["unchanged"].uid, look="picture")
    portal.make_tab(me, board.uid, "Sea")
    empty = portal.make_board(me, "Another board")
    portal.add_channel(me, "My phone", "json://127.0.0.1:9/messages")
    portal.accept(portal.invite(me, "Grace")[1], "grace", "another password")
    secret = portal.invite(me, "Edsger")[1]
    portal.make_token(me, "Home assistant", ["read"])
    link = portal.share(me, board=board.uid)[1]
    preview, failed = (
        portal.preview(me, address) for address in (filled.site("/fish"), "http://127.0.0.1:1/")
    )
    filled.worker.do_all()
    looking = portal.preview(me, filled.site("/weather"))
    portal.import_opml(me, OUTLINE)
    (waiting,) = portal.boards(me)[-1].tiles
    changed = tiles["changed"].uid
    settings = ("", "/people", "/sharing", "/messages", "/programs", "/transfer", "/health")
    return {
        "sign in": "/sign-in",
        "invitation": f"/invitations/{secret}",
        "shared": f"/shared/{link}",
        "shared tile": f"/shared/{link}/{tiles['changed'].uid}",
        "add": "/add",
        "looking": f"/pick/{looking.uid}",
        "failed": f"/pick/{failed.uid}",
        "pick": f"/pick/{preview.uid}",
        "place": f"/place/{preview.uid}?part=7&part=9",
        "board": f"/boards/{board.uid}",
        "empty board": f"/boards/{empty.uid}",
        "board settings": f"/boards/{board.uid}/edit",
        "part": f"/tiles/{changed}",
        "part not picked": f"/tiles/{waiting.uid}",
        "part at a wall": f"/tiles/{tiles['wall'].uid}",
        "part settings": f"/tiles/{changed}/edit",
        "news": "/news",
        "question": f"/tiles/{tiles['unsure'].uid}/question",
        "missing": "/tiles/nothing",
        **{f"settings{name}": f"/settings{name}" for name in settings},
    }


@pytest.fixture(scope="module", params=FORMS, ids=lambda form: f"{form[0]}-{form[1]}")
def context(
    request: pytest.FixtureRequest, filled: Living, shown_in: Browser
) -> Iterator[BrowserContext]:
    """A window of one width in one scheme of colours, in which somebody has signed in."""
    scheme, width = request.param
    is_phone = width < 500
    opened = shown_in.new_context(
        color_scheme=scheme,
        viewport={"width": width, "height": 800},
        is_mobile=is_phone,
        has_touch=is_phone,
        base_url=filled.address,
    )
    token = filled.portal.sign_in(NAME, PASSWORD, client="test", agent="a test")
    opened.add_cookies([{"name": "session", "value": token, "url": filled.address}])
    opened.new_page()
    yield opened
    opened.close()


@contextmanager
def complaints_of(page: Page) -> Iterator[list[str]]:
    """What the browser complains about meanwhile."""
    heard: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            heard.append(message.text)

    def hear_error(error: Error) -> None:
        heard.append(str(error))

    page.on("console", hear)
    page.on("pageerror", hear_error)
    yield heard
    page.remove_listener("console", hear)
    page.remove_listener("pageerror", hear_error)


def barriers(page: Page, axe: str) -> list[str]:
    """What keeps people from using a page, as axe-core finds it."""
    page.evaluate(axe)
    # Nothing runs in the frames of a share: they are walked as pages of their own.
    found = page.evaluate("axe.run({resultTypes: ['violations'], iframes: false})")["violations"]
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


def without_sandbox(page: Page) -> None:
    """Load a page again so that a script of the test can run in it."""

    def answer(route: Route) -> None:
        response = route.fetch()
        headers = {**response.headers, "content-security-policy": ""}
        route.fulfill(response=response, headers=headers)

    page.route(page.url, answer)
    page.reload()


SCREENS = (
    "add", "looking", "failed", "pick", "place", "board", "empty board", "board settings", "part",
    "part not picked", "part at a wall", "part settings", "news", "question", "missing", "settings",
    "settings/people", "settings/sharing", "settings/messages", "settings/programs",
    "settings/transfer", "settings/health", "shared", "shared tile", "sign in", "invitation",
)  # fmt: skip


def test_all_screens_are_walked(screens: dict[str, str]) -> None:
    assert set(SCREENS) == set(screens)


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_has_no_barriers_and_no_complaints(
    name: str, context: BrowserContext, screens: dict[str, str], axe: str
) -> None:
    if name in ("sign in", "invitation"):
        context.clear_cookies()
    (page,) = context.pages
    with complaints_of(page) as heard:
        page.goto(screens[name])
    known = "404 (Not Found)" if name == "missing" else None
    assert [text for text in heard if not (known and known in text)] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
    assert page.title().strip(" ·") not in ("", "Pagesight")
    if name == "shared tile":
        without_sandbox(page)
    assert barriers(page, axe) == []
