"""The grammar of stylesheets, as far as it is needed to find their parts and to rewrite them.

It works by regular expressions, and not with tinycss2: that takes 1.4 s for a megabyte of CSS
(measured on the stylesheets of real pages) where these expressions take 0.05 s, and the embedded
renderer rewrites megabytes for single pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple

COMMENT = r"/\*(?s:.*?)(?:\*/|\Z)"
STRING = r""""(?:\\(?s:.)|[^"\\\n])*+"?|'(?:\\(?s:.)|[^'\\\n])*+'?"""
_TOKEN = re.compile(
    rf"""
    (?P<comment>{COMMENT})
  | (?P<opaque>{STRING}|\burl\(\s*+(?!["'\s])(?:\\(?:.|\Z)|[^)\\])*+(?:\)|\Z)|\\(?:.|\Z))
  | (?P<end>[{{}};])
  | (?:[^{{}};"'/\\u]++|/(?!\*)|(?<=\w)u|u(?!rl\())++
  | .
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_COMMENTS = re.compile(COMMENT)


def _nested(depth: int) -> str:
    return r"[^(){}]*+" if not depth else rf"(?:[^(){{}}]++|\({_nested(depth - 1)}\))*+"


INNER = _nested(3)
"""What is between parentheses, with other parentheses in it."""

PARENTHESES = rf"\({INNER}\)"
ARGUMENT = rf"(?:[^(),{{}}]++|{PARENTHESES})++"
_LISTED = re.compile(rf"(?:[^,()\[]++|{PARENTHESES}|\[[^\[\]]*+\]|[()\[])++")

_QUOTED = r""""(?P<{0}double>[^"\n]*+)"|'(?P<{0}single>[^'\n]*+)'"""
_URL = r"url\(\s*+(?:" + _QUOTED + r"|(?P<{0}bare>[^\"'()\s]++))\s*+\)"
_REFERENCE = re.compile(
    rf"""
    {COMMENT}
  | @import\s*+(?P<import>{_URL.format("i")}|{_QUOTED.format("q")})(?P<conditions>[^;{{}}"']*+);?
  | \b{_URL.format("u")}
  | {STRING}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ADDRESSES = ("idouble", "isingle", "ibare", "qdouble", "qsingle", "udouble", "usingle", "ubare")


class Ending(Enum):
    """What a segment of a stylesheet ends with, and so what it is."""

    BLOCK = "{"  # selectors, or an at-rule
    DECLARATION = ";"
    CLOSE = "}"  # the last declaration of a block, or nothing
    NOTHING = ""  # the sheet ends


class Segment(NamedTuple):
    """Text up to a brace or semicolon, in pieces."""

    pieces: list[tuple[str, str | None]]
    """Texts with what they are: `comment`, `opaque` (strings, addresses, escapes) or None."""

    ending: Ending

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(text for text, _ in self.pieces)

    @property
    def code(self) -> str:
        """What is not a comment, without the space around it."""
        return "".join(text for text, kind in self.pieces if kind != "comment").strip()

    @property
    def is_selector(self) -> bool:
        """Whether a rule begins here, and not an at-rule."""
        return self.ending is Ending.BLOCK and not self.code.startswith("@")


class SheetReference(NamedTuple):
    """An address in a stylesheet: what it imports, or a picture or font."""

    address: str
    conditions: str | None = None
    """What an import says after the address: layers, conditions and media. None of others."""

    def __str__(self) -> str:
        written = 'url("' + self.address.replace('"', "%22") + '")'
        return written if self.conditions is None else f"@import {written}{self.conditions};"


def segments(sheet: str) -> Iterator[Segment]:
    """A stylesheet cut at its braces and semicolons; joined again, it is the same text."""
    pieces: list[tuple[str, str | None]] = []
    for token in _TOKEN.finditer(sheet):
        kind = token.lastgroup
        if kind == "end":
            yield Segment(pieces, Ending(token[0]))
            pieces = []
        else:
            pieces.append((token[0], kind))
    if pieces:
        yield Segment(pieces, Ending.NOTHING)


def without_comments(css: str) -> str:
    """A stylesheet without comments; those in strings go, too."""
    return _COMMENTS.sub("", css) if "/*" in css else css


def listed(text: str) -> list[str]:
    """The items of a list with commas: selectors, media queries, arguments of a function."""
    return [item.strip() for item in _LISTED.findall(text)]


def replace_references(sheet: str, replacement: Callable[[SheetReference], str | None]) -> str:
    """Replace the addresses of a stylesheet; those for which there is None stay as they are."""

    def replaced(match: re.Match[str]) -> str:
        reference = _reference(match)
        changed = replacement(reference) if reference else None
        return match[0] if changed is None else changed

    return _REFERENCE.sub(replaced, sheet)


def imports(sheet: str) -> list[SheetReference]:
    """What a stylesheet imports, in its order."""
    if "@import" not in sheet.lower():
        return []
    references = map(_reference, _REFERENCE.finditer(sheet))
    return [reference for reference in references if reference and reference.conditions is not None]


def _reference(match: re.Match[str]) -> SheetReference | None:
    """The address of a match, None of a comment or string."""
    address = next((match[name] for name in _ADDRESSES if match[name]), None)
    return SheetReference(address.strip(), match["conditions"]) if address else None
