"""Training of the title models, and what they reach on pages that they have not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.models.boosting import Boosting, train_ranker
from pagesight.models.ranking import LEAF, Ranker, Tree
from pagesight.models.weights import Weights, shipped_path
from pagesight.readers import corpora as corpora_
from pagesight.readers.title.features import VERSION
from pagesight.readers.title.learning.corpus import (
    CORPUS,
    FOLDS,
    Labelled,
    parsed_pages,
    rendered_pages,
)
from pagesight.readers.title.reader import TASK, TitleModel, model_name

SHARPNESS = 0.05  # how much less like the title a candidate may be, and still be wanted
COMMAND = "pagesight train title"
RANKERS = 3  # more are hardly better, and take longer to read with
DIGITS = 4
LEAF_DIGITS = 5
_BEYOND = 12.0  # logits beyond that say nothing more
_STEPS = 25
_NO_RANKER = Ranker((), ())

Floats = NDArray[np.float64]


def train(
    corpora: Path | None = None,
    *,
    output: Path | None = None,
    renderer: str = "auto",
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Train all models on all pages; write the weights where they are shipped, or to `output`."""
    models, scores = {}, {}
    for addressed in (True, False):
        known = parsed_pages(corpora, addressed=addressed, advance=advance)
        seen = rendered_pages(corpora, addressed=addressed, renderer=renderer, advance=advance)
        for speed, pages in (("fast", list(known)), ("seen", list(seen))):
            chosen = cross_validated(pages)
            ranker = fit(pages).ranker
            name = model_name(speed, addressed)
            models[name] = TitleModel(ranker, *calibration(chosen)).to_json()
            scores[f"{name} dice"] = _mean(each.likeness for each in chosen)
            scores[f"{name} exact"] = _mean(each.right for each in chosen)
    weights = Weights(
        task=TASK,
        features=VERSION,
        corpus=corpora_.digest(corpora_.corpus_folder(CORPUS, corpora)),
        command=COMMAND,
        labels=("title", "other"),
        scores=scores,
        model=models,
    )
    (output or shipped_path(TASK)).write_bytes(weights.to_bytes())


def _mean(values: Iterable[float]) -> float:
    return round(float(np.mean(list(values))), DIGITS)


def fit(pages: Sequence[Labelled], rankers: int = RANKERS) -> TitleModel:
    """A model of these pages, not calibrated: the average of rankers that differ by chance."""
    usable = [page for page in pages if page.case.rows]
    names = tuple(usable[0].case.rows[0])
    rows = np.array([[row[name] for name in names] for page in usable for row in page.case.rows])
    sizes = [len(page.case.rows) for page in usable]
    wanted = np.concatenate([_wanted(page.likenesses) for page in usable])
    group = np.repeat(np.arange(len(sizes)), sizes)
    return TitleModel(
        average(
            train_ranker(names, rows, group, wanted, Boosting(seed=seed)) for seed in range(rankers)
        )
    )


def average(rankers: Iterable[Ranker]) -> Ranker:
    """The ranker whose scores are the averages of those of others with the same features."""
    several = list(rankers)
    trees = (_divided(tree, len(several)) for ranker in several for tree in ranker.trees)
    return Ranker(several[0].features, tuple(trees))


def _divided(tree: Tree, by: int) -> Tree:
    """A tree with smaller scores."""
    values = (
        round(value / by, LEAF_DIGITS) if feature == LEAF else value
        for feature, value in zip(tree.feature, tree.value, strict=True)
    )
    return Tree(tree.feature, tuple(values))


def _wanted(likenesses: Sequence[float]) -> Floats:
    """The probabilities that the candidates of a page should have."""
    values = np.array(likenesses)
    weights: Floats = np.exp((values - values.max()) / SHARPNESS)
    wanted: Floats = weights / weights.sum()
    return wanted


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a model took for the title of a page that it was not trained on."""

    page: Labelled
    title: str
    likeness: float
    chance: float
    ranked: tuple[tuple[str, float, str], ...]
    """The best candidates: text, probability, where it was found."""

    @property
    def right(self) -> bool:
        return self.likeness == 1.0


def cross_validated(pages: Sequence[Labelled]) -> list[Chosen]:
    """For each page what a model chose that has learned from the other folds."""
    chosen = []
    for fold in range(FOLDS):
        model = fit([page for page in pages if page.fold != fold])
        chosen += [choose(page, model) for page in pages if page.fold == fold]
    return chosen


def choose(page: Labelled, model: TitleModel, shown: int = 4) -> Chosen:
    """What a model takes for the title of a page."""
    candidates = page.case.candidates
    if not candidates:
        return Chosen(page, "", 0.0, 0.0, ())
    chances = page.case.chances(model)
    order = sorted(range(len(chances)), key=lambda index: -chances[index])
    ranked = tuple((candidates[i].text, chances[i], candidates[i].origin) for i in order[:shown])
    best = order[0]
    return Chosen(page, ranked[0][0], page.likenesses[best], chances[best], ranked)


def calibration(chosen: Sequence[Chosen]) -> tuple[float, float]:
    """Slope and offset of the curve from probabilities to being right (Platt's scaling)."""
    x, right = _logits(chosen), np.array([float(each.right) for each in chosen])
    columns = np.stack([x, np.ones_like(x)], axis=1)
    line = np.array([1.0, 0.0])
    for _ in range(_STEPS):  # Newton; a little ridge keeps it finite if all are right
        chance = 1 / (1 + np.exp(-columns @ line))
        slope = columns.T @ (chance - right) + 1e-3 * line
        bend = (columns * (chance * (1 - chance))[:, None]).T @ columns + 1e-3 * np.eye(2)
        line -= np.linalg.solve(bend, slope)
    return round(float(line[0]), DIGITS), round(float(line[1]), DIGITS)


def _logits(chosen: Sequence[Chosen]) -> Floats:
    chance = np.clip([each.chance for each in chosen], 1e-6, 1 - 1e-6)
    logits: Floats = np.clip(np.log(chance / (1 - chance)), -_BEYOND, _BEYOND)
    return logits


def confidences(chosen: Sequence[Chosen]) -> Floats:
    """The confidence for each page, calibrated on the other folds."""
    found = np.zeros(len(chosen))
    for fold in range(FOLDS):
        others = [each for each in chosen if each.page.fold != fold]
        slope, offset = calibration(others)
        for index, each in enumerate(chosen):
            if each.page.fold == fold:
                model = TitleModel(_NO_RANKER, slope, offset)
                found[index] = model.confidence(each.chance)
    return found
