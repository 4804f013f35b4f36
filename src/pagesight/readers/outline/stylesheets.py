"""The stylesheets of a document, in the order in which they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser

from pagesight.render.resources import BASE, Loads, Neighbourhood
from pagesight.sources import Source

_IMPORT = re.compile(
    r"""@import\s+(?:url\(\s*)?["']?(?P<address>[^"')\s;]+)["']?\s*\)?(?P<media>[^;]*);""",
    re.IGNORECASE,
)
_DEEPEST = 8  # sheets that import one another


def own_sheets(parser: LexborHTMLParser) -> list[str]:
    """The stylesheets that a document holds itself."""
    return [node.text(deep=True) for node in parser.css("style") if _on_screen(node.attributes)]


def stylesheets(source: Source) -> list[str]:
    """The stylesheets in a document and in the files beside it."""
    parser = LexborHTMLParser(source.text)
    files = Neighbourhood(source.path, source.root)
    sheets: list[str] = []
    for node in parser.css("style, link"):
        attributes = node.attributes
        if not _on_screen(attributes):
            continue
        if node.tag == "style":
            sheets += _with_imports(node.text(deep=True), BASE, files, _DEEPEST)
        elif "stylesheet" in (attributes.get("rel") or "").lower().split():
            sheets += _loaded(urljoin(BASE, attributes.get("href") or ""), files, _DEEPEST)
    return sheets


def _with_imports(sheet: str, base: str, files: Neighbourhood, depth: int) -> Iterator[str]:
    for found in _IMPORT.finditer(sheet) if depth else ():
        if "print" not in found["media"].lower():
            yield from _loaded(urljoin(base, found["address"]), files, depth - 1)
    yield sheet


def _loaded(address: str, files: Neighbourhood, depth: int) -> Iterator[str]:
    resource = files.load(address, document=False, loads=Loads())
    if resource is not None:
        text = resource.data.decode("utf-8", errors="replace").removeprefix("\ufeff")
        yield from _with_imports(text, address, files, depth)


def _on_screen(attributes: dict[str, str | None]) -> bool:
    media = (attributes.get("media") or "all").lower()
    return "all" in media or "screen" in media
