"""What is known of a part of a page, from one sample or several.

The content of each sample is a vector of tokens of several kinds. As in the published method, what
counts is what is constant over the samples and specific within the page; but a token has a weight
instead of being kept or dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pagesight.watch.components.sight import FACTS, Sight, Words, family_of
from pagesight.watch.components.slots import Level, rows_of
from pagesight.watch.components.tokens import KINDS

Weights = Mapping[str, Mapping[str, float]]

MOST_TOKENS = 2000  # of a kind; the heaviest
MOST_SAMPLES = 5  # that count: what was constant a year ago need not be so today
LEAST_WEIGHT = 0.01
LARGEST = 1e7  # of all facts about a part
DIGITS = 4
_STRINGS = ("content", "heading", "opening", "first_link", "tag", "path")
_TEXTS = ("beginning", "ending", "preceding", "following")


@dataclass(frozen=True, kw_only=True)
class Profile:
    """One part, as it was seen last, and the tokens of all samples."""

    tokens: Weights
    """By kind: how constant and specific each token is, from 0 to 1."""

    samples: int
    content: str
    """A digest of what was seen last."""

    heading: str
    opening: str
    """The first text in it."""

    first_link: str
    """Where the first link in it leads."""

    beginning: Words
    ending: Words
    preceding: Words
    following: Words
    tag: str
    names: frozenset[str]
    around: frozenset[str]
    """The names of the elements around it."""

    path: str
    facts: Mapping[str, float]
    levels: tuple[Level, ...] = ()
    """What was beside it, from the root of the page down: many parts share these."""

    @property
    def family(self) -> str:
        """Where it was one of several."""
        return family_of(self.path)

    def with_sample(self, sight: Sight, unit: int) -> Profile:
        """The profile with one more sample, which is not the latest."""
        known = min(self.samples, MOST_SAMPLES - 1)
        tokens = {
            kind: _mean(self.tokens[kind], _specific(sight, unit, kind), known) for kind in KINDS
        }
        return replace(self, tokens=tokens, samples=self.samples + 1)

    def grown(self, sight: Sight, unit: int) -> Profile:
        """The profile with one more sample, which is the latest."""
        sampled = self.with_sample(sight, unit)
        return replace(profile_of(sight, unit), tokens=sampled.tokens, samples=sampled.samples)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON types, without what many parts share."""
        lists = {name: list(getattr(self, name)) for name in _TEXTS}
        sets = {"names": sorted(self.names), "around": sorted(self.around)}
        known = {name: value for name, value in self.__dict__.items() if name != "levels"}
        return {**known, **lists, **sets}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any], levels: tuple[Level, ...] = ()) -> Profile:
        """What `to_json` made; raises `KeyError`, `TypeError` or `ValueError` for anything else."""
        known: dict[str, Any] = {name: str(fields[name]) for name in _STRINGS}
        known |= {name: frozenset(map(str, fields[name])) for name in ("names", "around")}
        known |= {name: tuple(map(str, fields[name])) for name in _TEXTS}
        tokens = {kind: _numbers(fields["tokens"][kind], most=1.0) for kind in KINDS}
        facts = dict.fromkeys(FACTS, 0.0) | _numbers(fields["facts"], most=LARGEST)
        samples = int(fields["samples"])
        return cls(tokens=tokens, samples=samples, facts=facts, levels=levels, **known)


def _numbers(fields: Mapping[str, Any], *, most: float) -> dict[str, float]:
    numbers = {str(name): float(number) for name, number in fields.items()}
    if not all(abs(number) <= most for number in numbers.values()):  # NaN is not, either
        raise ValueError("a number is out of range")
    return numbers


def profile_of(sight: Sight, unit: int) -> Profile:
    """What is known of a part from one sample: a page, and the unit on it."""
    node = sight.node(unit)
    return Profile(
        tokens={kind: _specific(sight, unit, kind) for kind in KINDS},
        samples=1,
        content=sight.digest(unit),
        heading=sight.heading(unit),
        opening=sight.opening(unit),
        first_link=sight.first_link(unit),
        beginning=sight.beginning(unit),
        ending=sight.ending(unit),
        preceding=sight.preceding(unit),
        following=sight.following(unit),
        tag=sight.page.name(node),
        names=sight.names(unit),
        around=sight.names_around(unit),
        path=sight.page[node].xpath,
        facts={name: round(float(by_unit[unit]), DIGITS) for name, by_unit in sight.facts.items()},
        levels=rows_of(sight.page).levels(unit),
    )


def shows_the_same(sight: Sight, unit: int, profile: Profile) -> bool:
    """Whether a unit shows what was seen last; the first words are compared first, to save time."""
    return (
        sight.beginning(unit) == profile.beginning
        and sight.ending(unit) == profile.ending
        and sight.digest(unit) == profile.content
    )


def _specific(sight: Sight, unit: int, kind: str) -> dict[str, float]:
    """Of each token in a unit, how many of its occurrences on the page are there."""
    tokens = sight.tokens[kind]
    shares = {
        token: count / int(tokens.count[tokens.index[token]])
        for token, count in tokens.inside(int(sight.units.node[unit])).items()
    }
    return _heaviest(shares)


def _mean(old: Mapping[str, float], new: Mapping[str, float], samples: int) -> dict[str, float]:
    """The mean over the samples so far and one more; what is missing in one counts 0 there."""
    return _heaviest(
        {
            token: (old.get(token, 0.0) * samples + new.get(token, 0.0)) / (samples + 1)
            for token in {**old, **new}
        }
    )


def _heaviest(weights: Mapping[str, float]) -> dict[str, float]:
    order = sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_TOKENS]
    return {token: round(weight, DIGITS) for token, weight in order if weight >= LEAST_WEIGHT}
