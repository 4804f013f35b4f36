from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page import Display, Page, Position, Visibility
from pagesight.page.columns import subtree_ends
from pagesight.page.visibility import VisibilityEvidence, effective_backgrounds, mark
from small_pages import El, document, el, make_page, text

SIZE = (1000.0, 2000.0)
WHITE, BLACK, RED, NAVY = 0xFFFFFFFF, 0x000000FF, 0xFF0000FF, 0x000080FF
HERE = (100, 100, 50, 20)
FIELDS = ("hidden", "clips", "clipped_away", "pictures", "scrolls")


def marks(page: Page, *, rendered: list[int] | None = None, **given: list[int]) -> list[Visibility]:
    """The marks of all nodes but the document; evidence is given as lists of nodes."""

    def flags(nodes: list[int]) -> Any:
        return np.isin(np.arange(len(page)), nodes)

    evidence = VisibilityEvidence(
        rendered=flags(list(range(len(page))) if rendered is None else rendered),
        **{name: flags(given.get(name, [])) for name in FIELDS},
    )
    found = mark(page.columns, page.end, SIZE, evidence)
    return [Visibility(value) for value in found.tolist()][1:]


def p(*children: El | str, **columns: Any) -> El:
    return el("p", *children, **{"box": HERE, **columns})


def t(**columns: Any) -> El:
    return text("tea", **{"box": HERE, **columns})


SEEN = Visibility.VISIBLE
CUT = Visibility.CLIPPED


def test_what_is_there_is_seen() -> None:
    assert marks(make_page(p(t()))) == [SEEN, SEEN]


def test_not_rendered() -> None:
    assert marks(make_page(p(t())), rendered=[0, 1]) == [SEEN, Visibility.NOT_RENDERED]


def test_hidden_is_said_of_each_node() -> None:
    assert marks(make_page(p(t())), hidden=[1]) == [Visibility.HIDDEN, SEEN]


@pytest.mark.parametrize("box", [(100, 100, 0, 20), (100, 100, 20, 0), (0, 0, 0, 0)])
def test_zero_size(box: tuple[float, ...]) -> None:
    assert marks(make_page(p(t(), box=box))) == [Visibility.ZERO_SIZE, SEEN]


def test_display_contents_has_no_size_to_judge() -> None:
    assert marks(make_page(p(t(), box=(100, 100, 0, 0), display=Display.CONTENTS))) == [SEEN, SEEN]


@pytest.mark.parametrize(
    ("box", "off"),
    [
        ((-50, 100, 50, 20), True),
        ((-49, 100, 50, 20), False),
        ((100, -20, 50, 20), True),
        ((100, -19, 50, 20), False),
        ((1000, 100, 50, 20), True),
        ((999, 100, 50, 20), False),
        ((100, 2000, 50, 20), True),
        ((100, 1999, 50, 20), False),
        ((-9999, 100, 50, 20), True),
        ((-9999, 100, 12000, 20), False),
    ],
)
def test_off_screen(box: tuple[float, ...], off: bool) -> None:
    assert marks(make_page(p(box=box))) == [Visibility.OFF_SCREEN if off else SEEN]


def test_opacity_multiplies() -> None:
    transparent = Visibility.TRANSPARENT
    assert marks(make_page(p(t(), opacity=0))) == [transparent, transparent]
    assert marks(make_page(p(p(t(), opacity=0.1), opacity=0.1))) == [SEEN, transparent, transparent]
    assert marks(make_page(p(p(t(), opacity=0.5), opacity=0.5))) == [SEEN, SEEN, SEEN]
    assert marks(make_page(p(t(), opacity=0), p(t()))) == [transparent, transparent, SEEN, SEEN]


def test_text_in_a_transparent_colour() -> None:
    page = make_page(p(t(color=0x00000000), color=0))
    assert marks(page) == [SEEN, Visibility.TRANSPARENT]


def test_reasons_higher_up_win() -> None:
    page = make_page(p(t(color=0), box=(-99, 0, 0, 0), opacity=0))
    every = {"hidden": [1], "clipped_away": [1]}
    assert marks(page, rendered=[0], **every)[0] is Visibility.NOT_RENDERED
    assert marks(page, **every)[0] is Visibility.HIDDEN
    assert marks(page, clipped_away=[1])[0] is Visibility.ZERO_SIZE


@pytest.mark.parametrize(
    ("inner", "seen"),
    [
        ((110, 110, 10, 10), True),
        ((148, 110, 10, 10), True),
        ((149, 110, 10, 10), False),
        ((150, 110, 10, 10), False),
        ((90, 110, 12, 10), True),
        ((90, 110, 11, 10), False),
        ((110, 119, 10, 10), False),
        ((110, 119, 10, 0.5), True),  # a hairline is as thin as it is
        ((0, 0, 900, 900), True),
    ],
)
def test_clipping(inner: tuple[float, ...], seen: bool) -> None:
    page = make_page(p(el("b", box=inner)))
    assert marks(page, clips=[1]) == [SEEN, SEEN if seen else CUT]
    assert marks(page) == [SEEN, SEEN]


def test_a_box_of_one_pixel_shows_nothing() -> None:
    page = make_page(p(t(), box=(100, 100, 1, 1)))
    assert marks(page, clips=[1]) == [SEEN, CUT]


def test_clipped_away_with_all_that_is_inside() -> None:
    assert marks(make_page(p(p(t())), p(t())), clipped_away=[1]) == [CUT, CUT, CUT, SEEN, SEEN]


@pytest.mark.parametrize(
    ("outer", "clipper", "inner", "seen"),
    [
        (Position.STATIC, Position.STATIC, Position.STATIC, False),
        (Position.STATIC, Position.STATIC, Position.RELATIVE, False),
        (Position.STATIC, Position.STATIC, Position.ABSOLUTE, True),
        (Position.RELATIVE, Position.STATIC, Position.ABSOLUTE, True),
        (Position.STATIC, Position.RELATIVE, Position.ABSOLUTE, False),
        (Position.RELATIVE, Position.RELATIVE, Position.FIXED, True),
        (Position.STATIC, Position.STATIC, Position.STICKY, False),
    ],
)
def test_positioned_boxes_are_clipped_by_their_containing_block(
    outer: Position, clipper: Position, inner: Position, seen: bool
) -> None:
    away = (500, 500, 50, 20)
    page = make_page(
        p(p(p(t(box=away), box=away, position=inner), position=clipper), position=outer)
    )
    expected = SEEN if seen else CUT
    assert marks(page, clips=[2]) == [SEEN, SEEN, expected, expected]


def test_nothing_escapes_from_a_frame() -> None:
    away = (500, 500, 50, 20)
    for position in (Position.ABSOLUTE, Position.FIXED):
        page = make_page(p(el("iframe", document(p(box=away, position=position), box=away))))
        assert marks(page, clips=[1])[-1] is CUT


def test_what_a_scroller_holds_can_be_scrolled_to() -> None:
    below = (100, 5000, 50, 20)
    page = make_page(p(p(t(box=below), box=below)))
    assert marks(page)[1:] == [Visibility.OFF_SCREEN] * 2
    assert marks(page, scrolls=[1]) == [SEEN] * 3


def test_a_scroller_in_a_clipping_box() -> None:
    below = (100, 5000, 50, 20)
    page = make_page(p(p(t(box=below))))
    assert marks(page, clips=[1], scrolls=[2]) == [SEEN, SEEN, SEEN]
    assert marks(page, clips=[2], scrolls=[1]) == [SEEN, SEEN, CUT]


def test_a_slide_beside_its_window_stays_clipped_in_a_scroller() -> None:
    right = (1200, 5000, 50, 20)
    page = make_page(p(p(t(box=right), box=(100, 5000, 50, 20))))
    assert marks(page, scrolls=[1], clips=[2]) == [SEEN, SEEN, CUT]


def test_no_scrolling_leads_to_the_left_of_the_page() -> None:
    page = make_page(p(t(box=(-9999, 100, 50, 20))))
    assert marks(page, scrolls=[1]) == [SEEN, Visibility.OFF_SCREEN]


def test_a_scroller_of_one_pixel() -> None:
    page = make_page(p(t(), box=(100, 100, 1, 1)))
    assert marks(page, scrolls=[1]) == [SEEN, CUT]


def test_a_renderer_that_knows_of_no_scrolling() -> None:
    page = make_page(p(t()))
    no, yes = np.zeros(3, dtype=np.bool_), np.ones(3, dtype=np.bool_)
    evidence = VisibilityEvidence(rendered=yes, hidden=no, clips=no, clipped_away=no, pictures=no)
    assert mark(page.columns, page.end, SIZE, evidence).tolist() == [0, 0, 0]


def test_text_in_the_colour_of_its_background() -> None:
    same = Visibility.SAME_COLOR
    assert marks(make_page(p(t(color=WHITE)))) == [SEEN, same]
    assert marks(make_page(p(t(color=0xFCFCFCFF)))) == [SEEN, same]
    assert marks(make_page(p(t(color=0xFBFFFFFF)))) == [SEEN, SEEN]
    assert marks(make_page(p(t(color=WHITE, background=NAVY)))) == [SEEN, SEEN]
    assert marks(make_page(p(t(color=NAVY, background=NAVY)))) == [SEEN, same]


def test_white_text_on_a_picture() -> None:
    picture = el("img", box=(0, 0, 500, 500))
    page = make_page(picture, p(t(color=WHITE)))
    assert marks(page, pictures=[1]) == [SEEN, SEEN, SEEN]
    assert marks(page, pictures=[1], hidden=[1])[2] is Visibility.SAME_COLOR
    elsewhere = el("img", box=(600, 0, 500, 500))
    assert marks(make_page(elsewhere, p(t(color=WHITE))), pictures=[1])[2] is Visibility.SAME_COLOR


def test_white_text_on_a_background_picture() -> None:
    assert marks(make_page(p(t(color=WHITE), background_image=True))) == [SEEN, SEEN]


def test_white_text_on_a_panel_elsewhere_in_the_tree() -> None:
    same = Visibility.SAME_COLOR
    for panel, expected in ((NAVY, SEEN), (WHITE, same), (0, same)):
        page = make_page(el("i", box=(0, 0, 500, 500), own_background=panel), p(t(color=WHITE)))
        assert marks(page) == [SEEN, SEEN, expected]


def test_an_ancestor_is_no_panel_elsewhere() -> None:
    # It counts in `background` already: here something white lies between it and the text.
    page = make_page(p(p(t(color=WHITE), own_background=WHITE), own_background=NAVY))
    assert marks(page)[2] is Visibility.SAME_COLOR


LAYERS = st.tuples(st.integers(0, 9), st.integers(0, 0xFFFFFF), st.sampled_from([0, 1, 99, 255]))


@given(st.lists(LAYERS, max_size=12))
def test_backgrounds_are_laid_over_each_other(nodes: list[tuple[int, int, int]]) -> None:
    parents, own = [-1], [0]
    for choice, rgb, alpha in nodes:
        line = [len(parents) - 1]
        while parents[line[-1]] >= 0:
            line.append(parents[line[-1]])
        parents.append(line[choice % len(line)])
        own.append(rgb << 8 | alpha)

    def behind(node: int) -> list[int]:
        if node < 0:
            return [255, 255, 255]
        *top, alpha = own[node].to_bytes(4, "big")
        share, below = alpha / 255, behind(parents[node])
        return [round(t * share + b * (1 - share)) for t, b in zip(top, below, strict=True)]

    ends = subtree_ends(np.array(parents))
    found = effective_backgrounds(np.array(own, dtype=np.uint32), ends).tolist()

    assert [list(color.to_bytes(4, "big")) for color in found] == [
        [*behind(node), 255] for node in range(len(parents))
    ]
