"""Links to the identifiers of authors, most of them around a picture: whose they are."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import itemgetter

import numpy as np

from pagesight.page import Page
from pagesight.readers.article.identifiers import ORCID
from pagesight.readers.article.names.persons import Person
from pagesight.segment.nodes import named

Box = tuple[float, float, float, float]  # left, middle, width and height
Line = tuple[float, float, float]  # level, left and height

HIGHEST = 4  # elements, one around the other, in which a link and a name stand together


def identify(page: Page, found: Sequence[Person]) -> None:
    """Give authors the identifiers that links beside their names lead to.

    Whether a link stands before its name or behind it is told by the elements around both, which
    the text alone does not tell.
    """
    beside = _OnSheets(page, found) if page.info.media == "pdf" else _Beside(page, found)
    owners: dict[str, Person] = {}
    for link, orcid in _profiles(page):
        if orcid not in owners and (owner := beside.owner(link)):
            owners[orcid] = owner
    for person in found:
        if person.orcid and owners.get(person.orcid, person) is not person:
            person.orcid = None
    for orcid, owner in owners.items():
        owner.orcid = owner.orcid or orcid


def _profiles(page: Page) -> Iterator[tuple[int, str]]:
    """The links to identifiers, and these."""
    for link in np.flatnonzero(named(page, {"a"})).tolist():
        target = page.attribute(link, "href") or ""
        if "orcid" in target and (found := ORCID.search(target)):
            yield link, found[0]


class _Beside:
    """The author beside whom a link stands."""

    def __init__(self, page: Page, found: Sequence[Person]) -> None:
        self._page = page
        named = sorted((node, rank) for rank, person in enumerate(found) for node in person.nodes)
        self._nodes = [node for node, _ in named]
        self._found = [found[rank] for _, rank in named]
        self._leads: dict[int, bool] = {}  # by element: whether links stand before their names

    def owner(self, link: int) -> Person | None:
        """Whom the innermost element around the link names; of several, the one next to it."""
        parent, end = self._page.columns["parent"], self._page.end
        above = link
        for _ in range(HIGHEST):
            first, last = (bisect_left(self._nodes, at) for at in (above, int(end[above])))
            if first < last:
                at = bisect_left(self._nodes, link)
                at -= not self._leads.setdefault(above, at == first)
                return self._found[at] if first <= at < last else None
            above = max(int(parent[above]), 0)
        return None


class _OnSheets:
    """The author beside whom a link stands in a PDF, where nothing but places tells."""

    def __init__(self, page: Page, found: Sequence[Person]) -> None:
        self._boxes = page.columns["box"]
        self._sheets = page.columns["sheet"]
        places = [(self._begin(page, person), person) for person in found]
        self._places = sorted(places, key=lambda each: each[0][:2])
        links = [self._box(link) for link, _ in _profiles(page)]
        near = [box for box in links if any(_is_level(box, place) for place, _ in self._places)]
        self._leads = bool(near) and min(near, key=itemgetter(1, 0))[0] < self._places[0][0][1]

    def _box(self, node: int) -> Box:
        left, top, width, height = self._boxes[node].tolist()
        return left, top + height / 2, width, height

    def _begin(self, page: Page, person: Person) -> Line:
        """Where a name begins: the level, the place on it, and the height of the line."""
        left, middle, width, height = self._box(person.node)
        text = page.strings[int(page.columns["text"][person.node])]
        before = max(text.find(person.name.split()[0]), 0)
        return middle, left + width * before / max(len(text), 1), height

    def owner(self, link: int) -> Person | None:
        """Who is named last before the link, or first behind it where links lead."""
        box = self._box(link)
        if not any(_is_level(box, place) for place, _ in self._places):
            return None
        before = [person for place, person in self._places if _is_before(place, box)]
        if not self._leads:
            return before[-1] if before else None
        return self._places[len(before)][1] if len(before) < len(self._places) else None


def _is_level(box: Box, place: Line) -> bool:
    """Whether a link stands on the line of a name, or on the next one."""
    level, _, height = place
    return -0.8 * height < box[1] - level < 2.0 * height


def _is_before(place: Line, box: Box) -> bool:
    level, left, height = place
    same = abs(box[1] - level) < 0.8 * height
    return left < box[0] if same else level < box[1]
