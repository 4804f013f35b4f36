"""As much of the grammar of stylesheets as is needed to find selectors and declarations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple

_PIECE = re.compile(
    r"""
    (?P<opaque>
        /\*.*?(?:\*/|\Z)
      | "(?:\\.|[^"\\\n])*"?
      | '(?:\\.|[^'\\\n])*'?
      | \burl\(\s*(?!["'\s])(?:\\.|[^)\\])*\)
      | \\(?:.|\Z)
    )
  | (?P<end>[{};])
  | (?:(?!\burl\()[^{};"'/\\]|/(?!\*)|\burl\()+?(?=[{};"'\\]|/\*|\burl\(|\Z)
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_TYPE = r"(?P<type>(?<![\w\-.#:&|\]\)@%]){names}(?![\w\-(]))"


class Ending(Enum):
    """What a segment of a stylesheet ends with, and so what it is."""

    BLOCK = "{"  # selectors, or an at-rule
    DECLARATION = ";"
    CLOSE = "}"  # the last declaration of a block, or nothing
    NOTHING = ""  # the sheet ends


class Segment(NamedTuple):
    """Text up to a brace or semicolon. What is `opaque` (comments, strings, addresses) is so."""

    pieces: list[tuple[str, bool]]
    ending: Ending

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.pieces)

    @property
    def is_selector(self) -> bool:
        bare = "".join(text for text, opaque in self.pieces if not opaque).strip()
        return self.ending is Ending.BLOCK and not bare.startswith("@")


def segments(sheet: str) -> Iterator[Segment]:
    """A stylesheet cut at its braces and semicolons; joined again, it is the same text."""
    pieces: list[tuple[str, bool]] = []
    for found in _PIECE.finditer(sheet):
        if found["end"]:
            yield Segment(pieces, Ending(found["end"]))
            pieces = []
        else:
            pieces.append((found[0], found["opaque"] is not None))
    if pieces:
        yield Segment(pieces, Ending.NOTHING)


def replace_types(sheet: str, names: str, replacement: Callable[[str], str]) -> str:
    """Replace the type selectors that match the pattern `names`, whatever their case."""
    pattern = re.compile(r"\[[^\]]*(?:\]|\Z)|" + _TYPE.format(names=names), re.IGNORECASE)

    def replaced(found: re.Match[str]) -> str:
        return replacement(found["type"].lower()) if found["type"] else found[0]

    written = []
    for segment in segments(sheet):
        selects = segment.is_selector
        for text, opaque in segment.pieces:
            written.append(pattern.sub(replaced, text) if selects and not opaque else text)
        written.append(segment.ending.value)
    return "".join(written)
