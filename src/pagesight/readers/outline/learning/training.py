"""`pagesight train outline`: weights, with what they reach on pages that were left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from pagesight.learning.calibration import calibration_error
from pagesight.learning.corpora import Corpora
from pagesight.learning.task import Measured, Task
from pagesight.models.logistic import Platt
from pagesight.readers.outline.claims import Claims
from pagesight.readers.outline.features import VERSION
from pagesight.readers.outline.heading import HEADINGS
from pagesight.readers.outline.learning.corpus import (
    BLIND,
    CORPUS,
    HONEST,
    PARTIAL,
    SHUFFLED,
    LabelledPage,
    OutlineExample,
    load_examples,
    upwards,
    written_examples,
)
from pagesight.readers.outline.learning.elsewhere import coherent_examples
from pagesight.readers.outline.learning.fitting import fit
from pagesight.readers.outline.learning.metrics import OutlineScores, PageScores
from pagesight.readers.outline.reading import TASK, Found, OutlineModel, find_headings


@dataclass(frozen=True, kw_only=True)
class ReadOutline(Measured):
    """What a model has made of a page that it had not seen."""

    by_tags: Mapping[str, PageScores]
    """Without tags, and with each kind of claims; by the tags that the page has."""

    visible: PageScores
    """Without tags, by what a visitor takes for a heading."""

    left_alone: bool
    """Whether the tags that the page has are what was found."""


def measure(model: OutlineModel, example: OutlineExample) -> ReadOutline:
    """How well a model reads a page, whatever its tags."""
    outlines = {BLIND: find_headings(example.seen, model)} | {
        tags: find_headings(example.seen, model, claims) for tags, claims in example.claims.items()
    }
    scores = {tags: page_scores(example.page, found) for tags, found in outlines.items()}
    judged: dict[str, list[tuple[float, bool]]] = {}
    for found in outlines.values():
        right = example.page.block_levels[found.blocks] > 0
        pairs = zip(found.chance.tolist(), right.tolist(), strict=True)
        judged.setdefault(found.basis, []).extend(pairs)
    return ReadOutline(
        name=example.page.name,
        scores={
            "hierarchy F": scores[BLIND].hierarchy.f,
            "identification F": scores[BLIND].identification.f,
        },
        judged=judged,
        by_tags=scores,
        visible=page_scores(example.visible, outlines[BLIND]),
        left_alone=_is_claimed(outlines[HONEST], example.claims[HONEST]),
    )


def page_scores(page: LabelledPage, found: Found) -> PageScores:
    """How well the headings of a page were found."""
    levels = np.zeros(len(page.blocks), np.int64)
    levels[found.blocks] = found.levels
    return PageScores.of(*page.items(upwards(levels)))


def _is_claimed(found: Found, claims: Claims) -> bool:
    return np.array_equal(found.blocks, claims.blocks) and np.array_equal(
        found.levels, claims.levels[claims.blocks]
    )


def visible_scores(pages: Sequence[ReadOutline]) -> OutlineScores:
    """How well pages were read without tags, by what a visitor takes for a heading."""
    return OutlineScores.over([page.visible for page in pages])


def scores_of(pages: Sequence[ReadOutline], tags: str) -> OutlineScores:
    """How well pages were read, their tags being so; those whose tags can be."""
    return OutlineScores.over([page.by_tags[tags] for page in pages if tags in page.by_tags])


def share_left_alone(pages: Sequence[ReadOutline]) -> float:
    """The share of pages whose tags are what was found."""
    return float(np.mean([page.left_alone for page in pages]))


def confidence_error(pages: Sequence[ReadOutline]) -> float:
    """The expected calibration error of all headings."""
    pairs = [pair for page in pages for judged in page.judged.values() for pair in judged]
    return calibration_error([sure for sure, _ in pairs], [right for _, right in pairs])


def _calibrated(model: OutlineModel, curve_of: Mapping[str, Platt]) -> OutlineModel:
    return replace(model, curves=curve_of)


def _fit(
    examples: Sequence[OutlineExample], elsewhere: Sequence[OutlineExample] = ()
) -> OutlineModel:
    return fit(examples, written_examples(), elsewhere)


OUTLINE = Task(
    name=TASK,
    version=VERSION,
    labels=HEADINGS,
    corpus=CORPUS,
    examples=load_examples,
    group=lambda example: example.page.family,
    fit=_fit,
    measure=measure,
    to_json=OutlineModel.to_json,
    calibrate=_calibrated,
    most_values=5,
    grouped_by="style family",
    digits=3,
)


OutlineTask = Task[OutlineExample, OutlineModel, ReadOutline]


def outline_task(elsewhere: Sequence[OutlineExample]) -> OutlineTask:
    """The task, in which pages of other corpora are learned from as well."""
    return replace(OUTLINE, fit=partial(_fit, elsewhere=elsewhere))


def read_elsewhere(
    examples: Sequence[OutlineExample], elsewhere: Sequence[OutlineExample]
) -> list[ReadOutline]:
    """What is read on pages of other corpora by models that have not seen their sites."""

    def fit_with(others: Sequence[OutlineExample]) -> OutlineModel:
        return _fit(examples, others)

    return replace(OUTLINE, fit=fit_with).held_out(elsewhere)


def train(corpora: Corpora, *, output: Path | None = None) -> None:
    """Learn from all pages; write the weights where they are shipped, or to `output`."""
    examples = load_examples(corpora)
    learned = outline_task(list(coherent_examples(corpora))).learn(examples)
    pages = OUTLINE.calibrated(examples, learned.measured)
    blind, shuffled, partial = (scores_of(pages, tags) for tags in (BLIND, SHUFFLED, PARTIAL))
    scores = {
        "identification F": blind.identification.f,
        "hierarchy F": blind.hierarchy.f,
        "exact level": blind.levels.exact,
        "exact level by page": blind.levels.exact_by_page,
        "exact level up to a constant": blind.levels.shifted,
        "hierarchy F, shuffled tags": shuffled.hierarchy.f,
        "hierarchy F, tags of upper levels only": partial.hierarchy.f,
        "pages whose outline is as tagged": share_left_alone(pages),
        "calibration error": confidence_error(pages),
    }
    OUTLINE.write(learned.model.to_json(), scores, corpora, output)
