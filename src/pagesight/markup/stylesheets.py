"""The stylesheets of a document, in the order in which they apply."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborHTMLParser

from pagesight.markup.css import imports
from pagesight.markup.media import import_holds, matches
from pagesight.markup.tree import is_stylesheet
from pagesight.page.head import join

DEEPEST_IMPORT = 8  # sheets that import one another

Load = Callable[[str], bytes | None]
"""What is at an address; None if it cannot be loaded."""


def stylesheets(
    parser: LexborHTMLParser, base: str = "", load: Load = lambda _: None
) -> Iterator[str]:
    """The stylesheets that apply on a screen: those in a document, and those that can be loaded."""
    for node in parser.css("style, link"):
        attributes = node.attributes
        if not matches(attributes.get("media") or ""):
            continue
        if node.tag == "style":
            yield from _with_imports(node.text(deep=True), base, load, DEEPEST_IMPORT)
        elif is_stylesheet(attributes):
            yield from _loaded(base, attributes.get("href") or "", load, DEEPEST_IMPORT)


def _with_imports(sheet: str, base: str, load: Load, depth: int) -> Iterator[str]:
    for reference in imports(sheet) if depth else ():
        if import_holds(reference.conditions or ""):
            yield from _loaded(base, reference.address, load, depth - 1)
    yield sheet


def _loaded(base: str, address: str, load: Load, depth: int) -> Iterator[str]:
    url = join(base, address)  # None of, e.g., "http://["
    if url is not None and (data := load(url)) is not None:
        text = data.decode("utf-8", errors="replace").removeprefix("\ufeff")
        yield from _with_imports(text, url, load, depth)
