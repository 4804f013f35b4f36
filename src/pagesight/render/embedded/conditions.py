"""Conditions of stylesheets, decided before the engine sees them.

For the engine, an unknown media feature is false, and so is every `@supports`. But
some sites put everything into `@media (prefers-color-scheme: light)`.
"""

from __future__ import annotations

import re

from pagesight.markup.css import SheetReference, replace_references
from pagesight.markup.media import Screen, import_holds, matches, supports

_LACKING = "grid"
_GROUP = re.compile(r"@(media|supports|layer)\b([^{;@]*+)(?=\{)", re.IGNORECASE)
_MEDIA = {True: "all", False: "print"}


def decided(css: str, screen: Screen) -> str:
    """A stylesheet with conditions that the engine knows, and without layers."""
    lower = css.lower()
    if "@import" in lower:
        css = replace_references(css, lambda reference: _imported(reference, screen))
    if "@media" in lower or "@supports" in lower or "@layer" in lower:
        css = _GROUP.sub(lambda group: f"@media {_MEDIA[_holds(group, screen)]}", css)
    return css


def decided_media(queries: str, screen: Screen) -> str:
    """A media attribute that the engine knows."""
    return _MEDIA[matches(queries, screen)]


def _holds(group: re.Match[str], screen: Screen) -> bool:
    name, condition = group[1].lower(), group[2]
    if name == "media":
        return matches(condition, screen)
    return name == "layer" or supports(condition, _LACKING)


def _imported(reference: SheetReference, screen: Screen) -> str | None:
    if reference.conditions is None:
        return None
    if not import_holds(reference.conditions, screen, _LACKING):
        return ""
    return str(SheetReference(reference.address, ""))
