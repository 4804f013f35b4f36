"""Pages on which people have marked the list that they are about: it is main content.

Few drawn pages are lists, and cards of products look much like what is in sidebars.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import Corpora
from pagesight.readers.records.learning.corpus import ListPage, list_pages
from pagesight.readers.zones.candidates import Candidates, candidates
from pagesight.readers.zones.features import Features, features
from pagesight.readers.zones.model import KINDS, MEDIUM, ZonesModel
from pagesight.segment.leaves import leaf_zones
from pagesight.segment.nodes import before

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

OF_BRAND = 3  # pages
HOLDS = 0.9  # of the list: a zone with that much holds it
MOSTLY = 0.5  # of the characters of a zone: what a list has that much of is the list


@dataclass(frozen=True, eq=False)
class ListedPage:
    """A page whose list is known."""

    name: str
    brand: str
    zones: Candidates
    seen: Features
    listed: Floats  # the characters of the list in each zone

    @classmethod
    def of(cls, page: ListPage) -> ListedPage:
        zones = candidates(leaf_zones(page.page))
        leaves = zones.leaves
        inside = np.zeros(len(leaves))
        for record in page.records:
            end = page.page.end[record.node if record.last is None else record.last]
            leaf = leaves.leaf_of_node[record.node : end]
            inside[leaf[leaf >= 0]] = 1
        sums = before(inside * leaves.characters)
        listed = (sums[zones.last] - sums[zones.first]).astype(np.float64)
        return cls(page.name, page.brand, zones, features(zones), listed)

    @cached_property
    def main(self) -> Ints:
        """The zones that hold the list and no more of anything else."""
        characters = np.expm1(self.seen["characters"])
        is_list = self.listed >= MOSTLY * np.maximum(characters, 1)
        return np.flatnonzero(is_list & (self.listed >= HOLDS * self.listed[0]))

    def read_as(self, model: ZonesModel) -> Floats:
        """The share of the list that the default granularity shows as each kind."""
        blocks = model.blocks(self.zones, self.seen, MEDIUM)
        kinds = model.kinds(self.seen, blocks).argmax(axis=1)
        characters = np.bincount(kinds, self.listed[blocks], len(KINDS) + 1)
        return np.asarray(characters / self.listed[0])


def listed_pages(corpora: Corpora) -> Iterator[ListedPage]:
    """Some lists of each brand, as far as anything of them is seen."""
    met: Counter[str] = Counter()
    for page in list_pages(corpora):
        met[page.brand] += 1
        if met[page.brand] <= OF_BRAND:
            listed = ListedPage.of(page)
            if listed.listed[0] > 0:
                yield listed
