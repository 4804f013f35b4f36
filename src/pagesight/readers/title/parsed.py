"""Clues of a document that is only parsed, by Lexbor: no layout, no styles."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from pagesight.readers.title.candidates import FEW_LOW_HEADINGS
from pagesight.readers.title.clues import (
    COPYRIGHT,
    MOST_NODES,
    MOST_SILENT,
    SELECTOR,
    Clues,
    TaggedElement,
    collect,
)
from pagesight.segment.text import SILENT, squeeze
from pagesight.sources import charset

_TAG = re.compile(r"<[^>]*>|&\w+;|[©\d]")
_SIGN = "©".encode()
_LINES = frozenset("br div p li ul ol dt dd td tr h1 h2 h3 h4 h5 h6 section nav".split())
_TEXT = "-text"  # what Lexbor calls the tag of a text
_NOT_PLAIN = _LINES | SILENT


class ParsedElement:
    """An element of Lexbor's tree, of which no more than `most` nodes are read."""

    __slots__ = ("_attributes", "_most", "raw", "tag")

    def __init__(self, raw: Any, most: int | None = MOST_NODES) -> None:
        self.raw = raw
        self._most = most
        self.tag: str = raw.tag
        self._attributes: Mapping[str, str | None] | None = None

    def lineage(self) -> Iterator[tuple[int, TaggedElement]]:
        """Itself and the elements around it."""
        raw = self.raw
        while raw is not None:
            yield raw.mem_id, raw
            raw = raw.parent

    @property
    def node(self) -> int | None:
        return None

    @property
    def attributes(self) -> Mapping[str, str | None]:
        if self._attributes is None:
            self._attributes = self.raw.attributes
        return self._attributes

    @property
    def text(self) -> str:
        """The text in it; blocks and line breaks begin new lines."""
        only = self.raw.first_child
        while only is not None and only.next is None and only.tag not in _NOT_PLAIN:
            if only.is_text_node:
                return str(only.text_content or "")
            only = only.first_child
        return "".join([text for _, text in self._pieces()])

    def _pieces(self) -> Iterator[tuple[bool, str]]:
        """Whether each piece is a text, or else a new line; without what is silent."""
        nodes = list(islice(self.raw.traverse(include_text=True), self._most))
        tags = [node.tag for node in nodes]
        silent = not SILENT.isdisjoint(tags)
        for node, tag in zip(nodes, tags, strict=True):
            if tag == _TEXT:
                if not (silent and self._is_silent(node)):
                    yield True, node.text_content or ""
            elif tag in _LINES:
                yield False, "\n"

    @property
    def texts(self) -> list[str]:
        """The texts between tags, without scripts and styles."""
        return list(filter(None, [squeeze(text) for is_text, text in self._pieces() if is_text]))

    def _is_silent(self, node: Any) -> bool:
        """Whether a text is in a button, a drawing or the like in this element."""
        above, element = node.parent, self.raw.mem_id
        for _ in range(MOST_SILENT):
            if above is None or above.mem_id == element:
                return False
            if above.tag in SILENT:
                return True
            above = above.parent
        return False


def clues_of_markup(data: bytes | str, url: str | None) -> Clues:
    """What the markup of a page says about its name."""
    markup = _utf8(data) if isinstance(data, bytes) else data.encode("utf-8", "replace")
    parser = LexborHTMLParser(markup)
    telling = {raw.mem_id: raw for raw in parser.css(SELECTOR)}  # some match twice
    clues = collect(map(ParsedElement, telling.values()), url, FEW_LOW_HEADINGS)
    clues.copyright = _copyright(markup)
    if parser.body is not None:
        body = ParsedElement(parser.body, most=None)
        clues.words, clues.texts = (lambda: body.text), (lambda: body.texts)
    return clues


def _utf8(data: bytes) -> bytes:
    """The bytes of a page as the parser takes them: mostly as they are."""
    encoding = charset.decide(data)
    if encoding != "utf-8" or b"\0" in data:
        return charset.decode(data, encoding).encode("utf-8", "replace")
    return data.removeprefix(codecs.BOM_UTF8)


def _copyright(markup: bytes) -> str:
    """What follows the last copyright sign."""
    at = markup.rfind(_SIGN)
    at = max(at, markup.rfind(b"&copy;", max(at, 0)))
    if at < 0:
        return ""
    text = markup[at : at + 20 * COPYRIGHT].decode("utf-8", "replace")[: 5 * COPYRIGHT]
    return squeeze(_TAG.sub(" ", text))[:COPYRIGHT]
