"""Where an article says that it appeared, and when."""

from __future__ import annotations

import pytest
from small_labels import LayOut, labelled, paragraphs

from pagesight.readers.article.citations.lines import own_lines, own_parts
from pagesight.readers.article.citations.parser import parse
from pagesight.readers.article.citations.weights import shipped_weights
from pagesight.readers.article.fields.publication import appeared, dates

TITLE = "Leaves of the tea plant in spring"


@pytest.mark.parametrize(
    "line",
    [
        "Journal of Tea, Vol. 12, No. 3, pp. 211–228 (2014)",
        "Journal of Tea 2014;12(3):211–228. doi:10.1000/tea",
        f"Cite this article: King AB, Xu L (2014) {TITLE}. Journal of Tea 12(3): 211–228.",
    ],
)
def test_a_line_says_where_an_article_appeared(line: str, lay_out: LayOut) -> None:
    zones = labelled(paragraphs(lay_out, line, TITLE, "Text"), "before", "title", "body")
    values = appeared(zones, TITLE)
    assert {name: value.text for name, value in values.items()} == {
        "journal": "Journal of Tea", "volume": "12", "issue": "3", "pages": "211–228"
    }  # fmt: skip
    assert all(value.box and 0.5 <= value.confidence <= 1 for value in values.values())


def test_a_line_about_another_article_says_nothing(lay_out: LayOut) -> None:
    other = "King AB. Cups and saucers of the old world. Journal of Cups 2001;7(1):1–9."
    zones = labelled(paragraphs(lay_out, TITLE, other, "Text"), "title", "front", "body")
    assert appeared(zones, TITLE) == {}


def test_the_name_above_a_volume_is_the_journal(lay_out: LayOut) -> None:
    page = paragraphs(lay_out, "Journal of Tea", "Volume 12, Issue 3, 2014, Pages 211–228", TITLE)
    values = appeared(labelled(page, "before", "before", "title"), TITLE)
    assert values["journal"].text == "Journal of Tea"


def test_references_and_the_text_are_not_looked_at(lay_out: LayOut) -> None:
    cited = "King A. Tea. J Tea. 2014;12:211–228."
    page = paragraphs(lay_out, TITLE, "Text of 2014", cited, cited)
    zones = labelled(page, "title", "body", "reference", "body")
    assert own_lines(zones.zones, zones.labels) == []


def test_dates_have_kinds_and_days(lay_out: LayOut) -> None:
    page = paragraphs(
        lay_out,
        TITLE,
        "Received: 9 November 2023; accepted in revised form April 18th, 2024",
        "Published online 2 May 2024. Published 3 May 2024. Revised 31 February 2024",
    )
    found = dates(labelled(page, "title", "dates", "dates"))
    assert [(one.kind, one.date, one.text) for one in found] == [
        ("received", "2023-11-09", "9 November 2023"),
        ("accepted", "2024-04-18", "April 18th, 2024"),
        ("published", "2024-05-02", "2 May 2024"),
    ]


@pytest.mark.parametrize("link", ["List of Issues", "All issues", "Current issue"])
def test_a_link_to_the_issues_is_not_the_journal(link: str, lay_out: LayOut) -> None:
    page = paragraphs(lay_out, "Journal of Tea", link, "Volume 12, 2014 - Issue 3", TITLE)
    values = appeared(labelled(page, "before", "before", "before", "title"), TITLE)
    assert values["journal"].text == "Journal of Tea"


@pytest.mark.parametrize("notice", ["© The Author 2014", "Copyright 2014 by the Society of Tea"])
def test_whose_the_rights_are_is_not_the_journal(notice: str, lay_out: LayOut) -> None:
    page = paragraphs(lay_out, TITLE, notice, "Text")
    assert appeared(labelled(page, "title", "front", "body"), TITLE) == {}


@pytest.mark.parametrize("line", ["Tea Reports ISSN 9999-9994", "Annals of Tea (ISSN 9999-9994)"])
def test_the_caption_of_a_number_is_not_a_part_of_the_name(line: str, lay_out: LayOut) -> None:
    zones = labelled(paragraphs(lay_out, line, TITLE), "before", "title")
    lines = own_lines(zones.zones, zones.labels)
    parsed = parse([one.citation for one in lines], shipped_weights())
    name, _ = own_parts(lines, parsed, TITLE)["journal"]
    assert line.startswith(name.text)
    assert "ISSN" not in name.text


@pytest.mark.parametrize("caption", ["Cited by other articles", "Cite this article"])
def test_a_caption_without_a_number_is_not_a_line(caption: str, lay_out: LayOut) -> None:
    zones = labelled(paragraphs(lay_out, TITLE, caption, "Text"), "title", "front", "body")
    assert own_lines(zones.zones, zones.labels) == []
