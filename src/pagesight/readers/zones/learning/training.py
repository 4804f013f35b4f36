"""Learning from drawn pages where people divide zones, and what they call blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import Corpora
from pagesight.learning.task import Measured, Task
from pagesight.models import softmax
from pagesight.readers.records.learning.corpus import brand_of
from pagesight.readers.zones.candidates import Candidates, candidates
from pagesight.readers.zones.features import VERSION, Features, features
from pagesight.readers.zones.learning import landmarks
from pagesight.readers.zones.learning.corpus import (
    CORPUS,
    LEVELS,
    NO_BLOCK,
    DrawnPage,
    characters,
    drawn_pages,
)
from pagesight.readers.zones.learning.listed import ListedPage, listed_pages
from pagesight.readers.zones.learning.metrics import ClusterScores, cluster_scores
from pagesight.readers.zones.likeness import LIKENESSES, Likeness
from pagesight.readers.zones.model import (
    DIVIDE,
    DIVISION_FEATURES,
    KEEP,
    KIND_FEATURES,
    KINDS,
    LEVEL_1,
    LEVEL_2,
    MEDIUM,
    TASK,
    ZonesModel,
    best_cut,
)
from pagesight.readers.zones.surroundings import TABLES
from pagesight.segment.leaves import leaf_zones
from pagesight.segment.nodes import before

DIVISION_RIDGE = 40.0
KIND_RIDGE = 40.0
BALANCE = 0.6  # of precision and recall, for both levels
RARE = {"aside": 2.0, "advert": 4.0}  # what a block of a kind counts that few pages have
LISTED = 0.3  # what a page counts whose list is marked, where a drawn block counts 1
SAME_BLOCK = 0.9  # Jaccard index from which a zone is a drawn block
MOST_TELLING = ("advert", "form", "navigation", "footer", "header", "aside", "list")
GRANULARITY = {1: LEVEL_1, 2: LEVEL_2}


def _kinds(table: str) -> dict[str, str]:
    return {type_: kind for kind, types in TABLES[table].items() for type_ in types.split()}


KIND_OF_TYPE = _kinds("types")
LEARNED_KIND_OF_TYPE = KIND_OF_TYPE | _kinds("further-types")


@dataclass(frozen=True, eq=False)
class DrawnExample:
    """A drawn page with its zones."""

    drawn: DrawnPage
    zones: Candidates
    seen: Features

    @classmethod
    def of(cls, drawn: DrawnPage) -> DrawnExample:
        zones = candidates(leaf_zones(drawn.page))
        return cls(drawn, zones, features(zones))

    @cached_property
    def characters(self) -> NDArray[np.int64]:
        return characters(self.drawn.page)

    def contents(self, level: int) -> NDArray[np.float64]:
        """How many characters of each drawn block are in each zone: (zones, blocks)."""
        leaf, block = self.zones.leaves.leaf_of_node, self.drawn.block_of(level)
        known = (leaf >= 0) & (block != NO_BLOCK)
        table = np.zeros((len(self.zones.leaves), len(self.drawn.blocks)))
        np.add.at(table, (leaf[known], block[known]), self.characters[known])
        sums = np.vstack((np.zeros((1, table.shape[1])), np.cumsum(table, axis=0)))
        inside: NDArray[np.float64] = sums[self.zones.last] - sums[self.zones.first]
        return inside

    def score(self, blocks: NDArray[np.int64], level: int) -> ClusterScores | None:
        """How well these zones agree with the blocks that were drawn."""
        zone_of_leaf = np.full(len(self.zones.leaves) + 1, -1)
        for zone in blocks.tolist():
            zone_of_leaf[self.zones.first[zone] : self.zones.last[zone]] = zone
        zone_of_node = zone_of_leaf[self.zones.leaves.leaf_of_node]
        return cluster_scores(zone_of_node, self.drawn.block_of(level), self.characters)


def decisions(example: DrawnExample, level: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The zones about which the drawing says something: whether it divides them (1) or not (0).

    What was drawn is taken for the choice of zones that agrees best with it. Zones inside of blocks
    were never up for division.
    """
    zones, inside = example.zones, example.contents(level)
    size, drawn = inside.sum(axis=1), inside[0]
    precision = (inside**2).sum(axis=1) / np.maximum(size, 1)
    recall = (inside**2 / np.maximum(drawn, 1)).sum(axis=1)
    blocks = best_cut(zones, precision + recall)
    verdict = np.full(len(zones), -1)
    verdict[blocks] = 0
    above = np.zeros(len(zones) + 1)
    np.add.at(above, blocks, 1)
    verdict[(before(above[:-1])[zones.end] > before(above[:-1])[:-1]) & (verdict < 0)] = 1
    inner = np.zeros(len(zones), dtype=np.bool_)
    for zone in blocks.tolist():
        inner[zone + 1 : zones.end[zone]] = True
    asked = np.flatnonzero((verdict >= 0) & ~inner & ~zones.is_leaf & (size > 0))
    return asked, verdict[asked]


def labelled_blocks(
    example: DrawnExample, kind_of_type: Mapping[str, str] = KIND_OF_TYPE
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The zones that were drawn as blocks of a known kind, and their kinds."""
    zones, page = example.zones, example.drawn.page
    leaf = zones.leaves.leaf_of_node
    spans = np.stack((zones.first, zones.last), axis=1)
    kinds: dict[int, int] = {}
    for block in example.drawn.blocks:
        kind = kind_of_type.get(block.type)
        inside = leaf[block.node : page.end[block.node]]
        inside = np.unique(inside[inside >= 0])
        if kind is None or len(inside) == 0:
            continue
        first, last = int(inside[0]), int(inside[-1]) + 1
        common = np.minimum(spans[:, 1], last) - np.maximum(spans[:, 0], first)
        union = np.maximum(spans[:, 1], last) - np.minimum(spans[:, 0], first)
        zone = int(np.argmax(common / union))
        if common[zone] / union[zone] >= SAME_BLOCK:
            kinds[zone] = KINDS.index(kind)  # of several levels the inner one
    return np.array(list(kinds), dtype=np.int64), np.array(list(kinds.values()), dtype=np.int64)


def fit_division(examples: Sequence[DrawnExample], level: int) -> softmax.Softmax:
    """Where people divide zones."""
    asked = [decisions(example, level) for example in examples]
    tables = [
        example.seen.table(DIVISION_FEATURES)[zones]
        for example, (zones, _) in zip(examples, asked, strict=True)
    ]
    answers = np.concatenate([verdict for _, verdict in asked])
    table = np.concatenate(tables)
    return softmax.fit(DIVISION_FEATURES, (KEEP, DIVIDE), table, answers, ridge=DIVISION_RIDGE)


def fit_kind(
    examples: Sequence[DrawnExample], likeness: Likeness, listed: Sequence[ListedPage]
) -> softmax.Softmax:
    """What people call blocks, and where the lists are that they have marked."""
    labelled = [labelled_blocks(example, LEARNED_KIND_OF_TYPE) for example in examples]
    asked = [example.seen.of(zones) for example, (zones, _) in zip(examples, labelled, strict=True)]
    asked += [page.seen.of(page.main) for page in listed]
    names = (*KIND_FEATURES, *LIKENESSES)
    tables = [seen.table(names, likeness.of(seen)) for seen in asked if len(seen["share"])]
    drawn = np.concatenate([kinds for _, kinds in labelled])
    each = [np.full(len(page.main), LISTED / len(page.main)) for page in listed if len(page.main)]
    lists = np.concatenate([np.empty(0), *each])
    answers = np.concatenate((drawn, np.full(len(lists), KINDS.index("main"))))
    counts = np.array([RARE.get(kind, 1.0) for kind in KINDS])[drawn]
    return softmax.fit(
        names,
        KINDS,
        np.concatenate(tables),
        answers,
        ridge=KIND_RIDGE,
        counts=np.concatenate((counts, lists)),
    )


def fit(
    examples: Sequence[DrawnExample], likeness: Likeness, listed: Sequence[ListedPage]
) -> ZonesModel:
    """Everything that can be learned from these pages."""
    coarse, fine = (fit_division(examples, level) for level in LEVELS)
    return ZonesModel(coarse, fine, likeness, fit_kind(examples, likeness, listed), BALANCE)


@dataclass(frozen=True, kw_only=True)
class ReadDrawing(Measured):
    """What a model has made of a drawn page that it had not seen."""

    levels: Mapping[int, ClusterScores | None]
    wanted: NDArray[np.int64]  # the kinds of its blocks
    read: NDArray[np.int64]
    by_names: NDArray[np.int64]  # the kinds that their names alone suggest
    characters: NDArray[np.int64]
    shown: NDArray[np.float64]
    """The share of characters drawn as each kind (row) that the default shows as each (column)."""


def measure(model: ZonesModel, example: DrawnExample) -> ReadDrawing:
    """How well a model reads a page: its blocks on both levels, and the kinds of those drawn."""
    levels = {
        level: example.score(model.blocks(example.zones, example.seen, granularity), level)
        for level, granularity in GRANULARITY.items()
    }
    zones, wanted = labelled_blocks(example)
    chances = model.kinds(example.seen, zones)
    read = chances.argmax(axis=1)
    sure = chances.max(axis=1, initial=0.0).tolist()
    return ReadDrawing(
        name=example.drawn.name,
        scores={f"F-B3, level {level}": score.f for level, score in levels.items() if score},
        judged={"kinds": list(zip(sure, (read == wanted).tolist(), strict=True))},
        levels=levels,
        wanted=wanted,
        read=read,
        by_names=kinds_by_names(example.seen.of(zones)),
        characters=np.expm1(example.seen.columns["characters"][zones]).astype(np.int64),
        shown=shown_kinds(model, example),
    )


def shown_kinds(model: ZonesModel, example: DrawnExample) -> NDArray[np.float64]:
    """How much of what is drawn as each kind is in blocks of each, at the default granularity."""
    zones, page = example.zones, example.drawn.page
    drawn = np.full(len(page), -1)
    for block in example.drawn.blocks:  # of several levels the inner one counts
        if block.type in KIND_OF_TYPE:
            drawn[block.node : page.end[block.node]] = KINDS.index(KIND_OF_TYPE[block.type])
    blocks = model.blocks(zones, example.seen, MEDIUM)
    of_leaf = np.full(len(zones.leaves) + 1, -1)
    for zone, kind in zip(blocks, model.kinds(example.seen, blocks).argmax(axis=1), strict=True):
        of_leaf[zones.first[zone] : zones.last[zone]] = kind
    shown = of_leaf[zones.leaves.leaf_of_node]
    known = (drawn >= 0) & (shown >= 0)
    table = np.zeros((len(KINDS), len(KINDS) + 1))
    np.add.at(table, (drawn[known], shown[known]), example.characters[known])
    return np.asarray(table / max(table.sum(), 1))


def kinds_by_names(seen: Features) -> NDArray[np.int64]:
    """The kinds that elements, classes and ids suggest: the baseline."""
    pictured = seen["has picture"] & (seen["texts"] == 0)
    kinds = np.where(pictured, KINDS.index("media"), KINDS.index("main"))
    for kind in reversed(MOST_TELLING):
        kinds = np.where(seen[f"is {kind}"] > 0, KINDS.index(kind), kinds)
    return kinds


def drawn_examples(corpora: Corpora) -> list[DrawnExample]:
    """The drawn pages on which anything is seen."""
    examples = map(DrawnExample.of, drawn_pages(corpora))
    return [example for example in examples if len(example.zones.leaves)]


def lists_beside(examples: Sequence[DrawnExample], corpora: Corpora) -> list[ListedPage]:
    """Lists of brands of which nothing is drawn."""
    brands = {brand_of(example.drawn.site) for example in examples}
    return [page for page in listed_pages(corpora) if page.brand not in brands]


def zones_task(
    likeness: Likeness, listed: Sequence[ListedPage]
) -> Task[DrawnExample, ZonesModel, ReadDrawing]:
    """Learning from drawn pages, once it is known what the parts of other pages look like."""
    return Task(
        name=TASK,
        version=VERSION,
        labels=KINDS,
        corpus=CORPUS,
        examples=drawn_examples,
        group=lambda example: example.drawn.site,
        fit=partial(fit, likeness=likeness, listed=listed),
        measure=measure,
        to_json=ZonesModel.to_json,
        folds=10,
        digits=3,
    )


def train(corpora: Corpora, *, output: Path | None = None) -> None:
    """Learn from named pages and from drawn ones; write the weights."""
    examples = drawn_examples(corpora)
    brands = {brand_of(example.drawn.site) for example in examples}
    named = [page for page in landmarks.named_pages(corpora) if page.site not in brands]
    task = zones_task(landmarks.fit(named), lists_beside(examples, corpora))
    learned = task.learn(examples)
    task.write(task.to_json(learned.model), learned.scores, corpora, output)
