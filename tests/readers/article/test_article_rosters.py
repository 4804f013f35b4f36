"""Names, places and addresses in one line, which only class names tell apart; and names that
belong to references."""

from __future__ import annotations

import pytest
from small_article import ABSTRACT, REFERENCES
from small_labels import LayOut, labelled

from pagesight.page import Page
from pagesight.readers.article.fields.authors import authors_and_affiliations
from pagesight.readers.article.labelling.labels import LabelledZones, certain
from pagesight.readers.article.zones import article_zones

PEOPLE = (
    ("Ada King", "ada@kyoto.example", "University of Kyoto", "Kyoto", "Japan"),
    ("Chinua Okafor", "chinua@leaf.example", "Leaf Laboratories", "Lagos", "Nigeria"),
)
PLACES = ["University of Kyoto, Kyoto, Japan", "Leaf Laboratories, Lagos, Nigeria"]


def creators(*, name: str = "personname", mark: str = "") -> str:
    """As LaTeX makes it of a class for proceedings."""
    classes = (name, "email", "institution", "city", "country")
    spans = (
        "\n".join(
            f"<span class='{kind}'>{text}</span>"
            for kind, text in zip(classes, person, strict=True)
        )
        for person in PEOPLE
    )
    return "<div>" + "\n".join(f"<span class=creator>{person}{mark}</span>" for person in spans)


def in_front(lay_out: LayOut, authors: str) -> LabelledZones:
    page = lay_out(f"<h1>On tea</h1>{authors}</div><h2>Abstract</h2><p>{ABSTRACT}</p>")
    return labelled(page, "title", "author", "abstract heading", "abstract")


def test_class_names_tell_names_from_what_follows_them(lay_out: LayOut) -> None:
    authors, affiliations = authors_and_affiliations(in_front(lay_out, creators()))
    assert [place.text for place in affiliations] == PLACES
    assert [(who.text, who.email, who.affiliations) for who in authors] == [
        ("Ada King", "ada@kyoto.example", ("aff1",)),
        ("Chinua Okafor", "chinua@leaf.example", ("aff2",)),
    ]


@pytest.mark.parametrize("authors", [creators(name=""), creators(mark="<sup>1</sup>")])
def test_without_such_classes_or_with_marks_the_text_decides(lay_out: LayOut, authors: str) -> None:
    _, affiliations = authors_and_affiliations(in_front(lay_out, authors))
    assert [place.text for place in affiliations] != PLACES


def cites(lay_out: LayOut, heading: str) -> Page:
    """A page whose references name their authors in paragraphs of their own."""
    names = "Li-Hua Xu", "Bo Lindqvist", "Rosa Diaz"
    cited = zip(names, REFERENCES, strict=False)
    entries = "".join(f"<dd><p>{name}</p><p>{text}</p></dd>" for name, text in cited)
    return lay_out(f"<h1>On tea</h1><p>Ada King</p><h2>{heading}</h2><dl>{entries}</dl>")


@pytest.mark.parametrize("is_link", [False, True])
def test_whom_references_name_are_not_authors(lay_out: LayOut, *, is_link: bool) -> None:
    heading = "<a href='#r'>References</a>" if is_link else "References"  # as in menus
    zones = article_zones(cites(lay_out, heading))
    labels = ["author" if text.count(" ") == 1 else "reference" for text in zones.texts]
    labels[0], labels[2] = "title", "reference heading"
    authors, _ = authors_and_affiliations(LabelledZones(zones, labels, certain(labels)))
    assert ([who.text for who in authors] == ["Ada King"]) is not is_link
