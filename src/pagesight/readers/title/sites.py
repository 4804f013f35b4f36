"""The name of the site and the heading of the page.

What a page calls the site, and which part of a title tag is nothing else; which h1 is the heading,
and without what is in it beside the title.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pagesight.readers.title.address import PageAddress
from pagesight.readers.title.candidates import Cut, delimiters
from pagesight.readers.title.clues import Clues, TitleText
from pagesight.readers.title.text import WORDS, alike, fold, letters, pair_set, plain

SITE_ALIKE = 0.8  # from here on, a part of a tag is the name of the site
BRAND_ALIKE = 0.5  # a name this like the host is the site's, though the page has it, too
MOST_NAMES = 8  # that the page gives itself
SHORTEST_LABEL = 3  # letters of a part of the host that may be initials
LONGEST_NAME = 6  # words of a name with something added to it
SHORTEST_AFFIX = 3  # letters of a name that a text may begin or end with
SHORTEST_NAME = 4  # letters of a name that may be found in a copyright line
_WORDS = {name: frozenset(words.split()) for name, words in WORDS["site"].items()}
_ADDED, _SMALL = _WORDS["added"], _WORDS["small"]
_AFTER_NAME = re.compile(r"\s[»|>–-]\s")
_NO_HOLDER = re.compile(r"(?:(?:copyright|c|\d+|by|the|all|rights|reserved|inc)\b\s*)*")
_NAMED = re.compile(r"([^:]+):\s+(?=\S)")


SUPPORTED = 0.6  # how like another name of the page a heading is that is preferred for it
ADDRESSED = 0.8  # how like the address a lower one is: "Buy oolong" is not the name of /oolong
MOST_LOWER = 3  # texts that may replace a missing h1


@dataclass(slots=True)
class Site:
    """What is known of the name of a site: names as letters only, and the parts of its host."""

    names: tuple[str, ...]
    host: str
    labels: frozenset[str]
    of_page: set[str]  # what the page itself is called, by an h1 and by its address
    copyright: str  # in plain words, from the name of the holder on
    long_names: tuple[str, ...]  # that no word ends with by chance
    _pairs: list[tuple[str, frozenset[str]]]  # of the names
    _shortest: int  # words whose initials may be one of the labels
    _known: dict[str, float] = field(default_factory=dict)
    """The likenesses that were asked for: parts of titles are compared again and again."""

    @classmethod
    def of(cls, clues: Clues) -> Site:
        """Names that the page says, and those in its address."""
        address = clues.address
        headings, labels = _headings(clues), _labels(address)
        called = (*_said(clues, headings), *_hosted(labels), _closing_heading(clues))
        names = tuple(filter(None, dict.fromkeys((address.brand, *called))))
        return cls(
            names=names,
            host=letters(address.host),
            labels=frozenset(labels),
            of_page={letters(address.slug)} & {letters(piece.text) for piece in headings},
            copyright=_NO_HOLDER.sub("", plain(clues.copyright), count=1) + " ",
            long_names=tuple(name for name in names if len(name) >= SHORTEST_AFFIX),
            _pairs=[(name, pair_set(name)) for name in names],
            _shortest=min(map(len, labels), default=sys.maxsize),
        )

    def likeness(self, text: str) -> float:
        """How much a text is the name of the site, in [0, 1]."""
        words = plain(text)
        known = self._known.get(words)
        if known is None:
            known = self._known[words] = self._likeness(words)
        return known

    def _has_initials(self, words: Sequence[str]) -> bool:
        """Whether the initials of words are a part of the host."""
        telling = [word[0] for word in words if word not in _SMALL]
        return (
            "".join([word[0] for word in words]) in self.labels or "".join(telling) in self.labels
        )

    def is_of_page(self, text: str) -> bool:
        """Whether a text is what the page itself is called, though the site may be, too."""
        return letters(text) in self.of_page

    def begins(self, text: str, before: str) -> bool:
        """Whether a short text begins with a name of the site that the text before has not."""
        words = plain(text).split()
        starts = {"".join(words[:count]) for count in range(1, len(words) + 1)}
        names = [name for name in self.names if name in starts and len(name) >= SHORTEST_NAME]
        short = len(words) <= LONGEST_NAME
        return short and bool(names) and not any(name in letters(before) for name in names)

    def _likeness(self, words: str) -> float:
        parts = words.split()
        joined = "".join(parts)
        if not joined:
            return 0.0
        if joined == self.host or (len(parts) >= self._shortest and self._has_initials(parts)):
            return 1.0
        if len(joined) >= SHORTEST_NAME and self.copyright.startswith(f"{words} "):
            return 1.0
        best = _most_alike(joined, self._pairs)
        if _ADDED.isdisjoint(parts):
            return best
        core = "".join([part for part in parts if part not in _ADDED])
        return max(best, _most_alike(core, self._pairs)) if core else best


def _hosted(labels: Sequence[str]) -> Iterator[str]:
    """Names in front of the registered one: of ``leaf.host.com``, a blog or a manual."""
    return (name for name in labels if len(name) >= SHORTEST_NAME and name not in _WORDS["part"])


def _said(clues: Clues, headings: Sequence[TitleText]) -> Iterator[str]:
    """The names that the page says; what is a name of the page itself says nothing."""
    texts = [piece.text for piece in (*headings, *clues.linked_data[:MOST_NAMES])]
    joined = {letters(text) for text in (*texts, clues.address.slug)}
    of_page = {name for name in joined if len(name) >= SHORTEST_NAME}
    for name in (
        *map(letters, clues.sites),
        *(letters(_without(_WORDS["logo"], name)) for name in clues.logos),
        *(letters(_without(_WORDS["feed"], _AFTER_NAME.split(name)[0])) for name in clues.feeds),
    ):
        of_site = alike(name, clues.address.brand) >= BRAND_ALIKE
        if of_site or not any(one in name or alike(one, name) >= SITE_ALIKE for one in of_page):
            yield name


def _headings(clues: Clues) -> list[TitleText]:
    """The h1 that are not logos, and not in menus."""
    high = clues.high_headings
    return [p for p in high if not p.around.home and not p.around.chrome][:MOST_NAMES]


def _without(words: frozenset[str], text: str) -> str:
    return " ".join(word for word in plain(text).split() if word not in words)


def _labels(address: PageAddress) -> list[str]:
    """The parts of the host that are long enough to be a name, or its initials."""
    labels = map(letters, address.host.split(".")[:-1])
    return [label for label in labels if len(label) >= SHORTEST_LABEL]


def _closing_heading(clues: Clues) -> str:
    """The h1 that the tag ends with, while the address is about what comes before: a name."""
    marks = [mark for mark in delimiters(clues.tag) if mark.cut >= Cut.DASH]
    if not marks:
        return ""
    last, before = plain(clues.tag[marks[-1].end :]), plain(clues.tag[: marks[-1].start])
    slug = clues.address.slug
    headed = any(plain(piece.text) == last for piece in clues.high_headings)
    return letters(last) if headed and alike(before, slug) > alike(last, slug) else ""


def _most_alike(joined: str, names: Iterable[tuple[str, frozenset[str]]]) -> float:
    """As `alike`, to the nearest name; but a name with something added to it is another name."""
    pairs, best = pair_set(joined), 0.0
    for name, others in names:
        if name in joined:
            same = len(name) / len(joined)
        else:
            total = len(pairs) + len(others)
            if 2 * len(others) <= best * total:  # it cannot be more alike
                continue
            same = 2 * len(pairs & others) / total
        best = max(best, same)
    return best


class Subject(NamedTuple):
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
        rest = text[starts[part] :]
        if site.likeness(rest) >= SITE_ALIKE or site.begins(rest, text[: ends[part - 1]]):
            return _last_part(text[: ends[part - 1]], starts[:part], ends[:part], site)
    return len(starts) - 1


def without_asides(
    pieces: Sequence[TitleText], names: Collection[str], tag: str
) -> list[TitleText]:
    """The headings, each without the date, badge or hint in it that other names leave out.

    A heading of several texts is cut to those that make up one of the names; one that the tag has
    as a whole, though with other signs between its parts, stays as it is.
    """
    words = plain(tag)
    return [
        piece._replace(text=next(_named_parts(piece.texts, names), piece.text))
        if piece.texts and plain(piece.text) not in words
        else piece
        for piece in pieces
    ]


def _named_parts(texts: Sequence[str], names: Collection[str]) -> Iterator[str]:
    """The stretches of texts that are one of the names, those of most texts first."""
    whole = sum(map(len, texts))
    for length in range(len(texts) - 1, 0, -1):
        for start in range(len(texts) - length + 1):
            part = " ".join(texts[start : start + length])
            if 2 * len(part) > whole and fold(part) in names:
                yield part


def heading_of(clues: Clues, site: Site, names: Sequence[str]) -> str:
    """The h1 that is most like another name of the page, otherwise the first.

    Logos and what is in menus count only if there is nothing else. Where no h1 says more than
    the name of the site, a lower or a large text is the heading if it is like another name.
    """
    high = clues.high_headings
    folded = [fold(piece.text) for piece in high if not (piece.around.chrome or piece.around.home)]
    proper = [text for text in folded if site.likeness(text) < SITE_ALIKE]
    if proper:
        return _supported(proper, names) or proper[0]
    low = [piece for piece in clues.low_headings if not piece.around.chrome]
    lower = [fold(piece.text) for piece in (*clues.seen[:MOST_LOWER], *low[:MOST_LOWER])]
    of_page = [name for name in names if site.likeness(name) < SITE_ALIKE]
    supported = _supported(lower, of_page) or _supported(lower, [clues.address.slug], ADDRESSED)
    return supported or (fold(high[0].text) if high else "")


def _supported(texts: Sequence[str], names: Sequence[str], at_least: float = SUPPORTED) -> str:
    """The text that is most like one of the names, if any is."""
    support = [max((alike(text, name) for name in names), default=0.0) for text in texts]
    best = max(support, default=0.0)
    return texts[support.index(best)] if best >= at_least else ""
