"""The parts of citations: authors, title, container, volume, issue, pages, year, identifier.

A linear-chain conditional random field labels the tokens of all citations of a page at once; a part
is the best run of tokens with its label. Patterns find nothing but addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
_BETWEEN = re.compile(r"[,;&/]|(?<=\w\w)\.|\band\b")  # persons of whom only one name is known
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
    chances = state_chances(citations, weights)
    return [parts_of(citation, chance) for citation, chance in zip(citations, chances, strict=True)]


def state_chances(citations: Sequence[Citation], weights: CitationWeights) -> list[Floats]:
    """P(state | citation) of each token, tokens × states for each citation."""
    lengths = np.array([len(citation) for citation in citations], dtype=np.int64)
    scores = emissions(features(citations, weights.vocabulary), weights.emission)
    filled = np.flatnonzero(lengths)
    if not len(filled):
        return [np.zeros((0, scores.shape[1])) for _ in citations]
    inside = np.arange(lengths.max())[:, None] < lengths[filled]
    padded = np.zeros((*inside.shape, scores.shape[1]))
    padded.swapaxes(0, 1)[inside.T] = scores
    states = chain_sums([weights.chain], padded, lengths[filled]).labels[:, 0]
    rows = {number: row for row, number in enumerate(filled.tolist())}
    return [states[:length, rows.get(number, 0)] for number, length in enumerate(lengths.tolist())]


def parts_of(citation: Citation, states: Floats) -> Parts:
    """The parts by the likeliest label of each token."""
    if not len(citation):
        return Parts()
    first = list(FIRST)
    chances = states[:, : len(LABELS)].copy()
    chances[:, first] += states[:, len(LABELS) :]
    best = chances.argmax(axis=1)
    spans = citation.spans()
    runs: dict[str, list[tuple[int, int]]] = {}
    for number, group in groupby(range(len(best)), key=best.tolist().__getitem__):
        places = list(group)
        runs.setdefault(LABELS[number], []).append((places[0], places[-1] + 1))
    parts = {}
    for name in RUNS:
        if name in runs:
            own = chances[:, NUMBER[name]]
            start, end = max(runs[name], key=lambda run: own[run[0] : run[1]].sum())
            text = _text(citation.text, spans[start][0], spans[end - 1][1], name)
            parts[name] = Part(text, _chance(own, start, end))
            if name == "year":
                parts[name] = _only(parts[name], citation, own)
    people = tuple(_people(citation, spans, [LABELS[number] for number in best.tolist()], chances))
    return Parts(people, parts)


def _only(year: Part, citation: Citation, own: Floats) -> Part:
    """A year, the less probable the more another one is."""
    others = [
        float(chance)
        for token, chance in zip(citation.tokens, own, strict=True)
        if chance > LEAST and token[:4] != year.text[:4]
    ]
    return Part(year.text[:4], year.chance * (1 - max(others, default=0.0) / 2))


def _chance(own: Floats, start: int, end: int) -> float:
    """How probable it is that a run is exactly this: that of its least probable token or end."""
    inner = float(own[start:end].min())
    outer = [1 - float(own[at]) for at in (start - 1, end) if 0 <= at < len(own)]
    return min(inner, *outer) if outer else inner


def _text(text: str, start: int, end: int, name: str) -> str:
    """A part as it is printed, with the sign that ends it if that belongs to it."""
    following = text[end : end + 1]
    inner = text[start:end]
    if name == "pages":
        return re.sub(r"\s*[‐‑‒–—−-]+\s*", "–", inner)
    opened = following in _CLOSING and inner.count(_CLOSING[following]) > inner.count(following)
    if opened or (following in "?!" and following) or (
        name == "container" and following == "." and ". " in inner
    ):
        end += 1
    return text[start:end]


def _people(
    citation: Citation, spans: list[tuple[int, int]], labels: list[str], chances: Floats
) -> Iterator[Person]:
    """The authors: a name ends where another begins, by labels and by what is between."""
    sure = chances[:, [NUMBER["family"], NUMBER["given"]]].sum(axis=1)
    for run in _names(citation, labels):
        yield _person(citation.text, spans, labels, run, float(sure[run].min()))
    own = chances[:, NUMBER["group"]]
    for label, group in groupby(range(len(labels)), key=labels.__getitem__):
        if label == "group":
            places = list(group)
            text = citation.text[spans[places[0]][0] : spans[places[-1]][1]]
            yield Person(text, "", text, float(own[places].min()), group=True)


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
    def named(label: str) -> str:
        places = [place for place in run if labels[place] == label]
        if not places:
            return ""
        start, end = spans[places[0]][0], spans[places[-1]][1]
        return text[start : end + (text[end : end + 1] == "." and label == "given")]

    start, end = spans[run[0]][0], spans[run[-1]][1]
    whole = text[start : end + (text[end : end + 1] == "." and labels[run[-1]] == "given")]
    return Person(whole, named("given"), named("family"), chance)
