"""How well an article was read: the measures of the fields, and of the zones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pagesight.readers.article.names.lexicon import SUFFIXES
from pagesight.readers.article.text import dice_of_pairs, folded, pairs, words

SAME = 0.8  # Dice from which two affiliations or references count as the same

_INITIALS = re.compile(r"[A-Z]{1,3}")
_SPACED_INITIALS = re.compile(r"(?:[A-Z]\.?[\s-]*)+")


@dataclass(frozen=True, slots=True)
class Counts:
    """How many there are, how many were found, and how many of those are right."""

    wanted: int = 0
    found: int = 0
    right: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.wanted + other.wanted, self.found + other.found, self.right + other.right
        )

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else float(not self.wanted)

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 1 where there is nothing and nothing found."""
        both = self.wanted + self.found
        return 2 * self.right / both if both else 1.0


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name, as far as it is compared."""

    given: str
    family: str


def name_of(text: str) -> Name:
    """The name that a tag writes as ``Given Family``, ``Family, Given`` or ``Family GM``."""
    text = " ".join(text.split())
    if "," in text:
        family, given = text.split(",", 1)
        return Name(given.strip(), family.strip())
    given, _, family = text.rpartition(" ")
    if given and _INITIALS.fullmatch(family) and not _SPACED_INITIALS.fullmatch(given):
        return Name(family, given)
    return Name(given, family)


def same_person(one: Name, other: Name) -> bool:
    """Whether the folded family names are equal and the given names do not contradict.

    Where family and given name are divided differently (``van der Berg``), the words decide.
    """
    if _letters(_core(one.family)) == _letters(_core(other.family)):
        return _compatible(one.given, other.given)
    ours, theirs = (words(f"{name.given} {name.family}") for name in (one, other))
    return bool(ours) and sorted(ours) == sorted(theirs)


def _core(family: str) -> str:
    """A family name without its particles and suffix, which some write elsewhere."""
    parts = family.split()
    while len(parts) > 1 and folded(parts[-1]).strip(".,") in SUFFIXES:
        parts.pop()
    while len(parts) > 1 and parts[0].islower():
        parts.pop(0)
    return " ".join(parts)


def _letters(text: str) -> str:
    return "".join(words(text))


def _compatible(one: str, other: str) -> bool:
    """Whether the first given names are equal, or one is the initial of the other."""
    ours, theirs = words(one), words(other)
    if not ours or not theirs:
        return not ours and not theirs
    short, long = sorted((ours[0], theirs[0]), key=len)
    if short == long or _letters(one) == _letters(other):
        return True
    initials = "".join(word[0] for word in (ours if long == ours[0] else theirs))
    return short == long[0] or short == initials or long.startswith(short)


def count_persons(wanted: Sequence[Name], found: Sequence[Name]) -> Counts:
    """Match persons one to one."""
    free = list(found)
    right = 0
    for name in wanted:
        for candidate in free:
            if same_person(name, candidate):
                free.remove(candidate)
                right += 1
                break
    return Counts(len(wanted), len(found), right)


def count_texts(wanted: Sequence[str], found: Sequence[str], same: float = SAME) -> Counts:
    """Match texts one to one, the most similar first; `same` is the Dice that counts as right."""
    ours, theirs = [pairs(text) for text in wanted], [pairs(text) for text in found]
    scores = sorted(
        (
            (-score, row, column)
            for row, one in enumerate(ours)
            for column, other in enumerate(theirs)
            if _may_match(one, other, same) and (score := dice_of_pairs(one, other)) >= same
        ),
    )
    rows: set[int] = set()
    columns: set[int] = set()
    for _, row, column in scores:
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
    return Counts(len(wanted), len(found), len(rows))


def _may_match(one: Counter[str], other: Counter[str], same: float) -> bool:
    """Whether the lengths alone allow that Dice."""
    short, long = sorted((one.total(), other.total()))
    return 2 * short >= same * (short + long)


def distinct(texts: Iterable[str]) -> list[str]:
    """Texts without those that were there before, as tags repeat them for each author."""
    return list({folded("".join(words(text))): text for text in texts if text.strip()}.values())


def count_zones(wanted: Sequence[str], found: Sequence[str], label: str) -> Counts:
    """Table 5: zones of a label in all, those found, and those of them that have the label."""
    right = sum(one == other == label for one, other in zip(wanted, found, strict=True))
    return Counts(wanted.count(label), found.count(label), right)
