"""An installation without the extra `live`: everything except live pages in the browser."""

from __future__ import annotations

import sys

import pytest

from pagesight.document import Document, Failure, read, read_all
from pagesight.errors import LiveNotInstalled
from pagesight.render import open_renderer
from pagesight.sources import load
from serving import Answer, website

PAGE = "<link rel=stylesheet href=style.css><h1>Green tea</h1><script>document.title = 1</script>"
SITE: dict[str, str | bytes | Answer] = {
    "/": PAGE,
    "/style.css": Answer(b"h1 { color: green }", "text/css"),
}


@pytest.fixture(autouse=True)
def _without_playwright(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright", None)


@pytest.mark.browser
def test_a_file_is_rendered_in_the_browser() -> None:
    document = read(b"<h1>Green tea", renderer="chromium")
    assert document.page.info.renderer == "chromium"
    assert document.page.complete


@pytest.mark.browser
def test_a_live_page_in_the_browser_is_an_error_that_says_what_to_install() -> None:
    with website(SITE) as site, pytest.raises(LiveNotInstalled) as caught:
        _ = read(site(), renderer="chromium").page
    assert caught.value.kind == "live_not_installed"
    assert caught.value.source == site()
    assert "pip install 'pagesight[live]'" in (caught.value.hint or "")
    assert "--renderer embedded" in (caught.value.hint or "")


@pytest.mark.browser
def test_pages_from_files_are_rendered_though_live_ones_fail() -> None:
    with website(SITE) as site, open_renderer("chromium") as renderer:
        failed, tea = read_all([site(), b"<p>tea"], renderer=renderer)
    assert isinstance(failed, Failure)
    assert isinstance(failed.error, LiveNotInstalled)
    assert isinstance(tea, Document)
    assert tea.page.root.text == "tea"


@pytest.mark.browser
def test_auto_renders_the_document_of_a_live_page_alone_and_says_so() -> None:
    with website(SITE) as site, open_renderer("auto") as renderer:
        page, picture = renderer.render_with_picture(load(site()))
        assert renderer.render(load(site())) == page
        assert renderer.html == "chromium"
    assert page.info.renderer == "embedded"
    assert page.root.text == "Green tea"
    assert not page.complete
    notes = {note.kind: note.detail for note in page.info.notes}
    assert notes["live"].endswith("pip install 'pagesight[live]'")
    assert "blocked" in notes
    assert picture is not None


@pytest.mark.browser
def test_auto_renders_files_in_the_browser_all_the_same() -> None:
    with open_renderer("auto") as renderer:
        page = read(b"<p>tea", renderer=renderer).page
    assert page.info.renderer == "chromium"
    assert page.complete


def test_embedded_was_asked_for_and_is_no_substitute() -> None:
    with website({"/": "<p>tea"}) as site:
        page = read(site(), renderer="embedded").page
    assert page.complete
