"""Training of the model that knows parts of pages again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import Corpora
from pagesight.learning.task import Measured, Task
from pagesight.models.boosting import Boosting, Listwise, boost
from pagesight.models.logistic import Platt
from pagesight.watch.components.evidence import DRAWN, NAMED, PLACED, SHAPED, nearest_of, rows
from pagesight.watch.components.finding import SAME
from pagesight.watch.components.learning.corpus import CORPUS
from pagesight.watch.components.learning.examples import Case, cases
from pagesight.watch.components.model import LABELS, TASK, VERSION, ComponentsModel

Floats = NDArray[np.float64]

TREES = Boosting(trees=150, depth=4)
MISLED = 0.5  # the share of kinds of clues that mislead in a copy of a case
RESIZED = 0.4  # standard deviation of logarithms of sizes, by which all sizes of a page are off
SIZES = ("words", "links", "pictures", "share")
KEPT_NAMES, KEPT_SHAPES = 0.3, 0.5  # of a design, at most, where names or shapes mislead
ANSWER = "answer"
WRONG = 0.01  # the share of wrong answers, of all that could be given, above which none is sure
DOUBTFUL = 0.1  # the same for answers that are worth a look
DIGITS = 4


def fit(examples: Sequence[Case]) -> ComponentsModel:
    """A model of these cases, not calibrated."""
    names = tuple(examples[0].found.table)
    random = np.random.default_rng(0)
    tables, wanted, sizes = list[Floats](), list[Floats](), list[int]()
    for case in examples:
        if not case.gone and not case.right.any():
            continue  # what is not among the candidates cannot be learned
        table = rows(case.found, names)
        chances = np.append(case.right, not case.right.any()).astype(np.float64)
        for shown in (table, _misled(table, names, random), _redesigned(table, names, random)):
            tables.append(shown)
            wanted.append(chances / chances.sum())
            sizes.append(len(table))
    loss = Listwise(np.repeat(np.arange(len(sizes)), sizes), np.concatenate(wanted))
    return ComponentsModel(boost(names, np.concatenate(tables), loss, TREES))


def _redesigned(table: Floats, names: Sequence[str], random: np.random.Generator) -> Floats:
    """A case as after a redesign: nothing is left of names, tags, looks, places and sizes."""
    copy = _misled(table, names, random, share=1.0)
    for fact in SIZES:
        copy[:-1, names.index(fact)] += RESIZED * random.standard_normal()
    return copy


def _misled(
    table: Floats, names: Sequence[str], random: np.random.Generator, share: float = MISLED
) -> Floats:
    """A case in which some kinds of clues are those of other candidates, or are missing."""
    copy, candidates = table.copy(), len(table) - 1
    for clues, sign, most in (
        (NAMED, "page's names", KEPT_NAMES),
        (SHAPED, "page's shapes", KEPT_SHAPES),
        (DRAWN, "", 1.0),
        (PLACED, "", 1.0),
    ):
        if random.random() >= share:
            continue
        columns = [names.index(clue) for clue in clues]
        others = random.permutation(candidates)
        copy[:candidates, columns] = copy[others][:, columns] * (random.random() < 0.5)
        if sign:
            copy[:, names.index(sign)] *= most * random.random()
    return copy


def measure(model: ComponentsModel, case: Case) -> Measured:
    """How a model answers a case by itself."""
    if not len(case.found.unit):
        return Measured(name=case.name, scores={})
    chances = model.chances(case.found)
    same = np.flatnonzero(case.overlap[int(chances[:-1].argmax())] >= SAME)
    chance = float(chances[:-1][same].sum())
    right = bool(case.right[nearest_of(case.found, same)])
    scores = {} if case.gone else {f"{case.setting}: best": float(right)}
    return Measured(name=case.name, scores=scores, judged={ANSWER: [(chance, right)]})


def calibrated(model: ComponentsModel, curve_of: Mapping[str, Platt]) -> ComponentsModel:
    """The model with a curve."""
    return replace(model, curve=curve_of.get(ANSWER, Platt()))


def limited(model: ComponentsModel, measured: Iterable[Measured]) -> ComponentsModel:
    """The model with limits of certainty, by what others have answered: so many are wrong."""
    answers = [answer for case in measured for answer in case.judged.get(ANSWER, ())]
    wrong = sorted((chance for chance, right in answers if not right), reverse=True)

    def limit(share: float) -> float:
        allowed = int(share * len(answers))
        chance = wrong[allowed] if allowed < len(wrong) else 0.0
        return round(model.curve.of(chance), DIGITS)

    return replace(model, sure=limit(WRONG), unsure=limit(DOUBTFUL))


COMPONENTS = Task(
    name=TASK,
    version=VERSION,
    labels=LABELS,
    corpus=CORPUS,
    examples=cases,
    group=lambda case: case.brand,
    fit=fit,
    measure=measure,
    to_json=ComponentsModel.to_json,
    calibrate=calibrated,
    grouped_by="brand",
)


def train(corpora: Corpora, *, output: Path | None = None) -> None:
    """Learn from the corpus; write the weights where they are shipped, or to `output`."""
    learned = COMPONENTS.learn(list(cases(corpora)))
    model = limited(learned.model, learned.measured)
    COMPONENTS.write(model.to_json(), learned.scores, corpora, output)
