"""Parts as they looked: styles come from the columns of the Page, and from nowhere else."""

from __future__ import annotations

from typing import Any

from pagesight.page import Align, Decoration, Display, Float, Visibility
from pagesight.portal.foreign.styling import MOST_NODES, family_of, styled
from small_pages import El, el, make_page, pseudo, shadow, text


def of(*children: El | str, **columns: Any) -> str:
    """The first element of a page, as it looked."""
    page = make_page(el("div", *children, **{"box": (0, 0, 100, 100), **columns}))
    written = styled(page, [1])
    assert written is not None
    return written


def test_letters_and_surfaces_look_as_on_the_page() -> None:
    written = of(
        el("p", "tea", font_size=20, font_weight=700, italic=True, color=0xFF0000FF,
           own_background=0x00FF00FF, align=Align.CENTER, decoration=Decoration.UNDERLINE,
           border=(1, 0, 2, 0), opacity=0.5),
    )  # fmt: skip
    for declaration in (
        "font-size:20px", "font-weight:700", "font-style:italic", "color:#ff0000",
        "background-color:#00ff00", "text-align:center", "text-decoration-line:underline",
        "border-width:1px 0px 2px 0px", "opacity:0.5",
    ):  # fmt: skip
        assert declaration in written


def test_what_is_inherited_is_written_once() -> None:
    written = of(el("p", "tea", font_size=20), font_size=20)
    assert written.count("font-size") == 1


def test_a_part_brings_the_background_that_it_was_seen_on() -> None:
    assert "background-color:#112233" in of("tea", background=0x112233FF)


def test_light_letters_on_a_picture_stay_readable() -> None:
    light = el("p", "tea", color=0xFFFFFFFF, background_image=True)
    assert "background-color:#444444" in of(light)
    dark = el("p", "tea", color=0x000000FF, background_image=True)
    assert "#444444" not in of(dark)


def test_the_room_between_things_comes_from_their_boxes() -> None:
    written = of(
        el("p", "green", box=(10, 8, 50, 20)),
        el("p", "black", box=(10, 40, 50, 20)),
        box=(0, 0, 100, 70),
    )
    assert "padding:8px 10px 10px 10px" in written
    assert "margin-top:12px" in written


def test_things_side_by_side_share_a_row() -> None:
    row = el(
        "div",
        el("p", "green", box=(0, 0, 300, 20)),
        el("p", "black", box=(320, 0, 280, 20)),
        display=Display.GRID,
        box=(0, 0, 600, 20),
    )
    written = of(row, box=(0, 0, 600, 20))
    assert "display:flex" in written
    assert "flex:300 1 160px" in written
    assert "gap:20px 20px" in written


def test_a_floating_picture_keeps_its_size() -> None:
    picture = el("img", attributes={"src": "leaf.png"}, box=(0, 0, 30, 20), float=Float.LEFT)
    written = of(picture, "tea")
    assert "float:left;width:30px" in written
    assert "aspect-ratio:30 / 20" in written
    assert 'src="https://tea.example/shop/leaf.png"' in written


def test_what_is_not_seen_is_not_written() -> None:
    hidden = el("p", text("poison", visibility=Visibility.HIDDEN), visibility=Visibility.HIDDEN)
    written = of(hidden, el("script", "alert(1)"), el("svg", "x"), el("b", "tea"))
    assert "poison" not in written
    assert "alert" not in written
    assert "tea" in written


def test_lines_end_where_they_ended() -> None:
    line_break = el("br", visibility=Visibility.ZERO_SIZE)
    assert "<br" in of("green", line_break, "black")


def test_paths_count_what_is_not_seen() -> None:
    hidden = el("p", visibility=Visibility.NOT_RENDERED)
    assert of(hidden, el("p", "tea")).count("<p") == 2
    assert of(el("p", "tea"), hidden).count("<p") == 1


def test_other_elements_keep_their_name_for_paths() -> None:
    written = of(el("tea-card", "green", display=Display.BLOCK), el("button", "buy"))
    assert '<div data-tag="tea-card"' in written
    assert 'data-tag="button"' in written


def test_shadow_trees_and_generated_content_are_content() -> None:
    host = el("tea-card", shadow(el("p", "green", pseudo("::after", " leaves"))))
    written = of(host)
    assert "green" in written
    assert "leaves" in written


def test_words_that_only_look_apart_are_apart() -> None:
    page = make_page(
        el("div", el("a", text("Home")), el("a", text("News"))),
        runs={
            "run_node": [3, 5],
            "run_box": [(0, 0, 40, 16), (80, 0, 40, 16)],
            "run_text": [0, 0],
        },
    )
    assert "> News<" in (styled(page, [1]) or "")


def test_text_and_attributes_are_escaped() -> None:
    picture = el("img", attributes={"src": "a.png", "alt": '"><script>'})
    written = of("<script>alert(1)</script>", picture)
    assert "<script>" not in written


def test_a_huge_part_is_shown_plain() -> None:
    page = make_page(el("div", *["tea"] * (MOST_NODES + 1)))
    assert styled(page, [1]) is None


def test_fonts_become_generic_ones() -> None:
    assert family_of('"Helvetica Neue", Arial') == "arial, sans-serif"
    assert family_of("Georgia, serif") == "ui-serif, serif"
    assert family_of("Menlo") == "ui-monospace, monospace"
    assert family_of("url(http://evil.example)") == "arial, sans-serif"
