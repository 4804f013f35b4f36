"""A part without what somebody has cut out of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from pagesight.portal.foreign.styling import TAG
from pagesight.watch.values import Observation

_STEP = re.compile(r"/([\w:-]+)(?:\[(\d+)\])?")


def without(seen: Observation, excluded: Sequence[str]) -> Observation:
    """An observation without the elements at these paths below its part."""
    if not excluded:
        return seen
    html, texts = _cut(seen.html, excluded)
    styled = None if seen.styled is None else _cut(seen.styled, excluded)[0]
    text = seen.text
    for cut in texts:
        text = text.replace(cut, "", 1)
    items = tuple(item for item in seen.items if not any(item.text in cut for cut in texts))
    return replace(seen, html=html, styled=styled, text=text.strip(), items=items)


def _cut(html: str, paths: Sequence[str]) -> tuple[str, list[str]]:
    """HTML without the elements at some paths, and the texts of those."""
    body = LexborHTMLParser(f"<!doctype html><body>{html}").body
    top = body.child if body else None
    found = [node for path in paths if top is not None and (node := _at(top, path)) is not None]
    texts = [text for node in found if (text := _lines(node))]
    for node in found:
        node.decompose()
    return (body.inner_html or "" if body else html), texts


def _lines(node: Any) -> str:
    """The text of an element, as a Page has it."""
    lines = (" ".join(line.split()) for line in node.text(deep=True, separator="\n").splitlines())
    return "\n".join(line for line in lines if line)


def _at(top: Any, path: str) -> Any:
    """The element at a path below another one, or None."""
    node = top
    for tag, rank in _STEP.findall(path):
        same = [child for child in node.iter() if (child.attributes.get(TAG) or child.tag) == tag]
        at = int(rank or 1) - 1
        if at >= len(same):
            return None
        node = same[at]
    return node
