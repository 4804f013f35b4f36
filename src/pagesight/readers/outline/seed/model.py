"""Headings by visibility score and hidden Markov model, after Waszak, de Loupy and Bellot.

Numbers in brackets are those of their formulas. Levels grow upwards: 0 is not a heading, and the
highest level of a page is what becomes its h1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagesight.models.hmm import Hmm, count_transitions
from pagesight.page import Page
from pagesight.readers.outline.heading import Heading
from pagesight.readers.outline.seed.pseudo import Association, PseudoDocument, pseudo_document

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MODELS = (1, 2, 3)  # look alone; with frequency and depth; with the rules of section 2.3.2
FEW = 10  # x: a key tag that occurs at most so often is likely a heading
DOUBT = 0.9  # alpha and beta where their rule does not hold
LONGEST = 80  # y: characters of a heading
FREQUENCY_BINS = (1, 3, 10, 30, 100)  # upper ends; one more is open
DEPTH_BINS = 10


@dataclass(frozen=True, eq=False)
class OutlineSeedWeights:
    """What is learned from labelled pseudo-documents: K levels, M visibility tags."""

    alphabet: tuple[str, ...]
    change: Floats
    """P(change | b) of each visibility tag."""

    transition: Floats
    """A, K × K."""

    look: Floats
    """B: P(b | level), K × M."""

    frequency: Floats
    """P(bin of frequency | level), K × 6."""

    depth: Floats
    """P(bin of relative depth | level), K × 10."""

    def indices(self, tags: Iterable[str]) -> list[int]:
        """The visibility tags that were seen in training; others are passed over."""
        known = {tag: index for index, tag in enumerate(self.alphabet)}
        return [known[tag] for tag in tags if tag in known]


@dataclass(frozen=True, eq=False)
class SeedLevels:
    """The level of each association, and the model's posterior for it."""

    levels: Ints
    confidence: Floats


def train_seed(
    documents: Sequence[PseudoDocument], levels: Sequence[ArrayLike], *, smoothing: float = 1.0
) -> OutlineSeedWeights:
    """Learn from pseudo-documents with the level of each association.

    Zeros stay in A, since levels rise one by one; elsewhere `smoothing` is added to each count.
    """
    labels = [np.asarray(given, np.int64) for given in levels]
    states = 1 + max((int(given.max(initial=0)) for given in labels), default=0)
    ordered = [_by_level(d, given) for d, given in zip(documents, labels, strict=True)]
    alphabet = tuple(sorted({tag for rows in ordered for _, a in rows for tag in a.tags}))
    weights = _empty(alphabet, states, smoothing)
    changes, seen = np.zeros(len(alphabet)), np.zeros(len(alphabet))
    for document, rows in zip(documents, ordered, strict=True):
        before = 0
        for level, association in rows:
            tags = weights.indices(association.tags)
            np.add.at(seen, tags, 1)
            np.add.at(changes, tags, level > before)
            np.add.at(weights.look[level], tags, 1)
            weights.frequency[level, _frequency_bin(association)] += 1
            weights.depth[level, _depth_bin(document, association)] += 1
            before = level
    for table in (weights.look, weights.frequency, weights.depth):
        table /= np.maximum(table.sum(axis=1, keepdims=True), 1e-12)
    paths = [[0] + [level for level, _ in rows] for rows in ordered]  # since pi of level 0 is 1
    weights.transition[:] = count_transitions(paths, states)
    weights.change[:] = np.divide(changes, seen, out=np.zeros_like(seen), where=seen > 0)
    return weights


def visibility_scores(document: PseudoDocument, weights: OutlineSeedWeights, model: int) -> Floats:
    """How much each association is seen: [2], [6] or [7]."""
    associations = document.associations
    seen = [weights.change[weights.indices(a.tags)].sum() for a in associations]
    scores = np.array(seen, dtype=np.float64)
    if model == 1:
        return scores
    depth = np.array([document.relative_depth(a) for a in associations])
    frequency = np.array([a.frequency for a in associations], dtype=np.float64)
    rarity = np.divide(1.0, frequency * depth, out=np.zeros_like(depth), where=depth > 0)
    scores *= rarity
    return scores * _rules(document) if model == 3 else scores


def seed_levels(document: PseudoDocument, weights: OutlineSeedWeights, model: int) -> SeedLevels:
    """The level of each association: the most visible come last, and Viterbi finds the changes."""
    if model not in MODELS:
        raise ValueError(f"no model {model}; there are 1, 2 and 3")
    order = np.argsort(visibility_scores(document, weights, model), kind="stable")
    emission = _log_emission(document, weights, model)[order]
    chain = Hmm(np.eye(len(weights.transition))[0], weights.transition)
    levels, confidence = np.zeros(len(order), np.int64), np.zeros(len(order))
    path = chain.viterbi(emission).states
    levels[order] = path
    confidence[order] = chain.posterior(emission).states[np.arange(len(path)), path]
    return SeedLevels(levels, confidence)


def restructured(document: PseudoDocument, levels: ArrayLike) -> Ints:
    """The level of each text block (section 2.4), with the rules that correct the model.

    A heading has at most 80 characters, and text follows it before its section ends.
    """
    blocks = document.blocks
    by_block = np.zeros(len(blocks), np.int64)
    for level, association in zip(np.asarray(levels).tolist(), document.associations, strict=True):
        by_block[association.blocks] = level
    by_block[blocks.lengths > LONGEST] = 0
    between: float = np.inf  # the highest heading between here and the next text
    for block in range(len(by_block) - 1, -1, -1):
        level = int(by_block[block])
        if level and between >= level:
            by_block[block] = 0
        between = max(between, level) if level else 0
    return by_block


def seed_outline(page: Page, weights: OutlineSeedWeights, *, model: int = 3) -> list[Heading]:
    """The headings of a page. The highest level becomes h1, the next one h2, and so on."""
    document = pseudo_document(page)
    labels = seed_levels(document, weights, model)
    ranks = np.unique(-labels.levels[labels.levels > 0]).tolist()
    confidence = np.zeros(len(document.blocks))
    for association, sure in zip(document.associations, labels.confidence, strict=True):
        confidence[association.blocks] = sure
    by_block = restructured(document, labels.levels)
    return [
        Heading.of(
            page[int(document.blocks.element[block])],
            document.blocks.strings[block],
            level=1 + ranks.index(-int(by_block[block])),
            confidence=float(confidence[block]),
        )
        for block in np.flatnonzero(by_block).tolist()
    ]


def _rules(document: PseudoDocument) -> Floats:
    """The factors delta, alpha and beta of [7]."""
    associations = document.associations
    depth = np.array([a.depth for a in associations], dtype=np.int64)
    often = np.array([a.frequency > FEW for a in associations], dtype=np.bool_)
    extreme = (depth == 0) | (depth == document.deepest)
    deeper_next = np.append(depth[1:] > depth[:-1], False)[: len(depth)]
    return np.where(extreme, 0.0, 1.0) * np.where(often, DOUBT, 1) * np.where(deeper_next, 1, DOUBT)


def _log_emission(document: PseudoDocument, weights: OutlineSeedWeights, model: int) -> Floats:
    """Log P(C | L), and with the extended model P(H | L), of each association and level."""
    rows = np.zeros((len(document.associations), len(weights.transition)))
    log_look, log_frequency = np.log(weights.look), np.log(weights.frequency)
    log_depth = np.log(weights.depth)
    for row, association in zip(rows, document.associations, strict=True):
        row += log_look[:, weights.indices(association.tags)].sum(axis=1)
        if model > 1:
            row += log_frequency[:, _frequency_bin(association)]
            row += log_depth[:, _depth_bin(document, association)]
    return rows


def _by_level(document: PseudoDocument, levels: Ints) -> list[tuple[int, Association]]:
    """The associations with their levels, from body text up to the highest heading."""
    order = np.argsort(levels, kind="stable").tolist()
    return [(int(levels[index]), document.associations[index]) for index in order]


def _empty(alphabet: tuple[str, ...], states: int, smoothing: float) -> OutlineSeedWeights:
    return OutlineSeedWeights(
        alphabet=alphabet,
        change=np.zeros(len(alphabet)),
        transition=np.zeros((states, states)),
        look=np.full((states, len(alphabet)), smoothing),
        frequency=np.full((states, len(FREQUENCY_BINS) + 1), smoothing),
        depth=np.full((states, DEPTH_BINS), smoothing),
    )


def _frequency_bin(association: Association) -> int:
    return int(np.searchsorted(FREQUENCY_BINS, association.frequency))


def _depth_bin(document: PseudoDocument, association: Association) -> int:
    return min(DEPTH_BINS - 1, int(document.relative_depth(association) * DEPTH_BINS))
