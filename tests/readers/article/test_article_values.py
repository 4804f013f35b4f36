"""Labels that are found by what is known, and the values that labelled zones hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from small_article import ABSTRACT, HTML, REFERENCES, TITLE, TRUTH

from pagesight.page import Page
from pagesight.readers.article.fields.abstract import abstract
from pagesight.readers.article.labelling.judging import EVIDENCE
from pagesight.readers.article.labelling.labels import LABELS, LabelledZones, certain, possible
from pagesight.readers.article.labelling.sections import (
    headed_abstract,
    headed_runs,
    unheaded_abstract,
)
from pagesight.readers.article.labelling.weights import PAPER_STATES as STATES
from pagesight.readers.article.learning.alignment import align
from pagesight.readers.article.learning.scoring import count_references, score
from pagesight.readers.article.learning.truth import truth_of_tags
from pagesight.readers.article.reader import reading_of
from pagesight.readers.article.reading import ArticleReading
from pagesight.readers.article.seed.model import (
    allowed_transitions,
    fit,
    geometry,
    label,
    states_of,
)
from pagesight.readers.article.vocabulary import heading_kinds
from pagesight.readers.article.zones import Zones, article_zones

LayOut = Callable[[str], Page]


@pytest.fixture(scope="module")
def zones(lay_out: LayOut) -> Zones:
    return article_zones(lay_out(HTML))


@pytest.fixture(scope="module")
def labels(zones: Zones) -> list[str]:
    return align(zones, TRUTH).labels


@pytest.fixture(scope="module")
def reading(zones: Zones, labels: list[str]) -> ArticleReading:
    """What is read from zones whose labels are right."""
    return reading_of(LabelledZones(zones, labels, certain(labels)), np.zeros(len(EVIDENCE)))


def texts_of(zones: Zones, labels: list[str], wanted: str) -> list[str]:
    return [text for text, label in zip(zones.texts, labels, strict=True) if label == wanted]


def test_the_aligner_finds_every_field(zones: Zones, labels: list[str]) -> None:
    assert texts_of(zones, labels, "title") == [f"{TITLE}†"]
    assert texts_of(zones, labels, "abstract") == [ABSTRACT]
    assert texts_of(zones, labels, "abstract heading") == ["Abstract"]
    assert len(texts_of(zones, labels, "affiliation")) == 2
    assert len(texts_of(zones, labels, "reference")) == len(REFERENCES)
    assert "Ada B. King" in " ".join(texts_of(zones, labels, "author"))
    assert texts_of(zones, labels, "dates")[0].startswith("Received")
    assert texts_of(zones, labels, "keywords") == ["Keywords: tea; reviewers; patience"]
    assert texts_of(zones, labels, "before")[0] == "Home Issues About the journal"


def test_headings_help_where_tags_say_nothing(zones: Zones) -> None:
    known = align(zones, replace(TRUTH, abstract=None, references=()))
    assert texts_of(zones, known.labels, "abstract") == [ABSTRACT]
    assert len(texts_of(zones, known.labels, "reference")) == len(REFERENCES)


def test_what_nobody_sees_is_no_truth(zones: Zones) -> None:
    secret = "Secret Laboratory of Coffee, University of Nowhere, Atlantis"
    told = replace(TRUTH, affiliations=(*TRUTH.affiliations, secret), titles=("Another title",))
    visible = align(zones, told).truth
    assert visible.affiliations == TRUTH.affiliations
    assert visible.titles == ()


def test_tags_are_repaired() -> None:
    truth = truth_of_tags(
        {
            "citation_title": ["Tea &amp;amp; time"],
            "citation_author": ["NÃºÃ±ez, JosÃ©", "Xu LH"],
            "citation_author_institution": ["1Tea House, Kyoto", "Tea House, Kyoto"],
            "citation_reference": ["citation_title=On tea;citation_year=1851", "1. King A. Tea."],
        }
    )
    assert truth.titles == ("Tea & time",)
    assert [(name.given, name.family) for name in truth.authors] == [
        ("José", "Núñez"),
        ("LH", "Xu"),
    ]
    assert truth.affiliations == ("Tea House, Kyoto",)
    assert truth.references == ("On tea 1851", "King A. Tea.")


def test_the_title_comes_without_footnote_marks(reading: ArticleReading) -> None:
    assert reading.title is not None
    assert reading.title.text == TITLE
    assert reading.title.xpath == "/html/body/h1"


def test_authors_are_persons_with_their_places(reading: ArticleReading) -> None:
    people = [(author.given, author.family, author.affiliations) for author in reading.authors]
    assert people == [
        ("Ada B.", "King", ("aff1",)),
        ("Bo", "Lindqvist", ("aff1", "aff2")),
        ("Chinua", "Okafor", ("aff2",)),
        ("Li-Hua", "Xu", ("aff2",)),
    ]
    assert reading.authors[0].corresponding
    assert reading.authors[0].email == "ada.king@tea.example"
    assert not reading.authors[3].corresponding


def test_affiliations_come_without_marks(reading: ArticleReading) -> None:
    assert [(one.id, one.mark) for one in reading.affiliations] == [("aff1", "1"), ("aff2", "2")]
    assert [one.text for one in reading.affiliations] == list(TRUTH.affiliations)


def test_references_come_without_links_to_search_engines(reading: ArticleReading) -> None:
    assert [one.text for one in reading.references] == list(REFERENCES)
    assert [one.year for one in reading.references] == [
        "1851",
        "1999",
        "2003",
        "2011",
        "2015",
        "2016",
    ]
    assert reading.references[1].doi == "10.1000/tea.99"


def test_keywords_and_abstract(reading: ArticleReading) -> None:
    assert [one.text for one in reading.keywords] == ["tea", "reviewers", "patience"]
    assert reading.abstract is not None
    assert reading.abstract.text == ABSTRACT
    assert reading.year is not None
    assert reading.year.text == "2019"


def test_a_right_reading_scores_one(reading: ArticleReading) -> None:
    scores = score(reading, TRUTH)
    assert (scores.title, scores.abstract) == ((1.0,), (1.0,))
    lists = (scores.authors, scores.affiliations, scores.references)
    assert [each.f for each in lists] == [1.0, 1.0, 1.0]


def test_json_has_the_promised_keys(reading: ArticleReading) -> None:
    plain = reading.to_json()
    assert {"title", "authors", "affiliations", "abstract", "references", "zones"} <= set(plain)
    assert plain["authors"][0]["name"] == "Ada B. King"
    assert len(plain["title"]["box"]) == 4


def test_structured_abstracts_have_sections(lay_out: LayOut) -> None:
    page = lay_out(
        "<h2>Abstract</h2><h3>Background</h3><p>Tea is old.</p><p>Methods: We drank it.</p>"
        "<p>All of it.</p>"
    )
    zones = article_zones(page)
    labels = ["abstract heading", "abstract heading", "abstract", "abstract", "abstract"]
    found = abstract(LabelledZones(zones, labels, certain(labels)))
    assert found is not None
    assert [(one.heading, one.text) for one in found.sections] == [
        ("Background", "Tea is old."), ("Methods", "We drank it.\nAll of it.")
    ]  # fmt: skip


def test_an_abstract_goes_from_its_heading_to_the_next() -> None:
    texts = ["Tea", "Abstract", ":", ABSTRACT, "Methods", "We drank all of it.", "Keywords: tea"]
    assert headed_abstract(texts, 0) == [3, 5]
    assert headed_abstract(["Tea", f"Abstract: {ABSTRACT}", "Introduction", ABSTRACT], 0) == [1]
    for heading in ("Introducción", "Introdução", "1. Einleitung"):
        assert headed_abstract(["Tea", "Abstract", ABSTRACT, heading, ABSTRACT], 0) == [2]
        assert headed_abstract(["Tea", "Resumen", heading, ABSTRACT, "Keywords"], 0) == [3]
    assert headed_abstract(["Tea", ABSTRACT], 0) == []


def test_an_abstract_ends_where_its_headings_come_again() -> None:
    texts = ["Abstract", "Background", ABSTRACT, "Results", ABSTRACT, "Background", ABSTRACT]
    assert headed_abstract(texts, 0) == [2, 4]


def test_an_abstract_holds_short_sections_and_the_rest_of_broken_ones() -> None:
    texts = ["Abstract", "Study Design: Survey; level 3.", "Setting A house of tea."]
    texts += [ABSTRACT.rstrip("."), ";", "only so.", "tea", "Tea"]
    assert headed_abstract(texts, 0) == [1, 2, 3, 5]


def test_the_plain_abstract_is_taken_of_several() -> None:
    texts = ["Graphical abstract", "Structured abstract", ABSTRACT, "Abstract", ABSTRACT[::-1]]
    assert headed_abstract(texts, 0) == [4]


def test_navigation_to_the_abstract_is_none() -> None:
    texts = ["Abstract", "Introduction", "Methods", ABSTRACT, "Abstract", "PDF", ABSTRACT]
    assert headed_abstract(texts, 0) == [6]


def unheaded(*texts: str) -> list[int]:
    return unheaded_abstract(texts, [heading_kinds(text) for text in texts])


def test_an_abstract_without_heading_is_right_before_the_text() -> None:
    texts = ["© 2019 The Tea Press", ABSTRACT, "1. Introduction", ABSTRACT]
    assert unheaded(*texts) == [1]
    assert unheaded(*texts[:2], "References", "1. Introduction") == []
    assert unheaded(*texts[:2]) == []
    assert unheaded(12 * ABSTRACT, "Introduction") == []


def test_all_abstracts_with_headings_are_known() -> None:
    texts = ["Zusammenfassung", ABSTRACT, "Abstract", ABSTRACT[::-1], "Introduction", ABSTRACT]
    assert headed_runs(texts) == [(0, [1]), (2, [3])]
    assert headed_runs(["Abstract", "too short"]) == []


def test_zones_with_persons_and_places_are_opened(lay_out: LayOut) -> None:
    page = lay_out(
        "<p><a href='/1'>Ada King</a><sup>a</sup><span>Institute of Tea, University of Kyoto, Japan"
        "</span></p><p>Bo Lindqvist<br>Department of Leaves, Lund</p>"
    )
    assert article_zones(page).texts == [
        "Ada Kinga",
        "Institute of Tea, University of Kyoto, Japan",
        "Bo Lindqvist",
        "Department of Leaves, Lund",
    ]


def test_references_match_by_their_words() -> None:
    wanted = ["On tea King 1851", "On coffee Xu 1999"]
    found = ["King A. On tea. J Tea Sci. 1851;12:1.", "Something else entirely. 2003."]
    counts = count_references(wanted, found)
    assert (counts.wanted, counts.found, counts.right) == (2, 2, 1)


def test_ours_never_goes_back() -> None:
    follows, _ = possible("article")
    at = {label: number for number, label in enumerate(LABELS)}
    assert follows[at["before"], at["title"]]
    assert follows[at["affiliation"], at["author"]]
    assert not follows[at["body"], at["author"]]
    assert not follows[at["reference"], at["title"]]


def test_figure_4_has_sixteen_states_and_its_zeros() -> None:
    allowed = allowed_transitions()
    at = {state: number for number, state in enumerate(STATES)}
    assert allowed.shape == (16, 16)
    assert allowed[at["Reference"], at["BR"]]
    assert allowed[at["BR"], at["Reference"]]
    assert not allowed[at["PreTitle"], at["Author"]]
    backward = np.tril(allowed, -1)
    assert np.argwhere(backward).tolist() == [[at["BR"], at["Reference"]]]


def test_labels_are_a_path_through_figure_4(labels: list[str]) -> None:
    states = states_of(labels)
    allowed = allowed_transitions()
    assert states[0] == 0
    assert all(allowed[one, other] for one, other in pairwise(states))


def test_the_seed_model_labels_what_it_has_learned(zones: Zones, labels: list[str]) -> None:
    found, confidence = label(zones, fit([(geometry(zones), labels)] * 3))
    for wanted in ("title", "abstract", "reference heading"):
        assert texts_of(zones, found, wanted) == texts_of(zones, labels, wanted)
    assert texts_of(zones, found, "reference")
    assert set(texts_of(zones, found, "reference")) <= set(texts_of(zones, labels, "reference"))
    assert ((confidence >= 0) & (confidence <= 1 + 1e-9)).all()
