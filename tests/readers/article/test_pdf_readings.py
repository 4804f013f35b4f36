"""All readings of a PDF see its paragraphs, and not its running heads."""

from __future__ import annotations

from typing import Any

import pytest
from small_pdf import pdf, text

from pagesight.page import Page
from pagesight.readers.article import read_article
from pagesight.readers.article.labelling.labels import LabelledZones
from pagesight.readers.article.reader import label_zones
from pagesight.readers.article.zones import Zones, article_zones
from pagesight.readers.outline import read_outline
from pagesight.readers.title import read_title
from pagesight.readers.title.seen import SeenTexts
from pagesight.readers.zones import read_zones
from pagesight.render.pdf import page_from_pdf
from pagesight.segment import text_blocks

TITLE = ("The effect of green tea on the patience of", "reviewers and of their many corre-",
         "spondents")  # fmt: skip
BODY = (
    "Tea is as old as anybody knows, and it is drunk in",
    "all countries by people who like it.",
    "Nobody knows who made the first cup of it, or why,",
    "but many have tried to find it out.",
)


def sheet(number: int, *sections: str) -> str:
    """A sheet with a running head and with sections of one paragraph each."""
    content = text(72, 812, "Journal of Tea") + text(500, 812, str(number))
    for rank, heading in enumerate(sections):
        top = 640 - 150 * rank
        content += text(72, top, heading, 14, "B")
        content += "".join(text(72, top - 24 - 12 * line, BODY[line]) for line in range(4))
    return content


def test_a_pdf_without_any_text_is_read() -> None:
    page = page_from_pdf(pdf("0 0 9 9 re f"))
    assert read_article(page).authors == ()
    assert read_zones(page).zones == ()
    assert read_title(page).title is None


def article() -> Page:
    title = "".join(text(72, 760 - 28 * rank, line, 24, "B") for rank, line in enumerate(TITLE))
    return page_from_pdf(
        pdf(
            title + sheet(1, "Introduction", "Methods", "Results"),
            *(sheet(number, "Tea in cups", "Tea in pots") for number in (2, 3, 4)),
        )
    )


def whole_title() -> str:
    return "The effect of green tea on the patience of reviewers and of their many correspondents"


def test_blocks_are_the_same_paragraphs_that_article_zones_are() -> None:
    page = article()
    assert text_blocks(page).strings == article_zones(page).texts
    heads = [string for string in text_blocks(page).strings if "Journal" in string]
    assert heads == ["Journal of Tea 1"]  # on the first sheet


def test_a_title_of_several_lines_is_one_heading() -> None:
    headings = read_outline(article()).headings
    assert headings[0].text == whole_title()
    assert headings[0].level == 1
    assert [heading.text for heading in headings[1:4]] == ["Introduction", "Methods", "Results"]
    assert headings[0].xpath == "/pdf/sheet[1]/line[1]"


def test_running_heads_are_no_headings_after_the_first_sheet() -> None:
    texts = [heading.text for heading in read_outline(article()).headings]
    assert sum("Journal" in text for text in texts) <= 1


def test_the_largest_text_is_the_whole_title() -> None:
    page = article()
    largest = SeenTexts.of(page).largest(1)[0]
    assert (largest.text, largest.size) == (whole_title(), 32.0)
    assert page[largest.node].xpath == "/pdf/sheet[1]/line[1]"


def paper() -> Page:
    """An article whose authors are larger than its title."""
    names = "Ann B. Lee, Carl D. Moore and Eva Frank"
    front = text(72, 770, "Journal of Tea 12 (2019) 1-9. doi:10.1234/tea.2019.12")
    front += text(72, 740, "Green tea and the patience of reviewers", 16, "B")
    front += text(72, 700, names, 18) + text(72, 680, "Department of Tea, University of Leeds, UK")
    front += text(72, 660, "Abstract", 12, "B") + text(72, 645, BODY[0] + " " + BODY[1])
    entries = (f"{n}. Lee A, Moore C. Leaves of tea. J Tea. 2011;{n}:12-19." for n in range(1, 9))
    end = text(72, 760, "References", 14, "B") + "".join(
        text(72, 740 - 14 * rank, entry) for rank, entry in enumerate(entries)
    )
    return page_from_pdf(pdf(front + sheet(1, "Introduction"), sheet(2, "Results"), end))


def test_a_pdf_that_is_an_article_has_one_title_and_authors_are_not_headings() -> None:
    page = paper()
    article, title = read_article(page), read_title(page)
    assert article.is_article
    assert article.title is not None
    assert title.title is not None
    assert title.title.text == article.title.text == "Green tea and the patience of reviewers"
    assert title.confidence == article.title.confidence
    assert len({candidate.text for candidate in title.candidates}) == len(title.candidates)
    headings = [heading.text for heading in read_outline(page).headings]
    assert {"Abstract", "Introduction", "References"} <= {*headings}
    assert not any("Moore" in heading for heading in headings)


def test_the_article_of_a_pdf_is_read_once_whatever_is_asked_about_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page, asked = paper(), list[Zones]()

    def counted(zones: Zones, **options: Any) -> LabelledZones:
        asked.append(zones)
        return label_zones(zones, **options)

    monkeypatch.setattr("pagesight.readers.article.reader.label_zones", counted)
    title, outline = read_title(page), read_outline(page)
    assert title.title is not None
    assert outline.headings
    assert read_article(page) is read_article(page)
    assert len(asked) == 1
    assert read_article(page, model="seed") is not read_article(page)
    assert len(asked) == 2


def test_no_zone_ends_within_a_paragraph() -> None:
    zones = read_zones(article(), 1.0).zones
    texts = [" ".join(zone.text.split()) for zone in zones]
    assert not any(text.endswith("it is drunk in") for text in texts)
