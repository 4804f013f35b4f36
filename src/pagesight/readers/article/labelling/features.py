"""What is seen and read in each zone, as numbers.

Three kinds of evidence: where a zone is and how it looks; which words it consists of; and what
the zones around it are. Nothing here looks at the head of the page.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache
from itertools import accumulate, chain

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagesight.page import Page
from pagesight.page.columns import Array
from pagesight.readers.article.labelling.sections import (
    FEWEST_WORDS,
    MOST_WORDS,
    headed_runs,
    main_run,
    unheaded_abstract,
)
from pagesight.readers.article.text import BESIDE_NAMES, DOI, YEAR
from pagesight.readers.article.vocabulary import (
    COLUMN,
    CUES,
    DEGREES,
    GENERAL,
    HEADINGS,
    Known,
    institutions_in,
    is_author_caption,
    listed,
    log_table,
    word_table,
)
from pagesight.readers.article.zones import Zones
from pagesight.segment.nodes import inside, most_common
from pagesight.segment.text import folded

Floats = NDArray[np.float64]

LONG = 220  # words: most abstracts end before
ENOUGH = 600  # characters of a zone that are looked at for words
VERSION = 6
"""Changes whenever the features do: weights for others are refused."""

_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_HINTS, _TAGS = (listed(GENERAL[key]) for key in ("class_names", "elements"))
_SHIFTED = ("year", "listed names", "institution", "name shape", "words", "email", "size",
            "log name", "log affiliation", "degrees", "superscripts", "author caption",
            "cue editor", "cue dates", "cue citation", "cue action", "colon")  # fmt: skip


def features(zones: Zones) -> dict[str, Floats]:
    """By name a number for each zone; most lie in [-3, 3]. There has to be a zone."""
    reading = _Reading(zones)
    columns = {**_looks(zones), **reading.columns(), **_markup(zones), **_abstracts(zones)}
    columns |= _groups(zones, columns)
    columns |= _sections(zones, reading)
    shifted = {name: name for name in _SHIFTED}
    shifted |= {kind: f"heading {kind}" for kind in sorted(HEADINGS)}
    for short, name in shifted.items():
        columns[f"previous {short}"] = np.r_[0.0, columns[name][:-1]]
    for short, name in shifted.items():
        columns[f"next {short}"] = np.r_[columns[name][1:], 0.0]
    return columns | {"bias": np.ones(len(zones))}


def body_size(zones: Zones) -> float:
    """The font size that most of the text has."""
    lengths = np.array([len(text) for text in zones.texts], dtype=np.float64)
    return most_common(np.round(zones.font_size, 1), lengths) or 1.0


def _looks(zones: Zones) -> dict[str, Floats]:
    left, top, width, height = zones.box.T
    page_width = max(float(np.percentile(left + width, 98)), 1.0)  # one long line may be wider
    page_height = max(float((top + height).max()), 1.0)
    usual = body_size(zones)
    size = zones.font_size / usual
    bottom = top + height
    gap = np.r_[0.0, top[1:] - bottom[:-1]] / usual
    largest = _largest(zones, size, top)
    lengths = np.array([len(text) for text in zones.texts], dtype=np.float64)
    color = most_common(zones.color, lengths)
    column = most_common(np.round(left / 8), lengths) * 8
    order = np.arange(len(zones)) - largest
    look = np.stack([zones.font_size, zones.bold, zones.italic, zones.color.astype(np.float64)])
    return {
        "left": left / page_width,
        "center": np.abs(left + width / 2 - page_width / 2) / page_width,
        "width": width / page_width,
        "top screens": np.log1p(np.maximum(top, 0) / 800),
        "top share": top / page_height,
        "height": np.log1p(height / usual) / 2,
        "gap above": np.clip(gap, -3, 6) / 3,
        "size": np.clip(np.log2(np.maximum(size, 0.25)), -2, 2),
        "largest": (np.arange(len(zones)) == largest).astype(np.float64),
        "size rank": 1.0 / (1 + _rank(size)),
        "bold": zones.bold.astype(np.float64),
        "italic": zones.italic.astype(np.float64),
        "colored": (zones.color != color).astype(np.float64),
        "centered": zones.centered.astype(np.float64),
        "link share": zones.link_share,
        "table": zones.table.astype(np.float64),
        "same look before": np.r_[False, (look[:, 1:] == look[:, :-1]).all(axis=0)].astype(
            np.float64
        ),
        "main column": (np.abs(left - column) < 12).astype(np.float64),
        "before largest": (order < 0).astype(np.float64),
        "after largest": (order > 0).astype(np.float64),
        "near largest": np.where(order > 0, np.exp(-order / 12), 0.0),
        "first sheet": (zones.sheet <= 1).astype(np.float64),
        "pdf": np.full(len(zones), float(zones.on_sheets)),
    }


def _largest(zones: Zones, size: Floats, top: Floats) -> int:
    """The zone that looks most like a title: large, high, and of several words."""
    wordy = (zones.words >= 3) & (zones.words <= 60)
    score = np.where(
        wordy, size + 0.2 * zones.bold - 0.15 * np.log1p(np.maximum(top, 0) / 800), -9.0
    )
    return int(score.argmax())


def _rank(size: Floats) -> Floats:
    """How many larger sizes there are on the page."""
    sizes = np.unique(np.round(size, 2))
    below = np.searchsorted(sizes, np.round(size, 2)).astype(np.float64)
    return len(sizes) - 1.0 - below


class _Reading:
    """What is written in the zones."""

    def __init__(self, zones: Zones) -> None:
        self.zones = zones
        self.texts = zones.texts
        self.kinds = zones.kinds
        cut = [text[:ENOUGH] for text in zones.unmarked]
        bare = [BESIDE_NAMES.sub(" ", text) if _may_have_more(text) else text for text in cut]
        self.tokens = [_TOKEN.findall(text)[:80] for text in bare]
        self.counts = zones.words.astype(np.float64)
        sizes = np.array([len(tokens_of_zone) for tokens_of_zone in self.tokens])
        self.sizes = np.maximum(sizes, 1)
        self.zone = np.repeat(np.arange(len(sizes)), sizes)  # by token
        self.traits = _known().rows(list(chain.from_iterable(self.tokens)))

    def columns(self) -> dict[str, Floats]:
        likely = self._likelihoods()
        names = {name: likely.pop(name) for name in ("listed names", "name shape")}
        shapes = {
            name: np.array(values, dtype=np.float64) for name, values in self._shapes(names).items()
        }
        headings = _flags("heading", sorted(HEADINGS), self.kinds)
        return {**shapes, **headings, **_flags("cue", CUES, self.zones.cues), **likely}

    def _shapes(self, names: Mapping[str, Floats]) -> dict[str, ArrayLike]:
        texts, sizes = [text[:ENOUGH] for text in self.texts], self.sizes
        lengths = np.maximum([len(text) for text in self.texts], 1)
        seen = Counter(texts)
        return {
            "words": np.log1p(self.counts) / 2,
            "characters": np.log1p(lengths) / 3,
            "one word": (self.counts <= 1).astype(float),
            "few words": (self.counts <= 4).astype(float),
            "capitalized": self._share("capitalized"),
            "upper case": self._share("upper case"),
            "digits": self._share("digits"),
            "commas": np.minimum([t.count(",") for t in texts] / sizes, 1),
            "periods": np.minimum([t.count(".") for t in texts] / sizes, 1),
            "email": [float("@" in text or bool(_AT.search(text))) for text in texts],
            "institution": np.minimum([len(institutions_in(t[:400])) for t in texts], 4) / 2,
            "year": [float(bool(YEAR.search(text))) for text in texts],
            "doi": [float(bool(DOI.search(text))) for text in texts],
            "starts with number": [float(bool(_NUMBERED.match(text))) for text in texts],
            "ends with period": [float(text.endswith(".")) for text in self.texts],
            "ends with comma": [float(t.endswith((",", ";", "and", "&"))) for t in self.texts],
            "semicolons": np.minimum([t.count(";") for t in texts] / sizes, 1),
            "superscripts": self._superscripts(),
            "starts with mark": [float(bool(_MARKED.match(text))) for text in texts],
            "degrees": np.minimum(self._share("degree") * sizes, 3),
            **names,
            "repeated": [float(seen[text] > 1) for text in texts],
            "lower start": [float(text[:1].islower()) for text in texts],
            "colon": [float(":" in text[:40]) for text in texts],
            "et al": [float("et al" in text) for text in texts],
            "initials": self._share("initial"),
            "author caption": [float(is_author_caption(text)) for text in self.texts],
            "and": [float(" and " in text or "&" in text) for text in texts],
        }  # fmt: skip

    def _share(self, trait: str) -> Floats:
        """For each zone the share of its tokens that have a trait."""
        return self._mean(self.traits[:, _TRAITS.index(trait)])

    def _mean(self, values: Array) -> Floats:
        """For each zone the mean of the values of its tokens."""
        mean: Floats = np.bincount(self.zone, values, len(self.tokens)) / self.sizes
        return mean

    def _superscripts(self) -> Floats:
        zone = np.searchsorted(self.zones.first, np.flatnonzero(self.zones.raised), "right") - 1
        return np.minimum(np.bincount(zone, minlength=len(self.texts)), 6) / 3

    def _likelihoods(self) -> dict[str, Floats]:
        """Log-likelihood per word of each field against abstracts, and how name-like words are."""
        rows, upper = self.traits[:, 0], self.traits[:, 1] > 0
        logs = log_table()[rows]
        base = logs[:, COLUMN["abstract"]]
        name = np.maximum(logs[:, COLUMN["surname"]], logs[:, COLUMN["given"]])
        is_name = (name > base + 1) & (name > logs[:, COLUMN["affiliation"]] - 1) & upper
        unlisted = (rows == 0) & upper
        mean, size = self._mean, self.sizes
        return {
            "log title": np.clip(mean(logs[:, COLUMN["title"]] - base), -3, 3),
            "log name": np.clip(mean(name - base), -4, 4) / 2,
            "log affiliation": np.clip(mean(logs[:, COLUMN["affiliation"]] - base), -4, 4) / 2,
            "log reference": np.clip(mean(logs[:, COLUMN["reference"]] - base), -4, 4) / 2,
            "unlisted": mean(unlisted),
            "listed names": mean(is_name),
            "name shape": mean(is_name | unlisted) * (size >= 2) * (size <= 400),
        }


def _flags(what: str, names: Iterable[str], of_zones: Sequence[Set[str]]) -> dict[str, Floats]:
    """By name which zones have it."""
    columns = {f"{what} {name}": np.zeros(len(of_zones)) for name in names}
    for zone, names_of_zone in enumerate(of_zones):
        for name in names_of_zone:
            columns[f"{what} {name}"][zone] = 1.0
    return columns


_BESIDE = ("@", "://", "www.", "orc", "l author", "s author", "(at)", "[at]", "/at/")
_DIGITS = re.compile(r"\d{4}-\d{4}-")
_AT = re.compile(r"at(?<=\w[\[({/ ]at)[\])}/ ]\w+\.\w")  # what begins with letters is found fast
_NUMBERED = re.compile(r"[\[(]?\d{1,3}[\].)]?\s")
_MARKED = re.compile(r"(?:\d{1,2}|[a-z]|[*†‡§¶#]+)\s?(?=[A-Z])|[*†‡§¶#(]")


def _may_have_more(text: str) -> bool:
    """Whether there may be something beside names; is quicker than to look for it."""
    lowered = text.lower()
    if any(map(lowered.__contains__, _BESIDE)):
        return True
    return lowered.count("-") > 2 and bool(_DIGITS.search(lowered))


_TRAITS = ("row", "capitalized", "upper case", "digits", "initial", "degree")
_WORDS = frozenset({"Ms", "Ma", "Do", "Med", "Dr", "Da", "MA", "DA"})


@cache
def _known() -> Known:
    """The traits of words that were seen."""
    return Known(_traits, len(_TRAITS))


def _traits(token: str) -> tuple[int, ...]:
    """The row of a word in the table of words, 0 for any that is not in it; and how it looks."""
    capital = token[0].isupper()
    return (
        word_table().rows.get(folded(token), 0),
        capital,
        token.isupper() and len(token) > 2,
        token.isdigit(),
        capital and len(token) == 1,
        capital and token not in _WORDS and token.lower() in DEGREES,
    )


def _markup(zones: Zones) -> dict[str, Floats]:
    """Elements around the zones, and words in their class names and ids."""
    page, heads = zones.page, zones.heads
    names = page.columns["name"]
    number = {page.strings[name]: name for name in np.unique(names).tolist()}
    around = {f"in {tag}": np.flatnonzero(names == number.get(tag, -1)) for tag in _TAGS}
    largest = max(len(page) // 3, 40)  # what is around so much says nothing
    for hint, nodes in _hinted(page).items():
        around[f"named {hint}"] = nodes[page.end[nodes] - nodes <= largest]
    return {name: inside(nodes, page.end)[heads].astype(float) for name, nodes in around.items()}


def _hinted(page: Page) -> dict[str, Array]:
    """By hint the elements whose class or id has it."""
    columns = page.columns
    strings = page.strings
    names = np.unique(columns["attr_name"]).tolist()
    telling = [name for name in names if strings[name] in ("class", "id", "itemprop", "rel")]
    rows = np.flatnonzero(np.isin(columns["attr_name"], telling))
    values = columns["attr_value"][rows]
    nodes = np.searchsorted(columns["attr_first"], rows, side="right") - 1
    distinct, which = np.unique(values, return_inverse=True)
    lowered = [f"{strings[value].lower()}\n" for value in distinct.tolist()]
    ends, text = list(accumulate(map(len, lowered))), "".join(lowered)
    hinted = {}
    for hint in _HINTS:
        having = np.zeros(len(distinct), dtype=np.bool_)
        at = text.find(hint)
        while at >= 0:
            string = bisect_right(ends, at)
            having[string] = True
            at = text.find(hint, ends[string])
        hinted[hint] = nodes[having[which]]
    return hinted


def _groups(zones: Zones, columns: dict[str, Floats]) -> dict[str, Floats]:
    """What zones have in common that look the same and are in elements of the same names."""
    keys: dict[tuple[object, ...], int] = {}
    group = np.array([keys.setdefault(look, len(keys)) for look in _signatures(zones)])
    size = np.bincount(group).astype(np.float64)

    def mean(name: str) -> Floats:
        average = np.bincount(group, columns[name]) / size
        of_zone: Floats = average[group]
        return of_zone

    order = np.argsort(group, kind="stable")
    first = np.searchsorted(group[order], np.arange(len(size)))
    rank = np.empty(len(group))
    rank[order] = np.arange(len(group)) - first[group[order]]
    return {
        "group size": np.log1p(size[group]) / 2,
        "group year": mean("year"),
        "group names": mean("name shape"),
        "group words": mean("words"),
        "group rank": rank / size[group],
    }


def _signatures(zones: Zones) -> Iterable[tuple[object, ...]]:
    """For each zone its look and the names of the elements around it."""
    parent, name = zones.page.columns["parent"], zones.page.columns["name"]
    node = zones.heads
    parts = [np.round(zones.font_size, 1), zones.bold]
    for _ in range(4):
        node = np.maximum(parent[node], 0)
        parts.append(np.where(node > 0, name[node], -1))
    return zip(*(part.tolist() for part in parts), strict=True)


def _sections(zones: Zones, reading: _Reading) -> dict[str, Floats]:
    """Under which heading a zone is, and how many zones and words are in between."""
    above: list[frozenset[str]] = []
    since, passed = np.zeros(len(zones)), np.zeros(len(zones))
    current: frozenset[str] = frozenset({"none"})
    at, counted = 0, 0.0
    for zone, kinds_here in enumerate(reading.kinds):
        above.append(current)
        since[zone] = zone - at
        passed[zone] = counted
        counted += reading.counts[zone]
        if kinds_here:
            current, at = kinds_here, zone
            counted = counted if {"abstract part"} & kinds_here and passed[zone] < LONG else 0.0
    under = _flags("under", (*sorted(HEADINGS), "none"), above)
    over = (passed > LONG).astype(np.float64)
    return under | {
        "since heading": np.log1p(since) / 3,
        "words since": np.log1p(passed) / 4,
        "long since": over,
        "long under abstract": over
        * np.maximum(under["under abstract"], under["under abstract part"]),
        "short under abstract": (1 - over) * under["under abstract"],
    }


def _abstracts(zones: Zones) -> dict[str, Floats]:
    """Which zones an abstract would consist of by its heading, or by that of the text below it."""
    kinds = ("headed", "other", "unheaded")
    columns = {f"{kind} abstract": np.zeros(len(zones)) for kind in kinds}
    columns["abstract container"] = np.zeros(len(zones))
    runs = headed_runs(zones.texts, beyond=zones.beyond)
    for _, run in runs:
        columns["other abstract"][run] = 1.0
    main = main_run(zones.texts, runs)
    columns["headed abstract"][main] = 1.0
    columns["other abstract"][main] = 0.0
    if not main:
        columns["unheaded abstract"][unheaded_abstract(zones.texts, zones.kinds)] = 1.0
    for heading in (zone for zone, kinds in enumerate(zones.kinds) if "abstract" in kinds):
        columns["abstract container"][_container(zones, heading)] = 1.0
    columns["body look"] = _has_body_look(zones)
    return columns


def _container(zones: Zones, heading: int) -> slice:
    """The zones of the innermost element that holds a heading and an abstract, if no more."""
    page, heads = zones.page, zones.heads
    above, size, stop = int(heads[heading]), 0, heading
    while size < FEWEST_WORDS and above > 0:
        above = int(page.columns["parent"][above])
        stop = int(np.searchsorted(heads, page.end[above]))
        size = int(zones.words[heading:stop].sum())
    return slice(heading, stop) if FEWEST_WORDS <= size < MOST_WORDS else slice(0, 0)


def _has_body_look(zones: Zones) -> Floats:
    """Whether a zone looks as most of the text does."""
    looks = np.stack([np.round(zones.font_size, 1), zones.bold, zones.italic], axis=1)
    _, first, look = np.unique(looks, axis=0, return_index=True, return_inverse=True)
    sizes = np.bincount(look.ravel(), zones.words)
    largest = np.flatnonzero(sizes == sizes.max())
    usual = looks[first[largest].min()]  # of several the first
    return np.asarray((looks == usual).all(axis=1), dtype=np.float64)
