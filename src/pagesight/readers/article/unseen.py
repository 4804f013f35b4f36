"""What a page holds and does not show yet: authors behind "show more", places in pop-ups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pagesight.page import NodeKind, Page, Visibility
from pagesight.readers.article.linking import is_addressed
from pagesight.readers.article.persons import Person, Piece, is_name
from pagesight.readers.article.places import Place, cleaned, is_likely_place
from pagesight.readers.article.zones import Zones
from pagesight.segment.nodes import inside, named

HIGHEST = 5  # elements, one around the other, in which what belongs together is looked for
_INLINE = frozenset("a abbr b bdi cite em font i institution nobr small span strong sup u".split())


def with_unseen_names(zones: Zones, pieces: list[Piece]) -> list[Piece]:
    """The pieces, and names in between and behind that the page holds but does not show yet."""
    shown = [piece for piece in pieces if is_name(piece.text.strip(" ,;&").removeprefix("and "))]
    if len(shown) < 2 or zones.page.info.media == "pdf":
        return pieces
    page = zones.page
    kinds = {zones.kind_of(piece.node) for piece in shown}
    first, last = shown[0].node, shown[-1].node
    texts = _unseen_texts(page, _around(page, first, last))
    raised = _raised(page)
    hidden: list[Piece] = []
    for node in texts[texts > first].tolist():
        text = page.strings[page.columns["text"][node]]
        if not text.strip():
            continue
        if raised[node]:
            hidden += [Piece(text, node, raised=True)] if hidden else []
        elif zones.kind_of(node) in kinds and is_name(text.strip(" ,;&")):
            hidden.append(Piece(text, node, begins=True))
    return sorted([*pieces, *hidden], key=lambda piece: piece.node) if hidden else pieces


def unseen_places(zones: Zones, found: Sequence[Person]) -> list[Place]:
    """Places near the authors that are not shown; what stands at one author is given to them."""
    if not found or zones.page.info.media == "pdf":
        return []
    page = zones.page
    nodes = [person.node for person in found]
    above = _around(page, min(nodes), max(nodes))
    for _ in range(HIGHEST):
        blocks = [
            place
            for place in _blocks(page, _unseen_texts(page, above), found[0].zones[0])
            if is_likely_place(place.text) and not is_addressed(place, found)
        ]
        if blocks or above <= 0:
            break
        above = int(page.columns["parent"][above])
    return [place for place in blocks if not _given(page, place, found)]


def _blocks(page: Page, texts: Iterable[int], zone: int) -> Iterator[Place]:
    """The texts as lines: those in one block together, with the mark that begins them."""
    raised = _raised(page)
    lines: dict[int, Place] = {}
    for node in map(int, texts):
        line = lines.setdefault(_block(page, node), Place("", None, node, zone))
        text = page.strings[page.columns["text"][node]]
        if raised[node] and not line.text.strip():
            line.mark = text.strip() or line.mark
        else:
            line.text += text
    return map(cleaned, lines.values())


def _block(page: Page, node: int) -> int:
    parent = page.columns["parent"]
    above = int(parent[node])
    while above > 0 and page.name(above) in _INLINE:
        above = int(parent[above])
    return above


def _given(page: Page, place: Place, found: Sequence[Person]) -> bool:
    """Whether a place belongs to one author, who gets it: the only one named in an element."""
    parent = page.columns["parent"]
    above = int(parent[place.node])
    for _ in range(HIGHEST):
        text = _text(page, _unseen_texts(page, above))
        here = range(above, int(page.end[above]))
        owners = [person for person in found if person.node in here or person.name in text]
        if owners:
            break
        above = max(int(parent[above]), 0)
    if len(owners) == 1 and place.text not in owners[0].nested:
        owners[0].nested.append(place.text)
    return len(owners) == 1


def _text(page: Page, texts: Iterable[int]) -> str:
    joined = " ".join(page.strings[page.columns["text"][node]] for node in texts)
    return " ".join(joined.split())


def _around(page: Page, first: int, last: int) -> int:
    """The innermost element that holds two nodes."""
    parent = page.columns["parent"]
    above = int(parent[first])
    while above > 0 and page.end[above] <= last:
        above = int(parent[above])
    return above


def _unseen_texts(page: Page, above: int) -> NDArray[np.int64]:
    here = slice(above, int(page.end[above]))
    unseen = page.columns["visibility"][here] != Visibility.VISIBLE
    found: NDArray[np.int64] = (
        np.flatnonzero(unseen & (page.columns["kind"][here] == NodeKind.TEXT)) + above
    )
    return found


def _raised(page: Page) -> NDArray[np.bool_]:
    return inside(np.flatnonzero(named(page, {"sup"})), page.end)
