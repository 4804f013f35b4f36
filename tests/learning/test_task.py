"""A toy reading with features, labels and a measure: is a page about tea?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from pagesight.errors import CorpusNotFound
from pagesight.learning.corpora import Corpora, digest, rows
from pagesight.learning.task import Measured, Task, worst_pages
from pagesight.models.logistic import Platt, fit_logistic, sigmoid
from pagesight.models.weights import Weights, shipped_path
from pagesight.page import Page

WORDS = ("tea", "milk", "the")


@dataclass(frozen=True)
class Cup:
    name: str
    site: str
    counts: list[float]
    is_tea: bool


@dataclass(frozen=True)
class CupModel:
    weights: list[float]
    slope: float = 1.0
    offset: float = 0.0

    def chance(self, counts: Sequence[float]) -> float:
        return float(sigmoid(np.array(self.weights) @ [1.0, *counts]))


def features(page: Page) -> list[float]:
    return [float(page.root.text.split().count(word)) for word in WORDS]


def cups(corpora: Corpora) -> Iterator[Cup]:
    folder = corpora.folder_of("cups")
    for row, page in corpora.pages(folder, rows(folder)):
        yield Cup(row["file"], row["site"], features(page), row["tea"])


def fit(examples: Sequence[Cup]) -> CupModel:
    table = np.array([[1.0, *cup.counts] for cup in examples])
    line = fit_logistic(table, [cup.is_tea for cup in examples], penalty=0.1)
    return CupModel(np.round(line, 4).tolist())


def measure(model: CupModel, cup: Cup) -> Measured:
    chance = model.chance(cup.counts)
    right = (chance > 0.5) == cup.is_tea
    judged = {"answers": [(max(chance, 1 - chance), right)]}
    return Measured(name=cup.name, scores={"accuracy": float(right)}, judged=judged)


def calibrate(model: CupModel, curves: Mapping[str, Platt]) -> CupModel:
    return replace(model, slope=curves["answers"].slope, offset=curves["answers"].offset)


TOY = Task(
    name="cups",
    version=1,
    labels=("other", "tea"),
    corpus="cups",
    examples=cups,
    group=lambda cup: cup.site,
    fit=fit,
    measure=measure,
    to_json=lambda model: {"weights": model.weights, "slope": model.slope},
    calibrate=calibrate,
    folds=3,
)


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve pages of six sites; the last of them lies."""
    folder = tmp_path_factory.mktemp("corpora") / "cups"
    folder.mkdir()
    listed = []
    for number in range(12):
        is_tea = number % 2 == 0
        text = "the tea tea leaves" if is_tea or number == 11 else "the milk milk jug"
        (folder / f"{number:02}.html").write_text(f"<p>{text} {'the ' * (number % 4)}")
        listed.append({"file": f"{number:02}.html", "site": f"site-{number // 2}", "tea": is_tea})
    (folder / "dev.jsonl").write_text("\n".join(map(json.dumps, listed)))
    return folder.parent


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGESIGHT_CACHE", str(tmp_path_factory.getbasetemp() / "cache-of-tasks"))


def test_training_writes_weights_with_what_they_reach(corpora: Path, tmp_path: Path) -> None:
    TOY.train(Corpora(corpora, "embedded"), output=tmp_path / "cups.json")
    weights = Weights.from_bytes((tmp_path / "cups.json").read_bytes(), task="cups", features=1)
    assert weights.labels == ("other", "tea")
    assert weights.command == "pagesight train cups"
    assert weights.scores == {"accuracy": round(11 / 12, 4)}
    tea, milk = weights.model["weights"][1:3]
    assert tea > 0 > milk


def test_weights_name_the_list_that_they_were_trained_on(corpora: Path, tmp_path: Path) -> None:
    (corpora / "cups" / "all.jsonl").write_text('{"file": "00.html"}\n')
    for index in ("dev.jsonl", "all.jsonl"):
        output = tmp_path / index
        task = replace(TOY, index=index, digits=2)
        task.write({"a": [1]}, {"f1": 0.123456, "p": 1}, Corpora(corpora), output)
        weights = Weights.from_bytes(output.read_bytes(), task="cups", features=1)
        assert weights.corpus == digest(corpora / "cups", index)
        assert (weights.scores, weights.model) == ({"f1": 0.12, "p": 1.0}, {"a": [1]})


def test_without_its_corpus_nothing_is_written(corpora: Path, tmp_path: Path) -> None:
    with pytest.raises(CorpusNotFound):
        replace(TOY, corpus="milks").write({}, {}, Corpora(corpora), tmp_path / "cups.json")
    assert not (tmp_path / "cups.json").exists()
    assert not shipped_path("cups").exists()


def test_the_same_corpus_gives_the_same_bytes(corpora: Path, tmp_path: Path) -> None:
    for name in ("one", "other"):
        TOY.train(Corpora(corpora, "embedded"), output=tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_evaluation_prints_scores_confidences_and_the_worst_pages(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    TOY.evaluate(Corpora(corpora, "embedded"), worst=1)
    printed = capsys.readouterr().out
    assert "12 pages of " in printed
    assert "3 folds by site" in printed
    assert "accuracy  0.917" in printed
    assert "Confidence of answers: expected calibration error" in printed
    assert printed.rstrip().splitlines()[-1].split() == ["11.html", "0.000"]


def test_nobody_is_measured_by_a_model_that_knows_its_group() -> None:
    examples = [Cup(str(n), f"site-{n % 4}", [0.0, 0.0, 0.0], True) for n in range(10)]
    knowing = replace(
        TOY,
        fit=lambda seen: CupModel([float(cup.name) for cup in seen]),
        measure=lambda model, cup: Measured(
            name=cup.name, scores={"known": float(float(cup.name) in model.weights)}
        ),
    )
    measured = knowing.held_out(examples)
    assert [page.name for page in measured] == [cup.name for cup in examples]
    assert not any(page.scores["known"] for page in measured)
    for part, model in knowing.models_by_fold(examples):
        sites = {examples[index].site for index in part}
        assert not sites & {examples[int(name)].site for name in model.weights}


def test_pages_of_one_site_cannot_be_measured() -> None:
    examples = [Cup("a", "site", [0.0] * 3, True), Cup("b", "site", [0.0] * 3, False)]
    with pytest.raises(CorpusNotFound, match="of one site"):
        TOY.held_out(examples)


def sure(chance: float, right: bool) -> Measured:
    return Measured(name="", scores={}, judged={"answers": [(chance, right)]})


def test_confidences_are_calibrated_by_other_folds() -> None:
    """Those of the site that is always wrong are calibrated by sites that are always right."""
    examples = [Cup(str(n), f"site-{n % 3}", [0.0] * 3, True) for n in range(60)]
    measured = [sure(0.7, cup.site != "site-0") for cup in examples]
    calibrated = TOY.calibrated(examples, measured)
    confidence = {
        cup.site: page.judged["answers"][0][0]
        for cup, page in zip(examples, calibrated, strict=True)
    }
    assert confidence["site-0"] > 0.9
    assert confidence["site-1"] == confidence["site-2"] == pytest.approx(0.5, abs=0.1)
    assert replace(TOY, calibrate=None).calibrated(examples, measured) == measured


def test_models_get_the_curves_of_what_others_read(corpora: Path) -> None:
    learned = TOY.learn(list(cups(Corpora(corpora, "embedded"))))
    assert learned.model.slope != 1.0
    assert learned.scores == {"accuracy": pytest.approx(11 / 12)}
    assert len(learned.measured) == 12


def test_the_worst_pages_come_first() -> None:
    pages = [
        Measured(name="good", scores={"f": 0.9}),
        Measured(name="bad", scores={"f": 0.1, "level": 0.5}),
        Measured(name="unknown", scores={}),
    ]
    lines = worst_pages(pages, 5).splitlines()
    assert [line.split()[0] for line in lines] == ["Read", "page", "bad", "good"]
    assert lines[3].split() == ["good", "0.900", "–"]
    assert worst_pages(pages, 0) == ""
