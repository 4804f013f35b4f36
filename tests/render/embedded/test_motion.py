"""Transforms and animations in terms of the engine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.render.embedded.motion import ended, in_the_plane


@pytest.mark.parametrize(
    ("css", "plane"),
    [
        ("transform:scale(0)", "transform:scale(0.0001)"),
        ("transform:scale(1.5, .0)", "transform:scale(1.5, 0.0001)"),
        ("transform:scaleX(0%)", "transform:scaleX(0.0001)"),
        ("transform:scale3d(1,0,1)", "transform:scale(1, 0.0001)"),
        ("transform:scale(0.5)", "transform:scale(0.5)"),
        ("transform:scale(var(--s))", "transform:scale(var(--s))"),
        ("--scale-x:0;transform:none", "--scale-x:0.0001;transform:none"),
        ("transform:matrix(1,0,0,0,5,5)", "transform:scale(0.0001)"),
        ("transform:matrix(0,1,-1,0,5,5)", "transform:matrix(0,1,-1,0,5,5)"),
        ("transform:translate3d(-100%,0,0)", "transform:translate(-100%,0)"),
        ("transform:translateX(5px) translateZ(0)", "transform:translateX(5px) translate(0)"),
        ("transform:rotateZ(4deg) rotateX(9deg)", "transform:rotate(4deg) rotate(0deg)"),
        ("transform:perspective(9px) scale(2)", "transform:translate(0) scale(2)"),
        ("translate:-100% calc(1px + 2px)", "transform:translate(-100%, calc(1px + 2px))"),
        ("translate:none", "translate:none"),
        ("scale:0", "transform:scale(0.0001)"),
        ("scale:1.1", "scale:1.1"),
        (".translate:hover{color:red}", ".translate:hover{color:red}"),
        ("transition:translate 1s", "transition:translate 1s"),
    ],
)
def test_transforms_are_of_the_plane(css: str, plane: str) -> None:
    assert in_the_plane(css).replace(", ", ",") == plane.replace(", ", ",")


FRAMES = "@keyframes in{0%,50%{opacity:0}to{opacity:1;color:red;transform:none}}"


@pytest.mark.parametrize(
    ("rule", "shown"),
    [
        ("opacity:0;animation:in 1s forwards", True),
        ("animation-name:in;animation-fill-mode:both", True),
        ("opacity:0;animation:in 1s", False),
        ("animation:in 1s forwards infinite", False),
        ("animation:in 1s forwards reverse", False),
        ("animation:out 1s forwards", False),
    ],
)
def test_animations_have_ended(rule: str, shown: bool) -> None:
    end = ";opacity:1;transform:none" if shown else ""

    assert ended(f"{FRAMES}.a{{{rule}}}") == f"{FRAMES}.a{{{rule}{end}}}"


@given(st.text(alphabet="transfomlec03d(){}:;,% -@kyi", max_size=80))
def test_any_stylesheet_comes_to_an_end(css: str) -> None:
    ended(in_the_plane("transform:" + css + "@keyframes"))
