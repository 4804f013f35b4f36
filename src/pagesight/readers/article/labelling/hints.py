"""Where the page says what the tags of the document say: evidence for the labels of zones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.article.labelling.labels import AFFILIATIONS, LABELS
from pagesight.readers.article.tags import Stated
from pagesight.readers.article.text import dice_of_pairs, pairs, words
from pagesight.readers.article.zones import Zones

AGREEMENT = 3.0  # log-odds: of twenty tags, nineteen say what the page says
SAME = 0.9  # Dice of a title and its tag
MOSTLY = 0.8  # of the words: of a zone that are names, of an institution that a zone has
LONGEST = {"author": 4_000, "affiliation": 600}  # characters of such zones
SHORTEST = {"affiliation": 15, "abstract": 60}
PROBE = 90  # characters from the middle of a zone that are looked for in the abstract


def hints(zones: Zones, said: Stated) -> NDArray[np.float64] | None:
    """What tags add to the scores of labels, zones × labels; None if they say nothing."""
    if not said.tags:
        return None
    told = _Told(said)
    added = np.zeros((len(zones), len(LABELS)))
    for zone, text in enumerate(zones.unmarked):
        for label in told.labels(text):
            added[zone, LABELS.index(label)] = AGREEMENT
    return added


class _Told:
    """What tags say, ready to be compared with many zones."""

    def __init__(self, said: Stated) -> None:
        persons = said.persons
        titles = {tag.text for tag in said.all("title")}
        self.titles = [(len(title), pairs(title)) for title in sorted(titles)]
        self.names = {word for person in persons for word in words(person.tag.text)}
        self.families = {person.name.family for person in persons if person.name.family}
        places = {tag.text for person in persons for tag in person.places}
        self.places = [own for place in sorted(places) if len(own := set(words(place))) > 1]
        self.landmarks = {max(place.split(), key=len).strip(",;.") for place in places}
        self.abstract = " ".join(word for tag in said.all("abstract") for word in words(tag.text))

    def labels(self, text: str) -> list[str]:
        """The labels that a zone with this text would have by the tags."""
        if self._is_title(text):
            return ["title"]
        if self._is_author(text):
            return ["author"]
        if self._is_place(text):
            return list(AFFILIATIONS)
        return ["abstract"] if self._is_abstract(text) else []

    def _is_title(self, text: str) -> bool:
        near = [known for size, known in self.titles if 0.7 * size <= len(text) <= 1.4 * size]
        own = pairs(text) if near else None
        return own is not None and any(dice_of_pairs(own, known) >= SAME for known in near)

    def _is_author(self, text: str) -> bool:
        if len(text) > LONGEST["author"] or not any(map(text.__contains__, self.families)):
            return False
        own = [word for word in words(text) if len(word) > 1 and word.isalpha() and word != "and"]
        return sum(word in self.names for word in own) >= MOSTLY * len(own) > 0

    def _is_place(self, text: str) -> bool:
        if not SHORTEST["affiliation"] <= len(text) <= LONGEST["affiliation"]:
            return False
        if not any(map(text.__contains__, self.landmarks)):  # most zones end here
            return False
        own = set(words(text))
        shared = ((len(own & place), len(place)) for place in self.places)
        return any(both >= MOSTLY * size and both >= len(own) / 3 for both, size in shared)

    def _is_abstract(self, text: str) -> bool:
        if not self.abstract or len(text) < SHORTEST["abstract"]:
            return False
        middle = max((len(text) - PROBE) // 2, 0)
        probe = words(text[middle : middle + PROBE])[1:-1]  # the outer words may be cut
        return len(probe) > 2 and " ".join(probe) in self.abstract
