from __future__ import annotations

from collections.abc import Callable

import pytest
from running import small_page

from pagesight.cli.commands.read import large_text_lines, largest_texts
from pagesight.page import Page


def test_a_narrow_screen_shows_the_end_of_the_path() -> None:
    shown = [line.plain for line in large_text_lines(small_page(), 20)]
    assert shown[-2:] == ["30 px bold  Green tea", "            …body/h1"]


@pytest.mark.parametrize(
    ("size", "label"),
    [
        (30.0, "30 px bold  "),
        (33.5, "33.5 px bold  "),
        (33.46, "33.5 px bold  "),
        (1234.56, "1234.6 px bold  "),
    ],
)
def test_labels_do_not_run_into_the_text(size: float, label: str) -> None:
    *_, text, path = (line.plain for line in large_text_lines(small_page(size=size), None))
    assert text == f"{label}Green tea"
    assert path == " " * len(label) + "/html/body/h1"


def test_texts_begin_in_one_column(lay_out: Callable[[str], Page]) -> None:
    page = lay_out("<h1 style='font-size: 33.5px'>One</h1><p>Two</p>")
    *_, one, _, two, _ = (line.plain for line in large_text_lines(page, None))
    assert (one, two) == ("33.5 px bold  One", "16 px         Two")


def test_the_largest_texts_of_the_first_screen(lay_out: Callable[[str], Page]) -> None:
    page = lay_out(
        """<style>* { margin: 0; font: 16px sans-serif } h1 { font: bold 40px serif }
        b { font-weight: bold } .hidden { display: none; font-size: 99px }
        .below { position: absolute; top: 2000px; font-size: 90px }</style>
        <p>plain</p><p><b>bold</b></p>
        <h1>one <i>word</i>less <br>heading</h1>
        <p class=hidden>hidden</p><p class=below>below</p>"""
    )
    found = [(large.text, large.size, large.weight) for large in largest_texts(page)]
    assert found[0][1:] == (40.0, 700)
    assert [text for text, *_ in found][1:] == ["bold", "plain"]
    assert largest_texts(page)[0].node.tag == "h1"


def test_inline_pieces_are_one_text(lay_out: Callable[[str], Page]) -> None:
    page = lay_out("<h1>one <i>word</i>less <br>heading</h1>")
    assert [large.text for large in largest_texts(page)] == ["one wordless heading"]


def test_an_empty_page_has_nothing_to_see(lay_out: Callable[[str], Page]) -> None:
    assert list(large_text_lines(lay_out("<title>Empty</title>"), 80)) == []
