"""Confidences that say how often a value is right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from small_article import TRUTH
from small_labels import KYOTO, LayOut, labelled

from pagesight.models.ranking import LEAF, Ranker, Tree
from pagesight.page import Box
from pagesight.readers.article import ArticleReading, ArticleValue, Author
from pagesight.readers.article.labelling.confidence import CLUES, StatedValue, by_label
from pagesight.readers.article.labelling.labels import LabelledZones, certain
from pagesight.readers.article.labelling.weights import if_an_article
from pagesight.readers.article.learning.scoring import judged
from pagesight.readers.article.learning.training import AnsweredPage, Answers, judges_of

PLACE = Box(0, 0, 9, 9)


def read(confidence: float, *names: tuple[str, str]) -> ArticleReading:
    authors = tuple(
        Author(
            text=f"{given} {family}", given=given, family=family, confidence=confidence, box=PLACE
        )
        for given, family in names
    )
    title = ArticleValue(text=TRUTH.titles[0], confidence=confidence, box=PLACE)
    return ArticleReading(is_article=True, confidence=1.0, title=title, authors=authors)


def test_values_are_judged_where_something_is_known() -> None:
    reading = read(0.8, ("Ada", "King"), ("Eve", "Nobody"))
    assert judged(reading, TRUTH) == {
        "title": [(0.8, True)], "authors": [(0.8, True), (0.8, False)], "affiliations": [],
        "references": [],
    }  # fmt: skip
    assert "title" not in judged(reading, replace(TRUTH, titles=()))


def answers(right: float, *, sure: float = 0.0, count: int = 400) -> Answers:
    """Authors of whom a share is right, all as sure."""
    row = np.zeros(len(CLUES))
    row[0] = sure
    return {"authors": [(row, rank < right * count) for rank in range(count)]}


def sure_of(whole: Answers, written: Answers, *, sure: float = 0.0) -> float:
    ((row, _),) = answers(1.0, sure=sure, count=1)["authors"]
    pages = [AnsweredPage("tea", False, whole), AnsweredPage("kind", True, written)]
    return by_label(judges_of(pages))("author", row[None])[0]


@pytest.mark.parametrize("right", [0.05, 0.5, 0.97])
def test_values_are_trusted_as_often_as_they_are_right(right: float) -> None:
    assert sure_of(answers(right), {}) == pytest.approx(right, abs=0.02)


def test_mistakes_on_written_pages_do_not_make_other_values_less_sure() -> None:
    assert sure_of(answers(0.97), answers(0.3)) == pytest.approx(0.97, abs=0.03)


def test_written_pages_teach_which_clues_tell() -> None:
    wrong = answers(0.0, sure=-2.0)["authors"]
    written: Answers = {"authors": [*answers(1.0, sure=2.0)["authors"], *wrong]}
    low, high = (sure_of(answers(0.9), written, sure=sure) for sure in (-2.0, 2.0))
    assert low < 0.3 < 0.9 < high


def test_fields_of_which_nothing_was_read_are_trusted_by_half() -> None:
    assert by_label(judges_of([]))("title", np.ones((1, len(CLUES)))) == [0.5]


# What a page shows that is not an article


@pytest.mark.parametrize("chance", [0.0, 0.2, 1.0])
def test_no_value_is_surer_than_that_the_page_is_an_article(chance: float) -> None:
    reading = if_an_article(replace(read(0.8, ("Ada", "King")), confidence=chance))
    assert reading.title is not None
    assert reading.title.confidence == reading.authors[0].confidence == pytest.approx(0.8 * chance)
    assert reading.abstract is None


# Clues


def rows_of(found: LabelledZones, label: str, *values: StatedValue) -> list[dict[str, float]]:
    return [dict(zip(CLUES, row.tolist(), strict=True)) for row in found.clues(label, values)]


def row_of(label: str, text: str, sure: float, lay_out: LayOut) -> dict[str, float]:
    found = labelled(lay_out(f"<p>{text}</p>"), label)
    (row,) = rows_of(replace(found, chances=certain([label], sure)), label, StatedValue(text, [0]))
    return row


def test_clues_say_how_sure_the_chain_is_and_how_a_value_reads(lay_out: LayOut) -> None:
    place = row_of("affiliation", KYOTO, 0.9, lay_out)
    other = row_of("affiliation", "1851 tea, drunk.", 0.5, lay_out)
    assert place["sure"] == place["least sure"] > other["sure"] == 0
    assert place["usual words"] > other["usual words"]
    assert (other["year"], other["punctuation"], other["institutions"]) == (1, 1, 0)
    assert place["several"] == place["links"] == 0 < place["institutions"]


def test_clues_say_what_is_above_a_value(lay_out: LayOut) -> None:
    page = lay_out(f"<p>On tea</p><h2>References</h2><p>{KYOTO}</p>")
    found = labelled(page, "title", "reference heading", "reference")
    value = StatedValue(KYOTO, [2])
    (cited,), (place,) = (rows_of(found, label, value) for label in ("reference", "affiliation"))
    assert (cited["headed"], cited["otherwise headed"]) == (1, 0)
    assert (place["headed"], place["otherwise headed"]) == (0, 1)
    assert place["below title"] == pytest.approx(np.log(3))


def test_clues_compare_a_value_with_the_others_of_its_list(lay_out: LayOut) -> None:
    found = labelled(
        lay_out("<p>Ada King</p><p>Bo Lind</p><p>Of tea, by Bo Lind</p>"),
        "author",
        "author",
        "body",
    )
    known = StatedValue("Ada King", [0], linked=True, given="Ada", family="King")
    other = StatedValue("Bo Lind", [1], given="Bo", family="Lind")
    ada, bo = rows_of(found, "author", known, other)
    assert ada["listed"] == bo["listed"] > 0
    assert ada["linked"] > bo["linked"]
    assert bo["others linked"] > 0 > ada["others linked"]
    assert bo["said again"] > ada["said again"] == 0


def test_a_place_after_a_country_is_another(lay_out: LayOut) -> None:
    one = "Tea School, University of Kyoto, Japan"
    two = f"{one}, Lund Labs"
    assert row_of("affiliation", one, 0.9, lay_out)["after a country"] == 0
    assert row_of("affiliation", two, 0.9, lay_out)["after a country"] == 1


def test_a_chain_is_believed_until_something_else_is_learned(lay_out: LayOut) -> None:
    rows = np.array([list(row_of("title", "On tea", 0.8, lay_out).values())])
    assert by_label({})("title", rows)[0] == pytest.approx(0.8)
    doubting = by_label({"title": Ranker(CLUES, (Tree((LEAF,), (-3.0,)),))})
    assert doubting("title", rows)[0] < 0.05
    assert doubting("author", rows)[0] == pytest.approx(0.8)


def test_a_value_is_trusted_by_its_field_whatever_its_zone_is_labelled(lay_out: LayOut) -> None:
    found = labelled(
        lay_out("<p>On tea</p><p>Ada King</p><p>Bo Lind</p>"), "title", "author", "front"
    )
    (row,) = rows_of(found, "author", StatedValue("Bo Lind", [2]))
    assert row["labelled"] == 0
    assert row["sure"] < 0 < row["less sure"]


def test_chances_of_affiliations_are_those_of_all_kinds(lay_out: LayOut) -> None:
    found = labelled(lay_out(f"<p>{KYOTO}</p>"), "late affiliation")
    assert found.value(KYOTO, [0])["confidence"] > 0.99
