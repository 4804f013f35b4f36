"""Saved pages whose scripts had run, or have yet to show what is there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pagesight.errors import PagesightError, PageTooComplex, RenderCrash, RenderTimeout
from pagesight.page import Page
from pagesight.render import AnyRenderer
from pagesight.render.showing import shown
from pagesight.sources import Source, load

LayOut = Callable[[str], Page]
PLEASE = "<noscript><p>Please enable JavaScript</noscript>"
TEXT = "<p>" + "Green tea is good for the patience of reviewers. " * 20


@pytest.fixture(params=[pytest.param("chromium", marks=pytest.mark.browser), "embedded"])
def show(request: pytest.FixtureRequest) -> LayOut:
    renderer: AnyRenderer = request.getfixturevalue(request.param)
    return lambda html: renderer.render(load(f"<!doctype html>{html}".encode()))


def kinds(page: Page) -> set[str]:
    return {note.kind for note in page.info.notes} & {"noscript", "revealed", "hidden"}


def test_what_scripts_have_replaced_is_not_shown(show: LayOut) -> None:
    page = show(f"<html class=js><body>{PLEASE}<p>Tea")
    assert page.root.text == "Tea"
    assert kinds(page) == {"noscript"}


@pytest.mark.parametrize("root", ["", "<html class=no-js>"])
def test_a_noscript_that_is_all_there_is_is_shown(show: LayOut, root: str) -> None:
    page = show(f"{root}<body><noscript>{TEXT}</noscript>")
    assert len(page.root.text.split()) == 180
    assert kinds(page) == set()


def test_a_noscript_that_shows_more_than_scripts_would_is_shown(show: LayOut) -> None:
    hiding = "<style>div { display: none }</style>"
    page = show(f"<body><noscript>{hiding}{TEXT}{TEXT}</p></noscript><p>Menu<div>{TEXT}</div>")
    assert len(page.root.text.split()) == 361
    assert kinds(page) == {"hidden"}


def test_a_noscript_that_hides_the_page_is_left_out(show: LayOut) -> None:
    page = show(
        "<noscript><style>div { display: none !important }</style><p>No scripts?</noscript>"
        f"<div>{TEXT}</div>"
    )
    assert "reviewers" in page.root.text
    assert "No scripts" not in page.root.text
    assert kinds(page) == {"revealed"}


def test_a_class_that_scripts_would_replace_hides_nothing(show: LayOut) -> None:
    page = show(f"<html class='no-js'><style>.no-js p {{ display: none }}</style>{TEXT}")
    assert "reviewers" in page.root.text
    assert kinds(page) == {"revealed"}


def test_what_would_be_faded_in_is_seen(show: LayOut) -> None:
    page = show(f"<p>Menu<div style='opacity:0'>{TEXT}</div>")
    assert "reviewers" in page.root.text
    assert kinds(page) == {"revealed"}


def test_a_little_that_is_transparent_stays_so(show: LayOut) -> None:
    page = show(f"{TEXT}<p style='opacity:0'>Secret tea")
    assert "Secret" not in page.root.text
    assert kinds(page) == set()


def test_a_page_that_hides_nearly_everything_says_so(show: LayOut) -> None:
    page = show(f"<p>Menu<div style='display:none'>{TEXT}</div>")
    assert page.root.text == "Menu"
    assert kinds(page) == {"hidden"}
    assert page.info.notes[-1].detail.startswith("180 of 181 words are not in sight")


@pytest.mark.browser
@pytest.mark.parametrize("hiding", ["opacity: 0", "visibility: hidden"])
def test_most_of_a_page_is_never_meant_to_be_unseen(chromium: AnyRenderer, hiding: str) -> None:
    html = f"<style>div {{ {hiding} }}</style><p>Menu<div>{TEXT}</div>"
    page = chromium.render(load(html.encode()))
    assert "reviewers" in page.root.text
    assert kinds(page) == {"revealed"}


@pytest.mark.browser
def test_of_parts_that_hide_each_other_none_is_shown(chromium: AnyRenderer) -> None:
    parts = f"<div>{TEXT}</div>" * 4
    html = f"<style>div {{ visibility: hidden; position: absolute }}</style><p>Menu{parts}"
    page = chromium.render(load(html.encode()))
    assert page.root.text == "Menu"
    assert kinds(page) == {"hidden"}


def test_what_is_laid_out_when_it_is_scrolled_to_is_seen(show: LayOut) -> None:
    later = "<div style='height:5000px'></div><div class=late>Late tea</div>"
    page = show(f"<style>.late {{ content-visibility: auto !important }}</style><p>Tea{later}")
    assert page.root.text == "Tea\nLate tea"
    assert page.info.size[1] > 5000


@pytest.mark.browser
def test_stylesheets_may_say_that_it_is_laid_out_later(
    chromium: AnyRenderer, tmp_path: Path
) -> None:
    (tmp_path / "tea.css").write_text("p + p { content-visibility: auto; margin-top: 5000px }")
    (tmp_path / "tea.html").write_text("<link rel=stylesheet href=tea.css><p>Tea<p>Late tea")
    assert chromium.render(load(tmp_path / "tea.html")).root.text == "Tea\nLate tea"


STYLE = "<style>.no-js p { display: none }</style>"
HIDDEN = load(f"<!doctype html><html class='no-js'>{STYLE}{TEXT}".encode())


@pytest.mark.parametrize(
    "error", [RenderCrash("gone"), RenderTimeout("late"), PageTooComplex("more than all")]
)
def test_what_was_seen_first_is_the_page_if_another_look_fails(
    embedded: AnyRenderer, error: PagesightError
) -> None:
    page, looks = looked_at(embedded, timeout=20, error=error)
    assert len(looks) == 2
    assert looks[1] is not None
    assert looks[1] < 20
    assert kinds(page) == {"hidden"}


def test_a_page_is_not_looked_at_again_when_its_time_is_over(embedded: AnyRenderer) -> None:
    page, looks = looked_at(embedded, timeout=1e-6)
    assert looks == [None]
    assert kinds(page) == {"hidden"}
    page, looks = looked_at(embedded, timeout=None)
    assert looks == [None, None]
    assert kinds(page) == {"revealed"}


def looked_at(
    renderer: AnyRenderer, *, timeout: float | None, error: PagesightError | None = None
) -> tuple[Page, list[float | None]]:
    """A hidden page, and the time limits of all looks at it, where a second one is an error."""
    looks: list[float | None] = []

    def render(source: Source, timeout: float | None) -> tuple[Page, None]:
        looks.append(timeout)
        if error and len(looks) > 1:
            raise error
        return renderer._renderer("embedded").render(source), None

    page, _ = shown(HIDDEN, render, timeout=timeout)
    return page, looks


@pytest.mark.parametrize("name", [pytest.param("chromium", marks=pytest.mark.browser), "embedded"])
def test_a_renderer_may_be_given_less_time_than_it_has(
    name: str, request: pytest.FixtureRequest
) -> None:
    renderer: AnyRenderer = request.getfixturevalue(name)
    with pytest.raises(RenderTimeout, match=r"within 0\.001 s"):
        renderer._renderer(name).render(load(TEXT.encode() * 500), timeout=0.001)
