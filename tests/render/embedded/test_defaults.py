"""Browser defaults that the engine lacks."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.render.embedded.defaults import default_style
from pagesight.render.embedded.terms import adapted

ALWAYS = default_style(["* { font: 12px Arial }"])


def shrunk(*stylesheets: str) -> set[str]:
    """The elements whose text is made smaller for being monospaced."""
    found = re.search(r"([\w, ]+) \{ font-size: 0\.8125em \}", default_style(stylesheets))
    return set(found[1].split(", ")) - {""} if found else set()


MONOSPACED = {"pre", "code", "kbd", "samp", "tt", "listing", "xmp", "plaintext"}


def strip(tags: set[str]) -> set[str]:
    return {tag.strip() for tag in tags}


@pytest.mark.parametrize(
    ("css", "unshrunk"),
    [
        ("", set()),
        ("p { font-family: Courier }", set()),
        ("code { font-family: Menlo, monospace }", {"code"}),
        ("code, pre.x { font: 12px Menlo }", {"code", "pre"}),
        ("div > kbd { FONT-FAMILY: Menlo !important }", {"kbd"}),
        ("code { font-family: monospace }", set()),
        ("code { font-family: inherit }", set()),
        ("/* code { font-family: Menlo } */", set()),
        ("@media screen { samp { font-family: Menlo } }", {"samp"}),
        ("code span { font-family: Menlo }", set()),
        ("* { font-family: Arial }", MONOSPACED),
        ("* { font-size: 1rem }", set()),
        ("body { font-size: 14px }", MONOSPACED),
        ("html { font: 12pt/1.5 Arial }", MONOSPACED),
        (":root { font-size: 62.5% }", set()),
        ("p { font-size: 14px }", set()),
    ],
)
def test_monospaced_text_is_smaller_unless_the_author_says_otherwise(
    css: str, unshrunk: set[str]
) -> None:
    assert strip(shrunk(css)) == MONOSPACED - unshrunk


def test_all_stylesheets_count() -> None:
    assert strip(shrunk("code { font-family: A }", "", "pre { font-family: B }")) == (
        MONOSPACED - {"code", "pre"}
    )


def test_code_in_a_pre_is_not_made_smaller_twice() -> None:
    assert "pre code" in default_style([])
    assert default_style([]).endswith("{ font-size: 1em }")


def test_some_defaults_are_always_said() -> None:
    assert default_style([]).startswith(ALWAYS)
    assert "h1 { font-size: 2em }" in ALWAYS
    assert 'font[size="5"] { font-size: 24px }' in ALWAYS


@given(st.text(max_size=40))
def test_no_css_is_too_strange(css: str) -> None:
    adapted(f"@media {css} font-size:{css}")
    default_style([css, f"code {{ font-family: {css} }}"])
