"""What a page holds and does not show yet: authors behind "show more", places in pop-ups."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pagesight.page import NodeKind, Page, Visibility
from pagesight.readers.article.fields.linking import unaddressed
from pagesight.readers.article.learning.metrics import Name, same_person
from pagesight.readers.article.names.persons import Person, Piece, divide, is_name, is_sure_name
from pagesight.readers.article.names.places import Place, cleaned, is_likely_place
from pagesight.readers.article.text import words
from pagesight.readers.article.zones import Zones
from pagesight.segment.nodes import inside, named

HIGHEST = 5  # elements, one around the other, in which what belongs together is looked for
BEHIND = 2  # elements around the list of authors in which it may go on
MOST_BETWEEN = 8  # words that are shown between the list and what goes on: "show more"
MOST_NODES, LONGEST = 200, 2000  # nodes and characters of a pop-up
_INLINE = frozenset("a abbr b bdi cite em font i institution nobr small span strong sup u".split())


def with_unseen_names(zones: Zones, pieces: list[Piece]) -> list[Piece]:
    """The pieces, and names in between and behind that the page holds but does not show yet."""
    shown = [piece for piece in pieces if _are_names(piece.text, is_name)]
    if zones.page.info.media == "pdf" or len(_all_names(shown)) < 2:
        return pieces
    raised = _raised(zones.page)
    alike = _Alike(zones, shown)
    hidden: list[Piece] = []
    for node in alike.texts():
        text = zones.page.strings[zones.page.columns["text"][node]]
        if raised[node]:
            hidden += [Piece(text, node, raised=True)] if hidden else []
        elif alike.names(node, text):
            hidden.append(Piece(text, node, begins=True))
    return _merged(pieces, hidden) if hidden else pieces


def _merged(pieces: list[Piece], hidden: list[Piece]) -> list[Piece]:
    """Both in the order of the document; what is shown does not go on from what is not."""
    nodes = {piece.node for piece in hidden}
    found = sorted([*pieces, *hidden], key=lambda piece: piece.node)
    return [
        replace(piece, begins=True) if at and found[at - 1].node in nodes else piece
        for at, piece in enumerate(found)
    ]


class _Alike:
    """Texts that are not shown, and stand as the names do that are shown."""

    def __init__(self, zones: Zones, shown: Sequence[Piece]) -> None:
        self._zones = zones
        self._kinds = {zones.kind_of(piece.node) for piece in shown}
        self._tags = {kind[::2] for kind in self._kinds}
        self._first, self._last = shown[0].node, shown[-1].node
        self._around = _around(zones.page, self._first, self._last)
        self._holders = {int(zones.page.columns["parent"][piece.node]) for piece in shown}
        self._known: dict[str, list[Name]] = {}  # by the last word
        for name in _all_names(shown):
            self._known.setdefault(_last(name), []).append(Name(*divide(name)))

    def texts(self) -> Iterator[int]:
        """The texts that are not shown: in the list of names, and right behind it."""
        page, above = self._zones.page, self._around
        for _ in range(BEHIND):
            above = max(int(page.columns["parent"][above]), 0)
        end, reach = page.end[self._around], self._reach()
        for node in _unseen_texts(page, above).tolist():
            if self._first < node < max(end, reach):
                yield node

    def _reach(self) -> int:
        """The first text behind the list that is shown, but for a few words: "show more"."""
        page, count = self._zones.page, 0
        texts = (page.columns["kind"] == NodeKind.TEXT) & page.visible
        for node in (np.flatnonzero(texts[self._last + 1 :]) + self._last + 1).tolist():
            count += len(page.strings[page.columns["text"][node]].split())
            if count > MOST_BETWEEN:
                return int(node)
        return len(page)

    def names(self, node: int, text: str) -> bool:
        """Whether a text names authors who are not among those that are shown."""
        kind = self._zones.kind_of(node)
        listed = node < self._zones.page.end[self._around]
        if listed and kind in self._kinds:
            return is_name(text.strip(" ,;&"))
        tags, parent = kind[::2], self._zones.page.columns["parent"]
        wrapped = int(parent[parent[node]]) in self._holders
        alike = wrapped or any(tags[:2] == own[:2] for own in self._tags)
        is_one = is_name if listed and tags in self._tags else is_sure_name
        if not alike or not _are_names(text, is_one):
            return False
        return not any(map(self._is_known, _names(text)))

    def _is_known(self, name: str) -> bool:
        """Whether a name is that of somebody who is shown, maybe in another form."""
        person = Name(*divide(name))
        return any(same_person(person, known) for known in self._known.get(_last(name), ()))


def _names(text: str) -> list[str]:
    """The parts of a text that a comma and the like may part."""
    parts = re.split(r"[,;&]|\band\b", text)
    return [part.strip() for part in parts if any(map(str.isalpha, part))]


def _last(name: str) -> str:
    return (words(name) or [""])[-1]


def _all_names(pieces: Sequence[Piece]) -> list[str]:
    return [name for piece in pieces for name in _names(piece.text)]


def _are_names(text: str, is_one: Callable[[str], bool]) -> bool:
    names = _names(text)
    return bool(names) and all(map(is_one, names))


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
        blocks = unaddressed([line for line in lines if is_likely(line.text)], found)
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
