"""What elements suggest: by their name, and by words in `id`, `class` and `role`.

The words are those that people all over the web give to the parts of their pages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.segment.nodes import inside, named, with_attribute

WORDS: Mapping[str, str] = {
    "header": r"header|masthead|banner|top\b|topbar|kopf|logo|head\b",
    "navigation": r"nav|menu|tabs\b|breadcrumb",
    "main": r"content|main|article|posts?\b|entry|story|body\b|text\b|inhalt|center",
    "aside": r"side|column|col\b|left|right|widget|rail|complementary",
    "footer": r"foot|bottom|copyright|contentinfo|fuss|pied",
    "wrapper": r"wrap|container|page\b|outer|site\b|layout|inner|all\b|holder|row\b",
    "form": r"search|form\b|login|suche",
    "list": r"list|items|grid|products|news|gallery|results",
    "advert": r"\bads?\b|advert|sponsor|promo|werbung",
}
TAGS: Mapping[str, frozenset[str]] = {
    "header": frozenset({"header"}),
    "navigation": frozenset({"nav"}),
    "main": frozenset({"main", "article"}),
    "aside": frozenset({"aside"}),
    "footer": frozenset({"footer"}),
    "form": frozenset({"form", "input", "select", "textarea", "button"}),
    "list": frozenset({"ul", "ol", "dl"}),
    "table": frozenset({"table"}),
    "row": frozenset({"tr"}),
    "cell": frozenset({"td", "th"}),
    "item": frozenset({"li", "dt", "dd"}),
    "paragraph": frozenset({"p", "blockquote", "pre"}),
    "heading": frozenset({"h1", "h2", "h3", "h4", "h5", "h6"}),
    "body": frozenset({"body"}),
}
HINTS = (*WORDS, *(name for name in TAGS if name not in WORDS), "framed", "filled")
"""What an element may suggest. Framed: it has a border; filled: a background of its own."""

PARTS = ("header", "navigation", "main", "aside", "footer")
"""The parts of a page."""

LANDMARKS: Mapping[str, tuple[str, str]] = {
    "header": ("header", "banner"),
    "navigation": ("nav", "navigation"),
    "main": ("main", "main"),
    "aside": ("aside", "complementary"),
    "footer": ("footer", "contentinfo"),
}
"""By part of a page the element and the role that say so."""

_SECTIONS = frozenset({"article", "aside", "main", "nav", "section"})
_OF_SECTIONS = frozenset({"header", "footer"})  # which sections may have of their own

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BREAK = re.compile(r"[\W_\d]+")


def hints(page: Page) -> NDArray[np.int64]:
    """For each node its hints: bit i is `HINTS[i]`."""
    columns = page.columns
    bits = np.zeros(len(page), dtype=np.int64)
    for name, tags in TAGS.items():
        bits |= named(page, tags).astype(np.int64) << HINTS.index(name)
    framed = (columns["border"] > 0).any(axis=1)
    filled = (columns["own_background"] & 0xFF > 0) | columns["background_image"]
    bits |= framed.astype(np.int64) << HINTS.index("framed")
    bits |= filled.astype(np.int64) << HINTS.index("filled")
    return bits | _of_words(page)


def landmarks(page: Page) -> NDArray[np.int64]:
    """For each node which part of the page it is by its element or role: bits as in `PARTS`.

    The header and the footer of an article or a section do not count.
    """
    bits = np.zeros(len(page), dtype=np.int64)
    sectioned = inside(np.flatnonzero(named(page, _SECTIONS)), page.end)
    nodes, roles = with_attribute(page, "role")
    for bit, part in enumerate(PARTS):
        tag, role = LANDMARKS[part]
        is_part = named(page, {tag})
        if part in _OF_SECTIONS:
            is_part &= ~sectioned
        is_part[nodes[np.array([value == role for value in roles], dtype=np.bool_)]] = True
        bits |= is_part.astype(np.int64) << bit
    return bits


def _of_words(page: Page) -> NDArray[np.int64]:
    meanings = np.zeros(len(page), dtype=np.int64)
    for attribute in ("id", "class", "role"):
        nodes, values = with_attribute(page, attribute)
        meanings[nodes] |= np.array([_meaning(value) for value in values], dtype=np.int64)
    return meanings


_PATTERNS = [re.compile(pattern) for pattern in WORDS.values()]


@lru_cache(1 << 12)
def _meaning(name: str) -> int:
    words = _BREAK.sub(" ", _HUMP.sub(" ", name)).lower()
    return sum(1 << bit for bit, pattern in enumerate(_PATTERNS) if pattern.search(words))
