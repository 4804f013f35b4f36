"""Dialogs that ask for consent."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pagesight.page import Page
from pagesight.page.consent import MOST_WORDS, consent_dialogs
from pagesight.render import AnyRenderer
from pagesight.sources import load

LayOut = Callable[[str], Page]
COOKIES = "We use cookies to make this page better for you."
ACCEPT = "<button>Accept all</button>"
TEXT = "<p>Green tea is good for the patience of reviewers." * 40


@pytest.fixture(params=[pytest.param("chromium", marks=pytest.mark.browser), "embedded"])
def show(request: pytest.FixtureRequest) -> LayOut:
    renderer: AnyRenderer = request.getfixturevalue(request.param)
    return lambda html: renderer.render(load(f"<!doctype html>{html}".encode()))


@pytest.mark.parametrize(
    "dialog",
    [
        f"<div id=cookie-notice><p>{COOKIES}</p>{ACCEPT}</div>",
        f"<div role=dialog><p>{COOKIES}</p><a href=x>OK</a></div>",
        f"<div class=onetrust><p>{COOKIES}</p><input type=submit value='I agree'></div>",
        f"<dialog open><p>{COOKIES}</p><span role=button>Got it</span></dialog>",
        "<div class=consent>Wir verwenden Cookies, um unser Angebot zu verbessern."
        "<button>Alle akzeptieren</button></div>",
        "<div class=cookies>Nous utilisons des cookies pour améliorer votre visite."
        "<button>Tout accepter</button></div>",
        "<div class=cookies>Utilizamos cookies para mejorar su visita en esta página."
        "<button>Aceptar</button></div>",
        "<div class=gdpr>Мы используем файлы куки для работы этого сайта."
        "<button>Принять</button></div>",
    ],
)
def test_a_dialog_that_asks_for_consent_is_found(lay_out: LayOut, dialog: str) -> None:
    page = lay_out(f"<h1>Tea</h1>{TEXT}{dialog}")
    (found,) = consent_dialogs(page)
    assert page[found].text.split(".")[0] in dialog
    assert [note.kind for note in page.info.notes] == ["consent"]


@pytest.mark.parametrize(
    "other",
    [
        f"<p>{COOKIES}</p>{ACCEPT}",  # it is not before the page
        f"<div id=cookies><p>{COOKIES}</p></div>",  # there is nothing to answer
        "<div role=dialog><p>Sign in to read all of this text.</p><a>Continue</a></div>",
        "<div role=dialog><a>Cookies</a> <a>Privacy</a> <a>Accept</a></div>",  # a list of links
        f"<div class=cookies>{'All about cookies and baking. ' * MOST_WORDS}{ACCEPT}</div>",
        f"<div class=cookies style='display:none'><p>{COOKIES}</p>{ACCEPT}</div>",
    ],
)
def test_other_things_are_not(lay_out: LayOut, other: str) -> None:
    assert consent_dialogs(lay_out(f"<h1>Tea</h1>{TEXT}{other}")) == []


def test_dialogs_are_the_outermost_elements(lay_out: LayOut) -> None:
    one = f"<div class=consent><div role=dialog>{COOKIES}{ACCEPT}{ACCEPT}</div></div>"
    page = lay_out(f"{TEXT}{one}{one}")
    assert [page[dialog].tag for dialog in consent_dialogs(page)] == ["div", "div"]
    assert [page.attribute(dialog, "class") for dialog in consent_dialogs(page)] == ["consent"] * 2
    assert page.info.notes[-1].count == 2


@pytest.mark.browser
def test_what_lies_before_the_page_needs_no_name(chromium: AnyRenderer) -> None:
    html = f"{TEXT}<div style='position:fixed;bottom:0'><p>{COOKIES}</p>{ACCEPT}</div>"
    page = chromium.render(load(html.encode()))
    assert page.info.notes[-1].detail == f"a dialog asks for consent: {COOKIES} Accept all"


@pytest.mark.parametrize(
    "lock",
    [
        "html, body { height: 100%; overflow: hidden }",
        "body { position: fixed; width: 100%; height: 100%; overflow: hidden }",
        ".locked { overflow: hidden !important; height: 100vh !important }",
    ],
)
def test_the_page_behind_a_dialog_is_read(show: LayOut, lock: str) -> None:
    dialog = f"<div class=consent style='position:fixed;top:9%'>{COOKIES}{ACCEPT}</div>"
    page = show(f"<html class=locked><style>{lock}</style><body class=locked>{TEXT}{dialog}")
    assert page.root.text.count("Green tea") == 40
    assert [note.kind for note in page.info.notes] == ["consent"]


def test_a_page_without_a_dialog_stays_locked(show: LayOut) -> None:
    page = show(f"<style>html, body {{ height: 100%; overflow: hidden }}</style>{TEXT}")
    assert page.root.text.count("Green tea") < 40
