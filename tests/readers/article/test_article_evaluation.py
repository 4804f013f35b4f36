"""Training and evaluation on a made-up corpus: they run, and the same pages give the same bytes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_article import ABSTRACT, REFERENCES, TITLE, TRUTH
from small_corpus import WORDS, write_corpus

from fields import agreement, compared
from pagesight.learning.corpora import Corpora
from pagesight.learning.tables import show
from pagesight.page import Box
from pagesight.readers.article import Abstract, ArticleReading, ArticleValue, Author, Reference
from pagesight.readers.article.learning.evaluation import evaluate
from pagesight.readers.article.learning.training import train

PLACE: dict[str, Any] = {"confidence": 0.9, "box": Box(0, 0, 9, 9)}
READING = ArticleReading(
    is_article=True,
    confidence=1.0,
    title=ArticleValue(text=TITLE, **PLACE),
    authors=tuple(
        Author(text=f"{name.given} {name.family}", given=name.given, family=name.family, **PLACE)
        for name in TRUTH.authors
    ),
    abstract=Abstract(text=ABSTRACT, **PLACE),
    references=tuple(Reference(text=text, **PLACE) for text in REFERENCES),
)


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpora"))


@pytest.fixture(autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path_factory.getbasetemp() / "rendered"
    monkeypatch.setenv("PAGESIGHT_CACHE", str(folder))


def test_the_same_pages_give_the_same_weights(corpora: Path, tmp_path: Path) -> None:
    for name in ("one", "other"):
        train(Corpora(corpora, "embedded"), output=tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    assert json.loads((tmp_path / "one").read_bytes())["scores"]["title Dice"] > 0.5


def test_an_evaluation_prints_its_tables(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps: list[None] = []
    evaluate(Corpora(corpora, "embedded", advance=lambda: steps.append(None)), worst=1)
    printed = capsys.readouterr().out
    for heading in ("Train publishers, in 3 folds", "Dev publishers", "Told apart"):
        assert heading in printed
    assert printed.count("Table 5\n") == 2  # there are no PDFs, and too few articles to lay out
    assert printed.count("false positive") == 4
    assert "4 articles" in printed
    assert printed.count("Read worst\n") == 2
    assert len(steps) > len(WORDS)


@pytest.mark.browser
def test_the_renderers_are_compared(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    show(*compared(Corpora(corpora)))
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("Both renderers: 5 of 5 pages")
    assert [line.split()[0] for line in printed[2:4]] == ["train", "dev"]
    assert printed[2].split()[1:3] == ["1.000", "1.000"]  # title and authors


def test_readings_that_say_the_same_agree() -> None:
    assert agreement(READING, READING) == [True] * 5
    fewer = replace(READING, authors=READING.authors[:3], title=None)
    assert agreement(READING, fewer) == [False, False, True, True, True]
    dotted = replace(READING, title=ArticleValue(text=f"{TITLE} .", **PLACE))
    assert all(agreement(READING, dotted))
