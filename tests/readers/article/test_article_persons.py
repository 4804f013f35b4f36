"""Names in author zones, and places in affiliation zones."""

from __future__ import annotations

import pytest

from pagesight.readers.article.names.persons import (
    NameText,
    Person,
    divide,
    is_group,
    is_name,
    persons,
)


def found(*pieces: str | NameText) -> list[Person]:
    return persons(piece if isinstance(piece, NameText) else NameText(piece, 0) for piece in pieces)


def sup(text: str) -> NameText:
    return NameText(text, 0, raised=True)


def names(*pieces: str | NameText) -> list[str]:
    return [person.name for person in found(*pieces)]


def test_names_are_parted_and_keep_their_superscripts() -> None:
    people = found(
        "Ada B. King,", sup("1"), " Li-Hua Xu", sup("1,2,*"), " and Jan van Dyck", sup("b")
    )
    assert [(person.name, person.marks) for person in people] == [
        ("Ada B. King", ["1"]), ("Li-Hua Xu", ["1", "2", "*"]), ("Jan van Dyck", ["b"])
    ]  # fmt: skip
    assert [person.corresponding for person in people] == [False, True, False]


def test_marks_need_no_superscripts() -> None:
    people = found("Ada King1,2, Bo Lindqvist*")
    assert [person.marks for person in people] == [["1", "2"], ["*"]]


def test_titles_in_front_are_stripped() -> None:
    assert names("Dr. Ada King, Prof. Dr. Bo Lindqvist, Drew Ma") == [
        "Ada King", "Bo Lindqvist", "Drew Ma"
    ]  # fmt: skip


def test_initials_are_no_title() -> None:
    assert names("PD King, Ada Msimang") == ["PD King", "Ada Msimang"]


def test_degrees_and_suffixes_are_stripped() -> None:
    people = found("Ada King, MD, PhD; John M. Marzo Jr., M.D.; Mary Ma, MSc")
    assert [person.name for person in people] == ["Ada King", "John M. Marzo", "Mary Ma"]
    assert [person.degrees for person in people] == [["MD", "PhD"], ["M.D."], ["MSc"]]
    assert people[1].suffix == "Jr."


@pytest.mark.parametrize(
    "written",
    [
        ("King, A.; Lindqvist, B. C.; van der Berg, M.",),
        ("King A, Lindqvist BC, van der Berg M",),
        ("King, A.; Lindqvist, B. C. and van der Berg, M.",),
    ],
)
def test_family_names_may_come_first(written: tuple[str]) -> None:
    families = [divide(person.name)[1] for person in found(*written)]
    assert families == ["King", "Lindqvist", "van der Berg"]


@pytest.mark.parametrize("word", ["and", "&", "y", "e", "et", "und", "och", "og", "en", "i", "a"])
def test_two_persons_with_a_word_in_between(word: str) -> None:
    both = ["Ana Ruiz", "José Pérez"]
    assert names(f"Ana Ruiz {word} José Pérez") == both
    assert names(f"Ana Ruiz1 {word} José Pérez2") == both
    assert names("Ana Ruiz", sup("1"), f" {word} José Pérez", sup("2")) == both
    assert (
        names(NameText("Ana Ruiz", 1, link=1), f" {word} ", NameText("José Pérez", 2, link=2))
        == both
    )
    assert names(f"Bo King, Ana Ruiz {word} J. Pérez") == ["Bo King", "Ana Ruiz", "J. Pérez"]


@pytest.mark.parametrize("name", ["José Luis Núñez y Pérez", "João Costa e Silva", "Ada y Arco"])
def test_one_person_with_a_word_in_between(name: str) -> None:
    assert names(f"Bo Lindqvist, {name}, Li Xu") == ["Bo Lindqvist", name, "Li Xu"]


def test_descriptions_of_pictures_are_no_part_of_a_name() -> None:
    assert names("Ada King mail, Bo Lindqvist equal contributor") == ["Ada King", "Bo Lindqvist"]


def test_line_breaks_of_the_source_are_spaces() -> None:
    assert names("Ada\n   King and\nBo\n Lindqvist") == ["Ada King", "Bo Lindqvist"]


def test_links_to_persons_part_names_without_commas() -> None:
    people = found(NameText("Ada King", 1, link=5), NameText("Bo Lindqvist", 2, link=8))
    assert [(person.name, person.node) for person in people] == [
        ("Ada King", 1), ("Bo Lindqvist", 2)
    ]  # fmt: skip


def test_identifiers_belong_to_the_name_before() -> None:
    orcid = NameText("ORCID", 3, link=7, target="https://orcid.org/0000-0002-1825-0097")
    mail = NameText("✉", 4, link=9, target="mailto:ada@tea.example")
    people = found(
        NameText("Ada King", 1), orcid, mail, NameText(", Bo Lindqvist bo@tea.example", 5)
    )
    assert [person.name for person in people] == ["Ada King", "Bo Lindqvist"]
    assert [person.email for person in people] == ["ada@tea.example", "bo@tea.example"]


def test_an_identifier_may_be_written_behind_a_name() -> None:
    people = found("Ada King, 0000-0002-1825-0097; Li Xu")
    assert [person.orcid for person in people] == ["0000-0002-1825-0097", None]


def test_what_is_no_name_is_passed_over() -> None:
    assert names(
        "Ada King, View ORCID Profile, Show more, Search for more papers by this author"
    ) == ["Ada King"]


def test_job_titles_are_no_names_but_carry_marks() -> None:
    people = found(
        "Ada King, lecturer in epidemiology", sup("1"), ", Bo Lindqvist, professor", sup("2")
    )
    assert [(person.name, person.marks) for person in people] == [
        ("Ada King", ["1"]), ("Bo Lindqvist", ["2"])
    ]  # fmt: skip


def test_marks_may_stand_in_brackets() -> None:
    people = found("Ada King (1), Bo Lindqvist (1,3) and Maria Garcia [2]")
    assert [(person.name, person.marks) for person in people] == [
        ("Ada King", ["1"]), ("Bo Lindqvist", ["1", "3"]), ("Maria Garcia", ["2"])
    ]  # fmt: skip


def test_each_symbol_is_a_mark_but_doubled_ones_are_one() -> None:
    people = found("Ada King*†, Bo Lindqvist", sup("‡∗"), ", Maria Garcia††")
    assert [person.marks for person in people] == [["*", "†"], ["‡", "*"], ["††"]]
    assert [person.corresponding for person in people] == [True, True, False]


def test_marks_behind_a_comma_belong_to_the_name_before() -> None:
    people = found("Ada King,*† Bo Lindqvist,‡ and Maria Garcia§")
    assert [(person.name, person.marks) for person in people] == [
        ("Ada King", ["*", "†"]), ("Bo Lindqvist", ["‡"]), ("Maria Garcia", ["§"])
    ]  # fmt: skip


@pytest.mark.parametrize(
    "written",
    [
        ("King, Ada B.; Lindqvist, Bo; van der Berg, Maria",),
    ],
)  # fmt: skip
def test_whole_names_may_be_turned_around(written: tuple[str | NameText, ...]) -> None:
    assert names(*written) == ["Ada B. King", "Bo Lindqvist", "Maria van der Berg"]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("King, Ada B.", "Ada B. King"),
        ("van der Berg, Maria", "Maria van der Berg"),
        ("King, Ada (2011) What is tea? Journal of Tea, 3 (2). pp. 1-9.", "Ada King"),
    ],
)
def test_one_name_may_be_turned_around(written: str, name: str) -> None:
    assert names(NameText(written, 0, begins=True)) == [name]


def test_what_follows_a_year_is_read_again_in_the_next_zone() -> None:
    zones = ("King, Ada and Xu, Li (2011) Tea and Bo Lindqvist.", "Bo Lindqvist")
    assert names(*(NameText(zone, 0, begins=True) for zone in zones)) == [
        "Ada King", "Li Xu", "Bo Lindqvist"
    ]  # fmt: skip


def test_a_place_in_brackets_is_that_of_the_names_before() -> None:
    people = found("By Ada King, Li Xu (University of Kyoto, Japan) and Bo Lind (born 1970)")
    assert [(person.name, person.nested) for person in people] == [
        ("Ada King", ["University of Kyoto, Japan"]),
        ("Li Xu", ["University of Kyoto, Japan"]),
        ("Bo Lind", []),
    ]


def test_two_persons_are_not_one_turned_around() -> None:
    assert names("Ada King, Bo Lindqvist") == ["Ada King", "Bo Lindqvist"]
    assert names("Ada", " King, ", "Bo", " Lindqvist") == ["Ada King", "Bo Lindqvist"]


@pytest.mark.parametrize(
    ("written", "group"),
    [
        ("Ada King; Oolong Trial Investigators", "Oolong Trial Investigators"),
        ("Ada King, TEA Consortium", "TEA Consortium"),
        ("Ada King and The LEAF Collaboration", "The LEAF Collaboration"),
    ],
)
def test_groups_are_authors(written: str, group: str) -> None:
    assert names(written) == ["Ada King", group]
    assert is_group(group)


def test_persons_are_no_groups() -> None:
    assert not any(map(is_group, ["David M. Center", "Ada King", "Mary Study-Hall", "Group"]))


def test_places_beside_a_name_are_kept_with_it() -> None:
    people = found("Ada King", sup("a"), "Institute of Tea, University of Kyoto, Japan")
    assert people[0].nested == ["Institute of Tea, University of Kyoto, Japan"]


def test_a_repeated_name_is_one_person() -> None:
    people = found(NameText("Ada King,", 0, begins=True), NameText("Ada King", 9, begins=True))
    assert [(person.name, person.node) for person in people] == [("Ada King", 0)]


@pytest.mark.parametrize(
    ("name", "given", "family"),
    [
        ("Ada King", "Ada", "King"),
        ("Jan van der Berg", "Jan", "van der Berg"),
        ("King AM", "AM", "King"),
        ("Donati J.-F.", "J.-F.", "Donati"),
        ("J.-F. Donati", "J.-F.", "Donati"),
        ("J. Li", "J.", "Li"),
        ("Plato", "", "Plato"),
        ("The Green Tea Study Group", "", "The Green Tea Study Group"),
        ("TEA Consortium", "", "TEA Consortium"),
        ("David M. Center", "David M.", "Center"),
        ("José Luis Núñez y Pérez", "José Luis", "Núñez y Pérez"),
        ("João Costa e Silva", "João", "Costa e Silva"),
        ("Ada y Arco", "Ada", "y Arco"),
    ],
)
def test_names_are_divided(name: str, given: str, family: str) -> None:
    assert divide(name) == (given, family)


@pytest.mark.parametrize("text", ["France Légaré", "Min Chen", "Grace Young", "O. van Leeuwenhoek"])
def test_rare_and_ambiguous_names_are_names(text: str) -> None:
    assert is_name(text)


@pytest.mark.parametrize(
    "text", ["Department of Tea", "Full Text", "received 3 May", "we drank tea", "12", ""]
)
def test_other_texts_are_not(text: str) -> None:
    assert not is_name(text)


@pytest.mark.parametrize(
    "written",
    [
        ("ADA KING AND BO LIND",),
        ("Ada King", sup("♠"), "   Bo Lind", sup("♦")),
        ("Email: Ada King - ada@tea.example; Bo Lind - bo@tea.example",),
    ],
)
def test_names_are_parted_in_other_ways(written: tuple[str | NameText, ...]) -> None:
    assert [name.title() for name in names(*written)] == ["Ada King", "Bo Lind"]


@pytest.mark.parametrize(
    ("written", "family"),
    [("王小明", "王"), ("鈴木一郎", "鈴木"), ("김철수", "김"), ("山田 太郎", "山田")],
)
def test_a_list_may_mix_letters(written: str, family: str) -> None:
    assert names(f"{written}, Ada King and Bo Lind") == [written, "Ada King", "Bo Lind"]
    assert names(f"Ada King, {written}") == ["Ada King", written]
    assert divide(written)[1] == family
