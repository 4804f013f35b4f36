"""Who is at which place, and how to write to whom."""

from __future__ import annotations

import pytest

from pagesight.readers.article.fields.linking import (
    Contact,
    contacts_of,
    distinct,
    links_by_name,
    links_of,
)
from pagesight.readers.article.names.persons import Person
from pagesight.readers.article.names.places import Institution

KYOTO = "Department of Botany, University of Kyoto, Kyoto, Japan"
LUND = "Institute of Plant Sciences, Lund University, Lund, Sweden"


def person(
    name: str, *marks: str, zones: tuple[int, ...] = (0,), email: str | None = None
) -> Person:
    return Person(name, 0, marks=list(marks), zones=list(zones), email=email)


def place(text: str, mark: str | None = None, zone: int = 1) -> Institution:
    return Institution(text, mark, 0, zone)


def texts(found: list[Person], located: list[Institution]) -> list[list[str]]:
    named = links_by_name(found, located)
    links = links_of(found, distinct(located), named)
    return [[each.text for each in own] for own in links]


def test_marks_point_to_places() -> None:
    people = [person("Ada King", "1", "*"), person("Bo Lindqvist", "1", "2"), person("Li Xu")]
    located = [place(KYOTO, "1"), place(LUND, "2")]
    assert texts(people, located) == [[KYOTO], [KYOTO, LUND], []]


def test_a_mark_may_point_to_several_places() -> None:
    located = [place(KYOTO, "1"), place(LUND, "1")]
    assert texts([person("Ada King", "1")], located) == [[KYOTO, LUND]]


@pytest.mark.parametrize("written", ["(A.B.K., L.-H.X.)", "(King, Xu)", "[ABK and LHX]"])
def test_places_may_name_their_persons(written: str) -> None:
    people = [person("Ada B. King"), person("Bo Lindqvist"), person("Li-Hua Xu")]
    located = [place(f"{KYOTO} {written}"), place(f"{LUND} (B.L.).")]
    assert texts(people, located) == [[KYOTO], [LUND], [KYOTO]]


def test_other_brackets_stay() -> None:
    located = [place(f"{KYOTO} (CNRS)")]
    assert links_by_name([person("Ada King")], located) == [[]]
    assert located[0].text.endswith("(CNRS)")


def test_persons_and_places_take_turns() -> None:
    people = [person("Ada King", zones=(0,)), person("Bo Lindqvist", zones=(2,)),
              person("Li Xu", zones=(4,))]  # fmt: skip
    located = [place(KYOTO, zone=1), place(LUND, zone=3), place(KYOTO, zone=5)]
    assert texts(people, located) == [[KYOTO], [LUND], [KYOTO]]


def test_names_that_come_again_are_followed_by_their_places() -> None:
    people = [person("Ada King", zones=(0, 1)), person("Bo Lindqvist", zones=(3, 4))]
    assert texts(people, [place(KYOTO, zone=2), place(LUND, zone=5)]) == [[KYOTO], [LUND]]


def test_a_place_that_comes_again_is_told_once() -> None:
    people = [person("Ada King", zones=(0, 2)), person("Bo Lindqvist", zones=(4,))]
    located = [place(KYOTO, zone=1), place(KYOTO, zone=3), place(LUND, zone=5)]
    assert texts(people, located) == [[KYOTO], [LUND]]


def test_places_behind_all_names_are_nobodys() -> None:
    people = [person("Ada King", zones=(0,)), person("Bo Lindqvist", zones=(1,))]
    assert texts(people, [place(KYOTO, zone=2), place(LUND, zone=3)]) == [[], []]


def test_the_only_place_is_everybodys() -> None:
    assert texts([person("Ada King"), person("Li Xu")], [place(KYOTO)]) == [[KYOTO], [KYOTO]]


def test_a_place_is_told_once_and_well_spaced() -> None:
    found = distinct([place("University of KyotoKyoto, Japan"),
                      place("University of Kyoto, Kyoto, Japan", "1", zone=4)])  # fmt: skip
    assert [(one.text, one.mark, one.again) for one in found] == [
        ("University of Kyoto, Kyoto, Japan", "1", [1, 4])
    ]


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("E-mail: a.king@tea.example", 0),
        ("E-mail: ada@tea.example", None),  # three letters may be anybody's
        ("maria@tea.example", 2),
        ("Correspondence: Bo Lindqvist, x12@tea.example", 1),
        ("x12@tea.example", None),
        ("mlopez@tea.example", 3),  # a part of the family name
        ("bl@tea.example", 1),  # initials
        ("x1@tea.example (B.L.); x2@tea.example (T.N.)", 1),
        ("king@tea.example (B.L.)", 1),  # what is said behind counts more than letters
    ],
)
def test_addresses_have_owners(text: str, owner: int | None) -> None:
    people = [person("Ada King"), person("Bo Lindqvist"), person("Maria Garcia"),
              person("Jan Soler-Lopez")]  # fmt: skip
    found = contacts_of(people, [[], [], [], []], [(9, text)])
    assert [rank for rank, contact in enumerate(found) if contact.email] == (
        [] if owner is None else [owner]
    )


def test_an_address_below_all_names_and_places_is_nobodys() -> None:
    people = [person("Ada King"), person("Bo Lindqvist")]
    here, there = place(KYOTO), place(LUND)
    here.again, there.again = [1], [2]
    found = contacts_of(people, [[here], [there]], [(3, "x12@tea.example")])
    assert found == [Contact(), Contact()]


def test_where_all_have_an_address_it_tells_nothing() -> None:
    people = [person("Ada King", email="a@tea.example"), person("Li Xu", email="b@tea.example")]
    assert [contact.corresponding for contact in contacts_of(people, [[], []], [])] == [False] * 2
    people[1].corresponding = True
    assert [contact.corresponding for contact in contacts_of(people, [[], []], [])] == [False, True]


def contacts(text: str, *people: Person) -> list[tuple[str | None, bool]]:
    found = contacts_of(people, [[] for _ in people], [(9, text)])
    return [(contact.email, contact.corresponding) for contact in found]


def test_addresses_stand_behind_names() -> None:
    text = "Email: Ada King - a1@tea.example; Bo Lind - b2@tea.example"
    people = person("Ada King"), person("Bo Lind")
    assert [mail for mail, _ in contacts(text, *people)] == ["a1@tea.example", "b2@tea.example"]


def test_who_is_marked_is_to_be_written_to_and_nobody_else() -> None:
    text = "Email: Ada King - a1@tea.example; Bo Lind* - b2@tea.example. * Corresponding author"
    marked = person("Bo Lind", "*")
    marked.corresponding = True
    found = contacts(text, person("Ada King"), marked, person("Carl Berg"))
    assert [corresponding for _, corresponding in found] == [False, True, False]


def test_several_addresses_may_share_their_end() -> None:
    people = person("Ada King"), person("Bo Lind"), person("Carl Berg")
    found = contacts("{king, berg}@tea.example", *people)
    assert [mail for mail, _ in found] == ["king@tea.example", None, "berg@tea.example"]


def test_addresses_spell_umlauts() -> None:
    found = contacts("mueller@tea.example", person("Ada Müller"), person("Bo Lind"))
    assert found[0][0] == "mueller@tea.example"


def test_initials_and_degrees_stand_around_names_behind_places() -> None:
    people = [person("Ada B. King"), person("Li-Hua Xu"), person("Bo Lind")]
    located = [place(f"{KYOTO} (A B King MD, Prof L H Xu MS)")]
    assert texts(people, located) == [[KYOTO], [KYOTO], []]


@pytest.mark.parametrize("text", ["a processor @2.40 GHz", "CPU@2.40", "at 3@4.5"])
def test_numbers_are_not_addresses(text: str) -> None:
    assert contacts_of([person("Ada King", "*")], [[]], [(3, text)]) == [Contact()]
