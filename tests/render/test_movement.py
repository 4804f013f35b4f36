"""A page looks the same whenever it is looked at: what moves is where it was going."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagesight.page import Page
from pagesight.render import AnyRenderer
from pagesight.sources import load
from serving import website

pytestmark = pytest.mark.browser

MOVING = """<!doctype html><style>
@keyframes come { from { opacity: 0; font-size: 10px } to { opacity: 1; font-size: 30px } }
@keyframes turn { from { opacity: 0.5 } to { opacity: 0.1 } }
#comes { animation: come 60s both }
#turns { animation: turn 60s infinite }
</style><p id=comes>Here I come</p><p id=turns>Round and round</p>"""


def style_of(page: Page, number: int) -> tuple[float, float]:
    style = page.find("p")[number].style
    return style.opacity, style.font_size


def test_an_animation_is_at_its_end(chromium: AnyRenderer) -> None:
    page = chromium.render(load(MOVING.encode()))
    assert style_of(page, 0) == (1.0, 30.0)
    assert page.find("p")[0].visible


def test_an_endless_animation_has_not_begun(chromium: AnyRenderer) -> None:
    assert style_of(chromium.render(load(MOVING.encode())), 1) == (1.0, 16.0)


@pytest.mark.live
def test_a_live_page_is_at_rest_as_well(chromium: AnyRenderer) -> None:
    with website({"/": MOVING.encode()}) as server:
        page = chromium.render(load(server.address))
    assert style_of(page, 0) == (1.0, 30.0)


def test_a_transition_that_a_late_stylesheet_starts_is_over(
    chromium: AnyRenderer, tmp_path: Path
) -> None:
    (tmp_path / "late.css").write_text("p { font-size: 40px }")
    path = tmp_path / "page.html"
    path.write_text(
        "<!doctype html><style>p { transition: font-size 60s }</style><p>One</p>"
        "<link rel=stylesheet href=late.css><p>Two</p>"
    )
    page = chromium.render(load(path))
    assert [style_of(page, number)[1] for number in (0, 1)] == [40.0, 40.0]
