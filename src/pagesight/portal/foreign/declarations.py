"""Declarations of strangers: those few that can only change how letters and boxes look.

What is stored as the style of a part was written by us, but it may have come back in a file that
somebody else made. So nothing is taken on trust: no function, no address, no string, and no
property that moves something out of its place.
"""

from __future__ import annotations

from functools import lru_cache

import tinycss2  # type: ignore[import-untyped]
from tinycss2.ast import (  # type: ignore[import-untyped]
    Declaration,
    DimensionToken,
    HashToken,
    Node,
    NumberToken,
    PercentageToken,
)

LONGEST = 2_000  # characters of a style attribute
MOST_PIXELS = 2_000.0  # of any length
LARGEST_LETTERS = 120.0  # px
_WORDS = {
    "align-items": "center flex-start",
    "border-style": "solid none",
    "display": "block inline inline-block list-item table inline-table table-row table-cell "
    "table-row-group table-caption table-column contents flex none",
    "float": "left right none",
    "flex": "auto",
    "flex-wrap": "wrap",
    "font-family": "arial sans-serif ui-serif serif ui-monospace monospace",
    "font-style": "italic normal",
    "text-align": "start end left right center justify",
    "text-decoration-line": "underline overline line-through none",
    "width": "auto",
    "background-color": "",
    "border-color": "",
    "color": "",
}
_LENGTHS = frozenset("border-width flex font-size gap margin-left margin-top padding width".split())
_NUMBERS = frozenset("aspect-ratio flex font-weight margin-left margin-top opacity padding".split())
_COLORS = frozenset("background-color border-color color".split())
_BETWEEN = (",", "/")
_ALLOWED = {name: frozenset(words.split()) for name, words in _WORDS.items()} | {
    name: frozenset(_WORDS.get(name, "").split()) for name in (*_LENGTHS, *_NUMBERS)
}


@lru_cache(maxsize=4_000)  # a part has few different ones
def harmless(style: str) -> str:
    """The declarations of a style attribute that are allowed, written anew."""
    if len(style) > LONGEST:
        return ""
    parsed = tinycss2.parse_blocks_contents(style, skip_comments=True, skip_whitespace=True)
    kept = (one for one in parsed if isinstance(one, Declaration) and _is_allowed(one))
    return ";".join(f"{one.lower_name}:{_written(one)}" for one in kept)


def _is_allowed(declaration: Declaration) -> bool:
    name = declaration.lower_name
    if name not in _ALLOWED or declaration.important:
        return False
    return all(_is_harmless(name, token) for token in declaration.value)


def _is_harmless(name: str, token: Node) -> bool:
    match token:
        case NumberToken():
            return name in _NUMBERS and 0 <= token.value <= MOST_PIXELS
        case DimensionToken():
            most = LARGEST_LETTERS if name == "font-size" else MOST_PIXELS
            return name in _LENGTHS and token.lower_unit == "px" and 0 <= token.value <= most
        case PercentageToken():
            return name == "width" and 0 <= token.value <= 100
        case HashToken():
            return name in _COLORS and len(token.value) in (6, 8) and _is_hex(token.value)
    if token.type == "ident":
        return token.lower_value in _ALLOWED[name]
    return token.type == "whitespace" or token in _BETWEEN


def _is_hex(digits: str) -> bool:
    return all(digit in "0123456789abcdefABCDEF" for digit in digits)


def _written(declaration: Declaration) -> str:
    return str(tinycss2.serialize(declaration.value)).strip()
