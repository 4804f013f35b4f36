"""Renderers are opened when they are needed, and say so."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from pagesight.errors import RenderError
from pagesight.page import Page
from pagesight.render import Picture, choose, open_renderer, opening
from pagesight.sources import Source, load

HTML = load(b"<p>Good morning")


class Silent:
    """A renderer that renders nothing."""

    version = "1"

    def __init__(self, name: str) -> None:
        self.name = name
        self.closed = 0

    def render(self, source: Source, **_: object) -> Page:
        raise RenderError(f"{self.name} renders nothing", source=source.name)

    def render_with_picture(self, source: Source, **_: object) -> tuple[Page, Picture | None]:
        raise RenderError(f"{self.name} has no pictures", source=source.name)

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Silent]:
    """The renderers that were opened."""
    renderers: list[Silent] = []

    def open_silent(name: str, _: object) -> Silent:
        renderers.append(Silent(name))
        return renderers[-1]

    monkeypatch.setattr(opening, "_open", open_silent)
    return renderers


def test_each_renderer_is_announced_when_it_is_first_needed(opened: list[Silent]) -> None:
    names: list[str] = []
    with open_renderer("embedded", on_open=names.append) as renderer:
        assert names == []
        for _ in range(2):
            with pytest.raises(RenderError, match="embedded renders nothing"):
                renderer.render(HTML)
        assert names == ["embedded"]
        with pytest.raises(RenderError, match="pdf has no pictures"):
            renderer.render_with_picture(load(b"%PDF-1.4"))
        assert names == ["embedded", "pdf"]
    assert [each.closed for each in opened] == [1, 1]


def test_many_threads_hear_of_a_renderer_once(opened: list[Silent]) -> None:
    names: list[str] = []
    with (
        open_renderer("chromium", on_open=names.append) as renderer,
        ThreadPoolExecutor(8) as pool,
    ):
        versions = {*pool.map(lambda _: renderer.version_of("chromium"), range(50))}
    assert versions == {"1"}
    assert names == ["chromium"]
    assert len(opened) == 1


def test_a_saved_page_opens_nothing(
    lay_out: Callable[[str], Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = load(lay_out("<p>Good morning").to_bytes())
    opened: list[object] = []
    monkeypatch.setattr(opening, "_open", opened.append)
    names: list[str] = []
    with open_renderer("embedded", on_open=names.append) as renderer:
        assert renderer.render(saved).root.text == "Good morning"
        assert renderer.render_with_picture(saved)[1] is None
    assert (names, opened) == ([], [])


def test_a_closed_renderer_opens_nothing(opened: list[Silent]) -> None:
    renderer = open_renderer("embedded")
    renderer.close()
    with pytest.raises(RenderError, match="closed"):
        renderer.render(HTML)
    assert opened == []


def test_unknown_renderers_are_refused() -> None:
    with pytest.raises(ValueError, match="no renderer 'lynx'; there are auto, chromium, embedded"):
        choose("lynx")


@pytest.mark.parametrize(("found", "name"), [(None, "embedded"), (object(), "chromium")])
def test_auto_takes_chromium_where_there_is_one(
    found: object, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pagesight.render.chromium.discovery.find_browser", lambda: found)
    assert choose("auto") == name
    assert choose("embedded") == "embedded"
