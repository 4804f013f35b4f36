"""CSS selectors on the nodes of a Page, as far as wrappers use them.

A selector is a list of chains, separated by commas. A chain consists of compounds, joined by a
space, ``>`` or ``+``; a compound of a tag or ``*``, ``#id``, ``.class``, ``[name]``,
``[name="value"]``, ``:scope``, ``:first-child``, ``:nth-child(2)``, ``:nth-child(n+2)``,
``:nth-of-type(2)``, and ``:not(…)`` or ``:has(…)`` around one of these.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.derived import once_per_page
from pagesight.segment.nodes import inside, named, with_attribute

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

IDENTIFIER = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)
"""Names that need no escapes; no others are used, and no others are known."""

_NAME = rf"(?:{IDENTIFIER.pattern})"
_SIMPLE = rf"""
    (?P<tag>\*|{_NAME}) | \#(?P<id>{_NAME}) | \.(?P<class>{_NAME})
    | \[\s*(?P<attribute>{_NAME})\s*
        (?:=\s*(?:"(?P<value>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[\w-]+))\s*)?\]
    | :(?P<pseudo>scope|first-child)
    | :nth-(?P<among>child|of-type)\(\s*(?P<from>n\s*\+\s*)?(?P<rank>\d{{1,6}})\s*\)
"""
_STEP = re.compile(
    rf"(?P<combinator>\s*[>+,]\s*|\s+)|:(?P<around>not|has)\((?P<inner>[^()]+(?:\([\dn+]+\))?)\)|{_SIMPLE}",
    re.VERBOSE | re.ASCII,
)


class SelectorError(ValueError):
    """A selector that cannot be understood here."""


@dataclass(frozen=True, eq=False)
class Elements:
    """The elements of a page, found by what selectors name. Flags are by node."""

    page: Page

    @cached_property
    def is_element(self) -> Flags:
        """Which nodes are elements."""
        return self.page.is_element

    @cached_property
    def classes(self) -> list[tuple[str, ...]]:
        """The classes of each node."""
        classes: list[tuple[str, ...]] = [()] * len(self.page)
        for node, names in zip(*with_attribute(self.page, "class"), strict=True):
            classes[int(node)] = tuple(dict.fromkeys(names.split()))
        return classes

    @cached_property
    def _by_class(self) -> dict[str, list[int]]:
        nodes: dict[str, list[int]] = {}
        for node, names in enumerate(self.classes):
            for name in names:
                nodes.setdefault(name, []).append(node)
        return nodes

    @cached_property
    def rank(self) -> Ints:
        """Each element's place among its siblings, from 1."""
        return self._ranks(np.zeros(len(self.page), dtype=np.int64))

    @cached_property
    def rank_of_type(self) -> Ints:
        """Each element's place among the siblings of its name, from 1."""
        return self._ranks(self.page.columns["name"])

    def _ranks(self, name: NDArray[np.integer]) -> Ints:
        nodes = np.flatnonzero(self.is_element)
        parent = self.page.columns["parent"][nodes]
        order = np.lexsort((nodes, name[nodes], parent))
        begins = np.ones(len(nodes), dtype=np.bool_)
        begins[1:] = np.diff(parent[order]) != 0
        begins[1:] |= np.diff(name[nodes][order]) != 0
        places = np.arange(len(nodes))
        ranks = np.zeros(len(self.page), dtype=np.int64)
        ranks[nodes[order]] = places - np.maximum.accumulate(np.where(begins, places, 0)) + 1
        return ranks

    @cached_property
    def before(self) -> Ints:
        """The element before each among its siblings; -1 where there is none."""
        nodes = np.flatnonzero(self.is_element)
        parent = self.page.columns["parent"][nodes]
        order = nodes[np.argsort(parent, kind="stable")]
        before = np.full(len(self.page), -1, dtype=np.int64)
        before[order[1:]] = order[:-1]
        before[self.rank == 1] = -1
        return before

    def select(self, selector: str, within: Ints | None = None) -> Ints:
        """The elements that a selector matches, in document order.

        With `within`, which are elements side by side, chains begin in one of these (it may be the
        element itself) and ``:scope`` is any of them, as in parsel. Raises `SelectorError`.
        """
        matched = np.zeros(len(self.page), dtype=np.bool_)
        for chain in _parsed(selector):
            matched |= self._chain(chain, within)
        return np.flatnonzero(matched)

    def _chain(self, chain: list[tuple[str, list[re.Match[str]]]], within: Ints | None) -> Flags:
        scope = np.zeros(len(self.page), dtype=np.bool_)
        scope[0 if within is None else within] = True
        reached = inside(np.flatnonzero(scope), self.page.end)
        for combinator, compound in chain:
            here = self.is_element.copy()
            for simple in compound:
                here &= self._simple(simple, scope)
            reached = here & self._next(combinator, reached)
        return reached

    def _next(self, combinator: str, reached: Flags) -> Flags:
        """The nodes that a combinator leads to."""
        if not combinator:
            return reached
        if combinator == "+":
            return np.asarray(reached[self.before] & (self.before >= 0))
        above = self.page.columns["parent"]
        if combinator == " ":
            reached = inside(np.flatnonzero(reached), self.page.end)
        return np.asarray(reached[above] & (above >= 0))

    def _simple(self, simple: re.Match[str], scope: Flags) -> Flags:
        if not simple["around"]:
            return self._simple_flags(simple, scope)
        matched = _SIMPLE_ONLY.fullmatch(simple["inner"].strip())
        assert matched is not None  # see `_parsed`
        inner = self._simple_flags(matched, scope) & self.is_element
        return ~inner if simple["around"] == "not" else self._holding(inner)

    def _holding(self, inner: Flags) -> Flags:
        """Which nodes have one of these inside of them."""
        before = np.concatenate(([0], np.cumsum(inner)))
        return np.asarray(before[self.page.end] > before[np.arange(len(inner)) + 1])

    def _simple_flags(self, simple: re.Match[str], scope: Flags) -> Flags:
        if tag := simple["tag"]:
            return self.is_element if tag == "*" else named(self.page, {tag.lower()})
        if name := simple["class"]:
            flags = np.zeros(len(self.page), dtype=np.bool_)
            flags[self._by_class.get(name, [])] = True
            return flags
        if simple["id"] or simple["attribute"]:
            return self._with_value(simple)
        if simple["pseudo"]:
            return scope if simple["pseudo"] == "scope" else self.rank == 1
        rank = self.rank if simple["among"] == "child" else self.rank_of_type
        wanted = int(simple["rank"])
        return np.asarray(rank >= wanted if simple["from"] else rank == wanted)

    def _with_value(self, simple: re.Match[str]) -> Flags:
        """Which nodes have an attribute, or an attribute of this value."""
        values = [simple[name] for name in ("id", "value", "single", "bare")]
        wanted = next((value for value in values if value is not None), None)
        flags = np.zeros(len(self.page), dtype=np.bool_)
        owners = with_attribute(self.page, simple["attribute"] or "id")
        for node, value in zip(*owners, strict=True):
            flags[node] |= wanted is None or value == wanted
        return flags


@once_per_page
def elements_of(page: Page) -> Elements:
    """The elements of a page."""
    return Elements(page)


_SIMPLE_ONLY = re.compile(_SIMPLE, re.VERBOSE | re.ASCII)


def _parsed(selector: str) -> list[list[tuple[str, list[re.Match[str]]]]]:
    """The chains of a selector: compounds, each after the combinator that leads to it."""
    text = selector.strip()
    chains: list[list[tuple[str, list[re.Match[str]]]]] = [[("", [])]]
    at = 0
    while at < len(text):
        step = _STEP.match(text, at)
        if not step or (step["around"] and not _SIMPLE_ONLY.fullmatch(step["inner"].strip())):
            raise SelectorError(f"{selector!r} is not understood from {text[at:]!r} on")
        at = step.end()
        if (combinator := step["combinator"]) is None:
            chains[-1][-1][1].append(step)
        elif "," in combinator:
            chains.append([("", [])])
        else:
            chains[-1].append((combinator.strip() or " ", []))
    if not all(compound for chain in chains for _, compound in chain):
        raise SelectorError(f"{selector!r} has an empty part")
    return chains
