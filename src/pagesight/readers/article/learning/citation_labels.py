"""Labels of the tokens of references, from what is known of their parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.article.citations.labels import FIRST, LABEL_OF, NUMBER, STATES
from pagesight.readers.article.citations.tokens import ADDRESS, Citation
from pagesight.readers.article.learning.cited import Cited
from pagesight.readers.article.names.persons import Name
from pagesight.readers.article.vocabulary import PARTICLES
from pagesight.segment.text import letters, words

COVERED = 0.8  # of the words of a part that a reference has to have
NAMES = frozenset({"family", "given", "group", "editor"})
OFTEN_OMITTED = frozenset({"container", "volume", "issue", "pages"})  # in JATS files as well
LONGEST_GIVEN = 4  # tokens of given names
_SMALL = frozenset("of the and for in on de la des du für der die and et y &".split())  # in names


@dataclass(frozen=True, eq=False)
class LabelledCitation:
    """A reference, the states that each token may have, and its parts: all, and those in sight."""

    citation: Citation
    allowed: NDArray[np.bool_]
    cited: Cited = field(default_factory=Cited)
    seen: Cited = field(default_factory=Cited)
    doi: str | None = None  # that was read


def label(citation: Citation, cited: Cited) -> LabelledCitation:
    """The labels of tokens by the parts that they belong to; of others what is not excluded."""
    return _Labeller(citation, cited).labelled()


class _Labeller:
    def __init__(self, citation: Citation, cited: Cited) -> None:
        self.citation, self.cited = citation, cited
        self.words = list(map(letters, citation.tokens))
        self.labels = ["" for _ in self.words]
        self.spans = citation.spans
        self.unsure: list[tuple[int, str]] = []
        self.missing: set[str] = set()

    def labelled(self) -> LabelledCitation:
        cited = self.cited
        for at, token in enumerate(self.citation.tokens):
            if ADDRESS.fullmatch(token):
                self.labels[at] = "address"
        title = self._text(cited.title, "title")
        persons = tuple(filter(None, map(self._person, cited.persons)))
        containers = tuple(self._containers())
        groups = tuple(text for text in cited.groups if self._text(text, "group"))
        for name in cited.editors:
            self._person(name, "editor", "editor")
        for text in cited.publishers:
            self._text(text, "publisher")
        seen = replace(
            cited, title=title, persons=persons, containers=containers, groups=groups,
            pages=self._pages(), year=cited.year if self._number(cited.year, "year") else "",
            volume=cited.volume if self._number(cited.volume, "volume") else "",
            issue=cited.issue if self._number(cited.issue, "issue") else "",
        )  # fmt: skip
        return LabelledCitation(self.citation, self._allowed(), cited, seen)

    def _claim(self, places: Sequence[int], label: str) -> str:
        """Label free places; what they say."""
        for at in places:
            self.labels[at] = self.labels[at] or label
        spans = self.spans
        return self.citation.text[spans[places[0]][0] : spans[places[-1]][1]] if places else ""

    def _free(self, start: int, end: int) -> bool:
        return not any(self.labels[start:end])

    def _text(self, text: str, label: str) -> str:
        """Claim the words of a text, which may be a little different: as it is printed."""
        wanted = _tokens(text)
        if not wanted:
            return ""
        for start in range(len(self.words) - len(wanted) + 1):
            end = start + len(wanted)
            if self.words[start:end] == wanted and self._free(start, end):
                return self._claim(range(start, end), label)
        free = ["" if taken else word for word, taken in zip(self.words, self.labels, strict=True)]
        blocks = SequenceMatcher(None, free, wanted, autojunk=False).get_matching_blocks()[:-1]
        while blocks and blocks[-1].a + blocks[-1].size - blocks[0].a > 1.3 * len(wanted) + 1:
            blocks.pop(0 if blocks[0].size < blocks[-1].size else -1)
        if len(wanted) < 3 or sum(block.size for block in blocks) < COVERED * len(wanted):
            self.missing.add(label)
            return ""
        start, end = blocks[0].a, blocks[-1].a + blocks[-1].size
        for _ in range(blocks[0].b):  # words that are written in another way
            start -= start > 0 and self._continues(start - 1, start)
        for _ in range(len(wanted) - blocks[-1].b - blocks[-1].size):
            end += end < len(free) and self._continues(end, end)
        return self._claim(range(start, end), label)

    def _continues(self, at: int, gap: int) -> bool:
        return not self.labels[at] and self.citation.gaps[gap] == " "

    def _containers(self) -> list[str]:
        """The ways to write the container that are like what is seen of it."""
        for name in self.cited.containers:
            if printed := self._text(name, "container") or self._abbreviated(name):
                self.missing.discard("container")
                return [printed, *self.cited.containers]
        return []

    def _abbreviated(self, name: str) -> str:
        wanted = [word for word in words(name) if word not in _SMALL]
        for start in range(len(self.words)):
            at, matched = start, 0
            while at < len(self.words) and matched < len(wanted) and not self.labels[at]:
                if self.words[at] not in _SMALL:
                    if not abbreviates(self.words[at], wanted[matched]):
                        break
                    matched += 1
                at += 1
            if matched == len(wanted) and (matched > 1 or len(self.words[start]) > 2):
                return self._claim(range(start, at), "container")
        return ""

    def _person(self, name: Name, family: str = "family", given: str = "given") -> Name | None:
        """Claim a name, given names on either side of the family name: as it is printed."""
        wanted = _tokens(name.family)
        parts = name.given.split()
        first = " ".join(
            part for part in parts if part.casefold() not in PARTICLES or part.isupper()
        )
        for start in range(len(self.words) - len(wanted) + 1 if wanted else 0):
            end = start + len(wanted)
            if self.words[start:end] != wanted or not self._free(start, end):
                continue
            initials = [word[0] for word in given_names(first)]
            before = self._given(range(start - 1, -1, -1), initials[::-1])
            after = self._given(range(end, len(self.words)), initials)
            apart = "," in self.citation.gaps[end] and "," not in self.citation.gaps[start]
            beside = max((before, after) if apart else (after, before), key=len)
            if beside or not initials:
                self._claim(sorted(beside), given)
                while start and self._is_particle(start - 1):
                    start -= 1  # some tags leave it out, or have it elsewhere
                return Name(first, self._claim(range(start, end), family))
        self.missing |= {family, given}
        return None

    def _is_particle(self, at: int) -> bool:
        token = self.citation.tokens[at]
        return not self.labels[at] and len(token) > 1 and token.casefold() in PARTICLES

    def _given(self, places: Sequence[int], initials: list[str]) -> list[int]:
        """The places, one after the other, whose words have these initials."""
        taken, left = [], list(initials)
        for at in places[:LONGEST_GIVEN]:
            word, token = self.words[at], self.citation.tokens[at]
            if not left or not word or self.labels[at]:
                break
            initials_here = list(word) if token.isupper() and len(word) <= 3 else [word[0]]
            if left[: len(initials_here)] not in (initials_here, initials_here[::-1]):
                break
            taken.append(at)
            left = left[len(initials_here) :]
        return taken

    def _number(self, text: str, label: str) -> bool:
        """Claim a number; of several places all are possible, the nearest to others preferred."""
        wanted = letters(text)
        if not wanted:
            return False
        places = [
            at for at, word in enumerate(self.words)
            if not self.labels[at] and (word == wanted or (label == "year" and word[:4] == wanted
                                                           and len(word) == 5))
        ]  # fmt: skip
        if len(places) == 1:
            return bool(self._claim(places, label))
        self.unsure += [(at, label) for at in places]
        if not places:
            span = _tokens(text)
            self.missing.add(label)
            return len(span) > 1 and bool(self._text(text, label))
        return True

    def _pages(self) -> tuple[str, ...]:
        numbers = list(map(letters, self.cited.pages))
        if not numbers:
            return ()
        count = len(self.words)
        for at in range(count - 1, -1, -1):
            if self.words[at] != numbers[0] or self.labels[at]:
                continue
            following = self.words[at + 1] if at + 1 < count else ""
            last = numbers[-1]
            if len(numbers) == 2 and last != numbers[0]:
                if following and last.endswith(following) and not self.labels[at + 1]:
                    self._claim((at, at + 1), "pages")
                    return self.cited.pages
                continue
            both = (at, at + 1) if following == numbers[0] else (at,)
            self._claim(both, "pages")
            return self.cited.pages
        self.missing.add("pages")
        return ()

    def _allowed(self) -> NDArray[np.bool_]:
        """Tokens × states."""
        stated = {
            "family": self.cited.persons, "given": self.cited.persons, "group": self.cited.groups,
            "editor": self.cited.editors, "title": self.cited.title,
            "container": self.cited.containers, "volume": self.cited.volume,
            "issue": self.cited.issue, "pages": self.cited.pages, "year": self.cited.year,
            "publisher": self.cited.publishers, "address": "", "other": "other",
        }  # fmt: skip
        unstated = {name for name, value in stated.items() if not value}
        open_labels = {"other"} | self.missing | (unstated & OFTEN_OMITTED)
        if not self.cited.whole:
            open_labels |= NAMES | unstated  # of many names, tags have only some
        rest = [NUMBER[name] for name in open_labels - {"address"}]
        allowed = [[NUMBER[name]] if name else list(rest) for name in self.labels]
        for at, name in self.unsure:
            if not self.labels[at]:
                allowed[at].append(NUMBER[name])
        return allowed_states(allowed)


def allowed_states(labels: Sequence[Sequence[int]]) -> NDArray[np.bool_]:
    """The states that tokens may have, by their possible labels: tokens × states.

    Where the label is known, so is whether a token is the first of its part.
    """
    allowed = np.zeros((len(labels), len(STATES)), dtype=np.bool_)
    before: Sequence[int] = ()
    for at, possible in enumerate(labels):
        allowed[at] = np.isin(LABEL_OF, possible)
        if len(possible) == 1 and len(before) < 2:
            first = FIRST.get(possible[0])
            if first is not None:
                allowed[at, possible[0] if before != possible else first] = False
        before = possible
    return allowed


def abbreviates(short: str, long: str) -> bool:
    """Whether a word may be written so: it begins the same, or has letters of it in their order."""
    if long.startswith(short):
        return True
    if short[:1] != long[:1] or len(short) >= len(long):
        return False
    rest = iter(long)
    return all(letter in rest for letter in short) and len(short) > 2


def _tokens(text: str) -> list[str]:
    return list(map(letters, Citation.of(text).tokens))


def given_names(text: str) -> list[str]:
    """Given names one by one, glued initials apart."""
    parts = words(text)
    glued = len(parts) == 1 and text.replace(".", "").isupper() and len(parts[0]) <= 3
    return list(parts[0]) if glued else parts
