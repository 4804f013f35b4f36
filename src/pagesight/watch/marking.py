"""Marked HTML: a part as it is now, with what is new and what is gone. Nothing in it runs."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any
from urllib.parse import urlsplit

from lxml import etree  # type: ignore[import-untyped]
from lxml import html as lxml_html

from pagesight.output.xml import clean
from pagesight.watch.marks import mark
from pagesight.watch.values import Observation

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46em;margin:2em auto;padding:0 1em}"
    "img{max-width:100%;height:auto}ins{background:#d5f5d9;text-decoration:none}"
    "del{background:#fadcdc}"
    "@media(prefers-color-scheme:dark){body{background:#17191c;color:#e6e6e6}a{color:#8ab4f8}"
    "ins{background:#14532d}del{background:#5c1d1d}}"
)
# Even what a cleaner overlooks could not run, nor fetch anything but pictures.
_POLICY = (
    "default-src 'none'; img-src http: https:; style-src 'unsafe-inline'; "
    "form-action 'none'; base-uri 'none'"
)
_KEPT = frozenset(
    "a abbr article b blockquote br caption cite code dd div dl dt em figcaption figure h1 h2 h3 "
    "h4 h5 h6 hr i img li ol p pre q s section small span strong sub sup table tbody td tfoot th "
    "thead time tr u ul".split()
)
_DROPPED = frozenset(
    "applet audio button canvas embed frame frameset iframe input link math meta noembed noframes "
    "object option param script select source style svg template textarea title video".split()
)
_ATTRIBUTES = frozenset("href src alt title colspan rowspan datetime width height".split())
_ADDRESSES = ("href", "src")
_REFERENCE = re.compile(r"&#(?:x[0-9a-f]+|[0-9]+);?", re.IGNORECASE)
_LISTS = ("ol", "ul")
_ENCODED = {ord(char): f"%{ord(char):02X}" for char in "<>\"'"}


def marked_document(before: Observation, after: Observation) -> str:
    """A document that shows the difference of two observations."""
    title = f"Part {after.part}: observations {before.number} and {after.number}"
    return (
        f'<!doctype html>\n<html><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width">\n<style>{_STYLE}</style></head>\n'
        f"<body>{marked(before.html, after.html)}</body></html>\n"
    )


def marked(before: str, after: str) -> str:
    """The later of two pieces of HTML, cleaned, with `ins` and `del` where they differ."""
    old, new = map(_tree, (before, after))
    mark(old, new)
    return _written(new)


def cleaned(html: str) -> str:
    """HTML of a stranger with plain elements only: no scripts, styles, forms or frames."""
    return _written(_tree(html))


def _tree(html: str) -> Any:
    """Clean HTML as a tree, in an element of its own."""
    html = _REFERENCE.sub(_allowed, clean(html))
    if not html.strip():
        return lxml_html.Element("div")
    root = lxml_html.fragment_fromstring(html, create_parent="div")
    for element in list(root.iter()):
        if element is not root:
            _clean(element)
    for element in list(root.iter("li")):
        if element.getparent().tag not in _LISTS:
            element.tag = "div"
    return root


def _written(root: Any) -> str:
    return "".join(
        [escape(root.text or "", quote=False)]
        + [etree.tostring(child, encoding="unicode", method="html") for child in root]
    )


def _allowed(reference: re.Match[str]) -> str:
    """A reference to a character, unless lxml would refuse to write that."""
    return reference[0] if clean(unescape(reference[0])).strip("\ufffd") else " "


def _clean(element: Any) -> None:
    if not isinstance(element.tag, str) or element.tag in _DROPPED:
        element.drop_tree()
        return
    for name, value in element.attrib.items():
        if name not in _ATTRIBUTES or (name in _ADDRESSES and not _is_safe(value)):
            del element.attrib[name]
        elif name in _ADDRESSES:
            element.attrib[name] = value.translate(_ENCODED)
    if element.tag not in _KEPT:
        element.drop_tag()


def _is_safe(address: str) -> bool:
    """Whether an address is one of the web, or of the page itself."""
    try:
        return urlsplit(address.strip()).scheme.lower() in ("http", "https")
    except ValueError:
        return False
