"""Abstracts below headings, and what speaks for an article."""

from __future__ import annotations

import numpy as np
import pytest
from small_article import ABSTRACT
from small_labels import CITED, KYOTO, LayOut, labelled, paragraphs

from pagesight.readers.article.labelling import judging
from pagesight.readers.article.labelling.labels import LabelledZones
from pagesight.readers.article.labelling.sections import (
    headed_abstract,
    is_paragraph,
    says_otherwise,
)
from pagesight.readers.article.labelling.weights import shipped_weights
from pagesight.readers.article.reading import Author


def test_the_abstract_after_a_start_is_found() -> None:
    texts = ["Abstract", ABSTRACT, "Introduction", "Abstract", ABSTRACT]
    assert headed_abstract(texts, 0) == [1]
    assert headed_abstract(texts, 1) == [4]
    assert headed_abstract(["Introduction", ABSTRACT], 0) == []


def test_a_paragraph_of_an_abstract_is_long_and_says_nothing_else() -> None:
    assert is_paragraph(ABSTRACT)
    assert not is_paragraph("Too short to be one.")
    assert not is_paragraph(f"Keywords: {ABSTRACT}")
    assert says_otherwise("Received: 3 May 2018")
    assert not says_otherwise(ABSTRACT)


def author(name: str = "King") -> Author:
    return Author(text=f"Ada {name}", confidence=1.0, given="Ada", family=name)


def spoken_for(zones: LabelledZones, *authors: Author) -> dict[str, float]:
    row = judging.evidence(zones, authors).tolist()
    return dict(zip(judging.EVIDENCE, row, strict=True))


def test_what_speaks_for_an_article_is_counted(lay_out: LayOut) -> None:
    page = lay_out(
        f"<p>Original article</p><h1>On the virtues of tea</h1><p>Ada King</p><p>{KYOTO}</p>"
        f"<p>doi:10.1000/tea.1</p><h2>Abstract</h2><p>{ABSTRACT}</p>"
        f"<h2>References</h2><p>{CITED[0]}</p>"
    )
    zones = labelled(page, "before", "title", "author", "affiliation", "front",
                     "abstract heading", "abstract", "reference heading", "reference")  # fmt: skip
    row = spoken_for(zones, author())
    assert (row["bias"], row["stated kind"], row["doi"], row["kind"]) == (1, 1, 1, 1)
    assert (row["abstract heading"], row["reference heading"], row["tools"]) == (1, 1, 0)
    assert row["headed abstract"] == pytest.approx(min(len(ABSTRACT.split()) / 80, 1))
    assert row["affiliations"] == pytest.approx(1 / 3)
    assert row["authors"] == pytest.approx(np.log(2) / 2)
    assert all(0 <= value <= 1 for value in row.values())


def test_without_authors_nothing_speaks_for_an_article(lay_out: LayOut) -> None:
    zones = labelled(paragraphs(lay_out, "On tea", "doi:10.1000/tea.1"), "title", "front")
    row = spoken_for(zones)
    assert (row.pop("bias"), set(row.values())) == (1, {0})


def test_a_doi_below_the_text_is_that_of_another_article(lay_out: LayOut) -> None:
    page = paragraphs(lay_out, "On tea", "Ada King", "Text of it", "doi:10.1000/tea.1")
    assert spoken_for(labelled(page, "title", "author", "body", "after"), author())["doi"] == 0
    assert spoken_for(labelled(page, "title", "author", "front", "front"), author())["doi"] == 1


@pytest.mark.parametrize(("entries", "alike"), [(1, 0), (3, 0.5), (6, 1)])
def test_a_list_of_titles_with_authors_is_not_an_article(
    lay_out: LayOut, entries: int, alike: float
) -> None:
    page = lay_out("".join(f"<h3>The virtues of tea {n}</h3><p>Ada King</p>"
                           for n in range(entries)))  # fmt: skip
    zones = labelled(page, "title", "author", *["front", "author"] * (entries - 1))
    assert spoken_for(zones, author())["titles alike"] == pytest.approx(alike)
    assert not judging.is_article(zones, [author()], shipped_weights().judgement)[0]


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<p>Dataset</p>", "other type"),
        ("<h2>Important dates</h2>", "other kind"),
        ("<p><span>Item type: Article</span></p>", "stated kind"),
        ('<p><a href="/f.pdf">Download PDF</a></p>', "tools"),
        ("<p>King, A. (2019). The virtues of tea. Journal of Tea, 2, 4.</p>", "cites itself"),
    ],
)
def test_what_a_page_says_of_itself_is_evidence(lay_out: LayOut, html: str, name: str) -> None:
    front = "<h1>The virtues of tea</h1><p>Ada King</p>"
    plain = labelled(lay_out(front), "title", "author")
    zones = labelled(lay_out(front + html), "title", "author", "front")
    assert spoken_for(plain, author())[name] == 0 < spoken_for(zones, author())[name]


def test_what_is_in_menus_says_nothing_of_the_page(lay_out: LayOut) -> None:
    page = lay_out('<p><a href="/n">Dataset</a></p><h1>The virtues of tea</h1><p>Ada King</p>')
    assert spoken_for(labelled(page, "before", "title", "author"), author())["other type"] == 0


def test_rows_with_references_and_shortened_rows_change_nothing_else() -> None:
    rows = np.full((2, len(judging.EVIDENCE)), 0.5)
    names = list(judging.EVIDENCE)
    citing = judging.with_references(rows)
    changed = {names[at] for at in np.flatnonzero((citing != rows).any(axis=0))}
    assert changed == {"references", "reference heading"}
    shorter = judging.shortened(rows)
    assert len(shorter) == 7 * len(rows)
    gone = [{names[at] for at in np.flatnonzero(row == 0)} for row in shorter[:: len(rows)]]
    assert gone[:3] == [
        {"references", "reference heading"},
        {"abstract heading", "headed abstract", "section headings", "keywords"},
        {"doi"},
    ]
    assert (rows == 0.5).all()


def test_the_verdict_is_the_sign_of_what_was_weighed(lay_out: LayOut) -> None:
    zones = labelled(paragraphs(lay_out, "On tea", "Ada King"), "title", "author")
    bias = np.eye(len(judging.EVIDENCE))[0]
    assert judging.is_article(zones, [author()], 0 * bias) == (True, 0.5)
    verdict, probability = judging.is_article(zones, [author()], -2 * bias)
    assert not verdict
    assert probability == pytest.approx(1 / (1 + np.exp(2)))
    assert judging.is_article(zones, [author()], -1e9 * bias)[1] > 0
