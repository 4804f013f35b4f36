"""Stylesheets in terms of the engine."""

from __future__ import annotations

from base64 import b64decode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.render.embedded.pictures import PICTURE
from pagesight.render.embedded.terms import adapted


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("font-size: small", "font-size: 13px"),
        ("p{font-size:XX-Large}", "p{font-size:32px}"),
        ("font-size:medium!important", "font-size:16px!important"),
        ("font-size : x-small ;color:red", "font-size : 10px ;color:red"),
        ("font-size: larger; font-size: smaller", "font-size: larger; font-size: smaller"),
        ("font-size: mediumish", "font-size: mediumish"),
        ("font-size: -small", "font-size: -small"),
        ("width: medium", "width: medium"),
        ("@media (max-width: 40em) { p { width: 40em } }", "@media print{ p { width: 40em } }"),
        ("@MEDIA (min-width:1.5REM){}", "@media all{}"),
        ("@media (min-width: 1..2em) {}", "@media print{}"),
        ("@media print;p{margin:1em}", "@media print;p{margin:1em}"),
        ("@supports (display: grid) { p { margin: 0 } }", "@media print{ p { margin: 0 } }"),
        ("@layer base { p { margin: 0 } }", "@media all{ p { margin: 0 } }"),
        ("@import 'x' (width > 3em);p{}", '@import url("x");p{}'),
        ("@import 'x' print;p{}", "p{}"),
        ("/* @import 'x' print; */p{}", "/* @import 'x' print; */p{}"),
    ],
)  # fmt: skip
def test_what_the_engine_takes_otherwise_is_adapted(css: str, expected: str) -> None:
    assert adapted(css) == expected


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("height:100dvh;width:50svw", "height:100vh;width:50vw"),
        ("overflow:clip", "overflow:hidden"),
        ("display:flow-root", "display:block;overflow:hidden"),
        ("display: grid", "display: block"),
        ("display:inline-grid", "display:inline-block"),
        ("place-content:center", "align-content:center;justify-content:center"),
        ("place-items:start end", "align-items:start;justify-items:end"),
        ("clip-path:inset(50%)", "opacity:0"),
        ("clip-path:inset(10%)", "clip-path:inset(10%)"),
        ("content-visibility:hidden", "visibility:hidden"),
        ("content-visibility:auto", "content-visibility:auto"),
        ("a{overflow:auto}", "a{overflow:auto}"),
        ("a{height:9px;overflow:auto}", "a{height:9px;overflow:visible}"),
        ("a{overflow:scroll;flex:1}b{x:y}", "a{overflow:visible;flex:1}b{x:y}"),
        ("a{line-height:1;min-height:9px;overflow:auto}",
         "a{line-height:1;min-height:9px;overflow:auto}"),
        (".x pre{overflow:auto}a{height:1px}", ".x pre{overflow:visible}a{height:1px}"),
        ("a{height:1px}b{overflow:auto}", "a{height:1px}b{overflow:auto}"),
        ("background:url(a.png) red", 'background:url("a.png#behind") red'),
        ("background:url('a b.png'), url(c) red", 'background: url("c#behind") red'),
        ("background-image:url(a),none", 'background-image:url("a#behind")'),
        ("list-style:url(a.png)", "list-style:url(a.png)"),
    ],
)  # fmt: skip
def test_words_that_the_engine_does_not_know(css: str, expected: str) -> None:
    assert adapted(css) == expected


def test_a_gradient_has_a_colour_for_people() -> None:
    css = "background:linear-gradient(to right, rgb(9 9 9 / 50%) 10%, #fff)"
    picture = adapted(css, for_people=True).partition("base64,")[2].rstrip('")')

    assert b'fill="rgb(9 9 9 / 50%)"' in b64decode(picture)
    assert adapted("background:linear-gradient(var(--a),var(--b))", for_people=True).endswith(
        "none"
    )
    assert f"{PICTURE:06x}".encode() in b64decode(adapted(css).partition("base64,")[2].rstrip('")'))


@given(st.text(alphabet="@media font-size:smallpx1.5em{};()\n!", max_size=60))
def test_other_css_stays_as_it_is(css: str) -> None:
    lower = css.lower()
    if "font-size" not in lower and "@media" not in lower and css.count("{") < 2:
        assert adapted(css) == css
