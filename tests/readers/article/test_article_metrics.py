"""The measures of articles: names, texts and zones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.learning.scores import Prf
from pagesight.readers.article.learning.scoring import count_persons, count_texts
from pagesight.readers.article.learning.truth import distinct, repaired
from pagesight.readers.article.names.persons import Name, name_of, same_person
from pagesight.readers.article.text import plain
from pagesight.segment.text import dice, folded


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Ada King", Name("Ada", "King")),
        ("King, Ada", Name("Ada", "King")),
        ("King AM", Name("AM", "King")),
        ("A. B. Li", Name("A. B.", "Li")),
        ("Plato", Name("", "Plato")),
        ("J. LI", Name("J.", "LI")),
    ],
)
def test_a_name_is_divided_however_it_is_written(written: str, name: Name) -> None:
    assert name_of(written) == name


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("José Núñez", "Jose Nunez", True),
        ("J. Nunez", "José Núñez", True),
        ("Nunez JA", "José A. Núñez", True),
        ("M. Nunez", "José Núñez", False),
        ("Jan van der Berg", "van der Berg, Jan", True),
        ("Bjørn Ås", "Bjorn As", True),
        ("Jean-Pierre Dupont", "J.-P. Dupont", True),
        ("Ada King", "Ada Kong", False),
    ],
)
def test_the_same_person_is_known_by_folded_names(one: str, other: str, same: bool) -> None:
    assert same_person(name_of(one), name_of(other)) is same


def test_each_person_is_matched_once() -> None:
    wanted = [Name("A", "Li"), Name("B", "Li")]
    assert count_persons(wanted, [Name("A", "Li"), Name("A", "Li")]) == Prf(1, 1, 1)


def test_the_most_similar_texts_are_matched_first() -> None:
    wanted = ["Department of Tea, University of Kyoto", "Department of Tea, University of Kyoto 2"]
    found = ["Department of Tea, University of Kyoto 2", "Institute for Coffee, Trieste"]
    assert count_texts(wanted, found) == Prf(1, 1, 1)


def test_repeated_institutions_are_one() -> None:
    assert len(distinct(["Tea House, Kyoto", "Tea House  Kyoto.", "Elsewhere"])) == 2


@pytest.mark.parametrize(
    ("damaged", "whole"),
    [
        ("BaragaÃ±a", "Baragaña"),
        ("NOAAâ\x80\x99s", "NOAA’s"),
        ("itâ€™s", "it’s"),
        ("Núñez", "Núñez"),
        ("José and BaragaÃ±a", "José and Baragaña"),
        ("Åsa", "Åsa"),
    ],
)
def test_a_wrong_charset_is_repaired(damaged: str, whole: str) -> None:
    assert repaired(damaged) == whole


def test_tags_and_entities_are_resolved() -> None:
    assert plain("<h3>Abstract</h3>\n<p>CO<sub>2</sub> &amp;amp; tea</p>") == "Abstract CO 2 & tea"


@given(st.text(max_size=30), st.text(max_size=30))
def test_dice_is_a_symmetric_similarity(one: str, other: str) -> None:
    assert dice(one, other) == dice(other, one)
    assert 0 <= dice(one, other) <= 1
    assert dice(one, one) == 1


@given(st.text(max_size=30))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert folded(folded(text)) == folded(text)
