"""How well parts are known again, beside other ways to find them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from pagesight.learning.calibration import calibration_table
from pagesight.learning.corpora import Corpora
from pagesight.learning.tables import show, table
from pagesight.watch.components.learning import relocation
from pagesight.watch.components.learning.corpus import SAMPLES, SETTINGS
from pagesight.watch.components.learning.examples import cases
from pagesight.watch.components.learning.judging import GONE, OURS, Outcome, outcomes
from pagesight.watch.components.learning.methods import BASELINES
from pagesight.watch.components.learning.offered import offered_table
from pagesight.watch.components.learning.training import (
    COMPONENTS,
    calibrated,
    models_by_brand,
    uncalibrated,
)
from pagesight.watch.components.model import ComponentsModel
from pagesight.watch.seed.tables import figure_tables

INSTALL = "pip install 'pagesight[benchmarks]' puts it into the table"
LEVELS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99)


def evaluate(corpora: Corpora, *, worst: int = 0) -> None:
    """Print how often parts are found, missed, and taken for something else."""
    model_of = sure_by_brand(corpora)
    peers = BASELINES | relocation.installed()
    one = list(outcomes(corpora, model_of, peers, samples=1))
    several = list(outcomes(corpora, model_of, peers, samples=SAMPLES))
    show(
        f"{len(one) // (len(peers) + 1)} parts, {COMPONENTS.folds} folds by brand: the share "
        "that is found, and the share that is taken for something else",
        outcome_table({1: one, SAMPLES: several}, [*peers, OURS]),
        "" if relocation.NAME in peers else f"{relocation.NAME} is not installed: {INSTALL}",
        _curve([each for each in one if each.method == OURS]),
        calibration_table(
            "answers",
            [(each.sure, each.right) for each in one if each.method == OURS and each.answered],
        ),
        _worst([each for each in one if each.method == OURS], worst),
        offered_table(corpora),
        *figure_tables(corpora),
    )


def sure_by_brand(corpora: Corpora) -> dict[str, ComponentsModel]:
    """For each brand a model that has not seen it, nor been calibrated by it."""
    model_of = models_by_brand(list(cases(corpora)))
    said = list(outcomes(corpora, uncalibrated(model_of), {}, samples=1))
    return {
        brand: calibrated(model, [each for each in said if model_of[each.brand] is not model])
        for brand, model in model_of.items()
    }


def outcome_table(learned: Mapping[int, Sequence[Outcome]], methods: Sequence[str]) -> str:
    """By setting and method: the share of parts that were found, and taken for something else.

    `learned` has the outcomes by how many snapshots were learned from, at most.
    """
    lines = []
    for setting, samples in product((*SETTINGS, GONE), learned):
        here = [each for each in learned[samples] if each.setting == setting]
        cells: list[object] = [samples, len(here) // len(methods)]
        for method in methods:
            said = [each for each in here if each.method == method]
            right, wrong = (_share(flags) for flags in _flags(said))
            cells.append(f"{right} / {wrong}" if setting != GONE else f"– / {wrong}")
        lines.append([setting, *cells])
    return table(["", "learned from", "parts", *methods], lines)


def _flags(said: Sequence[Outcome]) -> tuple[list[bool], list[bool]]:
    return [each.right for each in said], [each.wrong for each in said]


def _share(flags: Sequence[bool]) -> str:
    return f"{np.mean(flags):.3f}" if flags else "–"


def _curve(said: Sequence[Outcome]) -> str:
    """Right and wrong answers, if only those count that are as sure as that."""
    there = [each for each in said if each.setting != GONE]
    lines = []
    for level in LEVELS:
        sure = [each.answered and each.sure >= level for each in there]
        right = [each.right and taken for each, taken in zip(there, sure, strict=True)]
        wrong = [each.wrong and taken for each, taken in zip(there, sure, strict=True)]
        shares = [float(np.mean(flags)) for flags in (right, wrong)]
        lines.append([f"{level:.2f}", *shares, 1 - float(np.mean(sure))])
    header = ["confidence from", "right", "wrong", "abstained"]
    return table(header, lines, title="What more certainty costs")


def _worst(said: Sequence[Outcome], count: int) -> str:
    """The pairs of pages on which most parts were taken for something else, or missed."""
    by_name: dict[str, list[Outcome]] = {}
    for each in said:
        by_name.setdefault(f"{each.name}, {each.setting}", []).append(each)
    lines = [
        [name, len(of_name), *(sum(flags) for flags in _flags(of_name))]
        for name, of_name in by_name.items()
    ]
    lines.sort(key=lambda line: (-int(str(line[3])), int(str(line[2])) - int(str(line[1]))))
    return table(["pages", "parts", "right", "wrong"], lines[:count]) if count else ""
