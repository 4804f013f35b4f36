"""Learning the parts of a page, from one snapshot or several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from pagesight.errors import NoSuchPart
from pagesight.page import Page
from pagesight.readers.value import shortened
from pagesight.readers.zones.reader import read_zones
from pagesight.segment.text import words
from pagesight.watch.components.evidence import candidates, compared
from pagesight.watch.components.finding import find
from pagesight.watch.components.index import ComponentIndex, LearnedComponent, seen_on
from pagesight.watch.components.model import ComponentsModel
from pagesight.watch.components.profile import Profile, profile_of
from pagesight.watch.components.selecting import selected_nodes
from pagesight.watch.components.sight import Sight, sight_of

MOST_COMPONENTS = 200  # of a page
MOST_RIVALS = 12  # parts of a page that are known so that they are not taken for others
LEAST_SHOWN = 20  # characters of the smallest part that a point means
PICKED = 0.64  # granularity: coarser merges the sections of a portal, finer divides long texts
LONGEST_NAME = 6  # words of a heading that names a part
KIND_NAMES = {
    "header": "Header", "navigation": "Menu", "main": "Content", "aside": "Sidebar",
    "footer": "Footer", "list": "List", "form": "Form", "advert": "Advert", "media": "Pictures",
    "dialog": "Dialog",
}  # fmt: skip
TAG_NAMES = {
    "header": "Header", "nav": "Menu", "main": "Content", "article": "Article", "aside": "Sidebar",
    "footer": "Footer", "form": "Form", "table": "Table", "ul": "List", "ol": "List",
}  # fmt: skip
CLEAR = ("Header", "Menu", "Footer")  # of which the heading is the name of the site, or an entry
Chosen = tuple[str | None, int, str]  # the selector, the unit, and what to call it without heading


def learn(
    pages: Sequence[Page],
    *,
    select: Sequence[str] = (),
    at: Sequence[tuple[float, float]] = (),
    nodes: Sequence[int] = (),
    source: str | None = None,
    model: ComponentsModel | None = None,
) -> ComponentIndex:
    """What is known of parts of a page, from snapshots of it, oldest first.

    `select` are CSS selectors or XPaths, `at` are points, `nodes` are elements, and all of them
    hold for the last snapshot; without any, all parts of the page are learned. Older snapshots
    count as far as the parts are found there with certainty. Raises `NoSuchPart` if nothing is
    selected.
    """
    if not pages:
        raise ValueError("no page to learn from")
    *older, page = pages
    sight = sight_of(page)
    chosen = [*_selected(sight, select), *_pointed_at(sight, at), *_named(sight, nodes)]
    if not (select or at or nodes):
        chosen = all_parts(sight)
        if not chosen:
            raise NoSuchPart("nothing is seen on the page")
    chosen = _distinct(chosen)
    if not 0 < len(chosen) <= MOST_COMPONENTS:
        raise NoSuchPart(f"{len(chosen):,} parts are selected: 1 to {MOST_COMPONENTS} can be known")
    index = _index(sight, chosen, source)
    for snapshot in older:
        index = _with_older(index, snapshot, model)
    return index


def confirm(
    index: ComponentIndex, page: Page, nodes: Mapping[str, Sequence[int]]
) -> ComponentIndex:
    """The index with one more sample: parts by their ids, and the elements that they are now."""
    sight = sight_of(page)
    components, confirmed = [], dict[int, Profile]()
    for component in index.components:
        units = [int(sight.units.of_node[node]) for node in nodes.get(component.id, ())]
        if units and units[0] >= 0:
            confirmed[units[0]] = component.profile.grown(sight, units[0])
            component = replace(component, profile=confirmed[units[0]])
        components.append(component)
    rivals = _rivals(sight, confirmed) if confirmed else index.rivals
    return replace(index, components=tuple(components), seen=seen_on(sight), rivals=rivals)


def _with_older(
    index: ComponentIndex, snapshot: Page, model: ComponentsModel | None
) -> ComponentIndex:
    """The index with a sample from before; parts that are not found there stay as they are."""
    sight = sight_of(snapshot)
    components = []
    reading = find(index, snapshot, model=model)
    for component, found in zip(index.components, reading.components, strict=True):
        if found.nodes:
            unit = int(sight.units.of_node[found.nodes[0]])
            component = replace(component, profile=component.profile.with_sample(sight, unit))
        components.append(component)
    return replace(index, components=tuple(components))


def _index(sight: Sight, chosen: Sequence[Chosen], source: str | None) -> ComponentIndex:
    taken: set[str] = set()
    components = []
    for select, unit, otherwise in chosen:
        name = _name(sight, unit, otherwise)
        components.append(
            LearnedComponent(
                id=_identifier(name, taken),
                name=name,
                select=select,
                profile=profile_of(sight, unit),
            )
        )
    units = [unit for _, unit, _ in chosen]
    profiles = (component.profile for component in components)
    return ComponentIndex(
        source=source,
        components=tuple(components),
        inside=_nesting(sight, units),
        seen=seen_on(sight),
        rivals=_rivals(sight, dict(zip(units, profiles, strict=True))),
    )


def _rivals(sight: Sight, parts: Mapping[int, Profile]) -> tuple[Profile, ...]:
    """The parts of a page that are most like some of its parts, and apart from all of them."""
    page = compared(sight, seen_on(sight))
    like: dict[int, float] = {}
    for profile in parts.values():
        found = candidates(page, profile)
        for unit, much in zip(found.unit.tolist(), found.likeness.tolist(), strict=True):
            like[unit] = max(much, like.get(unit, 0.0))
    taken, rivals = list(parts), list[int]()
    for unit in sorted(like, key=lambda unit: (-like[unit], unit)):
        if len(rivals) < MOST_RIVALS and not sight.shared(np.array(taken), np.array([unit])).any():
            taken.append(unit)
            rivals.append(unit)
    return tuple(profile_of(sight, unit) for unit in rivals)


def _selected(sight: Sight, select: Iterable[str]) -> list[Chosen]:
    chosen: list[Chosen] = []
    for selector in select:
        units = [int(sight.units.of_node[node]) for node in selected_nodes(sight.page, selector)]
        shown = [unit for unit in units if unit >= 0]
        if not shown:
            raise NoSuchPart(f"{shortened(selector)!r} selects nothing that is seen on the page")
        chosen += [(selector, unit, _tag_name(sight, unit)) for unit in shown]
    return chosen


def _named(sight: Sight, nodes: Iterable[int]) -> list[Chosen]:
    units = [int(sight.units.of_node[node]) for node in nodes]
    return [(None, unit, _tag_name(sight, unit)) for unit in units if unit >= 0]


def _pointed_at(sight: Sight, at: Iterable[tuple[float, float]]) -> list[Chosen]:
    chosen: list[Chosen] = []
    for x, y in at:
        around = [part for part in all_parts(sight) if _holds(sight, part[1], x, y)]
        if not (around := around or _elements_at(sight, x, y)):
            raise NoSuchPart(f"there is no part at {x:g},{y:g}")
        _, unit, otherwise = min(around, key=lambda part: int(sight.shown[part[1]]))
        chosen.append((f"{x:g},{y:g}", unit, otherwise))
    return chosen


def _elements_at(sight: Sight, x: float, y: float) -> list[Chosen]:
    """The elements at a point that show enough to be known again, on a page that is one part."""
    enough = sight.is_element & (sight.shown >= LEAST_SHOWN)
    units = [unit for unit in np.flatnonzero(enough).tolist() if _holds(sight, unit, x, y)]
    return [(None, unit, _tag_name(sight, unit)) for unit in units]


def _holds(sight: Sight, unit: int, x: float, y: float) -> bool:
    left, top, right, bottom = sight.units.corners[unit].tolist()
    return bool(left <= x <= right and top <= y <= bottom)


def all_parts(sight: Sight, granularity: float = PICKED) -> list[Chosen]:
    """The parts of a page that a person would pick, in reading order."""
    chosen: list[Chosen] = []
    for zone in read_zones(sight.page, granularity).zones:
        unit = int(sight.units.of_node[zone.zone.element.id])
        if unit > 0:
            chosen.append((None, unit, KIND_NAMES.get(zone.kind or "", "Part")))
    return chosen[:MOST_COMPONENTS] or [(None, 0, "Page")] * bool(sight.size[0])


def _distinct(chosen: Iterable[Chosen]) -> list[Chosen]:
    """Each unit once, as it was chosen first."""
    by_unit: dict[int, Chosen] = {}
    for part in chosen:
        by_unit.setdefault(part[1], part)
    return list(by_unit.values())


def _nesting(sight: Sight, units: Sequence[int]) -> tuple[int, ...]:
    """For each unit the number of the smallest other one around it, or -1."""
    first, last, size = sight.units.first, sight.units.last, sight.shown
    inside = []
    for unit in units:
        around = [
            (int(size[other]), at)
            for at, other in enumerate(units)
            if other != unit and first[other] <= first[unit] and last[unit] <= last[other]
        ]
        inside.append(min(around)[1] if around else -1)
    return tuple(inside)


def _name(sight: Sight, unit: int, otherwise: str) -> str:
    """What to call a part: by its heading if that is short, and tells more than its kind."""
    if otherwise in CLEAR:
        return otherwise
    heading = " ".join(sight.heading(unit).split())
    return heading if 0 < len(heading.split()) <= LONGEST_NAME else otherwise


def _tag_name(sight: Sight, unit: int) -> str:
    return TAG_NAMES.get(sight.page.name(sight.node(unit)), "Part")


def _identifier(name: str, taken: set[str]) -> str:
    base = "-".join(words(name)) or "part"
    identifier, number = base, 1
    while identifier in taken:
        number += 1
        identifier = f"{base}-{number}"
    taken.add(identifier)
    return identifier
