"""The whole reader with the weights that are shipped, on pages written for it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from small_article import ABSTRACT, HTML, REFERENCES, TITLE

from pagesight.errors import ModelError
from pagesight.page import Page
from pagesight.readers.article.fields.references import items
from pagesight.readers.article.labelling import judging
from pagesight.readers.article.labelling.features import features
from pagesight.readers.article.labelling.weights import ArticleWeights, shipped_weights
from pagesight.readers.article.names.places import places
from pagesight.readers.article.reader import read_article
from pagesight.readers.article.vocabulary import WORD_FIELDS, word_table
from pagesight.readers.article.zones import article_zones

LayOut = Callable[[str], Page]

SHOP = "<h1>Teapots</h1>" + "".join(
    f"<div><h3>Teapot no. {number}</h3><p>{number} €</p><a href='/buy'>Buy now</a></div>"
    for number in range(20)
)


def test_an_article_is_read(lay_out: LayOut) -> None:
    reading = read_article(lay_out(HTML))
    assert reading.is_article
    assert reading.title is not None
    assert reading.title.text == TITLE
    assert [author.family for author in reading.authors] == ["King", "Lindqvist", "Okafor", "Xu"]
    assert [place.text[:12] for place in reading.affiliations] == ["Department o", "Institute of"]
    assert reading.abstract is not None
    assert reading.abstract.text == ABSTRACT
    assert [one.text for one in reading.references] == list(REFERENCES)
    confidences = [zone.confidence for zone in reading.zones]
    assert all(0 <= confidence <= 1.000001 for confidence in confidences)


def test_the_head_is_not_looked_at(lay_out: LayOut) -> None:
    lying = HTML.replace("<head>", "<head><meta name='citation_title' content='A lie'>")
    readings = [read_article(lay_out(html), metadata="ignore").to_json() for html in (lying, HTML)]
    assert readings[0] == readings[1]


def test_a_shop_is_no_article(lay_out: LayOut) -> None:
    assert not read_article(lay_out(SHOP)).is_article


@pytest.mark.parametrize("model", ["ours", "seed"])
@pytest.mark.parametrize("html", ["<p></p>", "<p>tea</p>", "<img src='x'>"])
def test_pages_with_little_on_them_are_read(lay_out: LayOut, html: str, model: str) -> None:
    reading = read_article(lay_out(html), model=model)
    assert reading.references == ()
    assert reading.authors == ()


def test_features_are_finite_and_named(lay_out: LayOut) -> None:
    zones = article_zones(lay_out(HTML))
    columns = features(zones)
    assert set(columns) == set(shipped_weights().features)
    for name, values in columns.items():
        assert values.shape == (len(zones),), name
        assert np.abs(values).max() < 10, name


def test_items_of_a_list_below_the_heading_are_found_without_labels(lay_out: LayOut) -> None:
    cited = "".join(
        f"<li><ol><li>King A,</li><li>Xu {letter}</li></ol>({1990 + rank}) On tea {letter}.</li>"
        for rank, letter in enumerate("BCDEFGH")
    )
    zones = article_zones(lay_out(f"<h2>References</h2><ol>{cited}</ol>"))
    found = items(zones, ["body"] * len(zones))
    assert [item.text for item in found][:2] == [
        "King A, Xu B (1990) On tea B.", "King A, Xu C (1991) On tea C."
    ]  # fmt: skip
    assert len(found) == 7


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<p><sup>1</sup>Tea School, Kyoto, Japan <sup>2</sup>Leaf Institute, Lund, Sweden</p>",
            [("1", "Tea School, Kyoto, Japan"), ("2", "Leaf Institute, Lund, Sweden")],
        ),
        (
            "<p>1 Tea School, Kyoto, Japan, 2 Leaf Institute, Lund, Sweden</p>",
            [("1", "Tea School, Kyoto, Japan"), ("2", "Leaf Institute, Lund, Sweden")],
        ),
        (
            "<p>Tea School, Kyoto, Japan; Leaf Institute, Lund, Sweden</p>",
            [(None, "Tea School, Kyoto, Japan"), (None, "Leaf Institute, Lund, Sweden")],
        ),
        (
            "<p>(1) Tea School, Kyoto. E-mail: tea@tea.example</p>",
            [("1", "Tea School, Kyoto")],
        ),
    ],
)
def test_places_are_separated(
    lay_out: LayOut, html: str, expected: list[tuple[str | None, str]]
) -> None:
    zones = article_zones(lay_out(html))
    separated = places(zones, list(range(len(zones))))
    assert [(place.mark, place.text) for place in separated] == expected


def test_the_word_table_tells_fields_apart() -> None:
    table = word_table()
    logs = dict(zip(WORD_FIELDS, table.log_likelihoods()[table.rows["department"]], strict=True))
    assert logs["affiliation"] > logs["title"] + 3
    zhang = dict(zip(WORD_FIELDS, table.log_likelihoods()[table.rows["zhang"]], strict=True))
    assert zhang["surname"] > zhang["abstract"] + 5
    assert table.indices(["department", "no such word"]).tolist()[1] == 0


def test_weights_are_saved_as_they_are() -> None:
    plain = shipped_weights().to_json()
    again = ArticleWeights.from_json(json.loads(json.dumps(plain)))
    assert again.to_json() == plain


def test_weights_without_a_feature_are_refused(lay_out: LayOut) -> None:
    plain = shipped_weights().to_json()
    del plain["emission"]["bias"]
    weights = ArticleWeights.from_json(plain)
    with pytest.raises(ModelError, match="other features"):
        read_article(lay_out(HTML), weights=weights)


@pytest.mark.parametrize("table", ["transition", "orders", "judgement", "seed mean"])
def test_weights_without_a_row_are_refused(table: str) -> None:
    plain = shipped_weights().to_json()
    plain[table].popitem()
    with pytest.raises(ModelError, match="damaged"):
        ArticleWeights.from_json(plain)


def test_evidence_is_weighed() -> None:
    random = np.random.default_rng(1)
    rows = np.c_[np.ones(200), random.normal(size=200)]
    answers = rows[:, 1] > 0.3
    weights = judging.fit([rows[answers]], [rows[~answers]])
    assert np.mean((rows @ weights > 0) == answers) > 0.95


def test_reading_an_article_imports_neither_training_nor_the_models_of_the_seed() -> None:
    program = (
        "import sys, pagesight.readers.article.reader\n"
        "print(*(name for name in sys.modules if name.startswith('pagesight.readers.article.')))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    parts = {part for name in run.stdout.split() for part in name.split(".")}
    assert "fields" in parts
    assert not parts & {"learning", "seed"}
