# ruff: noqa: E501 (one case, one line)
"""Visibility from end to end: what Chromium lays out, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pagesight.page import Page, Visibility

pytestmark = pytest.mark.browser
See = Callable[[str], Page]

PICTURE = (
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"
    "<rect width='9' height='9' fill='navy'/></svg>"
)
RECIPE = (
    "position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;"
    "clip:rect(0,0,0,0);white-space:nowrap;border:0"
)
WINDOW = "width:300px;height:100px;position:relative;overflow:hidden"

CASES: dict[str, tuple[str, Visibility]] = {
    "plain": ("<p>tea</p>", Visibility.VISIBLE),
    "display none": ("<p style='display:none'>tea</p>", Visibility.NOT_RENDERED),
    "hidden attribute": ("<div hidden><p>tea</p></div>", Visibility.NOT_RENDERED),
    "closed details": ("<details><summary>s</summary><p>tea</p></details>", Visibility.NOT_RENDERED),
    "open details": ("<details open><summary>s</summary><p>tea</p></details>", Visibility.VISIBLE),
    "visibility hidden": ("<p style='visibility:hidden'>tea</p>", Visibility.HIDDEN),
    "visibility collapse": ("<p style='visibility:collapse'>tea</p>", Visibility.HIDDEN),
    "visible in hidden": ("<div style='visibility:hidden'>x<p style='visibility:visible'>tea</p></div>", Visibility.VISIBLE),
    "opacity": ("<div style='opacity:0'><p>tea</p></div>", Visibility.TRANSPARENT),
    "half opacity": ("<div style='opacity:.5'><p>tea</p></div>", Visibility.VISIBLE),
    "transparent colour": ("<p style='color:transparent'>tea</p>", Visibility.TRANSPARENT),
    "no font size": ("<p style='font-size:0'>tea</p>", Visibility.ZERO_SIZE),
    "no height, not clipped": ("<div style='height:0'><p>tea</p></div>", Visibility.VISIBLE),
    "no height, clipped": ("<div style='height:0;overflow:hidden'><p>tea</p></div>", Visibility.CLIPPED),
    "text indent": ("<p style='text-indent:-9999px'>tea</p>", Visibility.OFF_SCREEN),
    "text indent, clipped": ("<p style='text-indent:-9999px;overflow:hidden'>tea</p>", Visibility.OFF_SCREEN),
    "moved left": ("<p style='position:absolute;left:-9999px'>tea</p>", Visibility.OFF_SCREEN),
    "moved up": ("<p style='position:absolute;top:-9999px'>tea</p>", Visibility.OFF_SCREEN),
    "moved down": ("<p style='position:absolute;top:9999px'>tea</p>", Visibility.VISIBLE),
    "transformed away": ("<p style='transform:translateX(-200%)'>tea</p>", Visibility.OFF_SCREEN),
    "clip": ("<p style='position:absolute;clip:rect(0,0,0,0)'>tea</p>", Visibility.CLIPPED),
    "clip of one pixel": ("<p style='position:absolute;clip:rect(1px,1px,1px,1px)'>tea</p>", Visibility.CLIPPED),
    "clip in the flow": ("<p style='clip:rect(0,0,0,0)'>tea</p>", Visibility.VISIBLE),
    "clip path": ("<p style='clip-path:inset(50%)'>tea</p>", Visibility.CLIPPED),
    "clip path of an ancestor": ("<div style='clip-path:inset(100%)'><p>tea</p></div>", Visibility.CLIPPED),
    "round clip path": ("<p style='clip-path:inset(0 round 50%)'>tea</p>", Visibility.VISIBLE),
    "half clip path": ("<p style='clip-path:inset(50% 0 0 0)'>tea</p>", Visibility.VISIBLE),
    "visually hidden": (f"<p style='{RECIPE}'>tea</p>", Visibility.CLIPPED),
    "visually hidden without clip": (f"<p style='{RECIPE};clip:auto'>tea</p>", Visibility.CLIPPED),
    "white on white": ("<p style='color:#fff'>tea</p>", Visibility.SAME_COLOR),
    "white on black": ("<div style='background:#000'><p style='color:#fff'>tea</p></div>", Visibility.VISIBLE),
    "black on black": ("<div style='background:#000'><p>tea</p></div>", Visibility.SAME_COLOR),
    "black on clear": ("<div style='background:#0001'><p>tea</p></div>", Visibility.VISIBLE),
    "white on a photograph": (f'<div style="position:relative"><img src="{PICTURE}" style="width:300px;height:99px">'
                              "<p style='position:absolute;top:5px;left:5px;margin:0;color:#fff'>tea</p></div>", Visibility.VISIBLE),
    "white on a background": (f'<div style="background:url({PICTURE!r})"><p style="color:#fff">tea</p></div>', Visibility.VISIBLE),
    "white on a gradient": ("<div style='background:linear-gradient(red,navy)'><p style='color:#fff'>tea</p></div>", Visibility.VISIBLE),
    "white beside a photograph": (f'<img src="{PICTURE}" style="width:300px;height:99px"><p style="color:#fff">tea</p>', Visibility.SAME_COLOR),
    "white on a panel elsewhere": ("<div style='position:absolute;top:0;left:0;width:200px;height:99px;background:navy'></div>"
                                   "<p style='position:absolute;top:5px;left:5px;color:#fff'>tea</p>", Visibility.VISIBLE),
    "white on a white panel": ("<div style='position:absolute;top:0;left:0;width:200px;height:99px;background:#fff'></div>"
                               "<p style='position:absolute;top:5px;left:5px;color:#fff'>tea</p>", Visibility.SAME_COLOR),
    "slide in the window": (f"<div style='{WINDOW}'><p style='position:absolute;left:0'>tea</p></div>", Visibility.VISIBLE),
    "slide beside the window": (f"<div style='{WINDOW}'><p style='position:absolute;left:300px'>tea</p></div>", Visibility.CLIPPED),
    "escaping the overflow": ("<div style='width:9px;height:9px;overflow:hidden'>"
                              "<p style='position:absolute;left:300px;top:300px'>tea</p></div>", Visibility.VISIBLE),
    "fixed": (f"<div style='{WINDOW}'><p style='position:fixed;bottom:0;right:0'>tea</p></div>", Visibility.VISIBLE),
    "in a scroller": ("<div style='height:50px;overflow:auto'><div style='height:3000px'></div><p>tea</p></div>", Visibility.VISIBLE),
    "in a scroller of one axis": ("<div style='height:50px;overflow:hidden auto'><div style='height:3000px'></div><p>tea</p></div>", Visibility.VISIBLE),
    "beside, in a scroller": ("<div style='overflow-x:scroll;width:99px;white-space:nowrap'><p style='margin-left:5000px'>tea</p></div>", Visibility.VISIBLE),
    "in a scroller that ends below the window": ("<p>Head<div style='position:fixed;height:100%;overflow:auto'>"
        "<div style='height:3000px'></div><p>tea</p><p>leaf</div>", Visibility.VISIBLE),
    "in the scroller of an application": ("<div style='height:100vh;overflow:hidden'><main style='height:100%;overflow:auto'>"
                                          "<div style='height:3000px'></div><p>tea</p></main></div>", Visibility.VISIBLE),
    "below a clipping box": ("<div style='height:50px;overflow:hidden'><div style='height:60px'></div><p>tea</p></div>", Visibility.CLIPPED),
    "body overflow": ("<style>html,body{overflow:hidden;height:100px}</style><div style='height:200px'></div><p>tea</p>", Visibility.VISIBLE),
    "inline overflow": ("<a style='overflow:hidden'><p style='position:relative;top:99px'>tea</p></a>", Visibility.VISIBLE),
    "contents": ("<div style='display:contents'><p>tea</p></div>", Visibility.VISIBLE),
    "in a frame": ("<iframe srcdoc='<p>tea</p>'></iframe>", Visibility.VISIBLE),
    "far down in a frame": ("<iframe srcdoc='<div style=height:5000px></div><p>tea</p>'></iframe>", Visibility.VISIBLE),
    "in an unrendered frame": ("<iframe style='display:none' srcdoc='<p>tea</p>'></iframe>", Visibility.NOT_RENDERED),
    "in a frame of one pixel": ("<iframe width=1 height=1 style='border:0' srcdoc='<p>tea</p>'></iframe>", Visibility.CLIPPED),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_whether_a_word_is_seen(case: str, see: See) -> None:
    html, expected = CASES[case]
    page = see(html)
    word = next(node for node in page if node.own_text == "tea")

    assert word.visibility is expected
    assert ("tea" in page.root.text) == (expected is Visibility.VISIBLE)


def test_an_unrendered_frame_is_not_rendered_itself(see: See) -> None:
    page = see("<iframe style='display:none' srcdoc='<p>tea</p>'></iframe>")
    frame = page.find("iframe")[0]
    assert {node.visibility for node in (frame, *frame.descendants)} == {Visibility.NOT_RENDERED}
