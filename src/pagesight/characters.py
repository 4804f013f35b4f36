"""Text of pages without what is not for reading: characters that control, hide or reorder."""

from __future__ import annotations

import re
import unicodedata

_JOINING = "\u200c\u200d\u200e\u200f\u061c"  # words are misspelt without them
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"  # choose how the character before them looks
_HIDDEN = re.compile(f"(?<=[{_SELECTORS}])[{_SELECTORS}]+")  # a second one chooses nothing


def readable(text: str, keep: str = "") -> str:
    """Text on one line, without characters by which a page could control what shows it.

    Those in `keep`, line ends for example, stay. Spaces of other kinds become spaces, and what
    shows nothing goes.
    """
    if not text.isprintable():
        text = "".join(
            char if char.isprintable() or char in keep else _stand_in(char) for char in text
        )
    return _HIDDEN.sub("", text)


def _stand_in(char: str) -> str:
    if char.isspace():
        return " "
    category = unicodedata.category(char)
    if category == "Cf":  # shows nothing itself
        return char if char in _JOINING else ""
    # Python need not know all letters yet.
    return char if category == "Cn" else "\N{REPLACEMENT CHARACTER}"
