"""Who is meant: by names, initials, brackets and lines above."""

from __future__ import annotations

import pytest
from small_labels import KYOTO, LUND

from pagesight.readers.article.fields.linking import (
    called_in,
    is_editors,
    is_letter,
    nested_places,
    signs_of,
    unaddressed,
    with_role,
)
from pagesight.readers.article.names.persons import Person, name_of, same_person, split_name
from pagesight.readers.article.names.places import Institution


def test_places_that_begin_with_a_person_say_where_to_write_to() -> None:
    people = [Person("Ada King", 0), Person("Li Xu", 0)]
    located = [Institution(text, None, 0, 0) for text in (f"Ada B. King, {KYOTO}", LUND, "")]
    assert [place.text for place in unaddressed(located, people)] == [LUND, ""]


def test_places_beside_names_are_cut_like_others() -> None:
    people = [Person("Ada King", 3, nested=[f"{KYOTO}; {LUND}"], zones=[7]), Person("Li Xu", 4)]
    assert [(one.text, one.node, one.zone) for one in nested_places(people)] == [
        (KYOTO, 3, 7), (LUND, 3, 7),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "signs"),
    [
        ("Ada B. King", {"abk", "ak", "king", "abking", "aking"}),
        ("Li-Hua Xu", {"lhx", "lx", "xu", "lhxu", "lxu"}),
        ("King", set()),  # nobody is called by a name alone
    ],
)
def test_persons_are_called_by_initials_or_family_name(name: str, signs: set[str]) -> None:
    assert signs_of(name) == signs


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("A.B.K., L.-H.X.", ["abk", "lhx"]),
        ("A J King MD, Prof B Lind", ["ajking", "blind"]),
        ("M.D.", ["md"]),  # initials, not a degree
        ("King & Xu and Lind;", ["king", "xu", "lind"]),
        (" , ", []),
    ],
)
def test_who_is_called_in_brackets(text: str, called: list[str]) -> None:
    assert called_in(text) == called


def test_a_line_above_says_who_is_named_below() -> None:
    texts = ["Edited by", "Ada King", "Correspondence to:", "Li Xu", "Text"]
    assert [is_editors(texts, zone) for zone in range(5)] == [True, True, False, False, False]
    assert [is_letter(texts, zone) for zone in range(5)] == [False, False, False, True, False]
    assert with_role(texts, 3) == "Correspondence to: Li Xu"
    assert with_role(texts, 0) == "Edited by"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Dr. Ada King PhD", ("Ada King", ["PhD"], "")),
        ("Ada King Jr. MD", ("Ada King", ["MD"], "Jr.")),
        ("Jack Ma", ("Jack Ma", [], "")),  # no master of arts
        ("Prof Drummond", ("Drummond", [], "")),
        ("", ("", [], "")),
    ],
)
def test_titles_degrees_and_suffixes_are_taken_off_names(
    text: str, parts: tuple[str, list[str], str]
) -> None:
    assert split_name(text) == parts


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("King, Ada", "A. King", True),
        ("King, Ada B.", "King AB", True),
        ("King, Ada", "King, Bo", False),
        ("King", "Ada King", False),  # one has no given name
        ("van der Berg, Jan", "Jan van der Berg", True),
        ("Müller, Ada", "Ada Muller", True),
        ("King Jr., Ada", "Ada King", True),
    ],
)
def test_persons_are_the_same_either_way_round(one: str, other: str, same: bool) -> None:
    assert same_person(name_of(one), name_of(other)) is same
    assert same_person(name_of(other), name_of(one)) is same
