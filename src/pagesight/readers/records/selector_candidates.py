"""Selectors that may lead to elements of a page, the best first.

Short ones made of classes come before tags, these before ancestors, and places among siblings last.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np

from pagesight.segment.selectors import IDENTIFIER, Elements, Ints

MOST_CLASSES = 6  # of an element that are looked at
MOST_ABOVE = 6  # ancestors that are looked at
MOST_TRIED = 160  # selectors
MOST_INSIDE = 400  # nodes of a row that are looked at
MOST_SAMPLES = 24  # rows whose elements are looked at
GENERATED = re.compile(r"\d{3}|\d_*[A-Za-z][A-Za-z_]*\d|^(?:css|sc|jss|svelte)-|__[A-Za-z]*\d\w*$")
"""Names that a program made, which the next version of the site will not have."""

TELLING = ("itemprop", "itemtype", "role", "rel")  # attributes that say what an element is
_CLASS, _TAG, _MADE, _JOINED, _PLACED, _WAY = 1.0, 1.6, 2.0, 0.6, 4.0, 20.0  # costs


class Candidate(NamedTuple):
    """A selector and what speaks against it."""

    cost: float
    css: str


def sorted_css(candidates: Iterable[Candidate]) -> Iterator[str]:
    """The selectors, the best first, the shorter of two that are equally good."""
    order = sorted(candidates, key=lambda one: (one.cost, len(one.css), one.css))
    return islice(dict.fromkeys(candidate.css for candidate in order), MOST_TRIED)


def row_candidates(elements: Elements, wanted: Ints, allowed: Ints) -> Iterator[str]:
    """Selectors that match all wanted elements, and that may match nothing beyond the allowed."""
    alone = list(_shared(elements, wanted))
    found = [*alone, *_below(elements, wanted, alone)]
    yield from sorted_css(found)
    yield from sorted_css(_without_others(elements, found, allowed))
    if len(wanted) == 1:
        yield way_to(elements, int(wanted[0]))


def _shared(elements: Elements, nodes: Ints) -> Iterator[Candidate]:
    """Compounds that all of these elements have."""
    described = [set(compounds(elements, node)) for node in nodes.tolist()]
    shared = sorted(set.intersection(*described))
    yield from shared
    classes = [one for one in shared if one.css.startswith(".") and one.css.count(".") == 1]
    for one, other in combinations(classes[:MOST_CLASSES], 2):
        yield Candidate(one.cost + other.cost, one.css + other.css)


def compounds(elements: Elements, node: int) -> Iterator[Candidate]:
    """What an element can be called: by its tag, its classes, attributes that say what it is."""
    page = elements.page
    tag = page.name(node)
    known = [name for name in elements.classes[node] if IDENTIFIER.fullmatch(name)]
    if IDENTIFIER.fullmatch(tag):
        yield Candidate(_TAG, tag)
    for name in known[:MOST_CLASSES]:
        cost = _MADE if GENERATED.search(name) else _CLASS
        yield Candidate(cost, f".{name}")
        if IDENTIFIER.fullmatch(tag):
            yield Candidate(cost + _JOINED / 2, f"{tag}.{name}")
    for name, value in page.attributes(node).items():
        if name in TELLING and value and '"' not in value:
            yield Candidate(_CLASS + _JOINED / 2, f'[{name}="{value}"]')


def _below(elements: Elements, nodes: Ints, found: Sequence[Candidate]) -> Iterator[Candidate]:
    """The same compounds below an element that is around all of these."""
    page = elements.page
    above = int(page.columns["parent"][nodes[0]])
    for _ in range(MOST_ABOVE):
        while above >= 0 and page.end[above] <= nodes[-1]:
            above = int(page.columns["parent"][above])
        if above < 0 or not elements.is_element[above]:
            return
        close = bool((page.columns["parent"][nodes] == above).all())
        for around in (*_identifier(elements, above), *compounds(elements, above)):
            for one in found:
                cost = around.cost + one.cost + _JOINED
                yield Candidate(cost, f"{around.css} {one.css}")
                if close:
                    yield Candidate(cost + _JOINED, f"{around.css} > {one.css}")
        above = int(page.columns["parent"][above])


def _identifier(elements: Elements, node: int) -> Iterator[Candidate]:
    name = elements.page.attribute(node, "id") or ""
    if IDENTIFIER.fullmatch(name):
        yield Candidate(_MADE if GENERATED.search(name) else _CLASS, f"#{name}")


def _without_others(
    elements: Elements, found: Sequence[Candidate], allowed: Ints
) -> Iterator[Candidate]:
    """The selectors that match some elements too many, without these.

    What tells them apart is a class, something that only the right ones have inside, or the place.
    """
    ours = {name for row in allowed.tolist() for name in elements.classes[row]}
    held = cache(lambda node: _inside(elements, node))
    inner = set.intersection(*map(held, allowed.tolist()))
    for one in sorted(found)[: MOST_TRIED // 4]:
        others = np.setdiff1d(elements.select(one.css), allowed)
        if not len(others):
            continue
        for within in inner.difference(*map(held, others.tolist())):
            yield Candidate(one.cost + within.cost + _JOINED, f"{one.css}:has({within.css})")
        theirs = set.intersection(*(set(elements.classes[node]) for node in others.tolist()))
        for name in sorted(theirs - ours):
            if IDENTIFIER.fullmatch(name):
                yield Candidate(one.cost + _CLASS, f"{one.css}:not(.{name})")
        last = int(elements.rank[others].max())
        if last < int(elements.rank[allowed].min()):
            yield Candidate(one.cost + _PLACED, f"{one.css}:nth-child(n+{last + 1})")


def _inside(elements: Elements, node: int) -> set[Candidate]:
    """What elements in an element can be called."""
    inner = range(node + 1, int(elements.page.end[node]))
    nodes = (one for one in islice(inner, MOST_INSIDE) if elements.is_element[one])
    return {candidate for one in nodes for candidate in compounds(elements, one)}


def way_to(elements: Elements, node: int, top: int = -1) -> str:
    """The places of an element and of those around it, below an element or below the root."""
    page, steps = elements.page, []
    while node >= 0 and node != top:
        if elements.is_element[node]:
            tag = page.name(node)
            name = tag if IDENTIFIER.fullmatch(tag) else "*"
            steps.append(f"{name}:nth-child({elements.rank[node]})")
        node = int(page.columns["parent"][node])
    return " > ".join(reversed(steps))


def column_candidates(elements: Elements, pairs: Sequence[tuple[int, int | None]]) -> Iterator[str]:
    """Selectors that lead from rows to these elements; None where a row has none."""
    there = [(row, node) for row, node in pairs if node is not None]
    step = max(1, len(there) // MOST_SAMPLES)
    counts: Counter[Candidate] = Counter()
    for row, node in there[::step]:
        counts.update(set(_from_row(elements, row, node)))
    usual = sum(counts.values()) and max(counts.values())
    often = [one for one, count in counts.items() if count > usual / 4]
    return sorted_css(often)


def _from_row(elements: Elements, row: int, node: int) -> Iterator[Candidate]:
    """Ways from a row to an element in it, or in one of the elements after it."""
    page = elements.page
    if node == row:
        yield Candidate(_CLASS, ":scope")
        return
    prefix, top = _after(elements, row, node)
    if top < 0:
        return
    if node == top:
        yield Candidate(_TAG, prefix.strip())
        return
    alone = [*compounds(elements, node), *_placed(elements, node)]
    yield from (Candidate(one.cost, prefix + one.css) for one in alone)
    above = int(page.columns["parent"][node])
    for _ in range(MOST_ABOVE):
        if above <= top:
            break
        for around in (*compounds(elements, above), *_placed(elements, above)):
            for one in alone:
                cost = around.cost + one.cost + _JOINED
                yield Candidate(cost, f"{prefix}{around.css} {one.css}")
        above = int(page.columns["parent"][above])
    start = prefix.strip() or ":scope"
    yield Candidate(_WAY, f"{start} > {way_to(elements, node, top)}")


def _after(elements: Elements, row: int, node: int) -> tuple[str, int]:
    """How to get from a row to the element after it that holds a node; -1 if there is none."""
    page, prefix = elements.page, ""
    if row <= node < page.end[row]:
        return "", row
    sibling, path = int(page.end[row]), ":scope"
    stop = int(page.end[int(page.columns["parent"][row])])
    while sibling < stop and sibling <= node:
        if elements.is_element[sibling]:
            path += f" + {page.name(sibling)}"
            prefix = f"{path} "
            if node < page.end[sibling]:
                return prefix, sibling
        sibling = int(page.end[sibling])
    return "", -1


def _placed(elements: Elements, node: int) -> Iterator[Candidate]:
    """An element by its place among its siblings."""
    tag = elements.page.name(node)
    if IDENTIFIER.fullmatch(tag):
        yield Candidate(_PLACED, f"{tag}:nth-child({elements.rank[node]})")
        yield Candidate(_PLACED, f"{tag}:nth-of-type({elements.rank_of_type[node]})")
