"""The report in a real browser: it opens, follows the pointer and the keys, and loads nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

pytest.importorskip("playwright", reason="no Playwright: pip install 'pagesight[live]'")
from playwright.sync_api import Browser as Running
from playwright.sync_api import Page as Tab
from playwright.sync_api import expect, sync_playwright

from pagesight.output.inspector import Layer, Mark, inspector_html
from pagesight.output.inspector.picture import wireframe_image
from pagesight.page import Box, NodeKind, Page, PageInfo
from pagesight.readers.value import Value
from pagesight.render import Picture
from pagesight.render.chromium.discovery import Browser

pytestmark = pytest.mark.browser
Open = Callable[..., Tab]

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def small_page(title: str = "Tea", text: str = "Green tea", height: float = 1600) -> Page:
    names = ["#document", "html", "title", "#text", "h1", "#text"]
    strings = [*dict.fromkeys([*names, title, text, "Georgia, serif"])]
    return Page(
        {
            "parent": [-1, 0, 1, 2, 1, 4],
            "kind": [NodeKind.DOCUMENT, 1, 1, NodeKind.TEXT, 1, NodeKind.TEXT],
            "name": [strings.index(name) for name in names],
            "text": [-1, -1, -1, strings.index(title), -1, strings.index(text)],
            "visibility": [0, 0, 1, 1, 0, 0],
            "box": [[0, 0, 1280, height]] * 4 + [[100, 100, 400, 50]] * 2,
            "font_size": [16, 16, 16, 16, 30, 30],
            "own_background": [0, 0, 0, 0, 0xFFEEDDFF, 0],
            "run_node": [5],
            "run_box": [[100, 105, 200, 40]],
            "run_text": [strings.index(text)],
        },
        strings,
        PageInfo(renderer="chromium", renderer_version="1", size=(1280.0, height)),
    )


class At(NamedTuple):
    """An element by its addresses."""

    xpath: str
    css: str


def mark(
    number: int,
    box: Sequence[float],
    label: str = "",
    *,
    parent: int | None = None,
    text: str | None = None,
    confidence: float | None = None,
    details: Mapping[str, str] | None = None,
) -> Mark:
    place = At(f"/html/body/div[{number}]", f"div:nth-of-type({number})")
    shown = f"text {number}" if text is None else text
    value = Value(text=shown, confidence=confidence, place=place, box=Box(*box))
    return Mark(number, value, label, parent, details or {})


BLOCKS = Layer(
    "blocks",
    "Blocks",
    [
        mark(1, (0, 0, 1280, 80), "header", confidence=0.9),
        mark(2, (0, 100, 900, 400), "main", confidence=0.75, details={"colour": "#112233"}),
        mark(3, (920, 100, 360, 400), "aside", confidence=0.5),
    ],
)
TREE = Layer(
    "xycut",
    "X-Y cut",
    [
        mark(0, (0, 0, 1280, 1600), text="all of it"),
        mark(1, (0, 0, 1280, 600), parent=0, text="the upper half"),
        mark(2, (100, 100, 400, 100), parent=1, text="Green tea"),
        mark(3, (100, 300, 400, 100), parent=1, text="Black tea"),
        mark(4, (0, 1000, 1280, 500), parent=0, text=""),
    ],
)


@pytest.fixture(scope="module")
def running(browser: Browser) -> Iterator[Running]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=str(browser.path))


@pytest.fixture
def show(running: Running, tmp_path: Path) -> Iterator[Open]:
    """Open a report of these layers, offline; complaints and requests fail the test."""
    trouble: list[str] = []
    contexts = []

    def open_report(
        *layers: Layer,
        page: Page | None = None,
        picture: Picture | None = None,
        place: str = "",
        **device: Any,
    ) -> Tab:
        path = tmp_path / "report.html"
        shown = layers or (BLOCKS, TREE)
        html = inspector_html(page or small_page(), picture, shown, source="a.html")
        path.write_text(html, "utf-8")
        device = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce", **device}
        context = running.new_context(offline=True, **device)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: trouble.append(message.text))
        tab.on("pageerror", lambda error: trouble.append(str(error)))
        tab.on("request", lambda request: _note(trouble, request.url))
        tab.goto(path.as_uri() + place)
        return tab

    yield open_report
    for context in contexts:
        context.close()
    assert trouble == []


def _note(trouble: list[str], url: str) -> None:
    if not url.startswith("data:") and "/report.html" not in url:
        trouble.append(url)


def point(tab: Tab, x: float, y: float) -> tuple[float, float]:
    """Where a point of the page is on the screen."""
    place = tab.evaluate(
        """([x, y]) => {
            const sheet = document.getElementById("sheet").getBoundingClientRect();
            const scale = sheet.width / 1280;
            return [sheet.left + x * scale, sheet.top + y * scale];
        }""",
        [x, y],
    )
    return place[0], place[1]


def framed(tab: Tab, name: str = "chosen") -> list[float] | None:
    """The box that is drawn around what is chosen, or under the pointer."""
    box: list[float] | None = tab.evaluate(
        """name => {
            const rect = document.querySelector(`#boxes .${name}`);
            return rect.style.display === "none" ? null
                : ["x", "y", "width", "height"].map(side => Number(rect.getAttribute(side)));
        }""",
        name,
    )
    return box


def chosen(tab: Tab) -> str | None:
    row = tab.locator(".row[aria-selected=true] .snippet")
    return row.inner_text() if row.count() else None


def drawn(tab: Tab) -> int:
    """How many boxes are on the picture."""
    outlines = tab.evaluate(
        "[...document.querySelectorAll('#boxes .group')].map(p => p.getAttribute('d')).join('')"
    )
    return str(outlines).count("M")


def test_a_report_shows_the_page_and_its_zones(show: Open) -> None:
    tab = show()
    expect(tab).to_have_title("Tea · Pagesight")
    expect(tab.locator("#title")).to_have_text("Tea")
    assert tab.locator(".row").count() == 3
    assert drawn(tab) == 3
    assert tab.locator(".tag").all_inner_texts() == ["header", "main", "aside"]
    assert tab.evaluate("document.getElementById('picture').naturalWidth") == 1280
    assert tab.locator("#tree[role=tree] .row[role=treeitem][aria-level='1']").count() == 3


def test_hovering_over_a_box_lights_its_row_and_back(show: Open) -> None:
    tab = show()
    tab.mouse.move(*point(tab, 1000, 300))
    assert framed(tab, "over") == [920, 100, 360, 400]
    expect(tab.locator(".row.over")).to_contain_text("aside")
    expect(tab.locator("#tip")).to_contain_text("360 × 400")
    tab.locator(".row", has_text="header").hover()
    assert framed(tab, "over") == [0, 0, 1280, 80]
    tab.locator("#filter").hover()
    assert framed(tab, "over") is None


def test_hovering_scrolls_the_row_into_view(show: Open) -> None:
    many = [mark(i, (0, i * 10, 1280, 9), text=f"line {i}") for i in range(150)]
    tab = show(Layer("lines", "Lines", many), place="")
    assert tab.locator(".row", has_text="line 60").count() == 0
    tab.mouse.move(*point(tab, 50, 605))
    expect(tab.locator(".row.over")).to_have_text("line 60")
    expect(tab.locator(".row.over")).to_be_in_viewport()


def test_clicking_a_box_selects_it_and_then_what_is_around_it(show: Open) -> None:
    tab = show(TREE)
    spot = point(tab, 150, 150)
    found = []
    for _ in range(4):
        tab.mouse.click(*spot)
        found.append(chosen(tab))
    assert found == ["Green tea", "the upper half", "all of it", "Green tea"]
    assert framed(tab) == [100, 100, 400, 100]


def test_clicking_a_row_selects_its_box(show: Open) -> None:
    tab = show(TREE)
    tab.locator(".row").nth(4).click()
    assert framed(tab) == [0, 1000, 1280, 500]
    edge = tab.locator("#boxes .chosen").bounding_box()
    assert edge is not None
    assert 48 < edge["y"] < 900  # scrolled to
    assert tab.url.endswith("#xycut/4")


def test_the_panel_says_all_that_is_known(show: Open) -> None:
    tab = show()
    expect(tab.locator("#panel")).to_contain_text("a.html")
    tab.locator(".row", has_text="main").click()
    panel = tab.locator("#panel")
    for said in ("main", "text 2", "75 %", "#112233", "0, 100 · 900 × 400",
                 "/html/body/div[2]", "div:nth-of-type(2)"):  # fmt: skip
        expect(panel).to_contain_text(said)
    assert panel.locator(".swatch").evaluate("e => e.style.background") == "rgb(17, 34, 51)"
    panel.get_by_label("Copy XPath").click()
    expect(panel.get_by_label("Copy XPath")).to_have_text("Copied")
    panel.get_by_label("Close").click()
    assert chosen(tab) is None


def test_layers_and_labels_toggle(show: Open) -> None:
    tab = show()
    tab.get_by_role("switch").uncheck()
    assert tab.locator(".tag").count() == 0
    tab.keyboard.press("l")
    assert tab.locator(".tag").count() == 3
    tab.get_by_role("button", name="main").click()
    assert drawn(tab) == 2
    assert tab.locator(".tag").all_inner_texts() == ["header", "aside"]
    tab.mouse.move(*point(tab, 400, 300))
    assert framed(tab, "over") is None  # what is hidden is not met
    tab.get_by_role("button", name="X-Y cut").click()
    assert (drawn(tab), tab.locator(".row").count()) == (5, 5)
    tab.keyboard.press("1")
    assert drawn(tab) == 2  # as it was left


def test_levels_toggle(show: Open) -> None:
    tab = show(TREE)
    levels = tab.locator("#legend .level")
    assert levels.count() == 3
    levels.nth(0).click()
    assert drawn(tab) == 4
    levels.nth(2).click(modifiers=["Shift"])
    assert drawn(tab) == 2
    levels.nth(2).click(modifiers=["Shift"])
    assert drawn(tab) == 5


def test_keys_move_through_the_zones(show: Open) -> None:
    tab = show(TREE)
    visited = []
    keys = "ArrowDown ArrowDown ArrowRight ArrowDown ArrowLeft ArrowUp End Home Escape"
    for key in keys.split():
        tab.keyboard.press(key)
        visited.append(chosen(tab))
    assert visited == ["all of it", "the upper half", "Green tea", "Black tea", "the upper half",
                       "all of it", "", "all of it", None]  # fmt: skip
    assert tab.locator("#tree").get_attribute("aria-activedescendant") is None


def test_enter_folds_what_is_selected(show: Open) -> None:
    tab = show(TREE)
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    assert tab.locator(".row").count() == 3
    expect(tab.locator(".row[aria-selected=true]")).to_have_attribute("aria-expanded", "false")
    tab.keyboard.press("ArrowRight")  # into it: unfolds
    assert chosen(tab) == "Green tea"


def test_the_keys_are_shown(show: Open) -> None:
    tab = show()
    tab.keyboard.press("?")
    expect(tab.get_by_role("dialog")).to_be_visible()
    tab.keyboard.press("Escape")
    expect(tab.get_by_role("dialog")).not_to_be_visible()


def test_the_filter(show: Open) -> None:
    tab = show(TREE)
    tab.keyboard.press("/")
    tab.keyboard.type("black")
    assert tab.locator(".row").count() == 3  # with what is around it
    expect(tab.locator("#count")).to_have_text("1 of 5")
    expect(tab.locator(".row mark")).to_have_text("Black")
    assert drawn(tab) == 1
    tab.keyboard.press("Enter")
    assert chosen(tab) == "Black tea"
    tab.keyboard.press("/")
    tab.keyboard.type("nowhere")
    expect(tab.locator("#rows")).to_have_text("Nothing matches.")
    tab.keyboard.press("Escape")
    assert tab.locator(".row").count() == 5


def test_zoom(show: Open) -> None:
    tab = show()
    width = "document.getElementById('sheet').clientWidth"
    fitting = tab.evaluate(width)
    assert fitting <= tab.evaluate("document.getElementById('stage').clientWidth")
    tab.get_by_label("Actual size").click()
    assert tab.evaluate(width) == 1280
    tab.keyboard.press("+")
    assert tab.evaluate(width) == 1600
    tab.keyboard.press("p")
    assert tab.evaluate("document.getElementById('sheet').clientHeight") < 900
    tab.keyboard.press("w")
    assert tab.evaluate(width) == fitting


def test_an_address_leads_to_a_zone(show: Open) -> None:
    assert chosen(show(place="#xycut/3")) == "Black tea"
    assert chosen(show(place="#nothing/%/3")) is None


def test_a_phone(show: Open) -> None:
    tab = show(**PHONE)
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    stage, side = (tab.locator(name).bounding_box() for name in ("#stage", "#side"))
    assert stage is not None
    assert side is not None
    assert stage["y"] + stage["height"] <= side["y"]
    assert tab.locator(".row").nth(0).bounding_box()["height"] >= 40  # type: ignore[index]
    tab.touchscreen.tap(*point(tab, 400, 300))
    expect(tab.locator("#panel")).to_contain_text("/html/body/div[2]")
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    tab.get_by_label("Next (↓)").tap()
    expect(tab.locator("#panel h2")).to_have_text("aside")
    tab.get_by_label("Close").tap()
    expect(tab.locator("#panel")).not_to_be_visible()


def test_light_and_dark(show: Open) -> None:
    brightness = """() => Number(
        getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])"""
    assert show(color_scheme="light").evaluate(brightness) > 240
    assert show(color_scheme="dark").evaluate(brightness) < 40


HOSTILE = (
    "</script><script>window.hacked = 1</script><img src=x onerror='hacked=1'><!-- {{data}} "
    "\x00\x1b[31m \u202egnp.exe \ud800 \u2028 & ' \" ]]> $& é"
)


def test_a_hostile_page_is_only_text(show: Open) -> None:
    details = {HOSTILE: HOSTILE, "colour": "red;}*{display:none"}
    label = "</style>" + HOSTILE
    place, box = At(HOSTILE, HOSTILE), Box(0, 0, 600, 80)
    value = Value(text=HOSTILE, confidence=None, place=place, box=box)
    only = Mark(1, value, label, details=details)
    tab = show(Layer("blocks", "Blocks", [only]), page=small_page(HOSTILE, HOSTILE))
    tab.keyboard.press("ArrowDown")
    assert tab.evaluate("window.hacked") is None
    shown = tab.locator("#panel .text").inner_text()
    assert shown.startswith("</script><script>window.hacked = 1")
    assert "\u202e" not in shown
    assert "gnp.exe" in shown
    assert "{{data}}" in shown
    assert "\x1b" not in shown
    assert tab.evaluate("document.getElementById('picture').naturalWidth") == 1280
    assert tab.locator("img").count() == 1


def test_the_policy_lets_nothing_load() -> None:
    html = inspector_html(small_page(), None, [BLOCKS], source="a.html")
    policy = html.split('Content-Security-Policy" content="')[1].split('"')[0]
    assert policy.startswith("default-src 'none'; img-src data:;")
    assert "unsafe" not in policy


def test_five_thousand_marks(show: Open) -> None:
    columns = np.arange(5000) % 10
    lines = np.arange(5000) // 10
    marks = [mark(0, (0, 0, 1280, 10_000), "main")]
    marks += [
        mark(i + 1, (column * 128, line * 20, 120, 18), "list", parent=0)
        for i, (column, line) in enumerate(zip(columns.tolist(), lines.tolist(), strict=True))
    ]
    tab = show(Layer("blocks", "Blocks", marks), page=small_page(height=10_000))
    assert tab.evaluate("document.querySelectorAll('*').length") < 1500
    tab.mouse.move(*point(tab, 60, 205))
    expect(tab.locator(".row.over")).to_contain_text("text 101")
    tab.keyboard.press("End")
    assert chosen(tab) == "text 5000"
    took = tab.evaluate(
        """() => {
            const begun = performance.now();
            for (let i = 0; i < 20; i++) {
                document.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowUp"}));
            }
            return (performance.now() - begun) / 20;
        }"""
    )
    assert took < 100  # ms for a key; about 10 on an idle machine


def test_a_report_without_layers(show: Open) -> None:
    html = inspector_html(small_page(), None, [], source="a.html")
    tab = show()
    tab.set_content(html)
    expect(tab.locator("#rows")).to_have_text("There are no layers in this report.")
    tab.keyboard.press("ArrowDown")


def test_a_picture_that_ends_early_says_so(show: Open) -> None:
    file = BytesIO()
    wireframe_image(small_page(height=1000)).save(file, "PNG")
    png = Picture(file.getvalue(), 1280, 1000)
    expect(show(picture=png, page=small_page(height=1000)).locator("#cut")).not_to_be_visible()
    tab = show(picture=png, page=small_page(height=1600))
    expect(tab.locator("#cut")).to_contain_text("at 1,000 of 1,600 pixels")
    assert tab.evaluate("document.getElementById('picture').naturalHeight") == 1000


def test_rows_of_a_table_are_beside_the_page(show: Open) -> None:
    rows = [
        mark(1, (0, 0, 600, 80), "record", details={"name": "Tea", "price": "€2"}),
        mark(2, (0, 0, 200, 40), "name", parent=1),
        mark(3, (0, 90, 600, 80), "record", details={"name": "Cup"}),
    ]
    tab = show(Layer("records", "Records", rows, table="record"), BLOCKS, place="")
    expect(tab.locator(".table th")).to_have_text(["name", "price"])
    expect(tab.locator(".table td")).to_have_text(["Tea", "€2", "Cup", ""])
    tab.locator(".table tbody tr").nth(1).click()
    expect(tab.locator("#panel h2")).to_have_text("record")
    expect(tab.locator("#panel .facts")).to_contain_text("Cup")
    tab.keyboard.press("Escape")
    expect(tab.locator(".table")).to_be_visible()
    tab.keyboard.press("2")
    expect(tab.locator(".table")).to_have_count(0)
