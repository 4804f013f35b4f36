"""Browser defaults that the layout engine does not have.

Where the engine differs from Chromium, a style in front of all others does what Chromium does. One
default depends on the page: Chromium shrinks text to 13/16 where its font becomes the generic
`monospace`, unless the size is an absolute one. An author's rule that names another font for `pre`
or `code` undoes that. So it is done for the elements for which the page's stylesheets leave it so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.resources import files

from pagesight.markup.css import without_comments

_MONOSPACED = ("pre", "code", "kbd", "samp", "tt", "listing", "xmp", "plaintext")
_RULE = re.compile(r"(?<![^{}])([^{}]++)\{([^{}]*+)\}")
_FAMILY = re.compile(r"(?:^|[;\s])font(?:-family)?\s*:\s*([^;]+)", re.IGNORECASE)
_SIZE = re.compile(
    r"(?:^|[;\s])font(?:-size)?\s*:[^;]*?[\d.](?:px|pt|mm|cm|in|pc)\b", re.IGNORECASE
)
_SUBJECT = re.compile(r"^(\*|:root|[a-z][\w-]*)?", re.IGNORECASE)
_ALWAYS = (files(__package__) / "browser.css").read_text("utf-8").strip()
LONGEST = 2_000_000  # characters of CSS that are looked at


def default_style(stylesheets: Iterable[str]) -> str:
    """The rules that make up for what the engine lacks on a page with these stylesheets."""
    named, absolute = _examine(stylesheets)
    tags = [tag for tag in _MONOSPACED if tag not in named]
    if absolute or not tags:
        return _ALWAYS
    nested = ", ".join(f"{outer} {tag}" for outer in tags for tag in tags if outer == "pre")
    shrink = f"{', '.join(tags)} {{ font-size: 0.8125em }}"
    return f"{_ALWAYS} {shrink}" + (f" {nested} {{ font-size: 1em }}" if nested else "")


def _examine(stylesheets: Iterable[str]) -> tuple[set[str], bool]:
    """Which elements get a font by name, and whether the page's text has an absolute size."""
    named: set[str] = set()
    absolute = False
    for css in stylesheets:
        for selectors, declarations in _RULE.findall(without_comments(css[:LONGEST])):
            if "font" not in declarations.lower():
                continue
            subjects = {_subject(selector) for selector in selectors.split(",")}
            if _names_font(declarations):
                named |= set(_MONOSPACED) if "*" in subjects else subjects & set(_MONOSPACED)
            if subjects & {"html", "body", ":root", "*"} and _SIZE.search(declarations):
                absolute = True
    return named, absolute


def _subject(selector: str) -> str:
    """The tag of the element that a selector is about, "" where it names none."""
    last = re.split(r"[\s>+~]+", selector.strip())[-1]
    match = _SUBJECT.match(last)
    return (match[1] or "").lower() if match else ""


def _names_font(declarations: str) -> bool:
    return any(
        family.replace("!important", "").strip().lower() not in ("monospace", "inherit")
        for family in _FAMILY.findall(declarations)
        if not re.fullmatch(r"[\d.]+\w*%?", family.strip())
    )
