"""What a small corpus teaches, and how what was learned is measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_corpus import WORDS, add_pdf, write_corpus

from pagesight.errors import CorpusNotFound, ModelError
from pagesight.learning.corpora import Corpora
from pagesight.learning.scores import Prf
from pagesight.models.weights import Weights
from pagesight.readers.article.labelling import judging
from pagesight.readers.article.labelling.confidence import CLUES
from pagesight.readers.article.labelling.features import VERSION
from pagesight.readers.article.labelling.labels import FIELDS, LABELS
from pagesight.readers.article.labelling.weights import CALIBRATED, TASK, ArticleWeights
from pagesight.readers.article.learning.corpus import (
    LAYOUTS,
    ArticlePage,
    article_pages,
    laid_out,
    other_pages,
)
from pagesight.readers.article.learning.evaluation import MODELS, evaluate, held_out, zone_counts
from pagesight.readers.article.learning.scoring import ArticleScores
from pagesight.readers.article.learning.training import (
    ARTICLE,
    REPORTED,
    Lessons,
    evidence_of,
    examples,
    measure,
    train,
    weights_of,
    with_judgement,
)


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAGESIGHT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_corpus(tmp_path_factory.mktemp("corpora"))
    add_pdf(folder, "blue", "Dark Leaves Ltd")
    add_pdf(folder, "unsigned")
    return folder


@pytest.fixture(scope="module")
def pages(corpora: Path) -> list[ArticlePage]:
    return list(article_pages(Corpora(corpora, "embedded")))


@pytest.fixture(scope="module")
def weights(pages: list[ArticlePage]) -> ArticleWeights:
    return weights_of(pages)


# The corpus


def test_pages_and_pdfs_are_of_their_splits(pages: list[ArticlePage]) -> None:
    assert [page.split for page in pages] == ["dev", *["train"] * 4, "pdf", "pdf"]
    assert all(page.usable for page in pages)
    assert [page.zones.on_sheets for page in pages] == [False] * 5 + [True] * 2


def test_splits_are_chosen(corpora: Path) -> None:
    names = [page.name for page in article_pages(Corpora(corpora, "embedded"), splits=["dev"])]
    assert names == ["green.html"]


def test_a_publisher_of_pages_and_pdfs_is_one_house(pages: list[ArticlePage]) -> None:
    assert [page.house for page in pages] == [*WORDS, "dark", "unsigned"]


def test_what_jats_says_labels_a_pdf(pages: list[ArticlePage]) -> None:
    labelling = pages[5].labelling
    assert labelling.known == {"title", "author", "reference"}
    assert labelling.labels[:2] == ["title", "author"]


def test_pages_of_a_host_are_all_learned_from_or_none(corpora: Path) -> None:
    one, other = (list(other_pages(Corpora(corpora, "embedded"))) for _ in range(2))
    learned = [is_learned for is_learned, _ in one]
    assert learned == [is_learned for is_learned, _ in other]
    assert {True, False} == set(learned)
    assert len(learned) < 24


def test_layouts_by_hand_show_articles_or_not() -> None:
    shown = [is_article for is_article, zones in laid_out(Corpora(renderer="embedded")) if zones]
    others = [path for path in LAYOUTS.glob("*.html") if path.stem.startswith("other_")]
    assert 0 < shown.count(False) == len(others) < shown.count(True)


# Training


def test_no_house_is_in_two_folds(pages: list[ArticlePage], weights: ArticleWeights) -> None:
    learned: list[set[str]] = []

    def fit(some: Sequence[ArticlePage]) -> ArticleWeights:
        learned.append({page.house for page in some})
        return weights

    parts = [part for part, _ in replace(ARTICLE, fit=fit).models_by_fold(pages)]
    assert sorted(index for part in parts for index in part) == list(range(len(pages)))
    for part, houses in zip(parts, learned, strict=True):
        assert not houses & {pages[index].house for index in part}


def test_articles_of_one_publisher_teach_nothing_about_others(pages: list[ArticlePage]) -> None:
    with pytest.raises(CorpusNotFound, match="publisher"):
        ARTICLE.learn([replace(page, publisher="tea") for page in pages])


def test_the_label_of_each_zone_is_allowed(pages: list[ArticlePage]) -> None:
    for page, example in zip(pages, examples(pages), strict=True):
        assert example.allowed.any(axis=1).all()
        assert len(example.features) == len(example.allowed) <= len(page.zones)


def test_weights_state_what_they_are(corpora: Path, tmp_path: Path) -> None:
    steps: list[None] = []
    output = tmp_path / "article.json"
    train(Corpora(corpora, "embedded", advance=lambda: steps.append(None)), output=output)
    written = Weights.from_bytes(output.read_bytes(), task=TASK, features=VERSION)
    assert written.labels == LABELS
    assert list(written.scores) == sorted(REPORTED)
    assert written.scores["title Dice"] == 1
    again = ArticleWeights.from_json(written.model)
    for part in ("emission", "orders", "judgement", "judges", "seed mean"):
        assert again.to_json()[part] == written.model[part]
    assert list(again.judges) == list(FIELDS)
    assert len(steps) >= len(WORDS)


@pytest.mark.parametrize(
    "damage",
    [
        {"judges": {}},
        {"judges": dict.fromkeys(FIELDS)},
        {"judges": {label: [{"feature": [len(CLUES)], "value": [0.0]}] for label in FIELDS}},
        {"clues": ["sure"]},
    ],
)
def test_damaged_confidences_are_refused(weights: ArticleWeights, damage: dict[str, Any]) -> None:
    model = weights.to_json() | {"judges": {label: [] for label in FIELDS}}
    ArticleWeights.from_json(model)
    with pytest.raises(ModelError, match="damaged"):
        ArticleWeights.from_json(model | damage)


def test_articles_and_other_pages_are_distinguished(
    corpora: Path, pages: list[ArticlePage], weights: ArticleWeights
) -> None:
    others = [zones for _, zones in other_pages(Corpora(corpora, "embedded"))]
    assert not weights.judgement.any()
    judgement = with_judgement(weights, Lessons(articles=pages, others=others)).judgement
    assert all(evidence_of(page.zones, weights) @ judgement > 0 for page in pages[:5])
    assert all(evidence_of(zones, weights) @ judgement < 0 for zones in others)


def test_both_answers_count_the_same_however_many_there_are() -> None:
    one, many = np.array([[1.0, 1.0]]), np.array([[1.0, 0.0]] * 99)
    bias, telling = judging.fit([one], [many]).tolist()
    assert bias < 0 < bias + telling


# Measuring


def test_a_page_is_measured_by_its_fields(
    pages: list[ArticlePage], weights: ArticleWeights
) -> None:
    measured = measure(weights, pages[0])
    assert measured.name == "green.html"
    assert list(measured.scores) == ["mean", "title", "authors", "abstract"]
    assert measured.scores["title"] == 1
    assert measured.judged["title"][0][1]
    assert set(measured.judged) <= set(CALIBRATED)


def test_each_page_is_read_once_by_each_model(pages: list[ArticlePage]) -> None:
    steps: list[None] = []
    measured, answers = held_out(pages[:3], folds=2, advance=lambda: steps.append(None))
    assert sum(map(len, answers)) == len(steps)
    for model in MODELS:
        assert sorted(page.name for page in measured[model]) == sorted(
            page.name for page in pages[:3]
        )
    assert len(steps) == 3


def test_zones_are_counted_if_their_field_is_known(
    pages: list[ArticlePage], weights: ArticleWeights
) -> None:
    measured = measure(weights, pages[0])
    perfect = replace(measured, labels=measured.page.labelling.labels)
    assert zone_counts(perfect, "title") == Prf(1, 0, 0)
    assert zone_counts(perfect, "affiliation") == Prf()  # no tag states them
    nothing = replace(measured, labels=["body"] * len(measured.labels))
    assert zone_counts(nothing, "author").right == 0
    assert zone_counts(nothing, "author").missing == zone_counts(perfect, "author").right > 0


def test_names_that_are_repeated_count_neither_way(
    pages: list[ArticlePage], weights: ArticleWeights
) -> None:
    measured = measure(weights, pages[0])
    labelling = measured.page.labelling
    authors = [zone for zone, label in enumerate(labelling.labels) if label == "author"]
    page = replace(measured.page, labelling=replace(labelling, repeated=frozenset(authors[:1])))
    found = replace(measured, page=page, labels=labelling.labels)
    assert zone_counts(found, "author") == Prf(len(authors) - 1, 0, 0)


counts = st.builds(Prf, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
dices = st.lists(st.floats(0, 1), max_size=3).map(tuple)
scores = st.builds(
    ArticleScores,
    title=dices,
    authors=counts,
    affiliations=counts,
    abstract=dices,
    references=counts,
)


@given(scores, scores)
def test_scores_of_several_pages_are_added(one: ArticleScores, other: ArticleScores) -> None:
    both = one + other
    assert both.title == one.title + other.title
    assert both.authors == one.authors + other.authors
    assert set(both.known) == set(one.known) | set(other.known)
    assert one + ArticleScores() == one


@given(scores)
def test_the_mean_is_over_what_is_known(page: ArticleScores) -> None:
    known = page.known
    assert all(known[name] == page.of(name) for name in known)
    if known:
        assert min(known.values()) - 1e-9 <= page.mean <= max(known.values()) + 1e-9
    else:
        assert page.mean == 1


def test_nothing_known_of_a_field_does_not_count_against_it() -> None:
    page = ArticleScores(title=(0.5,), authors=Prf(1, 1, 1))
    assert page.known == {"title": 0.5, "authors": 0.5}
    assert page.of("references") == 1
    assert page.mean == 0.5


def test_tables_of_an_evaluation(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(Corpora(corpora, "embedded"), worst=1, folds=99)
    printed = capsys.readouterr().out
    assert "in 5 folds" in printed  # of each publisher one
    assert "Dev publishers, read by what the train publishers taught: 1 articles" in printed
    assert "Confidences: publishers left out" in printed
    assert "AUROC  calibration error" in printed
    assert all(f"  {house}" in printed for house in WORDS[1:])  # each publisher has a row
    (told,) = [line for line in printed.splitlines() if line.startswith("Told apart")]
    assert told.startswith("Told apart: 1 of 1 articles")
    assert "Read worst" in printed
