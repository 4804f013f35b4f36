"""Title, abstract, keywords, DOI and year of zones whose labels are given."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from small_article import ABSTRACT, BODY
from small_pdf import pdf, text

from pagesight.page import Page
from pagesight.readers.article.fields.abstract import abstract
from pagesight.readers.article.fields.authors import authors_and_affiliations
from pagesight.readers.article.fields.publication import doi, keywords, title, year
from pagesight.readers.article.labelling.labels import LabelledZones, certain, labelled_zones
from pagesight.readers.article.zones import article_zones
from pagesight.render.pdf import page_from_pdf

LayOut = Callable[[str], Page]


def labelled(page: Page, *labels: str, confidence: tuple[float, ...] = ()) -> LabelledZones:
    zones = article_zones(page)
    assert len(labels) == len(zones), zones.texts
    return LabelledZones(zones, list(labels), certain(labels, confidence or 1.0))


def paragraphs(lay_out: LayOut, *texts: str) -> Page:
    return lay_out("".join(f"<p>{line}</p>" for line in texts))


# Title


def test_the_most_confident_title_is_taken(lay_out: LayOut) -> None:
    page = paragraphs(lay_out, "On tea", "Home", "On the virtues of tea", "in small cups*")
    zones = labelled(page, "title", "before", "title", "title", confidence=(0.5, 1.0, 0.9, 0.8))
    value = title(zones)
    assert value is not None
    assert value.text == "On the virtues of tea in small cups"
    assert value.confidence == pytest.approx(0.85)
    assert value.box is not None


def test_no_label_is_no_title(lay_out: LayOut) -> None:
    assert title(labelled(paragraphs(lay_out, "On tea"), "before")) is None


# Abstract


def texts_of(zones: LabelledZones) -> list[str]:
    value = abstract(zones)
    return [] if value is None else value.text.split("\n")


def test_an_abstract_is_what_is_labelled_so(lay_out: LayOut) -> None:
    page = paragraphs(lay_out, "On tea", ABSTRACT, "Ada King", BODY)
    assert texts_of(labelled(page, "title", "abstract", "author", "body")) == [ABSTRACT]


def test_of_two_abstracts_the_one_with_a_heading_is_taken(lay_out: LayOut) -> None:
    page = paragraphs(lay_out, BODY, "Ada King", "Abstract", ABSTRACT)
    zones = labelled(page, "abstract", "author", "abstract heading", "abstract")
    assert texts_of(zones) == [ABSTRACT]


def test_an_abstract_ends_with_what_goes_with_its_heading(lay_out: LayOut) -> None:
    page = paragraphs(lay_out, "Abstract", ABSTRACT, "Keywords: tea", BODY)
    zones = labelled(page, "abstract heading", "abstract", "abstract", "abstract")
    assert texts_of(zones) == [ABSTRACT]


def test_an_abstract_without_heading_is_not_too_long(lay_out: LayOut) -> None:
    page = paragraphs(lay_out, "On tea", ABSTRACT, 7 * f"{BODY} ", 2 * f"{BODY} ")
    assert texts_of(labelled(page, "title", "abstract", "abstract", "abstract")) == [ABSTRACT]
    long = paragraphs(lay_out, "On tea", 9 * f"{BODY} ")
    assert len(texts_of(labelled(long, "title", "abstract"))) == 1


@pytest.mark.parametrize("heading", ["Abstract", "Zusammenfassung", "Summary"])
def test_a_heading_helps_where_no_zone_is_labelled(lay_out: LayOut, heading: str) -> None:
    page = paragraphs(lay_out, "On tea", heading, ABSTRACT, "Introduction", BODY)
    assert texts_of(labelled(page, "title", "front", "front", "body", "body")) == [ABSTRACT]


def test_the_heading_of_the_text_helps_where_no_zone_is_labelled(lay_out: LayOut) -> None:
    notice = "Copyright 2019 the authors. This article is free to read for all who like tea."
    page = paragraphs(lay_out, "On tea", notice, ABSTRACT, "1. Introduction", BODY)
    assert texts_of(labelled(page, "title", "front", "front", "body", "body")) == [ABSTRACT]


@pytest.mark.parametrize("kind", ["Editorial", "Letter to the Editor", "Erratum", "Rezension"])
def test_short_pieces_have_no_abstract_without_heading(lay_out: LayOut, kind: str) -> None:
    page = paragraphs(lay_out, kind, "On tea", ABSTRACT)
    assert texts_of(labelled(page, "before", "title", "abstract")) == []
    headed = paragraphs(lay_out, kind, "On tea", f"Abstract: {ABSTRACT}")
    assert texts_of(labelled(headed, "before", "title", "abstract")) == [ABSTRACT]


def test_headings_of_sections_are_kept_apart(lay_out: LayOut) -> None:
    page = paragraphs(lay_out, "Abstract", "Methods", "We drank tea.", "Results: We are awake.")
    zones = labelled(page, "abstract heading", "abstract heading", "abstract", "abstract")
    value = abstract(zones)
    assert value is not None
    assert [(one.heading, one.text) for one in value.sections] == [
        ("Methods", "We drank tea."), ("Results", "We are awake.")
    ]  # fmt: skip
    assert value.text == "Methods: We drank tea.\nResults: We are awake."


# Publication


def words(zones: LabelledZones) -> list[str]:
    return [value.text for value in keywords(zones)]


@pytest.mark.parametrize(
    "written",
    ["Keywords: tea; reviewers; patience", "Key words tea, reviewers, patience.",
     "KEYWORDS — tea • reviewers • patience", "Palabras clave: tea | reviewers | patience"],
)  # fmt: skip
def test_keywords_are_divided_by_signs(lay_out: LayOut, written: str) -> None:
    page = paragraphs(lay_out, written)
    assert words(labelled(page, "keywords")) == ["tea", "reviewers", "patience"]


def test_keywords_are_below_their_heading_and_end_with_a_citation(lay_out: LayOut) -> None:
    page = paragraphs(lay_out, "Open access", "Keywords", "tea", "time", "doi:10.1000/tea.1", "cup")
    assert words(labelled(page, *["keywords"] * 6)) == ["tea", "time"]


def test_keywords_in_a_pdf_may_have_a_line_each() -> None:
    lines = ("Keywords: green tea", "reviewers", "patience")
    content = "".join(text(72, 700 - 12 * rank, line) for rank, line in enumerate(lines))
    zones = article_zones(page_from_pdf(pdf(content)))
    labels = ["keywords"] * len(zones)
    found = keywords(LabelledZones(zones, labels, certain(labels)))
    assert " ".join(value.text for value in found) == "green tea reviewers patience"


def test_the_doi_is_the_one_that_the_front_matter_repeats(lay_out: LayOut) -> None:
    page = paragraphs(
        lay_out, "doi:10.1000/other", "doi:10.1000/tea.1", "https://doi.org/10.1000/tea.1", BODY,
        "10.1000/cited 10.1000/cited 10.1000/cited",
    )  # fmt: skip
    assert doi(labelled(page, "before", "front", "front", "body", "reference")) == "10.1000/tea.1"
    assert doi(labelled(paragraphs(lay_out, "On tea"), "title")) is None


def test_the_year_is_that_of_the_publication(lay_out: LayOut) -> None:
    page = paragraphs(
        lay_out, "Received 3 May 2018", "Published online 9 July 2019", "J Tea 2019;12(3):44", BODY
    )
    assert year(labelled(page, "dates", "dates", "front", "body")) == "2019"
    assert year(labelled(paragraphs(lay_out, "Since 1851"), "front")) is None


def test_zones_that_are_only_text_are_not_listed(lay_out: LayOut) -> None:
    page = paragraphs(lay_out, "Home", "On tea", BODY)
    assert [
        (zone.label, zone.text)
        for zone in labelled_zones(labelled(page, "before", "title", "body"))
    ] == [("title", "On tea")]


# Letters


@pytest.mark.parametrize("label", ["before", "front", "correspondence", "body", "after"])
def test_letters_are_found_wherever_they_are(lay_out: LayOut, label: str) -> None:
    page = paragraphs(lay_out, "On tea", "Ada King, Bo Lindqvist", "Mail to king@tea.example")
    (king, lindqvist), _ = authors_and_affiliations(labelled(page, "title", "author", label))
    assert (king.email, king.corresponding) == ("king@tea.example", True)
    assert (lindqvist.email, lindqvist.corresponding) == (None, False)


def test_addresses_of_those_who_are_cited_are_not_those_of_authors(lay_out: LayOut) -> None:
    page = paragraphs(lay_out, "On tea", "Ada King", "King A. On tea, king@tea.example, 1851.")
    (author,), _ = authors_and_affiliations(labelled(page, "title", "author", "reference"))
    assert author.email is None
