from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from pagesight.page import Page
from pagesight.render import RenderOptions, open_renderer
from pagesight.render.cache import CachedRenderer, cache_folder
from pagesight.sources import load


class Counting:
    """Stands in for an open renderer, and counts what it is asked for."""

    html = "embedded"
    options = RenderOptions()

    def __init__(self, page: Page, version: str = "1") -> None:
        self.page = page
        self.version = version
        self.asked = 0

    def version_of(self, _: str) -> str:
        return self.version

    def render(self, _: object) -> Page:
        self.asked += 1
        return self.page


@pytest.fixture(scope="module")
def page() -> Page:
    with open_renderer("embedded") as renderer:
        return renderer.render(load(b"<p>tea"))


def cached(renderer: Counting, folder: Path) -> CachedRenderer:
    return CachedRenderer(renderer, folder)  # type: ignore[arg-type]


def test_a_second_run_renders_nothing(page: Page, tmp_path: Path) -> None:
    first, second = Counting(page), Counting(page)

    assert cached(first, tmp_path).render(load(b"<p>tea")) == page
    assert cached(second, tmp_path).render(load(b"<p>tea")) == page
    assert (first.asked, second.asked) == (1, 0)


@pytest.mark.parametrize("other", [load(b"<p>coffee"), load(b"<p>tea", url="https://tea.example/")])
def test_another_source_is_another_page(other: object, page: Page, tmp_path: Path) -> None:
    renderer = Counting(page)
    cache = cached(renderer, tmp_path)
    cache.render(load(b"<p>tea"))
    cache.render(other)  # type: ignore[arg-type]

    assert renderer.asked == cache.rendered == 2


def test_another_version_renders_again(page: Page, tmp_path: Path) -> None:
    cached(Counting(page, "1"), tmp_path).render(load(b"<p>tea"))
    newer = Counting(page, "2")
    cached(newer, tmp_path).render(load(b"<p>tea"))

    assert newer.asked == 1


def test_changed_code_renders_again(page: Page, tmp_path: Path) -> None:
    cached(Counting(page), tmp_path).render(load(b"<p>tea"))
    changed = Counting(page)
    with patch("pagesight.render.cache._code_digest", return_value="changed"):
        cached(changed, tmp_path).render(load(b"<p>tea"))

    assert changed.asked == 1


def test_a_damaged_entry_is_written_again(page: Page, tmp_path: Path) -> None:
    cache = cached(Counting(page), tmp_path)
    cache.render(load(b"<p>tea"))
    path = cache.path_of(load(b"<p>tea"))
    path.write_bytes(b"damaged")

    assert cache.render(load(b"<p>tea")) == page
    assert Page.load(path) == page


def test_a_saved_page_is_not_cached(page: Page, tmp_path: Path) -> None:
    cache = cached(Counting(page), tmp_path)
    cache.render(load(page.to_bytes()))

    assert list(tmp_path.iterdir()) == []


def test_the_folder_is_named_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGESIGHT_CACHE", "/somewhere")
    assert cache_folder() == Path("/somewhere")
    monkeypatch.delenv("PAGESIGHT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/home/me/.cache")
    assert cache_folder() == Path("/home/me/.cache/pagesight")
