"""Links to the identifiers of authors, most of them around a picture: whose they are."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

import numpy as np

from pagesight.page import Page
from pagesight.readers.article.identifiers import ORCID
from pagesight.readers.article.persons import Person
from pagesight.segment.nodes import named

HIGHEST = 4  # elements, one around the other, in which a link and a name stand together


def identify(page: Page, found: Sequence[Person]) -> None:
    """Give authors the identifiers that links beside their names lead to.

    Whether a link stands before its name or behind it is told by the elements around both, which
    the text alone does not tell.
    """
    beside = _Beside(page, found)
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
