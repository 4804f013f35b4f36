"""Texts that no article has, but pages do: what is read stays small, however long they are."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from pagesight.page import Page
from pagesight.readers.article.fields import linking
from pagesight.readers.article.names import persons
from pagesight.readers.article.names.persons import (
    LONGEST_BESIDE,
    NameText,
    bare_name,
    between_names,
    name_of,
    same_person,
)
from pagesight.readers.article.reader import read_article
from pagesight.readers.article.vocabulary import CUES
from pagesight.readers.article.zones import article_zones

LayOut = Callable[[str], Page]
TITLE = "<h1>Green tea and the patience of reviewers</h1>"


@pytest.mark.parametrize(
    "noise", ["." * 100_000, "a" * 10_000, "(" * 16_000 + ")" * 16_000, "[" * 16_000]
)
def test_noise_beside_a_name_is_passed_over(lay_out: LayOut, noise: str) -> None:
    page = lay_out(f"{TITLE}<p>Ada King, {noise}</p><h2>Abstract</h2><p>Tea is good.</p>")
    assert len(article_zones(page)) == 4
    reading = read_article(page)
    assert [author.text for author in reading.authors] in ([], ["Ada King"])


def test_names_are_looked_for_right_beside_the_words_between_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes: list[int] = []

    def is_name(text: str) -> bool:
        sizes.append(len(text))
        return True

    monkeypatch.setattr(persons, "is_name", is_name)
    words = 500
    between_names("Ada Ruiz y " + "tea leaf y " * words)
    assert len(sizes) <= 2 * (words + 1)
    assert max(sizes) <= LONGEST_BESIDE


def test_words_between_names_are_replaced_where_they_are() -> None:
    both = "Ana Ruiz y José Pérez"
    assert between_names(both) == "Ana Ruiz ; José Pérez"
    assert between_names("José Ruiz y Pérez") == "José Ruiz y Pérez"
    several = ", ".join([both] * 100)
    assert len(persons.persons([NameText(several, 1)])) == 2
    assert between_names(several).count(";") == 100


def test_addresses_are_compared_with_persons_so_many_times_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[int] = []

    def owner(mail: linking.Mail, *_: object) -> None:
        compared.append(len(mail.behind))

    monkeypatch.setattr(linking, "_owner", owner)
    monkeypatch.setattr(linking, "MOST_COMPARED", 100)
    people = persons.persons([NameText("Ada King, Bo Lind, Cy Moor, Di Nils", 1)])
    letters = [(zone, "tea@leaf.org, " * 20) for zone in range(5)]
    linking.contacts_of(people, [[] for _ in people], letters)
    assert len(compared) == 100 / 4
    assert max(compared) <= linking.LONGEST_BEHIND


@pytest.mark.parametrize(("size", "name"), [(300, "Ada King"), (301, "")])
def test_asides_have_an_end_that_is_near(size: int, name: str) -> None:
    text = bare_name(f"Ada King ({'A' * size})")
    assert (text == "Ada King") == bool(name)


def test_no_cue_divides_the_same_signs_in_two_ways() -> None:
    repeated = re.compile(r"\\W\*(?:\(\?:[^()]*\)|[^()])\?\\W\*")
    assert repeated.search(r"\W*(?:\d|\w\s)?\W*correspondence")
    assert not [name for name, cue in CUES.items() if repeated.search(cue.pattern)]


@pytest.mark.parametrize(
    "text",
    ["Correspondence to: Ada King", "* Correspondence: A. King", "(1) address for correspondence"],
)
def test_signs_and_marks_may_come_before_a_cue(text: str) -> None:
    assert CUES["correspondence"].match(text)
    assert not CUES["correspondence"].match(f"Tea. {text}")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("King, Ada", "King AB", True),
        ("King, Ada Carol", "King AB", False),
        ("King, Ada Bea", "King AB", True),
        ("King, A. B.", "King AB", True),
        ("King, Bo", "King AB", False),
        ("King, Ada", "King", False),
        ("King, Li-Hua", "King, Lihua", True),
    ],
)
def test_glued_initials_are_those_of_given_names(one: str, other: str, same: bool) -> None:
    assert same_person(name_of(one), name_of(other)) is same
    assert same_person(name_of(other), name_of(one)) is same
