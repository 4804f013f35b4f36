"""What can be picked on a page, and what can be cut out of a part."""

from __future__ import annotations

import re

from pagesight.page import Page
from pagesight.portal.errors import Invalid
from pagesight.portal.values import Pickable
from pagesight.readers.zones import read_zones

LONGEST_TEXT = 300  # characters that tell which one it is
LONGEST_LABEL = 60
MAIN = ("main", "list")
_PATH = re.compile(r"(/[\w:-]+(\[\d{1,6}\])?){1,100}")


def pickable_nodes(page: Page) -> list[Pickable]:
    """The zones of a page, each once, from the outermost on; ids count from 0, in that order."""
    reading = read_zones(page)
    kinds = {part.id: part.kind for part in reading.zones}
    tree, nodes = reading.tree, list[Pickable]()
    id_of: dict[int, int] = {}  # by zone; a zone that is the same element as the one around is it
    for zone in tree:
        above = id_of[zone.parent.id] if zone.parent else None
        element = zone.element
        if above is not None and nodes[above].xpath == element.xpath:
            id_of[zone.id] = above
            continue
        id_of[zone.id] = len(nodes)
        text = zone.text
        nodes.append(
            Pickable(
                id=len(nodes), parent=above,
                depth=nodes[above].depth + 1 if above is not None else 0,
                kind=kinds.get(zone.id), name=_label(text, element.tag),
                text=text[:LONGEST_TEXT], length=len(text), box=zone.box, xpath=element.xpath,
                css=element.css,
            )
        )  # fmt: skip
    return nodes


def main_part(page: Page) -> Pickable | None:
    """The part that most people would pick: of the main blocks the one with the most text."""
    blocks = [node for node in pickable_nodes(page) if node.kind]
    main = [node for node in blocks if node.kind in MAIN] or blocks
    return max(main, key=lambda node: node.length, default=None)


def _label(text: str, tag: str) -> str:
    """The first words, or the tag of what has none."""
    first = " ".join(text.partition("\n")[0].split())
    short = first if len(first) <= LONGEST_LABEL else f"{first[:LONGEST_LABEL].rstrip()}…"
    return short or tag


def relative_path(part: str, inner: str) -> str | None:
    """Where an element is below another one; None if it is not.

    >>> relative_path("/html/body/div[2]", "/html/body/div[2]/p[1]/a[3]")
    '/p[1]/a[3]'
    """
    rest = inner.removeprefix(part)
    return rest if rest != inner and _PATH.fullmatch(rest) else None


def checked_paths(paths: object) -> list[str]:
    """Paths below a part; raises `Invalid`."""
    if isinstance(paths, list | tuple) and all(
        isinstance(path, str) and _PATH.fullmatch(path) for path in paths
    ):
        return list(paths)
    raise Invalid("what is cut out has a path below the part", field="excluded")
