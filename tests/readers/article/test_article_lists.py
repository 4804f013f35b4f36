"""What a page says although no label does: lists repeat themselves, and headings tell."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from small_pdf import pdf, text

from pagesight.page import Page
from pagesight.readers.article import values
from pagesight.readers.article.citations import items
from pagesight.readers.article.places import is_likely_place
from pagesight.readers.article.values import LabelledZones
from pagesight.readers.article.zones import article_zones
from pagesight.render.pdf import page_from_pdf

See = Callable[[str], Page]
browser = pytest.mark.browser

PLACES = (
    "Department of Botany, University of Kyoto, Kyoto, Japan",
    "Institute of Plant Sciences, University of Lund, Lund, Sweden",
    "School of Medicine, University of Oxford, Oxford, United Kingdom",
)


def labelled(page: Page, labels: dict[str, str], confidence: float = 1.0) -> LabelledZones:
    """Zones with these labels by how their texts begin; all others are text."""
    zones = article_zones(page)
    found = [
        next((label for start, label in labels.items() if text.startswith(start)), "body")
        for text in zones.texts
    ]
    return LabelledZones(zones, found, np.full(len(zones), confidence))


def affiliations(found: LabelledZones) -> list[str]:
    return [place.text for place in values.authors_and_affiliations(found)[1]]


@browser
def test_affiliations_are_found_below_their_heading(see: See) -> None:
    content = "".join(f"<p>{place}</p><p>Ada King</p>" for place in PLACES)
    page = see(f"<h2>Author information</h2>{content}<h2>Results</h2><p>{PLACES[0]}, again</p>")
    assert affiliations(labelled(page, {})) == list(PLACES)


@browser
def test_affiliations_like_those_that_are_labelled_are_found(see: See) -> None:
    content = "".join(f"<li class='aff'>{place}</li>" for place in PLACES)
    page = see(f"<h1>On tea</h1><ul>{content}</ul><p>{PLACES[0]} is a fine place.</p>")
    assert affiliations(labelled(page, {PLACES[1]: "affiliation"})) == list(PLACES)


@browser
def test_the_place_of_an_editor_is_no_affiliation(see: See) -> None:
    page = see(f"<p>{PLACES[0]}</p><p>Academic Editor:</p><p>{PLACES[1]}</p>")
    found = labelled(page, {PLACES[0]: "affiliation", PLACES[1]: "affiliation"})
    assert affiliations(found) == [PLACES[0]]


@browser
def test_names_are_found_below_the_title(see: See) -> None:
    names = ("Ada King", "Wei Zhang", "Maria Garcia")
    content = "".join(f"<li class='who'><a href='/a'>{name}</a></li>" for name in names)
    page = see(f"<h1>On tea</h1><p>by</p><ul>{content}</ul><p>Open Access</p>")
    authors, _ = values.authors_and_affiliations(labelled(page, {"On tea": "title"}))
    assert [author.text for author in authors] == list(names)


@browser
def test_the_title_has_its_first_line_and_nothing_to_click(see: See) -> None:
    page = see(
        "<p style='font-size: 32px'>The effect of green tea</p>"
        "<p style='font-size: 26px'>A randomized trial</p>"
        "<p style='font-size: 26px'>Click to copy the link</p><p>small</p>"
    )
    labels = dict.fromkeys(("A randomized", "Click", "small"), "title")
    found = values.title(labelled(page, labels, confidence=0.6))
    assert found is not None
    assert found.text == "The effect of green tea A randomized trial"


def test_a_numbered_list_needs_no_heading() -> None:
    cited = [
        f"{number}. King A. On tea, part {number}. J Tea 1{800 + number}." for number in range(1, 8)
    ]
    lines = ["1. We drank the tea.", "2. We read the reports.", "", *cited]
    content = "".join(text(72, 700 - 20 * row, line) for row, line in enumerate(lines) if line)
    zones = article_zones(page_from_pdf(pdf(content)))
    found = items(zones, ["body"] * len(zones))
    assert [item.number for item in found] == [str(number) for number in range(1, 8)]
    assert found[0].text == "King A. On tea, part 1. J Tea 1801."


@pytest.mark.parametrize("place", PLACES)
def test_places_read_like_places(place: str) -> None:
    assert is_likely_place(place)


@pytest.mark.parametrize(
    "other",
    [
        "Ada King, Bo Lindqvist, Maria Garcia",
        "We gave tea to forty reviewers, half of them tired, and measured how long they read.",
        "King A, Xu L. On the virtues of tea: a survey of reviewers. J Tea Sci, 1851",
        "Correspondence to: Department of Botany, University of Kyoto, Kyoto, Japan",
    ],
)
def test_other_texts_do_not(other: str) -> None:
    assert not is_likely_place(other)
