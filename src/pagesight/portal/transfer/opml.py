"""Outlines of pages, as feed readers exchange them: boards, tabs, and the pages of their tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

from lxml import etree  # type: ignore[import-untyped]

from pagesight.output.xml import add, clean, document
from pagesight.portal.errors import Invalid
from pagesight.portal.values import Board

LARGEST = 5 << 20  # bytes of an outline
MOST = 2_000  # pages in it
_ADDRESSES = ("htmlUrl", "url", "xmlUrl")


@dataclass(frozen=True, slots=True)
class Outlined:
    """A page of an outline."""

    board: str
    tab: str
    name: str
    address: str


def as_opml(boards: Sequence[Board], owner: str) -> str:
    """Boards as an outline that other programs read."""
    root = ET.Element("opml", version="2.0")
    add(add(root, "head"), "title", f"Pages of {owner}")
    body = add(root, "body")
    for board in boards:
        outer = _outline(body, text=board.name)
        for tab in board.tabs:
            inner = _outline(outer, text=tab.name)
            for tile in tab.tiles:
                address = {"url": tile.address, "htmlUrl": tile.address}
                _outline(inner, type="link", text=tile.name, **address)
    return document(root)


def _outline(parent: ET.Element, **attributes: str) -> ET.Element:
    values = {name: clean(value) for name, value in attributes.items()}
    return ET.SubElement(parent, "outline", values)


def read_opml(text: str | bytes, *, usual: tuple[str, str]) -> list[Outlined]:
    """The pages of an outline; raises `Invalid`. Where it has no folders, they are the `usual`."""
    data = text.encode() if isinstance(text, str) else text
    if len(data) > LARGEST:
        raise Invalid("this outline is too large", field="file")
    # Nothing is loaded, and no entity is expanded.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        body = etree.fromstring(data, parser).find("body")
    except etree.XMLSyntaxError as error:
        raise Invalid("this is not an outline (OPML)", field="file") from error
    if body is None:
        raise Invalid("this is not an outline (OPML)", field="file")
    found = list(_pages(body, usual))
    if len(found) > MOST:
        raise Invalid(f"these are more than {MOST} pages", field="file")
    return found


def _pages(body: Any, usual: tuple[str, str]) -> Iterator[Outlined]:
    """All pages, with the two folders that are nearest to the top."""
    for outline in body.iter("outline"):
        given = next((outline.get(name) for name in _ADDRESSES if outline.get(name)), None)
        if given is None:
            continue
        folders = [_label(one) for one in outline.iterancestors("outline")][::-1][:2]
        board, tab = (*folders, *usual[len(folders) :])
        yield Outlined(board, tab, _label(outline), given)


def _label(outline: Any) -> str:
    return str(outline.get("text") or outline.get("title") or outline.get("htmlUrl") or "Pages")
