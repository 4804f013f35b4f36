"""Nested rules, which the engine does not support, flattened."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import product

from pagesight.markup.css import Ending, Segment, listed, segments

MOST_SELECTORS = 256  # of one rule
LONGEST_SELECTOR = 4096  # characters
DEEPEST = 32
_NESTED = re.compile(r"(?:^|[;{}])\s*+[^@{};\s][^{};]*+\{[^{}]*+\{")
_GROUP = re.compile(r"@(?:media|supports|layer|container|scope|document)\b", re.IGNORECASE)


@dataclass(slots=True)
class _OpenBlock:
    """A block that is open: of a rule, or of conditions around rules."""

    selectors: list[str] | None = None  # None where no rule is around
    ends_with: str = ""
    declarations: list[str] = field(default_factory=list)


def flattened(css: str) -> str:
    """A stylesheet without rules in rules."""
    return _Flattening().run(css) if "{" in css and _NESTED.search(css) else css


class _Flattening:
    """Goes through a stylesheet once."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.open = [_OpenBlock()]
        self.raw = 0  # how many blocks are open in one that is copied, such as @font-face

    def run(self, css: str) -> str:
        for segment in segments(css):
            if self.raw:
                self.copy(segment)
            elif segment.ending is Ending.BLOCK:
                self.begin(segment.code)
            else:
                self.declare(segment)
        while len(self.open) > 1:
            self.end()
        return "".join(self.written)

    def copy(self, segment: Segment) -> None:
        self.written += (segment.text, segment.ending.value)
        self.raw += {Ending.BLOCK: 1, Ending.CLOSE: -1}.get(segment.ending, 0)

    def begin(self, prelude: str) -> None:
        around = self.open[-1]
        self.flush(around)
        if _GROUP.match(prelude):
            self.written.append(f"{prelude}{{")
            self.open.append(_OpenBlock(around.selectors, "}"))
        elif prelude.startswith("@") or len(self.open) > DEEPEST:
            self.written.append(f"{prelude}{{")
            self.raw = 1
        else:
            self.open.append(_OpenBlock(_within(around.selectors, prelude)))

    def declare(self, segment: Segment) -> None:
        block = self.open[-1]
        if declaration := segment.code:
            target = self.written if block.selectors is None else block.declarations
            target.append(f"{declaration};")
        if segment.ending is Ending.CLOSE and len(self.open) > 1:
            self.end()

    def end(self) -> None:
        block = self.open.pop()
        self.flush(block)
        self.written.append(block.ends_with)

    def flush(self, block: _OpenBlock) -> None:
        if block.selectors and block.declarations:
            self.written.append(f"{','.join(block.selectors)}{{{''.join(block.declarations)}}}")
        block.declarations.clear()


def _within(around: list[str] | None, prelude: str) -> list[str]:
    """The selectors of a rule inside of another; none where they are too many or too long."""
    selectors = listed(prelude)
    if around is None:
        return selectors
    if len(selectors) * len(around) > MOST_SELECTORS:
        return []
    return [
        selector.replace("&", outer) if "&" in selector else f"{outer} {selector}"
        for outer, selector in product(around, selectors)
        if len(selector) + len(outer) * max(selector.count("&"), 1) <= LONGEST_SELECTOR
    ]
