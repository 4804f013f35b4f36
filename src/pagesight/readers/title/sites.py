"""The name of the site: what a page calls it, and which part of a title tag is nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pagesight.readers.title.address import Address
from pagesight.readers.title.clues import Clues
from pagesight.readers.title.segments import Cut, delimiters
from pagesight.readers.title.text import alike, fold, plain

SITE_ALIKE = 0.8  # from here on, a part of a tag is the name of the site
MOST_LOGOS = 3
SHORTEST_LABEL = 3  # letters of a part of the host that may be initials
SHORTEST_NAME = 4  # letters of a name that may be found in a copyright line
_ABOUT_LOGOS = frozenset(
    "logo logos icon home homepage page startseite zur zum to the go back link of accueil".split()
)
_NAMED = re.compile(r"([^:]+):\s+(?=\S)")


@dataclass(frozen=True)
class Site:
    """What is known of the name of a site: names as letters only, and the parts of its host."""

    names: tuple[str, ...]
    labels: frozenset[str]
    copyright: str

    @classmethod
    def of(cls, clues: Clues) -> Site:
        """Names that the page says, and those in its address."""
        said = [*clues.sites, *(_without_logo(name) for name in clues.logos[:MOST_LOGOS])]
        joined = (plain(name).replace(" ", "") for name in (*said, clues.address.host))
        names = dict.fromkeys(filter(None, (clues.address.brand, *joined)))
        return cls(tuple(names), _labels(clues.address), plain(clues.copyright).replace(" ", ""))

    @cached_property
    def _known(self) -> dict[str, float]:
        """The likenesses that were asked for: parts of titles are compared again and again."""
        return {}

    def likeness(self, text: str) -> float:
        """How much a text is the name of the site, in [0, 1]."""
        words = plain(text)
        if words not in self._known:
            self._known[words] = self._likeness(words)
        return self._known[words]

    def _likeness(self, words: str) -> float:
        joined = words.replace(" ", "")
        if not joined:
            return 0.0
        if len(joined) >= SHORTEST_NAME and joined in self.copyright:
            return 1.0
        if "".join(word[0] for word in words.split()) in self.labels:  # initials
            return 1.0
        return max((_same(joined, name) for name in self.names), default=0.0)


def _without_logo(text: str) -> str:
    return " ".join(word for word in plain(text).split() if word not in _ABOUT_LOGOS)


def _labels(address: Address) -> frozenset[str]:
    """The parts of the host that are long enough to be the initials of a name."""
    labels = (plain(label).replace(" ", "") for label in address.host.split(".")[:-1])
    return frozenset(each for each in labels if len(each) >= SHORTEST_LABEL)


def _same(joined: str, name: str) -> float:
    """As `alike`, but a name with something added to it is another name."""
    return len(name) / len(joined) if name in joined else alike(joined, name)


@dataclass(frozen=True, slots=True)
class Subject:
    """A title tag without the name of the site."""

    parts: tuple[str, ...]  # between bars and dashes
    text: str  # from the first to the last of them


def subject_of(text: str, site: Site) -> Subject:
    """Take the name of the site off both ends of a title; the result is folded."""
    marks = [mark for mark in delimiters(text) if mark.cut >= Cut.DASH]
    starts = [0, *(mark.end for mark in marks)]
    ends = [*(mark.start for mark in marks), len(text)]
    if len(starts) == 1 and (named := _NAMED.match(text)) and site.likeness(named[1]) >= SITE_ALIKE:
        starts[0] = named.end()  # "Site: title"
    first, last = 0, _last_part(text, starts, ends, site)
    while first < last and site.likeness(text[starts[first] : ends[first]]) >= SITE_ALIKE:
        first += 1
    parts = tuple(fold(text[starts[i] : ends[i]]) for i in range(first, last + 1))
    return Subject(parts, fold(text[starts[first] : ends[last]]))


def _last_part(text: str, starts: Sequence[int], ends: Sequence[int], site: Site) -> int:
    """The last part before the name of the site, which may have dashes of its own."""
    for part in range(1, len(starts)):
        if site.likeness(text[starts[part] :]) >= SITE_ALIKE:
            return _last_part(text[: ends[part - 1]], starts[:part], ends[:part], site)
    return len(starts) - 1
