"""What a page holds and does not show yet: authors behind "show more", places in pop-ups."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pagesight.page import NodeKind, Page, Visibility
from pagesight.readers.article.linking import unaddressed
from pagesight.readers.article.persons import Person, Piece, is_name
from pagesight.readers.article.places import Place, cleaned, is_likely_place
from pagesight.readers.article.zones import Zones
from pagesight.segment.nodes import inside, named

HIGHEST = 5  # elements, one around the other, in which what belongs together is looked for
MOST_NODES, LONGEST = 200, 2000  # nodes and characters of a pop-up
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
    is_likely = cache(is_likely_place)  # each element around says the same and more
    for _ in range(HIGHEST):
        lines = _blocks(page, _unseen_texts(page, above), found[0].zones[0])
        blocks = unaddressed((line for line in lines if is_likely(line.text)), found)
        if blocks or above <= 0:
            break
        above = int(page.columns["parent"][above])
    owners = _Owners(page, found)
    free = [place for place in blocks if not owners.give(place)]
    # What nobody is linked to may be of editors and the like.
    return [place for place in free if place.mark or len(free) == 1]


def _blocks(page: Page, texts: Iterable[int], zone: int) -> Iterator[Place]:
    """The texts as lines: those in one block together, with the mark in front of them."""
    raised = _raised(page)
    known: dict[int, int] = {}
    lines: dict[int, Place] = {}
    for node in map(int, texts):
        line = lines.setdefault(_block(page, node, known), Place("", None, node, zone))
        text = page.strings[page.columns["text"][node]]
        if raised[node] and not line.text.strip():
            line.mark = text.strip() or line.mark
        else:
            line.text += text
    before: str | None = None  # a mark that has a block of its own
    for line in map(cleaned, lines.values()):
        line.mark = line.mark or (before if line.text else None)
        before = line.mark if not line.text else None
        yield line


def _block(page: Page, node: int, known: dict[int, int]) -> int:
    """The block around an unseen text; what is seen is not part of it."""
    parent, visibility = page.columns["parent"], page.columns["visibility"]
    path = [int(parent[node])]
    while path[-1] not in known:
        above = path[-1]
        outer = int(parent[above])
        if page.name(above) not in _INLINE or visibility[outer] == Visibility.VISIBLE:
            known[above] = above
        else:
            path.append(outer)
    for inner in path:
        known[inner] = known[path[-1]]
    return known[path[0]]


class _Owners:
    """To whom places belong: to the only author whom an element around them names."""

    def __init__(self, page: Page, found: Sequence[Person]) -> None:
        self._page = page
        self._found = sorted(found, key=lambda person: person.node)
        self._nodes = [person.node for person in self._found]
        self._known: dict[int, list[Person]] = {}

    def give(self, place: Place) -> bool:
        """Give a place to its author; False if it has none."""
        parent = self._page.columns["parent"]
        above = int(parent[place.node])
        for _ in range(HIGHEST):
            if owners := self._named_in(above):
                break
            above = max(int(parent[above]), 0)
        if len(owners) != 1:
            return False
        if place.text not in owners[0].nested:
            owners[0].nested.append(place.text)
        return True

    def _named_in(self, above: int) -> list[Person]:
        """Whom an element names: in what is seen, or in what it will show."""
        if above not in self._known:
            first, last = (bisect_left(self._nodes, at) for at in (above, self._page.end[above]))
            text = self._text(above) if first == last else ""
            hidden = [person for person in self._found if text and person.name in text]
            self._known[above] = self._found[first:last] or hidden
        return self._known[above]

    def _text(self, above: int) -> str:
        """The text of a pop-up; nothing for what is too large to be one."""
        page = self._page
        if page.end[above] - above > MOST_NODES:
            return ""
        texts = _unseen_texts(page, above).tolist()
        joined = " ".join(page.strings[page.columns["text"][node]] for node in texts)
        return " ".join(joined[:LONGEST].split())


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
