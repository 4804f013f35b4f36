"""How well each candidate on a page fits what is known of a part, in numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.segment.text import dice_of_sets
from pagesight.watch.components.profile import Profile
from pagesight.watch.components.sight import FACTS, Described, Sight, said, way_of
from pagesight.watch.components.slots import Slot, slot_on
from pagesight.watch.components.tokens import KINDS
from pagesight.watch.components.windows import likeness

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Table = dict[str, Floats]

_STEP = re.compile(r"/([\w-]+)(\[\d{1,9}\])?")
MOST_BY_CLUE = 8  # candidates that each clue brings in
LEAST_SLOT = 0.05  # the probability from which on what is in the slot is a candidate
NO_LINK = -2  # the number of a link that is not on the page; -1 is none at all
LEAST_MASS = 1e-9  # of tokens, so that nothing is divided by 0
NONE = "none of them"
SHOWN = ("word", "phrase", "link", "section", "picture")  # kinds that a visitor meets
SHAPES = ("opens", "closes", "siblings")
SIZES = ("words", "links", "share")
PLAIN = ("heading", "beginning", "ending", "same opening", "same first link")
LEADS = (
    "shown", "word dice", "phrase dice", "link dice", "section dice", "heading", "beginning",
    "same opening", "same first link", "same names", "in slot",
)  # fmt: skip
"""Clues that are also compared with the best candidate's."""

NAMED = (
    "same names", "same names behind", "same identifier", "names around", "name recall",
    "name precision", "name dice",
)  # fmt: skip
SHAPED = (
    "same path", "same tag", "same way", "way", "shape recall", "shape precision", "shape dice",
    "depth",
)  # fmt: skip
DRAWN = ("left", "width", "top", "place", "height", "font")
PLACED = ("order", "preceding", "following")
SLOTTED = ("slot", "in slot")


@dataclass(frozen=True, eq=False)
class Comparison:
    """A page beside what it was made of when its parts were learned."""

    sight: Sight
    seen: Mapping[str, frozenset[str]]
    """By kind: the tokens of the page before."""

    kept: Mapping[str, float]
    """How much of the page before is still there, as clues."""

    old: Floats
    """By kind and unit: how much of what each holds was on the page before."""

    old_tokens: Flags
    """By token of any kind: whether it was on the page before."""


def compared(sight: Sight, seen: Mapping[str, frozenset[str]]) -> Comparison:
    """A page beside the tokens of the page before, by kind."""
    tokens, kept, again = sight.all_tokens, {}, list[bool]()
    for kind in KINDS:
        there = [string in seen[kind] for string in sight.tokens[kind].index]
        kept[f"page's {kind}s"] = sum(there) / max(len(seen[kind]), 1)
        again += there
    old_tokens = np.array(again, dtype=np.bool_)
    numbers = np.flatnonzero(old_tokens)
    (held,) = tokens.held(numbers, tokens.rarity[numbers])
    return Comparison(sight, seen, kept, held / np.maximum(tokens.mass, LEAST_MASS), old_tokens)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Units of a page that may be a part, and how they fit."""

    unit: Ints
    table: Table

    @cached_property
    def likeness(self) -> Floats:
        """How much each is like the part, by the sum of the plainest clues.

        Names, paths and slots count as far as the design of the page is still the same.
        """
        table = self.table
        said = sum((table[f"{kind} dice"] for kind in SHOWN), start=np.zeros(len(self.unit)))
        said = sum((table[name] for name in PLAIN), start=said)
        names = table["page's names"] * (table["same names"] + table["same identifier"])
        places = table["same path"] + 2 * table["slot"]
        return np.asarray(said + 2 * names + table["page's shapes"] * places)


def candidates(
    page: Comparison, profile: Profile, relatives: Sequence[str] = (), only: int | None = None
) -> Candidates:
    """The units of a page that fit a part best by any clue, with all their clues.

    `relatives` are the families on this page of parts that were siblings of this one before: what
    was side by side before a redesign is so after it. With `only`, that is the one candidate.
    """
    sight = page.sight
    fits = _token_fits(sight, profile)
    slot = slot_on(sight, profile.levels) if only is None else Slot()
    unit = _shortlist(sight, profile, fits, slot) if only is None else np.array([only])
    table = fits.table(unit)
    described = [sight.described(number) for number in unit.tolist()]
    table |= _texts(sight, profile, described, unit) | _names(profile, described)
    table |= _from_elsewhere(page, profile, fits, described, unit)
    table |= {name: sight.facts[name][unit] - profile.facts[name] for name in FACTS}
    table |= {f"it {name}": sight.facts[name][unit] for name in SHAPES}
    table |= _levels(sight, fits, unit)
    table |= _slotted(sight, slot, unit)
    table |= {f"{name} behind": table[name].max(initial=0) - table[name] for name in LEADS}
    table |= dict.fromkeys((f"best {name}" for name in LEADS), np.zeros(len(unit)))
    of_part = {f"part's {name}": profile.facts[name] for name in SIZES}
    of_part |= {f"part's {kind}s": fits.recall[KINDS.index(kind), 0] for kind in SHOWN}
    of_part["part's opening"] = len(profile.opening.split())
    of_part["part's slot"] = max(slot.chance.values(), default=0.0)
    of_part |= {"part's slot gone": slot.gone, "part's neighbours": slot.kept}
    table |= {name: np.full(len(unit), value) for name, value in {**page.kept, **of_part}.items()}
    table |= relation(sight, unit, relatives)
    table[NONE] = np.zeros(len(unit))
    return Candidates(unit, table)


def _from_elsewhere(
    page: Comparison, profile: Profile, fits: _Fits, described: Sequence[Described], unit: Ints
) -> Table:
    """How much of each was on the page before, outside of the part: that is something else."""
    old = page.old[:, unit]
    elsewhere = old - fits.precision[:, unit]
    table = {f"{kind} elsewhere": elsewhere[KINDS.index(kind)] for kind in SHOWN}
    table |= {f"{kind} new": 1 - old[KINDS.index(kind)] for kind in ("word", "link")}
    texts, own = page.seen["phrase"], profile.tokens["phrase"]
    for name in ("heading", "opening"):
        said_first = [getattr(one, name).text for one in described]
        flags = [text in texts and text not in own for text in said_first]
        table[f"{name} elsewhere"] = np.array(flags, dtype=np.float64)
    return table | {"first link elsewhere": _links_elsewhere(page, profile, unit)}


def _links_elsewhere(page: Comparison, profile: Profile, unit: Ints) -> Floats:
    """Whether the first link of each was elsewhere on the page before."""
    first = page.sight.all_tokens.start[KINDS.index("link")]
    elsewhere = np.append(page.old_tokens[first:], False)  # the last is that of no link
    elsewhere[page.sight.tokens["link"].among(profile.tokens["link"])] = False
    return elsewhere[page.sight.first_links[unit]].astype(np.float64)


def relation(sight: Sight, unit: Ints, relatives: Sequence[str]) -> Table:
    """How many relatives a part has on the page, and beside how many of them each candidate is."""
    families = Counter(relatives)
    beside = [families[sight.family(number)] if relatives else 0 for number in unit.tolist()]
    return {
        "part's relatives": np.full(len(unit), np.log1p(len(relatives))),
        "beside relatives": np.array(beside, dtype=np.float64) / max(len(relatives), 1),
    }


def nearest_of(found: Candidates, same: Ints) -> int:
    """Of some candidates that show the same, the one most like the part."""
    return int(same[found.likeness[same].argmax()])


def rows(found: Candidates, names: tuple[str, ...]) -> Floats:
    """The clues of all candidates as rows, and last those of the answer that it is none of them."""
    count = len(found.unit)
    table = np.zeros((len(names), count + 1))
    table[:, :-1] = np.stack([found.table[name] for name in names])
    for at, name in enumerate(names):
        if name == NONE:
            table[at, -1] = 1
        elif name.startswith("best "):
            table[at, -1] = found.table[name.removeprefix("best ")].max(initial=0)
        elif count and name.startswith(("part's ", "page's ")):
            table[at, -1] = table[at, 0]
    return table.T


@dataclass(frozen=True, eq=False)
class _Fits:
    """How well all units fit what is known of a part in tokens; by kind and unit."""

    recall: Floats
    precision: Floats
    dice: Floats
    shown: Floats
    """By unit: the mean of what a visitor meets."""

    def table(self, unit: Ints) -> Table:
        """All of this for some units."""
        table: Table = {}
        of_units = [measure[:, unit] for measure in (self.recall, self.precision, self.dice)]
        for kind, recall, precision, dice in zip(KINDS, *of_units, strict=True):
            table[f"{kind} recall"], table[f"{kind} precision"] = recall, precision
            table[f"{kind} dice"] = dice
        table["shown"] = self.shown[unit]
        return table


def _token_fits(sight: Sight, profile: Profile) -> _Fits:
    """Recall and precision of what is known of the part."""
    tokens = sight.all_tokens
    numbers, weights, totals = list[int](), list[float](), list[float]()
    for kind, start in zip(KINDS, tokens.start.tolist(), strict=False):
        index, known = sight.tokens[kind].index, profile.tokens[kind]
        for string, weight in known.items():
            if string in index:
                numbers.append(start + index[string])
                weights.append(weight)
        totals.append(sum(weight**2 for weight in known.values()) or 1.0)
    there = np.array(numbers, dtype=np.int64)
    held, rare = tokens.held(there, np.array(weights) ** 2, tokens.rarity[there])
    recall = held / np.array(totals)[:, None]
    precision = rare / np.maximum(tokens.mass, LEAST_MASS)
    dice = 2 * recall * precision / np.maximum(recall + precision, 1e-9)
    used = [at for at, kind in enumerate(KINDS) if kind in SHOWN and profile.tokens[kind]]
    shown = sum((dice[at] for at in used), start=np.zeros(len(sight.units))) / max(len(used), 1)
    return _Fits(recall, precision, dice, shown)


def _slotted(sight: Sight, slot: Slot, unit: Ints) -> Table:
    """How probable it is that each is in the slot of the part, by itself and by what it shows."""
    likely = np.array([*slot.chance], dtype=np.int64)
    chance = np.array([*slot.chance.values()])
    shown = sight.overlap(unit[:, None], likely[None, :]) @ chance
    return {"slot": (unit[:, None] == likely) @ chance, "in slot": shown}


def _shortlist(sight: Sight, profile: Profile, fits: _Fits, slot: Slot) -> Ints:
    """The elements that fit best by one clue or another, and those around them."""
    may_be = sight.is_element.copy()
    may_be[0] = not profile.facts["depth"]  # a part that was the whole page
    element = np.flatnonzero(may_be)
    near = sum(np.abs(sight.facts[name] - profile.facts[name]) for name in ("words", "links"))
    chosen = [_best((fits.shown - 0.1 * near)[element])]
    for clue in (*fits.dice[:, element], fits.shown[element]):
        some = np.flatnonzero(clue > 0)
        chosen.append(some[_best(clue[some])])
    unit = element[np.concatenate(chosen)]
    around = sight.units.parent[unit]
    same = unit_at(sight, profile.path)
    there = [same] if same is not None and may_be[same] else []
    there += [at for at, chance in slot.chance.items() if chance >= LEAST_SLOT and may_be[at]]
    return np.unique(np.concatenate((unit, around[around > 0], np.array(there, dtype=np.int64))))


def _best(values: Floats) -> Ints:
    """The places of the highest values, the first ones where several are the same."""
    places = np.arange(len(values))
    if len(values) > MOST_BY_CLUE:
        least = np.partition(values, len(values) - MOST_BY_CLUE)[len(values) - MOST_BY_CLUE]
        places = np.flatnonzero(values >= least)
    return places[np.argsort(-values[places], kind="stable")[:MOST_BY_CLUE]]


def unit_at(sight: Sight, path: str) -> int | None:
    """The unit of the element that has this XPath now, if there is one and it shows something.

    Paths into frames are not followed.
    """
    steps = _STEP.findall(path)
    if "".join(f"/{tag}{number}" for tag, number in steps) != path:
        return None
    node = 0
    for tag, number in steps:
        child = _child(sight.page, node, tag, int(number[1:-1]) if number else 1)
        if child is None:
            return None
        node = child
    unit = int(sight.units.of_node[node])
    return unit if unit >= 0 else None


def _child(page: Page, node: int, tag: str, rank: int) -> int | None:
    """The child of a node with this tag and this rank among those of its tag."""
    child, end = node + 1, int(page.end[node])
    while child < end:
        rank -= page.name(child) == tag
        if not rank:
            return child
        child = int(page.end[child])
    return None


def _texts(sight: Sight, profile: Profile, described: Sequence[Described], unit: Ints) -> Table:
    """How headings, first texts and links, and the words around them are like the part's."""
    heading, opening = said(profile.heading), said(profile.opening)
    called, opened = [one.heading for one in described], [one.opening for one in described]
    like = [
        likeness(one.words, heading.words, same_first=one.first == heading.first) for one in called
    ]
    table = {"heading": np.array(like, dtype=np.float64)}
    for name, windows in sight.windows.items():
        table[name] = windows.likeness(getattr(profile, name), unit)
    table |= _columns(
        {
            "same heading": [one.text == heading.text != "" for one in called],
            "same opening": [one.text == opening.text != "" for one in opened],
            "opened by heading": [one.text == heading.text != "" for one in opened],
        }
    )
    first_link = sight.tokens["link"].index.get(profile.first_link, NO_LINK)
    return table | {"same first link": (sight.first_links[unit] == first_link).astype(np.float64)}


def _columns(values: Mapping[str, Sequence[float]]) -> Table:
    return {name: np.array(column, dtype=np.float64) for name, column in values.items()}


def _names(profile: Profile, described: Sequence[Described]) -> Table:
    """How names, tags and paths are like the part's."""
    identifiers = {name for name in profile.names if name.startswith("#")}
    way, ways = way_of(profile.path), [one.way for one in described]
    return _columns(
        {
            "same names": [dice_of_sets(one.names, profile.names) for one in described],
            "same identifier": [not identifiers.isdisjoint(one.names) for one in described],
            "names around": [dice_of_sets(one.around, profile.around) for one in described],
            "same path": [own.path == way.path for own in ways],
            "same tag": [one.tag == profile.tag for one in described],
            "same way": [own.tags == way.tags for own in ways],
            "way": [_shared_steps(own.steps, way.steps) for own in ways],
        }
    )


def _shared_steps(one: Sequence[str], other: Sequence[str]) -> float:
    """How much of the longer of two paths is the same from the root on."""
    shared = 0
    for step, its_twin in zip(one, other, strict=False):
        if step != its_twin:
            break
        shared += 1
    return shared / max(len(one), len(other))


def _levels(sight: Sight, fits: _Fits, unit: Ints) -> Table:
    """What the unit around each has more, and the largest one inside less."""
    around, largest = np.maximum(sight.units.parent, 0)[unit], sight.largest_inside[unit]
    table: Table = {}
    for kind in ("word", "phrase", "link"):
        recall, precision = fits.recall[KINDS.index(kind)], fits.precision[KINDS.index(kind)]
        table[f"{kind} outside"] = recall[around] - recall[unit]
        table[f"{kind} purer inside"] = precision[largest] - precision[unit]
        table[f"{kind} lost inside"] = recall[unit] - recall[largest]
    table["larger outside"] = np.log1p(sight.size[around]) - np.log1p(sight.size[unit])
    return table
