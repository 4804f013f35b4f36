"""What a page is made of, in tokens: words, short texts, addresses, pictures, names and tags.

Each kind of tokens has its occurrences on the page, so that what a unit holds is a difference of
two sums. A token that occurs twice in a subtree counts once: its second occurrence is taken back at
the innermost node around both, which is in exactly those subtrees that hold both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress
from urllib.parse import unquote, urlsplit

import numpy as np
from numpy.typing import NDArray

from pagesight.page import NodeKind, Page
from pagesight.page.derived import once_per_page
from pagesight.segment.nodes import (
    before,
    common_ancestors,
    named,
    seen_texts,
    with_attribute,
)
from pagesight.segment.text import folded, words
from pagesight.segment.units import Units, units_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

KINDS = ("word", "phrase", "link", "section", "picture", "name", "shape")
LONGEST_PHRASE = 8  # words; longer texts are not labels or headings
MOST_WORDS = 2000  # of one text; what follows tells nothing that these do not
_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"[\d\W_]+")
_SIGNS = {"class": ".", "id": "#"}  # of attributes, in selectors
_SOURCES = ("src", "data-src", "data-original")


@dataclass(frozen=True, eq=False)
class Tokens:
    """The occurrences of one kind of tokens, by token and then by node."""

    units: Units
    index: dict[str, int]
    """The number of each token."""

    node: Ints
    token: Ints

    @cached_property
    def strings(self) -> list[str]:
        """The tokens by number."""
        return list(self.index)

    @cached_property
    def count(self) -> Ints:
        """How often each token occurs on the page."""
        return np.bincount(self.token, minlength=len(self.index))

    def held(self, tokens: Ints, weights: Floats) -> Floats:
        """By unit: the sum of the weights of those of some tokens that are in its subtree."""
        (sums,) = AllTokens((self,)).held(tokens, weights)
        return np.asarray(sums[0])

    @cached_property
    def rarity(self) -> Floats:
        """How much each token counts on this page: the less, the more often it occurs."""
        return np.asarray(1 / np.sqrt(np.maximum(self.count, 1)))

    def inside(self, node: int) -> dict[str, int]:
        """How often each token occurs in a subtree."""
        within = (self.node >= node) & (self.node < self.units.page.end[node])
        counts = np.bincount(self.token[within], minlength=len(self.index))
        return {self.strings[token]: int(counts[token]) for token in np.flatnonzero(counts)}

    def among(self, strings: Iterable[str]) -> Ints:
        """The numbers of those strings that are tokens of this page."""
        numbers = (self.index.get(string, -1) for string in strings)
        return np.array([number for number in numbers if number >= 0], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class AllTokens:
    """The tokens of several kinds, numbered together: those of a kind after those before it."""

    kinds: tuple[Tokens, ...]

    @cached_property
    def start(self) -> Ints:
        """The first token of each kind, and how many there are."""
        return np.asarray(before(np.array([len(tokens.index) for tokens in self.kinds])))

    @cached_property
    def rarity(self) -> Floats:
        """How much each token counts on this page."""
        return np.concatenate([tokens.rarity for tokens in self.kinds])

    @cached_property
    def mass(self) -> Floats:
        """By kind and unit: the sum of the rarities of the distinct tokens in its subtree."""
        (sums,) = self.held(np.arange(self.start[-1]), self.rarity)
        return sums

    @cached_property
    def _steps(self) -> tuple[Ints, Floats, Ints]:
        """Where sums of tokens change, by token: cells, by how much, and the first of each token.

        A token is gained where it occurs, and taken back at the innermost node around neighbouring
        occurrences. Cells are those of a table by kind and place.
        """
        page, start = self.kinds[0].units.page, self.start
        node = np.concatenate([tokens.node for tokens in self.kinds])
        token = np.concatenate([t.token + at for t, at in zip(self.kinds, start, strict=False)])
        again = np.flatnonzero(token[1:] == token[:-1])
        joint = common_ancestors(page, node[again], node[again + 1])
        change = np.repeat((1.0, -1.0), (len(token), len(again)))
        token, node = np.concatenate((token, token[again])), np.concatenate((node, joint))
        order = np.argsort(token, kind="stable")
        edges, _, _ = _edges(page)
        kind = np.searchsorted(start, token, "right") - 1
        cell = kind * (len(edges) + 1) + np.searchsorted(edges, node, "right")
        first = np.searchsorted(token[order], np.arange(start[-1] + 1))
        return cell[order], change[order], first

    def held(self, tokens: Ints, *weights: Floats) -> list[Floats]:
        """By kind and unit: the sums of weights of those of some tokens that are in its subtree."""
        cell, change, first = self._steps
        counts = first[tokens + 1] - first[tokens]
        which = np.repeat(np.arange(len(tokens)), counts)
        steps = np.arange(len(which)) + (first[tokens] - before(counts)[:-1])[which]
        cells, changes = cell[steps], change[steps]
        edges, begin, end = _edges(self.kinds[0].units.page)
        shape = len(self.kinds), len(edges) + 1
        held = []
        for weight in weights:
            gains = np.bincount(cells, changes * weight[which], shape[0] * shape[1])
            sums = np.zeros((shape[0], shape[1] + 1))
            np.cumsum(gains.reshape(shape), axis=1, out=sums[:, 1:])
            held.append(sums[:, end] - sums[:, begin])
        return held


@once_per_page
def _edges(page: Page) -> tuple[Ints, Ints, Ints]:
    """The nodes at which units begin or end; and by unit, which sums are before and after it."""
    node = units_of(page).node
    edges = np.unique(np.concatenate((node, page.end[node])))
    return edges, np.searchsorted(edges, node) + 1, np.searchsorted(edges, page.end[node]) + 1


@dataclass(frozen=True, eq=False)
class Spoken:
    """The words that are seen on a page, one after the other."""

    index: dict[str, int]
    """The number of each different word."""

    word: Ints
    """The number of each word that is spoken."""

    node: Ints
    """The text that each is in."""

    @cached_property
    def strings(self) -> list[str]:
        """The different words by number."""
        return list(self.index)


@once_per_page
def words_by_text(page: Page) -> dict[int, list[str]]:
    """The words of each text that is seen."""
    texts = np.flatnonzero(seen_texts(page)).tolist()
    return {node: words(page.own_text(node))[:MOST_WORDS] for node in texts}


@once_per_page
def spoken_on(page: Page) -> Spoken:
    """The words that are seen on a page."""
    texts, index = words_by_text(page), dict[str, int]()
    numbers = [index.setdefault(word, len(index)) for found in texts.values() for word in found]
    node = np.repeat(np.array([*texts], dtype=np.int64), [len(found) for found in texts.values()])
    return Spoken(index, np.array(numbers, dtype=np.int64), node)


@once_per_page
def tokens_of(page: Page) -> dict[str, Tokens]:
    """The tokens of a page, by kind."""
    links = list(_links(page))
    return {
        "word": _telling_words(page),
        "phrase": _collected(page, _phrases(words_by_text(page).items())),
        "link": _collected(page, links),
        "section": _collected(page, ((node, section_of(link)) for node, link in links)),
        "picture": _collected(page, _pictures(page)),
        "name": _names(page),
        "shape": _collected(page, _shapes(page)),
    }


def _telling_words(page: Page) -> Tokens:
    """The words that are not just numbers."""
    spoken = spoken_on(page)
    tells = np.array([_tells(word) for word in spoken.index], dtype=np.bool_)
    number = np.append(np.cumsum(tells) - 1, 0)  # of a word among those that tell something
    telling = np.append(tells, False)[spoken.word]
    index = {word: at for at, word in enumerate(compress(spoken.index, tells))}
    return _tokens(page, index, number[spoken.word[telling]], spoken.node[telling])


def _tells(text: str) -> bool:
    return not text.isdigit() and not _NUMBER.fullmatch(text)


def _phrases(spoken: Iterable[tuple[int, list[str]]]) -> Iterable[tuple[int, str]]:
    for node, found in spoken:
        phrase = _DIGITS.sub("0", " ".join(found))
        if 0 < len(found) <= LONGEST_PHRASE and _tells(phrase):
            yield node, phrase


def _collected(page: Page, pairs: Iterable[tuple[int, str]]) -> Tokens:
    known = [(node, string) for node, string in pairs if string]
    index: dict[str, int] = {}
    token = np.array([index.setdefault(string, len(index)) for _, string in known], dtype=np.int64)
    return _tokens(page, index, token, np.array([node for node, _ in known], dtype=np.int64))


def _tokens(page: Page, index: dict[str, int], token: Ints, node: Ints) -> Tokens:
    """The tokens of a page, each node having each token once."""
    by_token, by_node = np.divmod(np.unique(token * len(page) + node), max(len(page), 1))
    return Tokens(units_of(page), index, by_node, by_token)


def _links(page: Page) -> Iterable[tuple[int, str]]:
    nodes, values = with_attribute(page, "href")
    anchors = named(page, {"a", "area"}) & page.visible
    for node, value in zip(nodes.tolist(), values, strict=True):
        if anchors[node]:
            yield node, address_of(value)


def address_of(target: str) -> str:
    """A target without what differs between copies of a page: scheme, own host, fragment.

    >>> address_of("https://www.example.org/News/a.html?page=2#top")
    '/news/a.html?page=2'
    """
    try:
        parts = urlsplit(target.strip())
    except ValueError:
        return ""
    if parts.scheme not in ("", "http", "https"):
        return ""
    path = unquote(parts.path).casefold().rstrip("/")
    if not path and parts.netloc:
        return parts.netloc.removeprefix("www.").casefold()
    return path + (f"?{parts.query.casefold()}" if parts.query else "")


def section_of(address: str) -> str:
    """The place of an address on its site: its folders, with numbers made equal.

    >>> section_of("/news/2024/05/a.html?page=2")
    '/news/0/0'
    """
    path = address.split("?")[0]
    return _DIGITS.sub("0", path.rpartition("/")[0] or path)


def _pictures(page: Page) -> Iterable[tuple[int, str]]:
    pictures = named(page, {"img", "source"})
    for attribute in _SOURCES:
        nodes, values = with_attribute(page, attribute)
        for node, value in zip(nodes.tolist(), values, strict=True):
            if pictures[node] and page.visible[node] and not value.startswith("data:"):
                yield node, value.split("?")[0].rstrip("/").rpartition("/")[2].casefold()


Names = tuple[str, ...]


@once_per_page
def names_by_node(page: Page) -> dict[str, dict[int, Names]]:
    """The classes and identifiers of elements, as they are selected: by attribute and node."""
    return {attribute: _selecting(page, attribute, sign) for attribute, sign in _SIGNS.items()}


def _selecting(page: Page, attribute: str, sign: str) -> dict[int, Names]:
    nodes, values = with_attribute(page, attribute)
    split = {value: tuple(sign + name for name in value.split()) for value in {*values}}
    return dict(zip(nodes.tolist(), map(split.__getitem__, values), strict=True))


def _names(page: Page) -> Tokens:
    """The classes and identifiers of elements; what many are called is looked up once."""
    index: dict[str, int] = {}
    tokens, owners = list[int](), list[int]()
    visible = page.visible.tolist()
    for names in names_by_node(page).values():
        seen = [(node, called) for node, called in names.items() if visible[node]]
        numbers = {
            called: [index.setdefault(name, len(index)) for name in called]
            for called in dict.fromkeys(called for _, called in seen)
        }
        tokens += chain.from_iterable(numbers[called] for _, called in seen)
        owners += chain.from_iterable([node] * len(called) for node, called in seen)
    return _tokens(page, index, np.array(tokens, np.int64), np.array(owners, np.int64))


def _shapes(page: Page) -> Iterable[tuple[int, str]]:
    """The names of elements with those of the two around them."""
    columns, many = page.columns, len(page.strings)
    name, above = columns["name"].astype(np.int64), np.maximum(columns["parent"], 0)
    elements = np.flatnonzero((columns["kind"] == NodeKind.ELEMENT) & page.visible)
    around = name[above[above[elements]]] * many + name[above[elements]]
    keys, which = np.unique(around * many + name[elements], return_inverse=True)
    paths = zip((keys // many**2).tolist(), (keys // many % many).tolist(), (keys % many).tolist(),
                strict=True)  # fmt: skip
    shapes = [">".join(page.strings[part] for part in path) for path in paths]
    return zip(elements.tolist(), (shapes[at] for at in which.tolist()), strict=True)


def plain_name(text: str) -> str:
    """A short text for comparison, with numbers made equal."""
    return _DIGITS.sub("0", " ".join(words(folded(text))))
