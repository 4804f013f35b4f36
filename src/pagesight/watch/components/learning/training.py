"""Training of the model that knows parts of pages again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import Corpora
from pagesight.learning.scores import means
from pagesight.learning.task import Measured, Task
from pagesight.models.boosting import Boosting, Listwise, boost
from pagesight.watch.components.evidence import (
    DRAWN,
    NAMED,
    PLACED,
    SHAPED,
    SLOTTED,
    nearest_of,
    rows,
)
from pagesight.watch.components.finding import SAME
from pagesight.watch.components.learning.corpus import CORPUS
from pagesight.watch.components.learning.examples import Case, cases
from pagesight.watch.components.learning.judging import GONE, Outcome, outcomes
from pagesight.watch.components.model import LABELS, TASK, VERSION, ComponentsModel, Judge

Floats = NDArray[np.float64]

TREES = Boosting(trees=150, depth=4)
MISLED = 0.5  # the share of kinds of clues that mislead in a copy of a case
RESIZED = 0.4  # standard deviation of logarithms of sizes, by which all sizes of a page are off
SIZES = ("words", "links", "pictures", "share")
KEPT_NAMES, KEPT_SHAPES = 0.3, 0.5  # of a design, at most, where names or shapes mislead
WRONG = 0.01  # the share of wrong answers, of all that could be given, that are sure
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
    if random.random() < share:
        _lose_slot(copy, names, random)
    return copy


def _lose_slot(copy: Floats, names: Sequence[str], random: np.random.Generator) -> None:
    """The slot of a part is where others are, or nowhere."""
    candidates, columns = len(copy) - 1, [names.index(clue) for clue in SLOTTED]
    if random.random() < MISLED:
        copy[:candidates, columns] = copy[random.permutation(candidates)][:, columns]
        return
    for clue in (*SLOTTED, "best in slot", "in slot behind", "part's slot"):
        copy[:, names.index(clue)] = 0
    copy[:, names.index("part's slot gone")] = 1
    copy[:, names.index("part's neighbours")] *= KEPT_SHAPES * random.random()


def measure(model: ComponentsModel, case: Case) -> Measured:
    """Whether the best candidate for a part is right, looked for by itself."""
    if case.gone or not len(case.found.unit):
        return Measured(name=case.name, scores={})
    same = np.flatnonzero(case.overlap[int(model.chances(case.found)[:-1].argmax())] >= SAME)
    right = bool(case.right[nearest_of(case.found, same)])
    return Measured(name=case.name, scores={f"{case.setting}: best": float(right)})


def uncalibrated(model_of: Mapping[str, ComponentsModel]) -> dict[str, ComponentsModel]:
    """Models that answer whether they are sure or not, with the probabilities of the trees."""
    return {brand: replace(model, judge=Judge(), sure=0.0) for brand, model in model_of.items()}


def calibrated(model: ComponentsModel, said: Sequence[Outcome]) -> ComponentsModel:
    """The model with a judge and limits of certainty, by what others have said: so much is wrong.

    A share of all parts, and as much of those that are not there.
    """
    answered = [each for each in said if each.answered and each.signs]
    judge = Judge.fit([each.signs for each in answered], [each.right for each in answered])
    said = [replace(each, sure=judge.of(each.signs)) if each.signs else each for each in said]
    there, gone = (
        [each for each in said if (each.setting == GONE) is lost] for lost in (False, True)
    )

    def limit(share: float) -> float:
        sure = max(_sure_above(some, share) for some in (there, gone))
        return min(round(sure + 10.0**-DIGITS, DIGITS), 1.0)  # that one is not

    return replace(model, judge=judge, sure=limit(WRONG), unsure=limit(DOUBTFUL))


def _sure_above(said: Sequence[Outcome], share: float) -> float:
    """The confidence above which only so many of all answers are wrong.

    As in conformal risk control: also if the next answer were wrong.
    """
    wrong = sorted((each.sure for each in said if each.wrong), reverse=True)
    allowed = max(int(share * (len(said) + 1)) - 1, 0)
    return wrong[allowed] if allowed < len(wrong) else 0.0


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
    grouped_by="brand",
)


def models_by_brand(examples: Sequence[Case]) -> dict[str, ComponentsModel]:
    """For each brand a model of the folds that it is not in; one model for all brands of a fold."""
    return {
        examples[index].brand: model
        for part, model in COMPONENTS.models_by_fold(examples)
        for index in part
    }


def train(corpora: Corpora, *, output: Path | None = None) -> None:
    """Learn from the corpus; write the weights where they are shipped, or to `output`."""
    examples = list(cases(corpora))
    model_of = models_by_brand(examples)
    said = list(outcomes(corpora, uncalibrated(model_of), {}, samples=1))
    scores = means(measure(model_of[case.brand], case).scores for case in examples)
    model = calibrated(fit(examples), said)
    COMPONENTS.write(model.to_json(), scores, corpora, output)
