"""Pages of publishers that nothing was learned from, and how they are scored."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_article import ABSTRACT, BODY, REFERENCES, TITLE

from pagesight.learning.corpora import Corpora
from pagesight.page import Box
from pagesight.readers.article import (
    Abstract,
    Affiliation,
    ArticleReading,
    ArticleValue,
    Author,
    Reference,
)
from pagesight.readers.article.learning.fresh import read_fresh, scores

PLACE: dict[str, Any] = {"confidence": 0.9, "place": None, "box": Box(0, 0, 1, 1)}
KYOTO, LUND = "Department of Botany, University of Kyoto, Japan", "Lund University, Lund, Sweden"
LABELS = {
    "title": TITLE,
    "authors": ["Ada B. King", "Bo Lindqvist"],
    "affiliations": [KYOTO],
    "abstract_start": " ".join(ABSTRACT.split()[:8]),
    "abstract_end": " ".join(ABSTRACT.split()[-8:]),
    "n_references": len(REFERENCES),
    "first_reference": REFERENCES[0][:60],
    "last_reference": REFERENCES[-1][:60],
}
READING = ArticleReading(
    is_article=True,
    confidence=1.0,
    title=ArticleValue(text=TITLE, **PLACE),
    authors=(
        Author(text="Ada B. King", given="Ada B.", family="King", **PLACE),
        Author(text="Bo Lindqvist", given="Bo", family="Lindqvist", **PLACE),
    ),
    affiliations=(Affiliation(text=KYOTO, id="aff1", **PLACE),),
    abstract=Abstract(text=ABSTRACT, **PLACE),
    references=tuple(Reference(text=text, **PLACE) for text in REFERENCES),
)


def test_what_is_right_scores_one() -> None:
    assert set(scores(READING, LABELS).values()) == {1.0}


@pytest.mark.parametrize(
    ("changed", "score", "value"),
    [
        ({"title": ArticleValue(text=f"{TITLE} Open Access", **PLACE)}, "title exact", 0),
        ({"title": ArticleValue(text=f"{TITLE} .".upper(), **PLACE)}, "title exact", 1),
        ({"title": None}, "title exact", 0),
        ({"authors": READING.authors[:1]}, "authors", 2 / 3),
        ({"affiliations": ()}, "affiliations", 0),
        ({"abstract": Abstract(text=f"{ABSTRACT} More.", **PLACE)}, "abstract whole", 0),
        ({"abstract": None}, "abstract whole", 0),
        ({"references": READING.references[1:]}, "references whole", 0),
        ({"references": ()}, "references whole", 0),
        ({"is_article": False}, "is article", 0),
    ],
)
def test_what_is_not_right_scores_less(changed: dict[str, Any], score: str, value: float) -> None:
    assert scores(replace(READING, **changed), LABELS)[score] == pytest.approx(value)


def test_a_link_at_the_end_is_no_part_of_a_reference() -> None:
    linked = (Reference(text=f"{REFERENCES[0]} Google Scholar", **PLACE), *READING.references[1:])
    clean = scores(replace(READING, references=linked), LABELS)["references clean"]
    assert clean == pytest.approx(1 - 1 / len(REFERENCES))


@pytest.mark.parametrize("key", ["affiliations_hidden", "affiliations_or"])
def test_places_that_may_be_read_count_neither_way(key: str) -> None:
    more = (*READING.affiliations, Affiliation(text=LUND, id="aff2", **PLACE))
    reading = replace(READING, affiliations=more)
    assert scores(reading, LABELS)["affiliations"] == pytest.approx(2 / 3)
    assert scores(reading, {**LABELS, key: [LUND]})["affiliations"] == 1
    assert scores(reading, {**LABELS, key: [["Lund", LUND]]})["affiliations"] == 1


def test_fields_without_a_label_have_no_score() -> None:
    bare = {name: LABELS[name] for name in ("title", "authors", "affiliations")}
    assert set(scores(READING, bare)) == {"title exact", "authors", "affiliations", "is article"}


def test_pages_are_read_where_there_are_any(tmp_path: Path) -> None:
    assert read_fresh(Corpora(tmp_path, "embedded")) == []
    folder = tmp_path / "fresh" / "articles"
    folder.mkdir(parents=True)
    cited = "".join(f"<li>{text}</li>" for text in REFERENCES)
    (folder / "0.html").write_text(
        f"<h1>{TITLE}</h1><p>Ada B. King, Bo Lindqvist</p><p>{KYOTO}</p><h2>Abstract</h2>"
        f"<p>{ABSTRACT}</p><h2>Introduction</h2><p>{BODY}</p><h2>References</h2><ol>{cited}</ol>"
    )
    (folder / "labels.jsonl").write_text(json.dumps({"file": "0.html", "labels": LABELS}))
    (page,) = read_fresh(Corpora(tmp_path, "embedded"))
    assert page.name == "0.html"
    assert page.scores["title exact"] == page.scores["references whole"] == 1
