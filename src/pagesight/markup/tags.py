"""Where tags, attributes and elements are in the source of a document."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from selectolax.lexbor import LexborHTMLParser

from pagesight.markup.tree import HEADINGS, elements, elements_and_comments

_VALUE = r"""\s*+=\s*+(?P<value>"[^"]*+"|'[^']*+'|(?!["'])[^\s>]*+)"""
_NAME = r"=?[^\s/>=]++"
_ATTRIBUTE = re.compile(rf"(?P<name>{_NAME})(?:{_VALUE})?")
_ATTRIBUTES = rf"(?:[\s/]++|{_NAME}(?:{_VALUE.replace('?P<value>', '?:')})?|=)*+"
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
_DOCTYPE = re.compile(
    r"(?:[\s\ufeff]|(?><!--.*?-->)|<\?[^>]*>)*+(<!doctype[^>]*>)", re.IGNORECASE | re.DOTALL
)
RAW = frozenset("script style xmp iframe noembed noframes title textarea".split())
_MARK = "data-ps-mark"
_COMMENT = "ps-mark:"


@dataclass(frozen=True, slots=True)
class SourceTag:
    """A start or end tag in the source."""

    name: str
    start: int
    stop: int
    name_stop: int
    is_end: bool


@dataclass(frozen=True, slots=True)
class SourceAttribute:
    """An attribute in a start tag; where it is, and where its value with its quotes is."""

    value: str
    start: int
    value_start: int
    stop: int


@dataclass(frozen=True, slots=True)
class ElementSpan:
    """Where an element is: its start tag, and what ends it, which need not be a tag of its own."""

    start: SourceTag
    end: SourceTag | None
    end_at: int
    """Where the element ends, before its end tag if it has one."""


def doctype_of(text: str) -> str:
    """The doctype of a document, or nothing."""
    doctype = _DOCTYPE.match(text)
    return doctype[1] if doctype else ""


def tags(text: str) -> list[SourceTag]:
    """The tags of a document, without those in comments, scripts and the like."""
    in_source, at = [], 0
    while match := _TOKEN.search(text, at):
        at = match.end()
        name = (match["name"] or "").lower()
        if not name:
            continue
        is_end = bool(match["slash"])
        in_source.append(SourceTag(name, match.start(), at, match.end("name"), is_end))
        if name == "plaintext" and not is_end:
            break
        if name in RAW and not is_end and not match["attributes"].endswith("/"):
            end = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(text, at)
            at = end.start() if end else len(text)
    return in_source


def attributes_of(text: str, tag: SourceTag) -> dict[str, SourceAttribute]:
    """The attributes of a start tag that have values, by their names; the first of a name holds."""
    attributes: dict[str, SourceAttribute] = {}
    for match in _ATTRIBUTE.finditer(text, tag.name_stop, tag.stop - 1):
        if (written := match["value"]) is not None:
            value = unescape(written[1:-1] if written[:1] in ('"', "'") else written)
            place = SourceAttribute(value, match.start(), match.start("value"), match.end())
            attributes.setdefault(match["name"].lower(), place)
    return attributes


def spans(text: str) -> dict[int, ElementSpan]:
    """By number in document order, the elements whose place in the source is certain.

    Parsers do not report it. So the source is parsed a second time with a mark in every tag, and a
    comment before it: marks say which tag made an element, comments how long it was open. That
    follows every rule of the parser by itself; and since neither changes the tree, a tree that did
    change shows that a mark went where no tag is.
    """
    plain, in_source = elements(LexborHTMLParser(text)), tags(text)
    marked, comments = elements_and_comments(LexborHTMLParser(_marked(text, in_source)))
    if [(e.name, e.parent) for e in plain] != [(e.name, e.parent) for e in marked]:
        return {}
    last = _last_tags([element.parent for element in marked], comments)
    result: dict[int, ElementSpan] = {}
    used: set[int] = set()
    for number, element in enumerate(marked):
        mark = (element.node.attributes or {}).get(_MARK)
        if mark is None or int(mark) in used or number not in last:
            continue  # implied, a copy that the parser made, or void
        used.add(int(mark))
        result[number] = _span(in_source, int(mark), last[number], len(text))
    return result


def _last_tags(parents: list[int], comments: list[tuple[str, int]]) -> dict[int, int]:
    """By element the last tag before which it was open, according to the comments."""
    last: dict[int, int] = {}
    for comment, around in comments:
        if comment.startswith(_COMMENT):
            tag = int(comment.removeprefix(_COMMENT))
            while around >= 0 and last.get(around, -1) < tag:
                last[around] = tag
                around = parents[around]
    return last


def _span(in_source: list[SourceTag], start: int, last: int, length: int) -> ElementSpan:
    """The place of an element that tag `start` began, and that was open before tag `last`."""
    opening = in_source[start]
    if last >= len(in_source):
        return ElementSpan(opening, None, length)
    closing = in_source[last]
    same = closing.name == opening.name or {closing.name, opening.name} <= set(HEADINGS)
    return ElementSpan(opening, closing if closing.is_end and same else None, closing.start)


def _marked(text: str, in_source: list[SourceTag]) -> str:
    parts, at = [], 0
    for number, tag in enumerate(in_source):
        parts += [text[at : tag.start], f"<!--{_COMMENT}{number}-->"]
        parts.append(text[tag.start : tag.name_stop])
        at = tag.name_stop
        if not tag.is_end:
            parts.append(f' {_MARK}="{number}"')
    return "".join((*parts, text[at:], f"<!--{_COMMENT}{len(in_source)}-->"))
