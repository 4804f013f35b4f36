"""A whole story, from the first account to an answered question, by hand and by keyboard alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import product

import harbour
import pytest
from living import NAME, PASSWORD, Living
from playwright.sync_api import Browser, Page, expect
from test_web_screens import barriers, complaints_of

from pagesight.portal.values import TileState

pytest_plugins = ["web_fixtures"]
pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def working(portal: Living) -> Iterator[Living]:
    """A portal whose worker works by itself."""
    thread = threading.Thread(target=portal.worker.run)
    thread.start()
    portal.is_working = True
    yield portal
    portal.worker.stop()
    thread.join()


@pytest.fixture(scope="module")
def page(working: Living, shown_in: Browser) -> Iterator[Page]:
    """A window."""
    context = shown_in.new_context(base_url=working.address, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def tab_to(page: Page, selector: str, most: int = 60) -> None:
    """Press Tab until something has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not lead to {selector}")


def test_01_the_first_visitor_is_welcome(working: Living, shown_in: Browser, axe: str) -> None:
    for scheme, width in product(("light", "dark"), (1280, 360)):
        window = shown_in.new_page(
            color_scheme=scheme,  # type: ignore[arg-type]
            viewport={"width": width, "height": 800},
        )
        with complaints_of(window) as heard:
            window.goto(working.address)
        assert window.url.endswith("/welcome")
        assert heard == []
        assert barriers(window, axe) == []
        window.close()


def test_02_a_short_password_is_told(page: Page) -> None:
    page.goto("/")
    expect(page.locator("#name")).to_be_focused()
    page.keyboard.type(NAME)
    tab_to(page, "#password")
    page.keyboard.type("short")
    page.keyboard.press("Enter")
    expect(page.locator("#password-wrong")).to_contain_text("at least 8 characters")
    expect(page.locator("#name")).to_have_value(NAME)


def test_03_the_first_account_is_made_by_keyboard(page: Page) -> None:
    page.locator("#password").focus()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/add?done=welcome")
    expect(page.locator("#address")).to_be_focused()


def test_04_an_address_becomes_a_page_with_parts(page: Page, working: Living) -> None:
    page.keyboard.type(working.site("/"))
    page.keyboard.press("Enter")
    page.wait_for_selector('.zone[data-front="true"]', timeout=20_000)
    fronts = page.locator('.zone[data-front="true"]')
    assert fronts.count() >= 4
    labels = fronts.evaluate_all("zones => zones.map(zone => zone.getAttribute('aria-label'))")
    assert any(label.startswith("News of the day") for label in labels)


def test_05_parts_grow_shrink_and_are_picked_by_keys(page: Page) -> None:
    def now() -> str:
        return str(page.evaluate("document.activeElement.getAttribute('aria-label')"))

    tab_to(page, '.zone[aria-label^="News of the day"]')
    small = now()
    page.keyboard.press("+")
    assert now() != small
    page.keyboard.press("-")
    assert now() == small
    page.keyboard.press("Enter")
    expect(page.locator("#picked li")).to_have_count(1)
    expect(page.locator("#said")).to_contain_text("Picked")
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    # A piece of it is left out, and taken back.
    page.keyboard.press("-")
    page.keyboard.press("x")
    expect(page.locator("#picked li")).to_have_count(2)
    expect(page.locator("#said")).to_contain_text("Left out")
    page.keyboard.press("x")
    expect(page.locator("#picked li")).to_have_count(1)


def test_06_the_part_is_placed_by_keyboard(page: Page) -> None:
    tab_to(page, "#next")
    page.keyboard.press("Enter")
    page.wait_for_url("**/place/**")
    expect(page.locator("#name")).to_have_value("News of the day")
    page.locator("#name").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/boards/**")
    expect(page.locator(".tile h2")).to_have_text("News of the day")
    expect(page.locator(".tile .state")).to_have_text("Fresh")


def test_07_a_tile_moves_and_grows_by_keys(page: Page, working: Living) -> None:
    (before,) = working.board.tiles
    tab_to(page, ".handle")
    for key in ("Enter", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator("#said")).to_contain_text("Column 3, row 1, 5 wide, 5 high")
    page.keyboard.press("Enter")
    page.evaluate("saving")
    page.reload()
    (after,) = working.board.tiles
    assert (after.place.x, after.place.width) == (before.place.x + 2, before.place.width + 1)
    assert after.place.height == before.place.height + 1


def test_08_a_tile_moves_by_dragging_and_by_buttons(page: Page, working: Living) -> None:
    handle = page.locator(".handle")
    box = handle.bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 320, box["y"] + 5, steps=8)
    with page.expect_response("**/places") as saved:
        page.mouse.up()
    assert saved.value.ok
    dragged = working.board.tiles[0].place.x
    assert dragged > 2
    page.locator(".tile .menu summary").click()
    page.get_by_role("button", name="Left").click()
    page.wait_for_url("**#tile-*")
    assert working.board.tiles[0].place.x == dragged - 1


def test_09_the_page_changes_and_the_tile_says_so(page: Page, working: Living) -> None:
    news = ("Lighthouse gets a keeper again", *harbour.NEWS[:3])
    working.site.pages["/"] = harbour.front(news=news)
    tile = working.board.tiles[0]
    assert working.look(tile).state is TileState.CHANGED
    page.evaluate("update()")  # what the page does by itself now and then
    expect(page.locator(".tile .state")).to_have_text("Changed")
    shadow = page.locator(".tile .foreign > div")
    assert "Lighthouse" in shadow.evaluate("host => host.shadowRoot.textContent")
    styled = shadow.evaluate(
        "host => getComputedStyle(host.shadowRoot.querySelector('.part')).fontSize"
    )
    assert styled == "15px"


def test_10_what_changed_is_told_and_marked(page: Page) -> None:
    page.locator("main").focus()
    page.keyboard.press("c")
    page.wait_for_url("**/news")
    expect(page.locator(".news")).to_contain_text("Lighthouse gets a keeper again")
    page.get_by_role("link", name="News of the day").click()
    page.wait_for_url("**/tiles/**")
    marked = page.locator("#changes-title ~ .foreign > div")
    assert "Lighthouse" in marked.evaluate(
        "host => host.shadowRoot.querySelector('ins').textContent"
    )
    slider = page.locator("#to")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#now-title")).to_have_text("As it was")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#now-title")).to_have_text("Now")
    page.goto("/news")
    page.get_by_role("button", name="I have seen it").click()
    expect(page.locator("main")).to_contain_text("You are up to date")


def test_11_after_a_redesign_somebody_says_which_it_is(page: Page, working: Living) -> None:
    tile = working.board.tiles[0]
    working.make_unsure("/", tile)
    page.goto("/")
    expect(page.locator(".tile .state")).to_have_text("Unsure")
    page.get_by_role("link", name="Is this it?").click()
    page.wait_for_url("**/question")
    expect(page.locator(".candidate")).not_to_have_count(1)
    page.get_by_role("button", name="Yes, this is it").click()
    page.wait_for_url("**/tiles/**")
    expect(page.locator("main")).to_contain_text("Thank you")
    assert working.portal.tile(working.me, tile.uid).state in (
        TileState.CHANGED, TileState.UNCHANGED,
    )  # fmt: skip


def test_12_the_question_mark_lists_the_keys(page: Page) -> None:
    page.goto("/")
    page.locator("main").focus()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    expect(page.locator("#keys")).to_contain_text("resize it")
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def test_13_on_a_phone_there_is_one_column(page: Page, working: Living) -> None:
    working.place("/weather", "Weather")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/")
    boxes = [tile.bounding_box() for tile in page.locator(".tile").all()]
    assert len(boxes) == 2
    first, second = (box for box in boxes if box)
    assert first["x"] == second["x"]
    assert first["y"] + first["height"] <= second["y"]
    names = page.locator(".tile h2").all_inner_texts()
    page.locator(".tile .handle").last.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.wait_for_url("**#tile-*")
    assert page.locator(".tile h2").all_inner_texts() == names[::-1]
    page.set_viewport_size({"width": 1280, "height": 800})


def test_14_signing_out_leads_to_the_door(page: Page) -> None:
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")
    page.goto("/news")
    page.wait_for_url("**/sign-in")
