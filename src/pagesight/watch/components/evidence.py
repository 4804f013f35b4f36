"""How well each candidate on a page fits what is known of a part, in numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.segment.text import dice_of_sets
from pagesight.watch.components.profile import Profile
from pagesight.watch.components.sight import FACTS, Sight, Words
from pagesight.watch.components.tokens import KINDS, plain_name

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Table = dict[str, Floats]

_STEP = re.compile(r"/([\w-]+)(\[\d{1,9}\])?")
_NUMBERS = re.compile(r"\[\d+\]")
MOST_BY_CLUE = 8  # candidates that each clue brings in
LEAST_MASS = 1e-9  # of tokens, so that nothing is divided by 0
NONE = "none of them"
SHOWN = ("word", "phrase", "link", "section", "picture")  # kinds that a visitor meets
SHAPES = ("opens", "closes", "siblings")
SIZES = ("words", "links", "share")
TEXTS = ("heading", "beginning", "ending", "preceding", "following")
PLAIN = ("heading", "beginning", "ending", "same opening", "same first link")
SAME_TEXTS = ("same heading", "same opening", "opened by heading", "same first link")
LEADS = (
    "shown", "word dice", "phrase dice", "link dice", "section dice", "heading", "beginning",
    "same opening", "same first link", "same names",
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
ADDRESSED = (
    "same names", "same identifier", "names around", "same path", "same tag", "same way", "way",
)  # fmt: skip
DRAWN = ("left", "width", "top", "place", "height", "font")
PLACED = ("order", "preceding", "following")


@dataclass(frozen=True, eq=False)
class Comparison:
    """A page beside what it was made of when its parts were learned."""

    sight: Sight
    seen: Mapping[str, frozenset[str]]
    """By kind: the tokens of the page before."""

    kept: Mapping[str, float]
    """How much of the page before is still there, as clues."""

    old: Mapping[str, Floats]
    """By kind and unit: how much of what each holds was on the page before."""


def compared(sight: Sight, seen: Mapping[str, frozenset[str]]) -> Comparison:
    """A page beside the tokens of the page before, by kind."""
    kept, old = {}, {}
    for kind in KINDS:
        tokens = sight.tokens[kind]
        again = np.sort(tokens.among(seen[kind]))  # sums of the same order in every run
        kept[f"page's {kind}s"] = len(again) / max(len(seen[kind]), 1)
        held = tokens.held(again, tokens.rarity[again])
        old[kind] = held / np.maximum(tokens.mass, LEAST_MASS)
    return Comparison(sight, seen, kept, old)


@dataclass(frozen=True)
class Candidates:
    """Units of a page that may be a part, and how they fit."""

    unit: Ints
    table: Table


def candidates(
    page: Comparison, profile: Profile, relatives: Sequence[str] = (), only: int | None = None
) -> Candidates:
    """The units of a page that fit a part best by any clue, with all their clues.

    `relatives` are the families on this page of parts that were siblings of this one before: what
    was side by side before a redesign is so after it. With `only`, that is the one candidate.
    """
    sight = page.sight
    fits = _token_fits(sight, profile)
    unit = _shortlist(sight, profile, fits) if only is None else np.array([only])
    table = {name: column[unit] for name, column in fits.items()}
    table |= _texts(sight, profile, unit) | _names(sight, profile, unit)
    table |= _from_elsewhere(page, profile, fits, unit)
    table |= {name: sight.facts[name][unit] - profile.facts[name] for name in FACTS}
    table |= {f"it {name}": sight.facts[name][unit] for name in SHAPES}
    table |= _levels(sight, fits, unit)
    table |= {f"{name} behind": table[name].max(initial=0) - table[name] for name in LEADS}
    table |= {f"best {name}": np.zeros(len(unit)) for name in LEADS}
    table |= {name: np.full(len(unit), value) for name, value in page.kept.items()}
    table |= {f"part's {name}": np.full(len(unit), profile.facts[name]) for name in SIZES}
    table |= {f"part's {kind}s": np.full(len(unit), fits[f"{kind} recall"][0]) for kind in SHOWN}
    table["part's opening"] = np.full(len(unit), len(profile.opening.split()))
    table |= relation(sight, unit, relatives)
    table[NONE] = np.zeros(len(unit))
    return Candidates(unit, table)


def _from_elsewhere(page: Comparison, profile: Profile, fits: Table, unit: Ints) -> Table:
    """How much of each was on the page before, outside of the part: that is something else."""
    sight = page.sight
    table = {
        f"{kind} elsewhere": (page.old[kind] - fits[f"{kind} precision"])[unit] for kind in SHOWN
    }
    table |= {f"{kind} new": 1 - page.old[kind][unit] for kind in ("word", "link")}
    texts, links = (page.seen[kind] - profile.tokens[kind].keys() for kind in ("phrase", "link"))
    units = unit.tolist()
    first = {
        "heading": [plain_name(sight.heading(number)) in texts for number in units],
        "opening": [plain_name(sight.opening(number)) in texts for number in units],
        "first link": [sight.first_link(number) in links for number in units],
    }
    return table | {
        f"{name} elsewhere": np.array(flags, dtype=np.float64) for name, flags in first.items()
    }


def relation(sight: Sight, unit: Ints, relatives: Sequence[str]) -> Table:
    """How many relatives a part has on the page, and beside how many of them each candidate is."""
    families = Counter(relatives)
    beside = [families[sight.family(number)] if relatives else 0 for number in unit.tolist()]
    return {
        "part's relatives": np.full(len(unit), np.log1p(len(relatives))),
        "beside relatives": np.array(beside, dtype=np.float64) / max(len(relatives), 1),
    }


def likeness(table: Table) -> Floats:
    """How much candidates are like the part, by the sum of the plainest clues.

    Names and paths count as far as the design of the page is still the same.
    """
    shown = sum((table[f"{kind} dice"] for kind in SHOWN), start=np.zeros(len(table["heading"])))
    said = sum((table[name] for name in PLAIN), start=shown)
    names = table["page's names"] * (table["same names"] + table["same identifier"])
    return np.asarray(said + 2 * names + table["page's shapes"] * table["same path"])


def nearest_of(found: Candidates, same: Ints) -> int:
    """Of some candidates that show the same, the one most like the part."""
    return int(same[likeness(found.table)[same].argmax()])


def rows(found: Candidates, names: tuple[str, ...]) -> Floats:
    """The clues of all candidates as rows, and last those of the answer that it is none of them."""
    table = np.zeros((len(found.unit) + 1, len(names)))
    for at, name in enumerate(names):
        column = found.table[name]
        table[:-1, at] = column
        if name == NONE:
            table[-1, at] = 1
        elif name.startswith("best "):
            table[-1, at] = found.table[name.removeprefix("best ")].max(initial=0)
        elif name.startswith(("part's ", "page's ")):
            table[-1, at] = column[0] if len(column) else 0
    return table


def _token_fits(sight: Sight, profile: Profile) -> Table:
    """By unit, for each kind of tokens: recall and precision of what is known of the part."""
    table: Table = {}
    for kind in KINDS:
        tokens, known = sight.tokens[kind], profile.tokens[kind]
        there = tokens.among(known)
        weights = np.array([known[string] for string in known if string in tokens.index]) ** 2
        total = sum(weight**2 for weight in known.values())
        recall = tokens.held(there, weights) / (total or 1.0)
        precision = tokens.held(there, tokens.rarity[there]) / np.maximum(tokens.mass, LEAST_MASS)
        table[f"{kind} recall"], table[f"{kind} precision"] = recall, precision
        table[f"{kind} dice"] = 2 * recall * precision / np.maximum(recall + precision, 1e-9)
    used = [kind for kind in SHOWN if profile.tokens[kind]]
    table["shown"] = sum(
        (table[f"{kind} dice"] for kind in used), start=np.zeros(len(sight.units))
    ) / max(len(used), 1)
    return table


def _shortlist(sight: Sight, profile: Profile, fits: Table) -> Ints:
    """The elements that fit best by one clue or another, and those around them."""
    may_be = sight.is_element & (np.arange(len(sight.units)) > 0)
    may_be[0] = not profile.facts["depth"]  # a part that was the whole page
    element = np.flatnonzero(may_be)
    near = sum(np.abs(sight.facts[name] - profile.facts[name]) for name in ("words", "links"))
    clues = [fits[f"{kind} dice"] for kind in KINDS] + [fits["shown"], fits["shown"] - 0.1 * near]
    chosen = set()
    for clue in clues:
        values = clue[element]
        best = np.argsort(-values, kind="stable")[:MOST_BY_CLUE]
        chosen |= {int(element[at]) for at in best if values[at] > 0 or clue is clues[-1]}
    chosen |= {above for above in sight.units.parent[sorted(chosen)].tolist() if above > 0}
    if (same := unit_at(sight, profile.path)) is not None and may_be[same]:
        chosen.add(same)
    return np.array(sorted(chosen), dtype=np.int64)


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


def _texts(sight: Sight, profile: Profile, unit: Ints) -> Table:
    table = {name: np.zeros(len(unit)) for name in (*TEXTS, *SAME_TEXTS)}
    heading, opening = plain_name(profile.heading), plain_name(profile.opening)
    for at, number in enumerate(unit.tolist()):
        called, first = plain_name(sight.heading(number)), plain_name(sight.opening(number))
        table["heading"][at] = _likeness(tuple(called.split()), tuple(heading.split()))
        table["same heading"][at] = called == heading != ""
        table["same opening"][at] = first == opening != ""
        table["opened by heading"][at] = first == heading != ""
        table["same first link"][at] = sight.first_link(number) == profile.first_link != ""
        for name in TEXTS[1:]:
            table[name][at] = _likeness(getattr(sight, name)(number), getattr(profile, name))
    return table


def _likeness(one: Words, other: Words) -> float:
    """How many words two short texts share; the order counts a little."""
    if not one or not other:
        return 0.0
    shared = dice_of_sets(frozenset(one), frozenset(other))
    return 0.9 * shared + 0.1 * (one[0] == other[0])


def _names(sight: Sight, profile: Profile, unit: Ints) -> Table:
    table = {name: np.zeros(len(unit)) for name in ADDRESSED}
    identifiers = {name for name in profile.names if name.startswith("#")}
    steps, way = profile.path.split("/"), _way(profile.path)
    for at, number in enumerate(unit.tolist()):
        names = sight.names(number)
        table["same names"][at] = dice_of_sets(names, profile.names)
        table["same identifier"][at] = bool(identifiers & names)
        table["names around"][at] = dice_of_sets(sight.names_around(number), profile.around)
        node = sight.node(number)
        path = sight.page[node].xpath
        table["same path"][at] = path == profile.path
        table["same tag"][at] = sight.page.name(node) == profile.tag
        table["same way"][at] = _way(path) == way
        table["way"][at] = _shared_steps(path.split("/"), steps)
    return table


def _way(path: str) -> str:
    """The tags of a path, without numbers."""
    return _NUMBERS.sub("", path)


def _shared_steps(one: Sequence[str], other: Sequence[str]) -> float:
    """How much of the longer of two paths is the same from the root on."""
    shared = 0
    for step, its_twin in zip(one, other, strict=False):
        if step != its_twin:
            break
        shared += 1
    return shared / max(len(one), len(other))


def _levels(sight: Sight, fits: Table, unit: Ints) -> Table:
    """What the unit around each has more, and the largest one inside less."""
    parent = np.maximum(sight.units.parent, 0)
    largest = np.zeros(len(sight.units), dtype=np.int64)
    order = np.argsort(sight.size, kind="stable")
    largest[parent[order]] = order  # the last one written is the largest
    table: Table = {}
    for name in ("word", "phrase", "link"):
        recall, precision = fits[f"{name} recall"], fits[f"{name} precision"]
        table[f"{name} outside"] = (recall[parent] - recall)[unit]
        table[f"{name} purer inside"] = (precision[largest] - precision)[unit]
        table[f"{name} lost inside"] = (recall - recall[largest])[unit]
    table["larger outside"] = np.log1p(sight.size[parent[unit]]) - np.log1p(sight.size[unit])
    return table
