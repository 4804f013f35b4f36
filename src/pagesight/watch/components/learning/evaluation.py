"""How well parts are known again, beside other ways to find them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pagesight.learning.calibration import calibration_table
from pagesight.learning.corpora import Corpora
from pagesight.learning.folds import others
from pagesight.learning.tables import show, table
from pagesight.page import Page
from pagesight.watch.components.learning import relocation
from pagesight.watch.components.learning.corpus import SAMPLES, SETTINGS, Pair, brand_of, pairs
from pagesight.watch.components.learning.examples import are_right, cases, page_without
from pagesight.watch.components.learning.methods import BASELINES, Answer, Method, ours
from pagesight.watch.components.learning.training import COMPONENTS, calibrated, limited
from pagesight.watch.components.model import ComponentsModel
from pagesight.watch.components.sight import sight_of
from pagesight.watch.seed.tables import figure_tables

GONE = "part not there"
OURS = "Pagesight"
INSTALL = "pip install 'pagesight[benchmarks]' puts it into the table"
LEVELS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99)


@dataclass(frozen=True)
class Outcome:
    """What a method said about one part."""

    method: str
    setting: str
    name: str
    sure: float
    answered: bool
    right: bool

    @property
    def wrong(self) -> bool:
        return self.answered and not self.right


def evaluate(corpora: Corpora, *, worst: int = 0) -> None:
    """Print how often parts are found, missed, and taken for something else."""
    model_of = models_by_brand(corpora)
    peers = BASELINES | relocation.installed()
    one = list(outcomes(corpora, model_of, peers, samples=1))
    several = list(outcomes(corpora, model_of, BASELINES, samples=SAMPLES))
    show(
        f"{len(one) // (len(peers) + 1)} parts, {COMPONENTS.folds} folds by brand: the share "
        "that is found, and the share that is taken for something else",
        outcome_table(one, [*peers, OURS], "Learned from one snapshot"),
        "" if relocation.NAME in peers else f"{relocation.NAME} is not installed: {INSTALL}",
        outcome_table(several, [*BASELINES, OURS], f"Learned from up to {SAMPLES} snapshots"),
        _curve([each for each in one if each.method == OURS]),
        calibration_table(
            "answers",
            [(each.sure, each.right) for each in one if each.method == OURS and each.answered],
        ),
        _worst([each for each in one if each.method == OURS], worst),
        *figure_tables(corpora),
    )


def models_by_brand(corpora: Corpora) -> dict[str, ComponentsModel]:
    """For each brand a model that has not seen it."""
    examples = list(cases(corpora))
    models = list(COMPONENTS.models_by_fold(examples))
    measured = {
        index: COMPONENTS.measure(model, examples[index])
        for part, model in models
        for index in part
    }
    model_of: dict[str, ComponentsModel] = {}
    for part, model in models:
        rest = [measured[index] for index in others(part, len(examples))]
        sure = limited(calibrated(model, COMPONENTS.curves(rest)), rest)
        model_of |= {examples[index].brand: sure for index in part}
    return model_of


def outcomes(
    corpora: Corpora,
    model_of: Mapping[str, ComponentsModel],
    peers: Mapping[str, Method],
    *,
    samples: int,
) -> Iterator[Outcome]:
    """What all methods say about all parts, and about pages without them."""
    for turn, pair in enumerate(pairs(corpora, samples)):
        model = model_of.get(brand_of(pair.site))
        if model is not None and pair.parts:
            yield from judged(pair, {**peers, OURS: ours(model)}, turn)


def judged(pair: Pair, methods: Mapping[str, Method], turn: int) -> Iterator[Outcome]:
    """What methods say about the parts of a pair, and about one of them that is taken away."""
    *before, after = pair.pages
    parts = [part[-2] for part in pair.parts]
    wanted = [part[-1] for part in pair.parts]
    lost = turn % len(parts)
    rest = page_without(after, wanted[lost])
    for name, method in methods.items():
        for answer, nodes in zip(method(before, parts, after), wanted, strict=True):
            yield _judged(name, pair, answer, after, nodes)
        if rest is not None:
            sure, found = method(before, [parts[lost]], rest)[0]
            yield Outcome(name, GONE, pair.name, sure, bool(found), False)


def _judged(method: str, pair: Pair, answer: Answer, page: Page, wanted: Sequence[int]) -> Outcome:
    sure, nodes = answer
    sight = sight_of(page)
    units = [int(sight.units.of_node[node]) for node in nodes]
    shown = [unit for unit in units if unit >= 0]
    true = [int(sight.units.of_node[node]) for node in wanted]
    right = bool(shown) and are_right(sight, true, shown)
    return Outcome(method, pair.setting, pair.name, sure, bool(shown), right)


def outcome_table(found: Sequence[Outcome], methods: Sequence[str], title: str) -> str:
    """By setting and method: the share of parts that were found, and taken for something else."""
    lines = []
    for setting in (*SETTINGS, GONE):
        here = [each for each in found if each.setting == setting]
        cells: list[object] = [len(here) // len(methods)]
        for method in methods:
            said = [each for each in here if each.method == method]
            right, wrong = (_share(flags) for flags in _flags(said))
            cells.append(f"{right} / {wrong}" if setting != GONE else f"– / {wrong}")
        lines.append([setting, *cells])
    return table(["", "parts", *methods], lines, title=title)


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
