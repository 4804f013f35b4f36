"""Pairs of snapshots of a page, with parts that are known on both.

On pages of legal terms, people have maintained a selector of the text over time. On other pages, a
part is known on two snapshots of one design by the names of its elements, which are then hidden;
and after a redesign, or after years, by what a list of our own says, made by looking at both pages.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import Corpora, Row, rendered, request_of, rows
from pagesight.page import Page, Visibility
from pagesight.readers.zones.model import shipped_model as shipped_zones
from pagesight.readers.zones.reader import read_zones
from pagesight.segment.nodes import outermost, with_attribute
from pagesight.segment.selectors import SelectorError, elements_of
from pagesight.segment.text import words
from pagesight.watch.components.sight import Sight, sight_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

CORPUS = "snapshots"
SAME, NEW_DESIGN = "terms, same selector", "terms, redesign"
SCRAMBLED, HOME_REDESIGN = "home, names scrambled", "home, redesign"
YEARS_APART = "home, years apart"
SETTINGS = (SAME, NEW_DESIGN, SCRAMBLED, HOME_REDESIGN, YEARS_APART)
LEAST_TEXT = 500  # characters of legal terms; maintained selectors lag behind and hit other things
LEAST_SHARE = 0.2  # of the characters of the page
LEAST_REST = 20  # characters beside it: otherwise there is nothing to tell it from
LEAST_PART, MOST_PART = 40, 0.5  # characters of a part of other pages, and share of the page
SAMPLES = 3  # snapshots that are learned from where there are as many
MOST_PAIRS = 8  # of a site in one setting
MOST_PARTS = 12  # of a pair of pages
STEPS = (1, 3, 7)  # how many snapshots two of one design are apart
GRANULARITIES = (0.35, 0.5, 0.8)  # at which people may pick parts


Part = tuple[tuple[int, ...], ...]
"""For each of some pages the elements that a part consists of."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Snapshots before, oldest first, and one after; each part as nodes on each of these pages."""

    site: str
    setting: str
    name: str
    pages: tuple[Page, ...]
    parts: tuple[Part, ...]
    named: tuple[Page, ...] = ()
    """The page after with its own names, where it has lost them."""


def brand_of(site: str) -> str:
    """Who makes the pages of a site: what is never both learned from and judged by.

    >>> brand_of("Amazon Maps/Terms of Service")
    'amazon'
    """
    return site.split("/")[0].split()[0].split(".")[0].split("_")[0].casefold()


def pairs(
    corpora: Corpora, samples: int = 1, *, only: Collection[str] | None = None
) -> Iterator[Pair]:
    """The pairs of the corpus, or of some sites; at most so many snapshots are from before."""
    folder = corpora.folder_of(CORPUS)
    sites: dict[str, list[Row]] = {}
    for row in rows(folder):
        if only is None or row["site"] in only:
            sites.setdefault(row["site"], []).append(row)
    redesigns = _redesigns()
    for site, of_site in corpora.worked_on(list(sites.items())):
        distinct = list({row["file"]: row for row in of_site}.values())
        page_of = _pages(folder, distinct, corpora.renderer)
        in_time = sorted(distinct, key=lambda row: str(row["time"]))
        if of_site[0]["kind"] == "terms":
            yield from _terms(site, in_time, page_of, samples)
        else:
            yield from _scrambled(site, in_time, page_of, samples)
            yield from _redesigned(site, in_time, page_of, samples, redesigns)


PageOf = Callable[[Row], Page | None]


def _pages(folder: Path, of_site: Sequence[Row], renderer: str) -> PageOf:
    """The pages of a site."""
    results = rendered([request_of(folder, row) for row in of_site], renderer=renderer)
    known = {row["file"]: page for row, page in zip(of_site, results, strict=True)}

    def page_of(row: Row) -> Page | None:
        page = known[row["file"]]
        return page if isinstance(page, Page) else None

    return page_of


# Legal terms


class _Terms(NamedTuple):
    """A snapshot of a page of legal terms, and where the text is."""

    time: str
    page: Page
    selectors: list[str]
    nodes: tuple[int, ...]


def _terms(site: str, in_time: list[Row], page_of: PageOf, samples: int) -> Iterator[Pair]:
    known = []
    for row in in_time:
        selectors = _selectors(row["select"])
        page = page_of(row) if selectors else None
        if page is not None and (nodes := _legal_text(page, selectors)):
            known.append(_Terms(row["time"][:10], page, selectors, tuple(nodes)))
    of_setting: dict[str, list[tuple[int, int]]] = {SAME: [], NEW_DESIGN: []}
    for at, later in combinations(range(len(known)), 2):
        old, new = known[at], known[later]
        holds = _is_same(sight_of(new.page), selected(new.page, old.selectors), new.nodes)
        of_setting[SAME if holds else NEW_DESIGN].append((at, later))
    for setting, found in of_setting.items():
        for at, later in _spread(found):
            old, new = known[at], known[later]
            before = [
                each
                for each in known[max(0, at + 1 - samples) : at + 1]
                if each.selectors == old.selectors
            ]
            snapshots = [*before, new]
            pages = tuple(each.page for each in snapshots)
            part = tuple(each.nodes for each in snapshots)
            yield Pair(site, setting, f"{site}: {old.time} to {new.time}", pages, (part,))


def _selectors(written: str) -> list[str]:
    """The selectors of a line; none where it names a range, which is not an element."""
    value = json.loads(written)
    listed = value if isinstance(value, list) else [value]
    return listed if all(isinstance(selector, str) for selector in listed) else []


def selected(page: Page, selectors: Sequence[str]) -> list[int]:
    """The outermost elements that selectors match, as far as they show something."""
    flags = np.zeros(len(page), dtype=np.bool_)
    for selector in selectors:
        try:
            flags[elements_of(page).select(selector)] = True
        except SelectorError:
            return []
    nodes = outermost(flags, page.columns["parent"], page.end)
    return [int(node) for node in nodes if sight_of(page).units.of_node[node] >= 0]


def _legal_text(page: Page, selectors: Sequence[str]) -> list[int]:
    sight = sight_of(page)
    nodes = selected(page, selectors)
    size = sum(int(sight.size[sight.units.of_node[node]]) for node in nodes)
    whole = int(sight.size[0])
    enough = max(LEAST_TEXT, LEAST_SHARE * whole) <= size <= whole - LEAST_REST
    return nodes if enough else []


def _is_same(sight: Sight, one: Sequence[int], other: Sequence[int]) -> bool:
    return {int(sight.units.of_node[node]) for node in one} == {
        int(sight.units.of_node[node]) for node in other
    }


def _spread(found: list[tuple[int, int]], most: int = MOST_PAIRS) -> list[tuple[int, int]]:
    """Some of the pairs, from all times: as many near ones as far ones."""
    order = sorted(found, key=lambda pair: (pair[1] - pair[0], pair))
    step = max(1, -(-len(order) // most))
    return order[::step]


# Other pages


def _scrambled(site: str, in_time: list[Row], page_of: PageOf, samples: int) -> Iterator[Pair]:
    """Parts that have unique names on all snapshots, of which the last loses its names."""
    loaded = [(row, page) for row in in_time if (page := page_of(row)) is not None]
    found = [(at, at + step) for step in STEPS for at in range(len(loaded) - step)]
    for at, later in _spread([pair for pair in found if _one_design(loaded, *pair)]):
        before = [page for _, page in loaded[max(0, at + 1 - samples) : at + 1]]
        page = loaded[later][1]
        parts = list(_named_parts([*before, page]))
        if parts:
            name = f"{site}: {loaded[at][0]['time'][:10]} to {loaded[later][0]['time'][:10]}"
            yield Pair(site, SCRAMBLED, name, (*before, scrambled(page)), tuple(parts), (page,))


MOVED_ON = 0.4  # likeness of words from which on a part may be elsewhere than its name
SAME_DESIGN = 0.6  # of the names of a page that another one shares


def _one_design(loaded: Sequence[tuple[Row, Page]], at: int, later: int) -> bool:
    one, other = (frozenset(_names(loaded[which][1])) for which in (at, later))
    return 2 * len(one & other) > SAME_DESIGN * (len(one) + len(other))


def _names(page: Page) -> dict[tuple[str, str, str], list[int]]:
    """The elements that show something, by tag, identifier and classes."""
    columns = page.columns
    called: dict[int, list[str]] = {}
    for attribute in ("id", "class"):
        for node, value in zip(*with_attribute(page, attribute), strict=True):
            called.setdefault(int(node), ["", ""])[attribute == "class"] = value
    nodes: dict[tuple[str, str, str], list[int]] = {}
    for node, (identifier, classes) in called.items():
        if page.visible[node] and columns["kind"][node]:
            key = (page.name(node), identifier, " ".join(sorted(classes.split())))
            nodes.setdefault(key, []).append(node)
    return nodes


def _named_parts(pages: Sequence[Page]) -> Iterator[Part]:
    """Parts that somebody may pick on the last page before, and that have one name on all pages."""
    named = [_names(page) for page in pages]
    picked = _pickable(pages[-2])
    found: dict[int, Part] = {}
    for key, nodes in named[-2].items():
        unit = int(sight_of(pages[-2]).units.of_node[nodes[0]])
        if unit in picked and all(len(of_page.get(key, ())) == 1 for of_page in named):
            places = [of_page[key][0] for of_page in named]
            if _is_part(pages[-1], places[-1]) and _stayed(pages[-2:], places[-2:]):
                found.setdefault(unit, tuple((node,) for node in places))
    units = sorted(found)
    for unit in units[:: max(1, -(-len(units) // MOST_PARTS))]:
        yield found[unit]


def _stayed(pages: Sequence[Page], places: Sequence[int]) -> bool:
    """Whether a name is still that of the part, and not of a place where now something else is."""
    before, after = map(sight_of, pages)
    likeness = word_likeness(before, places[0], after)
    unit = after.units.of_node[places[1:]]
    apart = after.overlap(np.arange(len(after.units)), unit) == 0
    return bool(likeness[apart].max(initial=0) <= max(MOVED_ON, 2 * float(likeness[unit[0]])))


def word_likeness(before: Sight, node: int, after: Sight) -> Floats:
    """By unit after: Dice's coefficient of its distinct words and those of an element before."""
    words, known = after.tokens["word"], before.tokens["word"].inside(node)
    there, every = words.among(known), np.arange(len(words.index))
    shared, all_of = (words.held(tokens, np.ones(len(tokens))) for tokens in (there, every))
    return np.asarray(2 * shared / np.maximum(all_of + len(known), 1))


def _is_part(page: Page, node: int) -> bool:
    sight = sight_of(page)
    unit = int(sight.units.of_node[node])
    return unit >= 0 and LEAST_PART <= sight.size[unit] <= MOST_PART * max(1, sight.size[0])


def _pickable(page: Page) -> set[int]:
    """The units that are parts of the page at one granularity or another."""
    sight, plainly = sight_of(page), replace(shipped_zones(), sets_apart=False)
    units = set()
    for granularity in GRANULARITIES:
        for zone in read_zones(page, granularity, model=plainly).zones:
            node = zone.zone.element.id
            if _is_part(page, node):
                units.add(int(sight.units.of_node[node]))
    return units


def scrambled(page: Page) -> Page:
    """The page with other classes and identifiers, the same for the same."""
    columns = dict(page.columns)
    strings = list(page.strings)
    new_of: dict[int, int] = {}
    kinds = {at for at, name in enumerate(page.strings) if name in ("class", "id")}
    values = columns["attr_value"].copy()
    for row in np.flatnonzero(np.isin(columns["attr_name"], list(kinds))).tolist():
        old = int(values[row])
        if old not in new_of:
            new_of[old] = len(strings)
            strings.append(" ".join(_scramble(name) for name in page.strings[old].split()))
        values[row] = new_of[old]
    columns["attr_value"] = values
    return Page(columns, strings, page.info)


def _scramble(name: str) -> str:
    return "x" + hashlib.sha256(name.encode()).hexdigest()[:8]


def without(page: Page, nodes: Iterable[int]) -> Page:
    """The page without some elements: nothing of them is seen."""
    columns = dict(page.columns)
    visibility = columns["visibility"].copy()
    for node in nodes:
        visibility[node : int(page.end[node])] = Visibility.NOT_RENDERED
    columns["visibility"] = visibility
    return Page(columns, list(page.strings), page.info)


# Redesigns


@lru_cache
def _redesigns() -> dict[str, Any]:
    """By site: when its design changed, and selectors of parts before and after."""
    path = files("pagesight.watch.components.learning") / "redesigns.json"
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return read


def _redesigned(
    site: str, in_time: list[Row], page_of: PageOf, samples: int, redesigns: dict[str, Any]
) -> Iterator[Pair]:
    for change in redesigns.get(site, ()):
        old = [row for row in in_time if change["from"] <= row["time"][:10] < change["at"]]
        new = [row for row in in_time if change["at"] <= row["time"][:10] < change["until"]]
        found = [(at, later) for at in range(len(old)) for later in range(len(new))]
        for at, later in _spread(found):
            rows_ = [*old[max(0, at + 1 - samples) : at + 1], new[later]]
            pages = [page for row in rows_ if (page := page_of(row)) is not None]
            if len(pages) == len(rows_):
                parts = tuple(_listed_parts(change, pages))
                name = f"{site}: {old[at]['time'][:10]} to {new[later]['time'][:10]}"
                if change.get("keeps_names"):
                    *before, after = pages
                    shown = (*before, scrambled(after))
                    yield Pair(site, YEARS_APART, name, shown, parts, (after,))
                else:
                    yield Pair(site, HOME_REDESIGN, name, tuple(pages), parts)


def _listed_parts(change: dict[str, Any], pages: Sequence[Page]) -> Iterator[Part]:
    """The parts of a list that are on the last page before and on the one after."""
    sections = change["sections"]
    wanted = [(sections["before"], sections["after"], called) for called in sections["called"]]
    wanted += [(part["before"], part["after"], "") for part in change["parts"]]
    for before, after, called in wanted:
        selectors = [before] * (len(pages) - 1) + [after]
        places = tuple(
            tuple(_called(page, selected(page, [css]), called))
            for page, css in zip(pages, selectors, strict=True)
        )
        if all(len(nodes) == 1 for nodes in places[-2:]):
            yield places


def _called(page: Page, nodes: Sequence[int], called: str) -> list[int]:
    """Those of some elements that show parts, and begin with a heading if there is one."""
    sight, heading = sight_of(page), tuple(words(called))
    units = [(node, int(sight.units.of_node[node])) for node in nodes]
    return [
        node
        for node, unit in units
        if sight.beginning(unit)[: len(heading)] == heading and sight.size[unit] >= LEAST_PART
    ]
