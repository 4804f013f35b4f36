"""Where the elements of a parsed document stand in its source.

Parsers do not tell. So the source is parsed a second time with a mark in every tag, and a comment
before it: marks say which tag made an element, comments how long it was open. That follows every
rule of the parser by itself; and since neither changes the tree, a tree that did change shows that
a mark went where no tag is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from pagesight.readers.outline.heading import HEADINGS
from pagesight.render.markup import children

_ATTRIBUTES = (
    r"""(?:[\s/]++|=?[^\s/>=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|(?!["'])[^\s>]*+))?|=)*+"""
)
_TOKEN = re.compile(
    rf"""
    <!--(?:-?>|.*?(?:--!?>|\Z))
  | <!\[CDATA\[.*?(?:\]\]>|\Z)
  | <[!?][^>]*+>?
  | </(?![a-z])[^>]*+>?
  | <(?P<slash>/?)(?P<name>[a-z][^\s/>]*+)(?P<attributes>{_ATTRIBUTES})>
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_RAW = frozenset("script style xmp iframe noembed noframes title textarea".split())
_MARK = "data-ps-mark"
_COMMENT = "ps-mark:"


@dataclass(frozen=True, slots=True)
class Tag:
    """A start or end tag in the source."""

    name: str
    start: int
    stop: int
    name_stop: int
    is_end: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where an element stands: its start tag, and what ends it, which need not be its own tag."""

    start: Tag
    end: Tag | None
    end_at: int
    """Where the element ends, before its end tag if it has one."""


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a parsed document, in document order."""

    name: str
    parent: int
    node: Any


def tags(text: str) -> list[Tag]:
    """The tags of a document, without those in comments, scripts and the like."""
    found, at = [], 0
    while match := _TOKEN.search(text, at):
        at = match.end()
        name = (match["name"] or "").lower()
        if not name:
            continue
        is_end = bool(match["slash"])
        found.append(Tag(name, match.start(), at, match.end("name"), is_end))
        if name == "plaintext" and not is_end:
            break
        if name in _RAW and not is_end and not match["attributes"].endswith("/"):
            end = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(text, at)
            at = end.start() if end else len(text)
    return found


def elements(parser: LexborHTMLParser) -> list[Element]:
    """All elements of a parsed document, in document order."""
    return _walked(parser)[0]


def places(text: str) -> dict[int, Place]:
    """By number in document order, the elements whose place is certain."""
    plain = elements(LexborHTMLParser(text))
    found = tags(text)
    marked, comments = _walked(LexborHTMLParser(_marked(text, found)))
    if [(e.name, e.parent) for e in plain] != [(e.name, e.parent) for e in marked]:
        return {}
    last: dict[int, int] = {}  # by element the last tag before which it was open
    for tag, around in comments:
        while around >= 0 and last.get(around, -1) < tag:
            last[around] = tag
            around = marked[around].parent
    result: dict[int, Place] = {}
    made: set[int] = set()
    for number, element in enumerate(marked):
        mark = (element.node.attributes or {}).get(_MARK)
        if mark is None or int(mark) in made or number not in last:
            continue  # implied, a copy that the parser made, or void
        made.add(int(mark))
        result[number] = _place(found, int(mark), last[number], len(text))
    return result


def _place(found: list[Tag], start: int, last: int, length: int) -> Place:
    """The place of an element that tag `start` began, and that was open before tag `last`."""
    if last >= len(found):
        return Place(found[start], None, length)
    closing, own = found[last], found[start].name
    same = closing.name == own or {closing.name, own} <= set(HEADINGS)
    return Place(found[start], closing if closing.is_end and same else None, closing.start)


def _marked(text: str, found: list[Tag]) -> str:
    parts, at = [], 0
    for number, tag in enumerate(found):
        parts += [text[at : tag.start], f"<!--{_COMMENT}{number}-->"]
        parts.append(text[tag.start : tag.name_stop])
        at = tag.name_stop
        if not tag.is_end:
            parts.append(f' {_MARK}="{number}"')
    return "".join((*parts, text[at:], f"<!--{_COMMENT}{len(found)}-->"))


def _walked(parser: LexborHTMLParser) -> tuple[list[Element], list[tuple[int, int]]]:
    """The elements, and the marks in comments with the element that each stands in."""
    found: list[Element] = []
    comments: list[tuple[int, int]] = []
    stack: list[tuple[Any, int]] = [(parser.root, -1)] if parser.root is not None else []
    while stack:
        node, parent = stack.pop()
        if node.is_comment_node:
            content = node.comment_content or ""
            if content.startswith(_COMMENT):
                comments.append((int(content.removeprefix(_COMMENT)), parent))
        elif node.is_element_node:
            found.append(Element(node.tag, parent, node))
            stack.extend((child, len(found) - 1) for child in reversed(children(node)))
    return found, comments
