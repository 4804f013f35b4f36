"""HTML of strangers, cleaned: what is on an allow-list is kept, and everything else goes.

nh3 has the last word on elements and attributes. Before it, styles become classes, so that a page
can forbid inline styles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

import nh3
from selectolax.lexbor import LexborHTMLParser

from pagesight.markup.tree import VOID
from pagesight.portal.foreign.declarations import harmless
from pagesight.portal.foreign.styling import KEPT, LEFT_OUT
from pagesight.sources.source import is_address

LONGEST = 300_000  # characters; of what is longer, the beginning is shown
DEEPEST = 1_000  # elements in each other; parsers take time that grows with the square of that
_BLOCKS = frozenset("address aside center details fieldset footer form header main nav".split())
_RENAMED = dict.fromkeys(_BLOCKS, "div") | {
    "h1": "h3", "h2": "h3", "h3": "h4", "h4": "h5", "h5": "h6",  # below the headings of tiles
}  # fmt: skip
_TAGS = set(KEPT | _BLOCKS)
_CLEANED_CONTENT = set(LEFT_OUT - {"noscript", "dialog", "head", "option"}) | {
    "noembed",
    "noframes",
}
_SIZES = {"colspan", "rowspan"}
_ATTRIBUTES = {
    "*": {"class", "title", "lang", "dir"},
    "a": {"href"},
    "img": {"src", "alt"},
    "ol": {"start"},
    "td": _SIZES,
    "th": _SIZES,
    "time": {"datetime"},
}
_ALWAYS = {"a": {"target": "_blank"}, "img": {"loading": "lazy"}}
_BLOCK = "display:block"  # words on lines of their own stay there in any look
_BESIDE = re.compile("flex:|float:")
_ANY_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)[^>]*>?")
_CLASS = re.compile(r"s\d{1,5}")
_NUMBER = re.compile(r"\d{1,3}")
_OPENING = re.compile(rf"<(/?)({'|'.join(_RENAMED)})(?=[ >])")

Address = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Clean:
    """Harmless HTML, and the rules for the classes in it."""

    html: str
    rules: str = ""


def cleaned(html: str, address: Address, *, is_styled: bool = False) -> Clean:
    """What of a stranger's HTML can be shown among our own; with its styles, if `is_styled`.

    `address` says where the browser gets a picture of an address from; None: nowhere.
    """
    html = html[:LONGEST]
    parser = LexborHTMLParser(html if _depth(html) <= DEEPEST else escape(_ANY_TAG.sub(" ", html)))
    body = parser.body
    if body is None:
        return Clean("")
    names: dict[str, str] = {}
    for element in body.css("[style], [class]"):
        _name(element, names, is_styled=is_styled)
    kept = partial(_attribute, address)
    safe = nh3.clean(
        body.inner_html or "",
        tags=_TAGS,
        clean_content_tags=_CLEANED_CONTENT,
        attributes=_ATTRIBUTES,
        attribute_filter=kept,
        set_tag_attribute_values=_ALWAYS,
        link_rel="noopener noreferrer nofollow",
        url_schemes={"http", "https", "mailto"},
    )
    renamed = _OPENING.sub(lambda tag: f"<{tag[1]}{_RENAMED[tag[2]]}", safe)
    return Clean(renamed, "".join(f".{name}{{{style}}}" for style, name in names.items()))


def _depth(html: str) -> int:
    """How deep elements are nested, about: end tags that a parser ignores are the exception."""
    opened: Counter[str] = Counter()
    depth = deepest = 0
    for end, written in _ANY_TAG.findall(html):
        name = written.lower()
        if name in VOID or (end and not opened[name]):
            continue
        opened[name] += -1 if end else 1
        depth += -1 if end else 1
        deepest = max(deepest, depth)
    return deepest


def _name(element: Any, names: dict[str, str], *, is_styled: bool) -> None:
    """Give an element the class of its style, in place of all others."""
    style = harmless(element.attributes.get("style") or "")
    if not is_styled:
        style = _BLOCK if _BLOCK in style and not _BESIDE.search(style) else ""
    for name in ("style", "class"):
        if name in element.attributes:
            del element.attrs[name]
    if style:
        element.attrs["class"] = names.setdefault(style, f"s{len(names)}")


def _attribute(address: Address, _: str, name: str, value: str) -> str | None:
    """The value of an attribute as it is kept; None: not at all."""
    match name:
        case "class":
            return value if _CLASS.fullmatch(value) else None
        case "colspan" | "rowspan" | "start":
            return value if _NUMBER.fullmatch(value) else None
        case "src":
            return address(value.strip())
        case "href":
            is_kept = is_address(value.strip()) or value.strip().lower().startswith("mailto:")
            return value.strip() if is_kept else None
        case "dir":
            return value if value in ("ltr", "rtl", "auto") else None
    return value
