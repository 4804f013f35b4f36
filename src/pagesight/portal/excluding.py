"""A part without what somebody has cut out of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
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
    body = _body(seen.html)
    cut = {path: node for path in excluded if (node := _at(body, path)) is not None}
    texts = {path: _lines(node) for path, node in cut.items()}
    if not cut:
        return seen
    styled = None if seen.styled is None else _without_same(seen.styled, texts)
    text = seen.text
    for lines in texts.values():
        text = text.replace(lines, "", 1)
    items = tuple(
        item for item in seen.items if not any(item.text in told for told in texts.values())
    )
    html = _left(body, cut.values())
    return replace(seen, html=html, styled=styled, text=text.strip(), items=items)


def _without_same(styled: str, texts: Mapping[str, str]) -> str:
    """The styled HTML without the same elements; it may lack some, so paths may be others there."""
    body, cut = _body(styled), []
    for path, text in texts.items():
        tag = _STEP.findall(path)[-1][0]
        likely = _at(body, path)
        nodes = [*([likely] if likely is not None else []), *body.css(f"{tag}, [{TAG}]")]
        cut += [node for node in nodes if _tag(node) == tag and _lines(node) == text][:1]
    return _left(body, cut)


def _body(html: str) -> Any:
    parser = LexborHTMLParser(f"<!doctype html><body>{html}")
    assert parser.body is not None
    return parser.body


def _left(body: Any, cut: Iterable[Any]) -> str:
    """What is left of HTML without some elements."""
    for node in cut:
        node.decompose()
    return body.inner_html or ""


def _lines(node: Any) -> str:
    """The text of an element, as a Page has it."""
    lines = (" ".join(line.split()) for line in node.text(deep=True, separator="\n").splitlines())
    return "\n".join(line for line in lines if line)


def _at(body: Any, path: str) -> Any:
    """The element at a path below the first one, or None."""
    node = next(iter(body.iter()), None)
    if node is None:
        return None
    for tag, rank in _STEP.findall(path):
        same = [child for child in node.iter() if _tag(child) == tag]
        at = int(rank or 1) - 1
        if at >= len(same):
            return None
        node = same[at]
    return node


def _tag(node: Any) -> str:
    """The name of an element on its page."""
    return str(node.attributes.get(TAG) or node.tag)
