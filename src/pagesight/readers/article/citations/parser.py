"""The parts of citations: authors, title, container, volume, issue, pages, year, identifier.

A linear-chain conditional random field labels the tokens of all citations of a page at once; a part
is the best run of tokens with its label. Patterns find nothing but addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from pagesight.models.chain import chain_sums
from pagesight.models.crf import emissions
from pagesight.readers.article.citations.labels import FIRST, LABELS, NUMBER
from pagesight.readers.article.citations.tokens import Citation, features
from pagesight.readers.article.citations.weights import CitationWeights

Floats = NDArray[np.float64]
RUNS = ("title", "container", "volume", "issue", "pages", "year")
READ = (*RUNS, "family", "given", "group")
_BETWEEN = re.compile(r"[,;&/]|(?<=\w\w)\.|\band\b")  # persons of whom only one name is known
LONG = 2  # times the median length, from which citations are labelled apart
FARTHEST = 4  # tokens from one name of a list to the next
LEAST = 0.001  # probability of what is worth a look
_CLOSING = {")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a citation, and how probable it is."""

    text: str
    chance: float


@dataclass(frozen=True, slots=True)
class Person:
    """An author of what is cited."""

    text: str
    given: str
    family: str
    chance: float
    group: bool = False


@dataclass(frozen=True, slots=True)
class Parts:
    """What a citation says."""

    authors: tuple[Person, ...] = ()
    parts: dict[str, Part] = field(default_factory=dict)


def parse(citations: Sequence[Citation], weights: CitationWeights) -> list[Parts]:
    """The parts of each citation, with the probabilities that the model gives them."""
    states = state_chances(citations, weights)
    chances = states[:, : len(LABELS)].copy()
    chances[:, list(FIRST)] += states[:, len(LABELS) :]
    best, columns = chances.argmax(axis=1).tolist(), chances.T.tolist()
    parsed, end = [], 0
    for citation in citations:
        start, end = end, end + len(citation)
        labels = [LABELS[number] for number in best[start:end]]
        own = {label: columns[NUMBER[label]][start:end] for label in READ}
        parsed.append(_parts(citation, labels, own))
    return parsed


def state_chances(citations: Sequence[Citation], weights: CitationWeights) -> Floats:
    """P(state | citation) of each token of all citations, tokens × states."""
    lengths = np.array([len(citation) for citation in citations], dtype=np.int64)
    chances = emissions(features(citations, weights.vocabulary), weights.emission)
    usual = LONG * np.median(lengths) if len(lengths) else 0
    for part in ((lengths > 0) & (lengths <= usual), lengths > usual):  # few are much longer
        if part.any():
            within = np.repeat(part, lengths)
            inside = np.arange(lengths[part].max()) < lengths[part][:, None]
            padded = np.zeros((*inside.T.shape, chances.shape[1]))
            padded.swapaxes(0, 1)[inside] = chances[within]
            sums = chain_sums([weights.chain], padded, lengths[part], pairs=False)
            chances[within] = sums.labels[:, 0].swapaxes(0, 1)[inside]
    return chances


Chances = Mapping[str, Sequence[float]]
"""By label the probabilities of tokens."""


def _parts(citation: Citation, labels: list[str], chances: Chances) -> Parts:
    """The parts by the likeliest label of each token."""
    spans = citation.spans
    runs: dict[str, list[tuple[int, int]]] = {}
    end = 0
    for label, group in groupby(labels):
        start, end = end, end + len(list(group))
        runs.setdefault(label, []).append((start, end))
    parts = {}
    for name in RUNS:
        if name in runs:
            own = chances[name]
            start, end = _best(runs[name], own)
            text = _text(citation.text, spans[start][0], spans[end - 1][1], name)
            parts[name] = Part(text, _chance(own, start, end))
    if "year" in parts:
        parts["year"] = _only(parts["year"], citation, chances["year"])
    return Parts(tuple(_people(citation, labels, chances, runs.get("group", ()))), parts)


def _best(runs: Sequence[tuple[int, int]], own: Sequence[float]) -> tuple[int, int]:
    if len(runs) == 1:
        return runs[0]
    return max(runs, key=lambda run: sum(own[run[0] : run[1]]))


def _only(year: Part, citation: Citation, own: Sequence[float]) -> Part:
    """A year, the less probable the more another one is."""
    others = [
        chance
        for token, chance in zip(citation.tokens, own, strict=True)
        if chance > LEAST and token[:4] != year.text[:4]
    ]
    return Part(year.text[:4], year.chance * (1 - max(others, default=0.0) / 2))


def _chance(own: Sequence[float], start: int, end: int) -> float:
    """How probable it is that a run is exactly this: that of its least probable token or end."""
    outer = [1 - own[at] for at in (start - 1, end) if 0 <= at < len(own)]
    return min(*own[start:end], *outer, 1.0)


def _text(text: str, start: int, end: int, name: str) -> str:
    """A part as it is printed, with the sign that ends it if that belongs to it."""
    following = text[end : end + 1]
    inner = text[start:end]
    if name == "pages":
        return re.sub(r"\s*[‐‑‒–—−-]+\s*", "–", inner)
    opened = following in _CLOSING and inner.count(_CLOSING[following]) > inner.count(following)
    if (
        opened
        or (following in "?!" and following)
        or (name == "container" and following == "." and ". " in inner)
    ):
        end += 1
    return text[start:end]


def _people(
    citation: Citation, labels: list[str], chances: Chances, groups: Sequence[tuple[int, int]]
) -> Iterator[Person]:
    """The authors: a name ends where another begins, by labels and by what is between."""
    spans = citation.spans
    family, given, group = (chances[name] for name in ("family", "given", "group"))
    for run in _names(citation, labels):
        sure = min(family[at] + given[at] for at in run)
        yield _person(citation.text, spans, labels, run, sure)
    for start, end in groups:
        text = citation.text[spans[start][0] : spans[end - 1][1]]
        yield Person(text, "", text, min(group[start:end]), group=True)


def _names(citation: Citation, labels: list[str]) -> list[list[int]]:
    """The tokens of each name, of the longest list of names in a citation."""
    lists: list[list[list[int]]] = []
    for at, label in enumerate(labels):
        if label not in ("family", "given"):
            continue
        if not lists or at - lists[-1][-1][-1] > FARTHEST:
            lists.append([[at]])
        elif at != lists[-1][-1][-1] + 1 or _begins(citation, labels, lists[-1][-1], at):
            lists[-1].append([at])
        else:
            lists[-1][-1].append(at)
    return max(lists, key=len, default=[])


def _begins(citation: Citation, labels: list[str], run: list[int], at: int) -> bool:
    """Whether a token begins the name of another person."""
    known = {labels[place] for place in run}
    before, label = labels[at - 1], labels[at]
    if label != before:
        return label in known
    apart = bool(_BETWEEN.search(citation.gaps[at]))
    return apart and (len(known) == 2 or label == "family")


def _person(
    text: str, spans: list[tuple[int, int]], labels: list[str], run: list[int], chance: float
) -> Person:
    def named(places: list[int]) -> str:
        if not places:
            return ""
        start, (last, end) = spans[places[0]][0], spans[places[-1]]
        initial = text[end : end + 1] == "." and text[last:end].isupper() and end - last < 3
        return text[start : end + initial]

    given, family = ([at for at in run if labels[at] == one] for one in ("given", "family"))
    return Person(named(run), named(given), named(family), chance)
