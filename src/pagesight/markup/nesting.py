"""A limit on rules in rules: a browser takes twice as long for each level, and more.

Each level of nesting doubles the time that Chromium takes to match a selector, or multiplies it by
the depth of the element: 24 levels are a page that never ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagesight.markup.css import Ending, Segment, segments

DEEPEST_RULES = 10  # real pages have up to 7, and 12 can take seconds
DEEPEST_BLOCKS = 32  # rules and at-rules; these take no longer, but are read by recursion
# What is cheap to look for; of sheets that hide their depth behind braces in strings, it finds most
_IN_ANOTHER = re.compile(r"(?:^|[;{}])\s*+[^{};\s][^{};]*+\{[^{}]*+\{")
_STYLE = re.compile(r"(<style\b[^<>]{0,4000}>)([^<]*+(?:<(?!/style)[^<]*+)*+)", re.IGNORECASE)


def limited(sheet: str) -> str:
    """A stylesheet without the blocks that are nested too deeply; most are as they were."""
    if sheet.count("{") <= DEEPEST_RULES or not _IN_ANOTHER.search(sheet):
        return sheet
    parts = list(segments(sheet))
    kept = list(_within_limits(parts))
    return sheet if len(kept) == len(parts) else "".join(p.text + p.ending.value for p in kept)


def limited_styles(markup: str) -> str:
    """A document with all its style elements limited."""
    if "<style" not in markup.lower():
        return markup
    return _STYLE.sub(lambda style: style[1] + limited(style[2]), markup)


def _within_limits(parts: list[Segment]) -> Iterator[Segment]:
    is_rule: list[bool] = []  # of each block around
    rules = 0
    for part in parts:
        if part.ending is Ending.BLOCK:
            is_rule.append(part.is_selector)
            rules += part.is_selector
        if rules <= DEEPEST_RULES and len(is_rule) <= DEEPEST_BLOCKS:
            yield part
        if part.ending is Ending.CLOSE and is_rule:
            rules -= is_rule.pop()
