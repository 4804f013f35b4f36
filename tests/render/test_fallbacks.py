"""Elements whose own content cannot be had show what is in them, in both renderers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pagesight.page import Page
from pagesight.segment.blocks import text_blocks
from pagesight.segment.content import content_of

See = Callable[[str], Page]

NESTED = '<object data="{}.svgz" type="image/svg+xml"><p>Level {}</p>{}</object>'
PAGES = {
    "<object data=no.svg type=image/svg+xml><p>A drawing</p></object>": ["A drawing"],
    "<object data=no.svg><p>A <a href=x>drawing</a></p></object><p>After": ["A drawing", "After"],
    "<canvas>No canvas</canvas>": ["No canvas"],
    "<video src=no.mp4><p>No video</p></video><p>After": ["After"],
    "<audio src=no.mp3>No sound</audio><p>After": ["After"],
    "<noscript><p>Without scripts</p></noscript>": ["Without scripts"],
}


def nested(depth: int) -> str:
    """An object in an object, and so on: what a parser makes of objects that are not closed."""
    html = ""
    for level in range(depth, 0, -1):
        html = NESTED.format(level, level, html)
    return html


def check(page: Page, shown: list[str]) -> None:
    assert text_blocks(page).strings == shown
    content = content_of(page)
    texts = [page.strings[text] for text in page.columns["text"][content.nodes] if text >= 0]
    assert "".join("".join(texts).split()) == "".join("".join(shown).split())


@pytest.mark.parametrize("html", PAGES)
def test_the_embedded_renderer_shows_fallbacks(lay_out: See, html: str) -> None:
    check(lay_out(html), PAGES[html])


@pytest.mark.browser
@pytest.mark.parametrize("html", PAGES)
def test_chromium_shows_fallbacks(see: See, html: str) -> None:
    check(see(html), PAGES[html])


@pytest.mark.browser
def test_chromium_is_given_time_for_objects_in_objects(see: See) -> None:
    check(see(nested(12)), [f"Level {level}" for level in range(1, 13)])


def test_objects_in_objects_are_laid_out(lay_out: See) -> None:
    check(lay_out(nested(12)), [f"Level {level}" for level in range(1, 13)])


@pytest.mark.browser
@pytest.mark.parametrize("name", ["querySelectorAll", "getClientRects"])
def test_elements_may_have_the_names_of_functions(see: See, name: str) -> None:
    check(
        see(f"<img name={name}><OBJECT data=no.svg name={name}><p>A drawing</OBJECT>"),
        ["A drawing"],
    )
