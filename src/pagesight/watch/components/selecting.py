"""The elements of a page that a CSS selector or an XPath names."""

from __future__ import annotations

import re

from pagesight.errors import NoSuchPart
from pagesight.page import Page
from pagesight.readers.value import shortened
from pagesight.segment.selectors import SelectorError, elements_of

_STEP = re.compile(
    r"(?P<axis>//?)(?P<tag>[\w-]+|\*)"
    r"(?:\[(?:(?P<rank>\d+)|@(?P<name>[\w-]+)=(?P<value>\"[^\"\\]*\"|'[^'\\]*'))\])?"
)


def selected_nodes(page: Page, selector: str) -> list[int]:
    """The elements that a CSS selector or an XPath selects, in document order.

    Known are the selectors of wrappers, XPaths of tags, numbers and values of attributes, and all
    addresses that Pagesight itself writes. Raises `NoSuchPart` for anything else.
    """
    written = selector.strip()
    if not written:
        raise NoSuchPart("an empty selector selects nothing")
    is_xpath = written.startswith(("/", "("))
    try:
        css = _css_of(written) if is_xpath else written
        return [int(node) for node in elements_of(page).select(css)]
    except SelectorError as error:
        addresses = (node.xpath if is_xpath else node.css for node in page)
        nodes = [at for at, address in enumerate(addresses) if address == written]
        if not nodes:
            raise NoSuchPart(f"{shortened(selector)!r} is not understood") from error
        return nodes


def _css_of(xpath: str) -> str:
    """The CSS selector that selects the same.

    >>> _css_of("/html/body/div[2]//p[@id='a']")
    'html > body > div:nth-of-type(2) p[id="a"]'
    """
    parts: list[str] = []
    at = 0
    if not xpath.startswith(("//", "/html")):
        raise SelectorError(f"{xpath!r} does not begin at the root, which is html")
    while at < len(xpath):
        step = _STEP.match(xpath, at)
        if step is None:
            raise SelectorError(f"{xpath!r} is not understood from {xpath[at:]!r} on")
        among = "child" if step["tag"] == "*" else "of-type"
        rank = f":nth-{among}({step['rank']})" if step["rank"] else ""
        value = f'[{step["name"]}="{step["value"][1:-1]}"]' if step["name"] else ""
        parts += [" > " if step["axis"] == "/" else " "] if parts else []
        parts.append(step["tag"] + rank + value)
        at = step.end()
    return "".join(parts)
