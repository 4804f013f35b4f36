"""What documents show without scripts."""

from __future__ import annotations

import pytest

from pagesight.markup.noscript import (
    as_with_scripts,
    scripts_had_run,
    without_noscript,
    without_said,
)

SAYS = "<noscript>Please enable JavaScript</noscript>"
SHOWS = "<noscript><style>p { color: red }</style><img src=tea.png></noscript>"


@pytest.mark.parametrize(
    ("markup", "had_run"),
    [
        ("<html class='js flexbox'><p>Tea", True),
        ("<html class=js><p>Tea", True),
        ("<html class='no-js js'><p>Tea", False),
        ("<html class='no-js'><p>Tea", False),
        ("<html lang=en><p class=js>Tea", False),
        ("<noscript>&lt;iframe src='tea'&gt;&lt;/iframe&gt;</noscript>", True),
        ("<noscript>1 &lt; 2</noscript>", False),
        (SAYS, False),
    ],
)
def test_scripts_leave_marks(markup: str, had_run: bool) -> None:
    assert scripts_had_run(markup) is had_run


def test_noscript_elements_are_emptied_and_stay() -> None:
    assert without_noscript(f"a{SAYS}b{SHOWS}c") == "a<noscript></noscript>b<noscript></noscript>c"


def test_those_that_say_nothing_may_stay() -> None:
    assert without_said(f"a{SAYS}b{SHOWS}c") == f"a<noscript></noscript>b{SHOWS}c"


def test_only_the_content_of_one_element_goes() -> None:
    markup = f"<!-- <noscript> --><p>Tea</p>{SAYS}<p>Leaf</p><noscript>"
    assert without_noscript(markup) == markup.replace("Please enable JavaScript", "")


def test_classes_and_styles_are_those_that_scripts_make() -> None:
    markup = '<html class="no-js tea"><p style="color:red; opacity: 0; top:0">no-js</p>'
    assert as_with_scripts(markup) == (
        '<html class="js tea"><p style="color:red; ; top:0">no-js</p>'
    )
    half = '<html><p style="opacity:0.5;fill-opacity:0;opacity:01">opacity:0;</p>'
    assert as_with_scripts(half) == half
