"""Labels for zones from what is known of an article, on sheets that are written in place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from small_pdf import pdf, text

from pagesight.readers.article.fields.references import items
from pagesight.readers.article.labelling.labels import LABELS
from pagesight.readers.article.learning.alignment import Labelling, align
from pagesight.readers.article.learning.training import allowed_labels
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.names.persons import Name
from pagesight.readers.article.zones import Zones, article_zones
from pagesight.render.pdf import page_from_pdf

TITLE = "Green tea and the patience of reviewers"
KYOTO = "Department of Botany, University of Kyoto, Kyoto, Japan"
ABSTRACT = (
    "We asked whether a cup of green tea changes how long forty reviewers of our journal read, and "
    "how kind their reports are."
)
BODY = (
    "Tea has been drunk for a very long time, and much was written about it by those who drink it, "
    "while reviewers of journals were left alone with their coffee, their time and their patience."
)
CITED = [f"King A. On tea, part {number}. J Tea. 18{50 + number};12:1-9." for number in range(1, 7)]
TRUTH = Truth(
    titles=(TITLE,),
    authors=(Name("Ada", "King"), Name("Bo", "Lindqvist")),
    affiliations=(KYOTO,),
    abstract=ABSTRACT,
    references=tuple(CITED),
)
LINES = (
    "Journal of Tea 12, 1851", TITLE, "Ada King and Bo Lindqvist", KYOTO,
    "Received 3 May 1851; accepted 4 June 1851", "*Correspondence: king@tea.example", "Abstract",
    ABSTRACT, "Keywords: tea; patience", "Introduction", BODY, "References", *CITED,
    "Lind B. Another paper that cites this one. J Tea. 1900;1:1-9.", "Imprint",
)  # fmt: skip


def zones_of(*lines: str) -> Zones:
    content = "".join(text(30, 820 - 30 * rank, line, 6) for rank, line in enumerate(lines))
    return article_zones(page_from_pdf(pdf(content)))


@pytest.fixture(scope="module")
def zones() -> Zones:
    return zones_of(*LINES)


def by_label(zones: Zones, labelling: Labelling) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for label, line in zip(labelling.labels, zones.texts, strict=True):
        texts.setdefault(label, []).append(line)
    return texts


def test_every_zone_gets_the_label_of_what_it_says(zones: Zones) -> None:
    labelling = align(zones, TRUTH)
    assert by_label(zones, labelling) == {
        "before": [LINES[0]],
        "title": [TITLE],
        "author": [LINES[2]],
        "affiliation": [KYOTO],
        "dates": [LINES[4]],
        "correspondence": [LINES[5]],
        "abstract heading": ["Abstract"],
        "abstract": [ABSTRACT],
        "keywords": [LINES[8]],
        "body": ["Introduction", BODY],
        "reference heading": ["References"],
        "reference": CITED,
        "citing": [LINES[-2]],
        "after": ["Imprint"],
    }
    assert labelling.known == {"title", "author", "affiliation", "abstract", "reference"}


def test_headings_tell_what_tags_leave_out(zones: Zones) -> None:
    labelling = align(zones, replace(TRUTH, abstract=None, references=()))
    texts = by_label(zones, labelling)
    assert texts["abstract"] == [ABSTRACT]
    assert texts["reference"][: len(CITED)] == CITED
    assert labelling.truth.references == ()


def test_what_cannot_be_seen_is_not_asked_for(zones: Zones) -> None:
    secret = "Laboratory of Coffee, University of Nowhere, Atlantis"
    stated = replace(
        TRUTH, titles=("Another title",), affiliations=(KYOTO, secret), abstract=BODY[::-1]
    )
    truth = align(zones, stated).truth
    assert truth.titles == ()
    assert truth.affiliations == (KYOTO,)
    assert truth.held == (secret,)
    assert truth.abstract is None


def test_lines_with_what_tags_cut_off_of_places_count_neither_way() -> None:
    whole = "Department of Botany, University of Kyoto, Kyoto, Japan"
    later = "Present address: Institute of Chemistry, University of Lund, Lund, Sweden"
    stated = replace(TRUTH, affiliations=("University of Kyoto",))
    zones = zones_of(TITLE, "Ada King", whole, later, "Introduction", BODY)
    held = align(zones, stated).truth.held
    assert whole in held
    assert later in held
    both = f"{whole}, Institute of Chemistry, University of Lund, Lund, Sweden"
    stated = replace(TRUTH, affiliations=("University of Kyoto", "University of Lund"))
    assert both not in align(zones_of(TITLE, "Ada King", both), stated).truth.held


def test_entries_that_nobody_states_are_known_by_their_numbers() -> None:
    books = ("Ohm C. Milk and sugar. Lund: Cup, 1902.", "Fell E. Of kettles. Kyoto: Leaf, 1903.")
    cited = [books[0], *CITED[:3], books[1], *CITED[3:]]
    numbered = [f"{number}. {text}" for number, text in enumerate(cited, start=1)]
    labelling = align(zones_of(TITLE, "Introduction", BODY, "References", *numbered), TRUTH)
    assert labelling.labels[-8:] == ["reference"] * 8
    assert labelling.truth.references == (*CITED, numbered[0], numbered[4])


def test_an_entry_goes_on_below_a_column_whatever_its_rest_is_taken_for() -> None:
    lines = ("King A. Of tea and of the", "patience of reviewers. J Tea. 1851;12:1-9.", CITED[1])
    zones = zones_of(*lines)
    found = items(zones, ["reference", "reference part", "reference"])
    assert [item.text for item in found] == [f"{lines[0]} {lines[1]}", CITED[1]]


def test_an_entry_is_known_as_it_is_printed() -> None:
    names = "Lind B, Ohm C, Marsh D, Fell E"
    printed = "King A, et al. A longer paper on tea and patience of reviewers. J Tea. 1851;12:1-9."
    whole = printed.replace("et al.", f"{names}.")
    lines = [TITLE, "Introduction", BODY, "References", printed, *CITED]
    truth = align(zones_of(*lines), replace(TRUTH, references=(whole, *CITED))).truth
    assert truth.references == (printed, *CITED)


def test_so_it_is_if_its_other_words_are_elsewhere_on_the_page() -> None:
    names = "Lind B, Ohm C, Marsh D, Fell E"
    printed = "King A, et al. A longer paper on tea and patience of reviewers. J Tea. 1851;12:1-9."
    whole = printed.replace("et al.", f"{names}.")
    read = [f"{names} read it.", f"{names} did not."]
    lines = [TITLE, "Introduction", BODY, *read, "References", printed, *CITED]
    truth = align(zones_of(*lines), replace(TRUTH, references=(whole, *CITED))).truth
    assert truth.references == (printed, *CITED)


def test_a_cut_off_abstract_is_completed_by_the_page(zones: Zones) -> None:
    stated = replace(TRUTH, abstract=ABSTRACT[:60], cut_off=True)
    assert align(zones, stated).truth.abstract == ABSTRACT


def test_a_title_may_have_several_lines() -> None:
    zones = zones_of("Green tea and the patience", "of reviewers", "Ada King, Bo Lindqvist")
    assert align(zones, TRUTH).labels[0] == "title"


def test_names_that_come_again_are_known_as_such() -> None:
    lines = (TITLE, "Ada King and Bo Lindqvist", KYOTO, *[BODY] * 3, "Ada King")
    labelling = align(zones_of(*lines), TRUTH)
    assert labelling.labels.count("author") == 1
    assert len(labelling.repeated) == 1


def test_places_below_the_text_have_labels_of_their_own() -> None:
    below = align(zones_of(TITLE, "Ada King", "Introduction", BODY, KYOTO), TRUTH)
    assert below.labels[-1] == "late affiliation"
    behind = align(zones_of(TITLE, "Ada King", "Introduction", BODY, "References", *CITED, KYOTO),
                   TRUTH)  # fmt: skip
    assert behind.labels[-1] == "last affiliation"


def test_a_zone_may_have_the_labels_of_fields_that_nobody_knows(zones: Zones) -> None:
    labelling = align(zones, replace(TRUTH, affiliations=()))
    allowed = allowed_labels(labelling, zones.texts)
    place = zones.texts.index(KYOTO)
    names = {LABELS[number] for number in np.flatnonzero(allowed[place])}
    assert names == {"front", "affiliation"}
    title = zones.texts.index(TITLE)
    assert np.flatnonzero(allowed[title]).tolist() == [LABELS.index("title")]


def test_what_comes_after_a_record_is_not_its_front() -> None:
    names = "Zoe Ngata, Kim Ono"
    lines = (TITLE, "Ada King and Bo Lindqvist", "Abstract", ABSTRACT, "Similar papers", names)
    labels = align(zones_of(*lines), replace(TRUTH, references=())).labels
    assert labels == ["title", "author", "abstract heading", "abstract", "after", "after"]


def test_a_title_may_have_its_name_before_it() -> None:
    labelling = align(zones_of(f"Title: {TITLE}", "Ada King and Bo Lindqvist"), TRUTH)
    assert labelling.labels[0] == "title"


@pytest.mark.parametrize(
    "line",
    [
        f"By Ada King ({KYOTO})",
        f"King, Ada and Lindqvist, Bo (1851) {TITLE}. Journal of Tea.",
    ],
)
def test_a_zone_that_begins_with_a_name_says_it(line: str) -> None:
    assert align(zones_of(TITLE, line, "Abstract", ABSTRACT), TRUTH).labels[1] == "author"


def test_what_only_sounds_like_a_reference_is_none() -> None:
    lines = list(LINES)
    lines[0] = "J Tea 1851;12:1-9. King A. On tea, part."
    assert align(zones_of(*lines), TRUTH).labels[0] == "before"
