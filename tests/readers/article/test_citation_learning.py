"""What is known of references, labels of their tokens, other styles, and what is learned."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from pagesight.learning.scores import Prf
from pagesight.readers.article.citations.labels import FIRST, LABEL_OF, LABELS
from pagesight.readers.article.citations.parser import parse
from pagesight.readers.article.citations.tokens import Citation
from pagesight.readers.article.learning import citations
from pagesight.readers.article.learning.citation_labels import LabelledCitation, abbreviates, label
from pagesight.readers.article.learning.citation_styles import restyled
from pagesight.readers.article.learning.citations import (
    CITATIONS,
    CitingPage,
    fit,
    is_same,
    measure,
    totals,
)
from pagesight.readers.article.learning.cited import Cited, cited_in_jats, cited_in_tags
from pagesight.readers.article.names.persons import Name

KNOWN = Cited(
    persons=(Name("AB", "King"), Name("L", "Xu")),
    title="Leaves of the tea plant",
    containers=("Journal of Tea",),
    volume="12",
    issue="3",
    pages=("445", "467"),
    year="2011",
    whole=True,
)
TEXT = "King AB, Xu L (2011) Leaves of the tea plant. J Tea 12(3):445–67."


def labels_of(one: LabelledCitation) -> dict[str, set[str]]:
    """By token the labels that it may have."""
    return {
        token: {LABELS[LABEL_OF[state]] for state in np.flatnonzero(states)}
        for token, states in zip(one.citation.tokens, one.allowed, strict=True)
    }


def test_tags_state_references_part_by_part() -> None:
    tag = (
        "citation_journal_title=J Tea; citation_title=On tea; and cups; citation_author=AB King, "
        "L Xu; citation_volume=12; citation_publication_date=2011; citation_pages=4-9;"
    )
    [cited] = cited_in_tags({"citation_reference": [tag, "King A. Tea. 1999."]})
    assert (cited.title, cited.containers, cited.pages) == (
        "On tea; and cups",
        ("J Tea",),
        ("4", "9"),
    )
    assert cited.persons == (Name("AB", "King"), Name("L", "Xu"))
    assert (cited.volume, cited.year, cited.whole) == ("12", "2011", False)


def test_the_first_of_two_titles_is_that_of_the_journal() -> None:
    tag = "citation_title=Tea;citation_title=On tea.;citation_author=King, A., Xu, L.;"
    [cited] = cited_in_tags({"citation_reference": [tag]})
    assert (cited.title, cited.containers) == ("On tea.", ("Tea",))
    assert [name.family for name in cited.persons] == ["King", "Xu"]


def test_jats_files_state_references_part_by_part() -> None:
    root = ET.fromstring(
        """<article><ref-list><ref><mixed-citation publication-type="journal"><person-group>
        <name><surname>King</surname><given-names>AB</given-names></name></person-group>
        <person-group person-group-type="editor"><name><surname>Berg</surname></name></person-group>
        <article-title>On <i>tea</i></article-title>. <source>J Tea</source> <year>2011a</year>
        <volume>12</volume><fpage>4</fpage><lpage>9</lpage><pub-id pub-id-type="doi">10.1/t</pub-id>
        </mixed-citation></ref><ref><citation citation-type="book"><source>Cups</source></citation>
        </ref><ref><citation/><citation/></ref></ref-list></article>"""
    )
    article, book = cited_in_jats(root)
    assert (article.title, article.containers, article.year) == ("On tea", ("J Tea",), "2011")
    assert (article.persons, article.editors) == ((Name("AB", "King"),), (Name("", "Berg"),))
    assert (article.pages, article.doi) == (("4", "9"), "10.1/t")
    assert (book.title, book.containers) == ("Cups", ())


def test_tokens_have_the_labels_of_the_parts_they_belong_to() -> None:
    one = label(Citation.of(TEXT), KNOWN)
    assert labels_of(one) == {
        "King": {"family"}, "AB": {"given"}, "Xu": {"family"}, "L": {"given"}, "2011": {"year"},
        "Leaves": {"title"}, "of": {"title"}, "the": {"title"}, "tea": {"title"},
        "plant": {"title"}, "J": {"container"}, "Tea": {"container"}, "12": {"volume"},
        "3": {"issue"}, "445": {"pages"}, "67": {"pages"},
    }  # fmt: skip
    first = [at for at in range(len(one.citation)) if one.allowed[at, FIRST[LABELS.index("title")]]]
    assert [one.citation.tokens[at] for at in first] == ["Leaves"]
    assert one.seen.containers[0] == "J Tea"


def test_a_title_that_is_printed_differently_is_known_as_it_is_printed() -> None:
    one = label(Citation.of(TEXT), replace(KNOWN, title="Leaf of the tea plant"))
    assert one.seen.title == "Leaves of the tea plant"
    assert label(Citation.of(TEXT), replace(KNOWN, title="Cups and saucers")).seen.title == ""


def test_what_tags_do_not_state_may_be_anything() -> None:
    cited = Cited(title="Leaves of the tea plant", year="2011")
    open_labels = labels_of(label(Citation.of(TEXT), cited))
    assert {"volume", "issue", "pages", "container", "family", "other"} <= open_labels["12"]
    assert open_labels["2011"] == {"year"}


def test_names_are_found_in_either_order() -> None:
    cited = replace(KNOWN, persons=(Name("A", "Khan"), Name("A", "Ahmad"), Name("X-C", "Fu")))
    seen = label(Citation.of("A. Khan, A. Ahmad, X.-C. Fu, “Tea,” 2011."), cited).seen
    assert [name.family for name in seen.persons] == ["Khan", "Ahmad", "Fu"]
    particle = replace(KNOWN, persons=(Name("DC Van", "Essen"),))
    assert (
        label(Citation.of("Van Essen, D. C. Tea."), particle).seen.persons[0].family == "Van Essen"
    )


@pytest.mark.parametrize(
    ("short", "long", "is_one"),
    [
        ("j", "journal", True),
        ("natl", "national", True),
        ("tea", "cup", False),
        ("na", "nova", False),
    ],
)
def test_abbreviations(short: str, long: str, is_one: bool) -> None:
    assert abbreviates(short, long) is is_one


def test_references_are_written_in_other_styles_with_the_labels_of_their_parts() -> None:
    written = list(restyled([KNOWN] * 60))
    assert len({one.citation.text for one in written}) > 40
    assert {one.citation.text for one in restyled([KNOWN] * 60)} == {
        one.citation.text for one in written
    }
    for one in written:
        for token, labels in labels_of(one).items():
            if token in ("King", "Xu") and "editor" not in labels:
                assert labels == {"family"}
    assert any(one.citation.looks for one in written)
    assert list(restyled([Cited(title="Tea")])) == []


@pytest.mark.parametrize(
    ("name", "found", "wanted", "same"),
    [
        ("title", "On Tea: cups", "on tea – cups.", True),
        ("container", "J. Tea", "Journal of Tea", True),
        ("container", "J. Cups", "Journal of Tea", False),
        ("pages", "445–67", "445–467", True),
        ("pages", "445", "445–467", False),
        ("pages", "445–7", "445", False),
        ("volume", "9", "9, supplement", True),
        ("volume", "9", "19", False),
    ],
)
def test_parts_are_compared_by_what_they_say(
    name: str, found: str, wanted: str, same: bool
) -> None:
    assert is_same(name, found, wanted) is same


def citing(name: str, *examples: LabelledCitation) -> CitingPage:
    return CitingPage(name, name, examples, "", (), Cited())


@pytest.fixture(scope="module")
def pages() -> list[CitingPage]:
    """Two publishers, each with a style of its own."""
    topics = ("green", "black", "white", "red", "old", "new", "cold", "warm")
    examples: dict[str, list[LabelledCitation]] = {"one": [], "two": []}
    for rank, topic in enumerate(topics * 3):
        cited = replace(KNOWN, title=f"Leaves of the {topic} plant", volume=str(20 + rank))
        styles = {
            "one": f"King AB, Xu L (2011) {cited.title}. J Tea {cited.volume}(3):445–467.",
            "two": f"King AB, Xu L. {cited.title}. J Tea. 2011;{cited.volume}(3):445-67.",
        }
        for house, text in styles.items():
            examples[house].append(label(Citation.of(text), cited))
    return [citing(house, *labelled) for house, labelled in examples.items()]


def test_what_one_publisher_teaches_reads_another(
    pages: list[CitingPage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(citations, "EPOCHS", 25)
    learned = CITATIONS.learn(pages)
    counts = totals(learned.measured)
    assert counts["authors"].f > 0.9
    assert counts["year"].f > 0.9
    [parts] = parse([Citation.of(TEXT)], learned.model)
    assert parts.parts["title"].text == KNOWN.title


def test_the_same_references_give_the_same_weights(pages: list[CitingPage]) -> None:
    first, second = (fit(pages).to_json() for _ in range(2))
    assert first == second


def test_wrong_and_missing_parts_are_counted(pages: list[CitingPage]) -> None:
    one = label(Citation.of(TEXT), replace(KNOWN, title="Leaves of the", pages=("12", "3")))
    page = citing("three", one)
    measured = measure(fit(pages), page)
    assert measured.counts["title"].wrong == 1
    assert measured.whole == [False]
    assert measured.counts["doi"] == Prf()  # none is stated
