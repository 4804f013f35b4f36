"""A task: what a reading brings to learn from a corpus, and to be judged by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from pagesight.errors import CorpusNotFound
from pagesight.learning import calibration
from pagesight.learning.calibration import Curve, Judged
from pagesight.learning.corpora import Corpora, digest
from pagesight.learning.folds import folds, others
from pagesight.learning.scores import means
from pagesight.learning.tables import show, table
from pagesight.models.logistic import Platt
from pagesight.models.weights import Weights, shipped_path

Example = TypeVar("Example")
Model = TypeVar("Model")
Some = TypeVar("Some", bound="Measured")


@dataclass(frozen=True, kw_only=True)
class Measured:
    """How well a model has read one page that it had not seen."""

    name: str
    scores: Mapping[str, float]
    """By name; pages are the worse, the lower the first of them is."""

    judged: Mapping[str, Judged] = field(default_factory=dict)
    """The values that were read, by kind: how probable to the model, and whether right."""


@dataclass(frozen=True, kw_only=True)
class Learned(Generic[Model, Some]):
    """A model of all examples, and what models of the other folds have read on each."""

    model: Model
    measured: list[Some]

    @property
    def scores(self) -> dict[str, float]:
        return means(page.scores for page in self.measured)


@dataclass(frozen=True, kw_only=True)
class Task(Generic[Example, Model, Some]):
    """What a reading brings; `train` and `evaluate` are made of it."""

    name: str
    version: int
    """Of its features."""

    labels: tuple[str, ...]
    corpus: str
    examples: Callable[[Corpora], Iterable[Example]]
    group: Callable[[Example], str]
    """Examples of one group are never in two folds."""

    fit: Callable[[Sequence[Example]], Model]
    measure: Callable[[Model, Example], Some]
    to_json: Callable[[Model], Mapping[str, Any]]
    calibrate: Callable[[Model, Mapping[str, Platt]], Model] | None = None
    """Gives a model the curves of its confidences; None if they need none."""

    curve: Curve = Platt.fit
    most_values: int | None = None
    """Of a kind on a page, that a curve is learned from: those of long pages are much alike."""

    index: str = "dev.jsonl"
    folds: int = 5
    grouped_by: str = "site"
    digits: int = 4
    """Of the scores that are kept with the weights."""

    trained_with: str | None = None
    """The reading that it is trained with; None for itself."""

    def models_by_fold(self, examples: Sequence[Example]) -> Iterator[tuple[list[int], Model]]:
        """The folds, as numbers of examples, each with a model of all others."""
        parts = folds([self.group(example) for example in examples], self.folds)
        if len(parts) < 2:
            raise CorpusNotFound(
                f"all pages are of one {self.grouped_by}",
                hint="without others, nothing can be measured",
            )
        for part in parts:
            rest = others(part, len(examples))
            yield part, self.fit([examples[index] for index in rest])

    def held_out(self, examples: Sequence[Example]) -> list[Some]:
        """What models of the other folds read on each example."""
        measured: dict[int, Some] = {}
        for part, model in self.models_by_fold(examples):
            measured |= {index: self.measure(model, examples[index]) for index in part}
        return [measured[index] for index in range(len(examples))]

    def calibrated(self, examples: Sequence[Example], measured: Sequence[Some]) -> list[Some]:
        """What was read, with the confidences that curves of the other folds give it."""
        if self.calibrate is None:
            return list(measured)
        pages = list(measured)
        for part in folds([self.group(example) for example in examples], self.folds):
            rest = others(part, len(pages))
            curve_of = self.curves(measured[index] for index in rest)
            for index in part:
                judged = calibration.mapped(measured[index].judged, curve_of)
                pages[index] = replace(measured[index], judged=judged)
        return pages

    def curves(self, pages: Iterable[Measured]) -> dict[str, Platt]:
        """The curves of confidences, by pages that the model had not seen."""
        return calibration.curves((page.judged for page in pages), self.curve, self.most_values)

    def learn(self, examples: Sequence[Example]) -> Learned[Model, Some]:
        """A model of all examples, its confidences calibrated by what others of them read."""
        measured = self.held_out(examples)
        model = self.fit(examples)
        if self.calibrate is not None:
            model = self.calibrate(model, self.curves(measured))
        return Learned(model=model, measured=measured)

    def train(self, corpora: Corpora, *, output: Path | None = None) -> None:
        """Learn from the corpus; write the weights where they are shipped, or to `output`."""
        learned = self.learn(list(self.examples(corpora)))
        self.write(self.to_json(learned.model), learned.scores, corpora, output)

    def write(
        self,
        model: Mapping[str, Any],
        scores: Mapping[str, float],
        corpora: Corpora,
        output: Path | None,
    ) -> None:
        """Write weights with what they were trained on, and what they have reached."""
        weights = Weights(
            task=self.name,
            features=self.version,
            corpus=digest(corpora.folder_of(self.corpus), self.index),
            command=f"pagesight train {self.trained_with or self.name}",
            labels=self.labels,
            scores={name: round(float(score), self.digits) for name, score in scores.items()},
            model=model,
        )
        (output or shipped_path(self.name)).write_bytes(weights.to_bytes())

    def evaluate(self, corpora: Corpora, *, worst: int = 0) -> None:
        """Print how well pages are read by models of the other folds."""
        examples = list(self.examples(corpora))
        measured = self.calibrated(examples, self.held_out(examples))
        scores = means(page.scores for page in measured).items()
        show(
            self.heading(corpora, len(examples)),
            table(["score", "mean"], [[name, score] for name, score in scores]),
            *calibration_tables(measured),
            worst_pages(measured, worst),
        )

    def heading(self, corpora: Corpora, pages: int) -> str:
        """What is evaluated, and how."""
        corpus = digest(corpora.folder_of(self.corpus), self.index)
        return f"{pages} pages of {self.corpus} ({corpus}), {self.folds} folds by {self.grouped_by}"


def calibration_tables(measured: Iterable[Measured], most: int | None = None) -> list[str]:
    """How far the confidences of each kind of values can be trusted.

    With `most`, at most so many values of a kind count on each page.
    """
    pages = (
        {kind: calibration.spaced(judged, most) for kind, judged in page.judged.items()}
        for page in measured
    )
    counted = f", at most {most} of a page" if most else ""
    return [
        calibration.calibration_table(kind + counted, judged)
        for kind, judged in calibration.merged(pages).items()
    ]


def worst_pages(measured: Iterable[Measured], count: int, title: str = "Read worst") -> str:
    """The pages whose first score is the lowest; nothing if none are asked for."""
    known = (page for page in measured if page.scores)
    pages = sorted(known, key=lambda page: (next(iter(page.scores.values())), page.name))[:count]
    if not pages:
        return ""
    names = list(dict.fromkeys(name for page in pages for name in page.scores))
    rows = [[page.name, *(page.scores.get(name) for name in names)] for page in pages]
    return table(["page", *names], rows, title=title)
