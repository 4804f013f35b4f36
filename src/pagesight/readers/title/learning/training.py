"""Training of the title models, and what they reach on pages that they have not seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import Corpora
from pagesight.learning.task import Measured, Task
from pagesight.models.boosting import Boosting, Listwise, boost
from pagesight.models.logistic import Platt
from pagesight.models.ranking import LEAF, Ranker, Tree
from pagesight.readers.title.features import VERSION
from pagesight.readers.title.learning.corpus import (
    CORPUS,
    TitledPage,
    parsed_pages,
    rendered_pages,
)
from pagesight.readers.title.reader import TASK, TitleModel, model_name

SHARPNESS = 0.05  # how much less similar to the title a candidate may be, and still be wanted
TREES = Boosting()
RANKERS = 3  # more are hardly better, and take longer to read with
LEAF_DIGITS = 5
STEEPEST = 12.0  # the logits beyond which a probability says nothing more
PENALTY = 1e-3  # there are pages enough
TITLES = "titles"

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class ChosenTitle(Measured):
    """What a model took for the title of a page that it was not trained on."""

    page: TitledPage
    likeness: float
    chance: float
    ranked: tuple[tuple[str, float, str], ...]
    """The best candidates: text, probability, where it was found."""

    @property
    def right(self) -> bool:
        return self.likeness == 1.0

    @property
    def confidence(self) -> float:
        ((confidence, _),) = self.judged[TITLES]
        return confidence


def fit(pages: Sequence[TitledPage], rankers: int = RANKERS) -> TitleModel:
    """A model of these pages, not calibrated: the average of rankers that differ by chance."""
    usable = [page for page in pages if page.case.candidates]
    names = usable[0].case.names
    rows = np.concatenate([page.case.rows for page in usable])
    sizes = [len(page.case.rows) for page in usable]
    wanted = np.concatenate([_wanted(page.likenesses) for page in usable])
    loss = Listwise(np.repeat(np.arange(len(sizes)), sizes), wanted)
    return TitleModel(
        average(boost(names, rows, loss, replace(TREES, seed=seed)) for seed in range(rankers))
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


def choose(model: TitleModel, page: TitledPage, shown: int = 4) -> ChosenTitle:
    """What a model takes for the title of a page."""
    candidates = page.case.candidates
    chances = page.case.chances(model) if candidates else []
    order = sorted(range(len(chances)), key=lambda index: -chances[index])
    chance = chances[order[0]] if order else 0.0
    likeness = page.likenesses[order[0]] if order else 0.0
    return ChosenTitle(
        name=page.name,
        scores={"dice": likeness, "exact": float(likeness == 1)},
        judged={TITLES: [(chance, likeness == 1)]},
        page=page,
        likeness=likeness,
        chance=chance,
        ranked=tuple((candidates[i].text, chances[i], candidates[i].origin) for i in order[:shown]),
    )


def _calibrated(model: TitleModel, curve_of: Mapping[str, Platt]) -> TitleModel:
    return replace(model, curve=curve_of[TITLES])


TITLE = Task(
    name=TASK,
    version=VERSION,
    labels=("title", "other"),
    corpus=CORPUS,
    examples=rendered_pages,
    group=lambda page: page.site,
    fit=fit,
    measure=choose,
    to_json=TitleModel.to_json,
    calibrate=_calibrated,
    curve=partial(Platt.fit, steepest=STEEPEST, penalty=PENALTY, softened=False),
)


def variants(corpora: Corpora) -> Iterator[tuple[str, list[TitledPage]]]:
    """The pages as each model sees them: only parsed or rendered, with and without addresses."""
    for addressed in (True, False):
        yield model_name("fast", addressed), list(parsed_pages(corpora, addressed=addressed))
        yield model_name("seen", addressed), list(rendered_pages(corpora, addressed=addressed))


def train(corpora: Corpora, *, output: Path | None = None) -> None:
    """Train all models on all pages; write the weights where they are shipped, or to `output`."""
    models: dict[str, Any] = {}
    scores: dict[str, float] = {}
    for name, pages in variants(corpora):
        learned = TITLE.learn(pages)
        models[name] = learned.model.to_json()
        scores |= {f"{name} {measure}": score for measure, score in learned.scores.items()}
    TITLE.write(models, scores, corpora, output)
