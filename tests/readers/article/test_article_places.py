"""Places one by one, and the zones that they are in."""

from __future__ import annotations

import pytest
from small_article import ABSTRACT
from small_labels import KYOTO, LUND, LayOut, labelled

from pagesight.readers.article.fields.affiliations import affiliation_zones, notes, pointed_at
from pagesight.readers.article.names.places import (
    Institution,
    cleaned,
    cut,
    is_likely_place,
    likelihood,
    may_read_like_place,
)


@pytest.mark.parametrize(
    ("text", "mark", "left"),
    [
        (f"1 {KYOTO}", "1", KYOTO),
        (f"a{KYOTO}", "a", KYOTO),
        (f"∗ {KYOTO}", "*", KYOTO),
        (f"Author affiliations: {KYOTO}", None, KYOTO),
        (f"From the {KYOTO};", None, KYOTO),
        (f"{KYOTO}. E-mail: ada@tea.example", None, KYOTO),
        (f"{KYOTO}, ada@tea.example", None, KYOTO),
        (f"{KYOTO} and", None, KYOTO),
        (f"{KYOTO}. The authors thank nobody.", None, KYOTO),
        ("", None, ""),
    ],
)
def test_a_place_comes_without_the_words_around_it(text: str, mark: str | None, left: str) -> None:
    place = cleaned(Institution(text, None, 0, 0))
    assert (place.mark, place.text) == (mark, left)
    again = cleaned(Institution(place.text, place.mark, 0, 0))
    assert (again.mark, again.text) == (mark, left)


def test_a_mark_points_to_all_places_that_semicolons_divide() -> None:
    parts = cut(Institution(f"{KYOTO}; and {LUND}", "1", 0, 0))
    assert [(part.text, part.mark) for part in parts] == [(KYOTO, "1"), (LUND, "1")]


def test_what_is_numbered_has_marks_of_its_own() -> None:
    parts = cut(Institution(f"{KYOTO}, 2 {LUND}", "1", 0, 0))
    assert [(part.text, part.mark) for part in parts] == [(f"{KYOTO},", "1"), (f"2 {LUND}", None)]


def test_places_that_run_on_are_divided_after_their_countries() -> None:
    texts = [part.text for part in cut(Institution(f"{KYOTO}, {LUND}", None, 0, 0))]
    assert [text.strip(", ") for text in texts] == [KYOTO, LUND]
    whole = "Department of Peru, University of Kyoto, Kyoto, Japan, Hall B"
    named = "National University of Ireland, University Road, Galway, Ireland"
    for text in (whole, named):
        assert [part.text for part in cut(Institution(text, None, 0, 0))] == [text]
    wales = "Tea School, University of New South Wales, Sydney, Australia"
    assert [part.text for part in cut(Institution(f"{KYOTO}, {wales}", None, 0, 0))] == [
        f"{KYOTO}, ",
        wales,
    ]


def test_a_semicolon_within_a_place_does_not_divide_it() -> None:
    assert len(cut(Institution("University of Kyoto; Kyoto", None, 0, 0))) == 1


def test_a_place_is_recognised_by_its_words() -> None:
    assert is_likely_place(KYOTO)
    assert may_read_like_place(KYOTO)
    assert not is_likely_place(KYOTO.replace(",", ""))  # one name, perhaps of a page
    assert not is_likely_place("Kyoto, Japan")  # too short to be sure
    assert not is_likely_place(ABSTRACT)
    assert likelihood(KYOTO) > likelihood(ABSTRACT)
    assert not is_likely_place(f"Correspondence to: {KYOTO}")


def test_places_alike_near_an_affiliation_are_found(lay_out: LayOut) -> None:
    page = lay_out(f"<h1>On tea</h1><p class=a>{KYOTO}</p><p class=a>{LUND}</p><p>Text, more.</p>")
    zones = labelled(page, "title", "affiliation", "front", "body")
    assert affiliation_zones(zones, []) == [1, 2]


def test_places_below_who_paid_are_not_those_of_authors(lay_out: LayOut) -> None:
    page = lay_out(f"<p class=a>{KYOTO}</p><h2>Funding</h2><p class=a>{LUND}</p>")
    found = affiliation_zones(labelled(page, "affiliation", "body", "body"), [])
    assert 0 in found
    assert 2 not in found


def test_notes_that_marks_point_to_are_places(lay_out: LayOut) -> None:
    page = lay_out(f"<h1>On tea</h1><p>Ada King<sup>1</sup></p><p><sup>1</sup>{KYOTO}</p>")
    zones = labelled(page, "title", "author", "body")
    assert notes(zones) == [2]
    assert [(one.mark, one.text) for one in pointed_at(zones, {"1"}, [])] == [("1", KYOTO)]
    assert pointed_at(zones, {"2"}, []) == []
    assert pointed_at(zones, set(), []) == []
    unmarked = Institution(LUND, None, 0, 1)
    assert pointed_at(zones, {"1"}, [unmarked]) == []  # marks here point to something else
