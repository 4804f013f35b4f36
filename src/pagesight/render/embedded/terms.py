"""Stylesheets, rewritten so that the engine understands them as browsers do."""

from __future__ import annotations

import re

from pagesight.markup.media import USUAL_SCREEN, Screen
from pagesight.render.embedded.backgrounds import simple_backgrounds
from pagesight.render.embedded.colors import known_colors
from pagesight.render.embedded.conditions import decided
from pagesight.render.embedded.lengths import without_percentages
from pagesight.render.embedded.motion import ended, in_the_plane
from pagesight.render.embedded.nesting import flattened

# The engine computes the sizes of these words by another table.
_KEYWORD = re.compile(
    r"(font-size\s*:\s*)(x{0,2}-?(?:small|large)|medium)(?=\s*(?:[;}!]|$))", re.IGNORECASE
)
_KEYWORDS = {
    "xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24,
    "xx-large": 32,
}  # fmt: skip
_GRID = re.compile(r"(display\s*+:\s*+)(inline-)?grid\b", re.IGNORECASE)
_SCROLLS = re.compile(r"(overflow\s*+:\s*+)(?:auto|scroll)\b", re.IGNORECASE)
# What is as high as it says, and what holds floats anyway
_LIMITED = re.compile(
    r"(?<![-\w])(?:max-)?(?:height|block-size)\s*+:\s*+(?!auto|none)|white-space"
    r"|(?<![-\w])(?:flex(?:-\w+)?|float|position)\s*+:\s*+(?!none|static|relative|sticky)"
    r"|display\s*+:\s*+[\w-]*(?:flex|grid)",
    re.IGNORECASE,
)
_PREFORMATTED = re.compile(r"(?<![-\w])(?:pre|code)\b(?!-)", re.IGNORECASE)


def _all_shown(match: re.Match[str]) -> str:
    """A box that is scrolled shows all of its content, where that may be longer than the box."""
    css = match.string
    start, end = css.rfind("{", 0, match.start()) + 1, css.find("}", match.end())
    block = css[start : end if end >= 0 else None]
    selector = css[css.rfind("}", 0, start) + 1 : start] if start else ""
    shown = _LIMITED.search(block) or _PREFORMATTED.search(selector)
    return f"{match[1]}visible" if shown else match[0]


def _keyword_in_pixels(match: re.Match[str]) -> str:
    pixels = _KEYWORDS.get(match[2].lower())
    return f"{match[1]}{pixels}px" if pixels else match[0]


# Words that the engine does not know, each with what is looked for first, as that is quick
_WORDS = (
    ("font-size", _KEYWORD, _keyword_in_pixels),
    ("v", re.compile(r"(\d)[dls]v([hw]|min|max)\b", re.IGNORECASE), r"\1v\2"),
    ("overflow", re.compile(r"(overflow\s*+:\s*+)clip\b", re.IGNORECASE), r"\1hidden"),
    ("flow-root", re.compile(r"display\s*+:\s*+flow-root\b", re.IGNORECASE),
     "display:block;overflow:hidden"),
    ("content-visibility", re.compile(r"content-visibility\s*+:\s*+hidden", re.IGNORECASE),
     "visibility:hidden"),
    ("place-", re.compile(r"place-(content|items|self)\s*+:\s*+([\w-]++)(?:\s++([\w-]++))?",
                          re.IGNORECASE),
     lambda match: f"align-{match[1]}:{match[2]};justify-{match[1]}:{match[3] or match[2]}"),
    ("clip-path", re.compile(
        r"clip-path\s*+:\s*+(?:inset\(\s*+(?:50|100)%\s*+\)|circle\(\s*+0(?:px|%)?+\s*+\)"
        r"|polygon\(\s*+0(?:px|%)?+\s++0(?:px|%)?+(?:\s*+,\s*+0(?:px|%)?+\s++0(?:px|%)?+)*+\s*+\))",
        re.IGNORECASE), "opacity:0"),
    ("overflow", _SCROLLS, _all_shown),
)  # fmt: skip


_DECLARED = re.compile(r"([-\w]++)\s*+:\s*+([^;{}]*+)(?=[;}]|\Z)")
_PLAIN = {
    "display": re.compile(r"none\b", re.IGNORECASE),
    "visibility": re.compile(r"\w+"),
    "font-size": re.compile(r"\d{1,2}(?:\.\d{1,4})?(?:px|pt|r?em)\b|[1-9]\d{1,2}%", re.IGNORECASE),
    "font-weight": re.compile(r"bold|normal|[1-9]00\b", re.IGNORECASE),
    "font-style": re.compile(r"[a-z]+", re.IGNORECASE),
    "color": re.compile(r"#[0-9a-f]+\b|[a-z]+\b(?!\()", re.IGNORECASE),
}


def plain(css: str) -> str:
    """What a stylesheet says of what is seen and of letters; nothing that could take long.

    >>> plain("p { color: red; columns: 99; display: none }")
    'p { color: red; ;  display: none }'
    """

    def kept(declared: re.Match[str]) -> str:
        known = _PLAIN.get(declared[1].lower())
        return declared[0] if known and known.match(declared[2]) else ""

    return _DECLARED.sub(kept, css)


def adapted(css: str, screen: Screen = USUAL_SCREEN, *, for_people: bool = False) -> str:
    """A stylesheet, or the declarations of an element, as the engine gets it."""
    css = simple_backgrounds(flattened(css), for_people=for_people)
    lower = css.lower()
    for word, pattern, known in _WORDS:
        if word in lower:
            css = pattern.sub(known, css)
    if "(" in lower:
        css = without_percentages(known_colors(css))
    # Last, as pages ask whether there are grids. What is a grid here is not hidden elsewhere.
    return _GRID.sub(r"\1\2block", decided(in_the_plane(ended(css)), screen))
