"""Nested rules, which the engine does not support, flattened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, product

from pagesight.markup.css import Ending, Segment, listed, segments
from pagesight.markup.nesting import limited

MOST_SELECTORS = 256  # of one rule
LONGEST_SELECTOR = 4096  # characters
_NESTED = re.compile(r"(?:^|[;{}])\s*+[^@{};\s][^{};]*+\{[^{}]*+\{")
_GROUP = re.compile(r"@(?:media|supports|layer|container|scope|document)\b", re.IGNORECASE)


def flattened(css: str) -> str:
    """A stylesheet without rules in rules."""
    if "{" not in css or not _NESTED.search(css):
        return css
    parts = segments(limited(css))
    written: list[str] = []
    while part := next(parts, None):  # a brace that closes nothing ends a run
        written += _flat(chain((part,), parts), None)
    return "".join(written)


def _flat(parts: Iterator[Segment], around: list[str] | None) -> Iterator[str]:
    """What is in a block, up to its end; `around` are the selectors of the rule around it."""
    declared: list[str] = []
    for part in parts:
        if part.ending is Ending.BLOCK:
            yield from _rule(around, declared)
            yield from _block(part.code, parts, around)
        elif part.code and around is None:
            yield f"{part.code};"
        elif part.code:
            declared.append(f"{part.code};")
        if part.ending is Ending.CLOSE:
            break
    yield from _rule(around, declared)


def _rule(selectors: list[str] | None, declared: list[str]) -> Iterator[str]:
    if selectors and declared:
        yield f"{','.join(selectors)}{{{''.join(declared)}}}"
    declared.clear()


def _block(prelude: str, parts: Iterator[Segment], around: list[str] | None) -> Iterator[str]:
    if _GROUP.match(prelude):
        yield f"{prelude}{{"
        yield from _flat(parts, around)
        yield "}"
    elif prelude.startswith("@"):
        yield f"{prelude}{{"
        yield from _raw(parts)
    else:
        yield from _flat(parts, _within(around, prelude))


def _raw(parts: Iterator[Segment]) -> Iterator[str]:
    """A block that is copied, such as that of @font-face, with its blocks."""
    depth = 1
    for part in parts:
        yield part.text + part.ending.value
        depth += {Ending.BLOCK: 1, Ending.CLOSE: -1}.get(part.ending, 0)
        if not depth:
            break


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
