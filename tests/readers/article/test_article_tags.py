"""Tags of documents one by one: shapes, ranks, lists of persons, linked data."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from pagesight.page import Page
from pagesight.readers.article.tags import DocumentTag, Stated, stated

LayOut = Callable[[str], Page]
ORCID = "0000-0002-1825-0097"


def said(lay_out: LayOut, *tags: tuple[str, str], linked: object = None) -> Stated:
    metas = "".join(f'<meta name="{name}" content="{content}">' for name, content in tags)
    script = f'<script type="application/ld+json">{json.dumps(linked)}</script>' if linked else ""
    return stated(lay_out(f"<html><head>{metas}{script}</head><body><p>Tea</p></body></html>"))


def texts(found: Stated, field: str) -> list[str]:
    return [tag.text for tag in found.all(field)]


def test_a_page_without_tags_says_nothing(lay_out: LayOut) -> None:
    found = said(lay_out)
    assert (found.tags, found.persons, found.first("title")) == ((), (), None)
    assert not found.scholarly


def test_the_more_trustworthy_tag_comes_first_wherever_it_is(lay_out: LayOut) -> None:
    found = said(lay_out, ("DC.title", "On tea"), ("citation_title", "On the virtues of tea"))
    assert texts(found, "title") == ["On the virtues of tea", "On tea"]


@pytest.mark.parametrize(
    ("name", "content", "field", "text"),
    [
        ("citation_doi", "https://doi.org/10.1000/tea.1", "doi", "10.1000/tea.1"),
        ("DC.Identifier", "ISSN 1234-5678", "doi", None),
        ("citation_date", "9 July 2019", "year", "2019"),
        ("citation_date", "2019a", "year", "2019"),
        ("citation_date", "soon", "year", None),
        ("citation_title", "—", "title", None),  # a dash for nothing
        ("citation_title", "${title}", "title", None),  # a template that nobody filled
        ("bepress_citation_title", "On tea", "title", "On tea"),
        ("dcterms.title", "On tea", "title", "On tea"),
        ("CITATION_TITLE", " On  tea ", "title", "On tea"),
        ("twitter:title", "On tea", "title", None),
    ],
)
def test_a_tag_says_something_if_its_text_is_what_the_field_needs(
    lay_out: LayOut, name: str, content: str, field: str, text: str | None
) -> None:
    first = said(lay_out, (name, content)).first(field)
    assert (first and first.text) == text


def test_authors_in_one_tag_are_divided_at_semicolons(lay_out: LayOut) -> None:
    found = said(lay_out, ("citation_authors", "King, Ada; Xu, Li; ; -"))
    assert [person.name.family for person in found.persons] == ["King", "Xu"]
    found = said(lay_out, ("citation_author", "King, Ada"))
    assert [person.name.given for person in found.persons] == ["Ada"]


def test_what_follows_an_author_belongs_to_that_author(lay_out: LayOut) -> None:
    found = said(
        lay_out,
        ("citation_author_email", "nobody@tea.example"),  # before all authors
        ("citation_author", "Ada King"),
        ("citation_author_institution", "Tea School"),
        ("citation_author_institution", "Leaf Institute"),
        ("citation_author", "Li Xu"),
        ("citation_author_email", "li@tea.example"),
    )
    ada, li = found.persons
    assert [place.text for place in ada.places] == ["Tea School", "Leaf Institute"]
    assert (ada.email, li.places) == (None, [])
    assert li.email is not None
    assert li.email.text == "li@tea.example"


def test_the_longest_list_of_persons_is_completed_by_the_others(lay_out: LayOut) -> None:
    found = said(
        lay_out,
        ("dc.creator", "King, Ada"),
        ("dc.creator", "Xu, Li"),
        ("citation_author", "A. King"),
        ("citation_author_orcid", ORCID),
    )
    ada, li = found.persons
    assert (ada.tag.text, ada.orcid and ada.orcid.text) == ("King, Ada", ORCID)
    assert li.orcid is None


@pytest.mark.parametrize(
    ("name", "family"),
    [("citation_title", "citation"), ("bepress_citation_title", "citation"), ("dc.title", "dc"),
     ("dcterms.title", "dc"), ("prism.doi", "prism"), ("JSON-LD headline", "JSON-LD")],
)  # fmt: skip
def test_tags_of_one_vocabulary_share_a_family(name: str, family: str) -> None:
    assert DocumentTag("title", "On tea", name, 0).family == family


def test_dublin_core_alone_is_not_scholarly(lay_out: LayOut) -> None:
    assert not said(lay_out, ("dc.title", "On tea"), ("prism.volume", "3")).scholarly
    assert said(lay_out, ("citation_volume", "3")).scholarly


def article(**said_of_it: object) -> dict[str, object]:
    return {"@type": "ScholarlyArticle", **said_of_it}


def test_linked_data_of_other_things_says_nothing(lay_out: LayOut) -> None:
    assert said(lay_out, linked={"@type": "NewsArticle", "headline": "On tea"}).tags == ()


def test_of_several_articles_in_linked_data_the_outer_and_first_counts(lay_out: LayOut) -> None:
    cited = article(headline="Cited")
    found = said(lay_out, linked=[article(headline="On tea", citation=[cited]), cited])
    assert texts(found, "title") == ["On tea"]


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ("Ada King", ["Ada King"]),
        (["Ada King", {"name": "Li Xu"}], ["Ada King", "Li Xu"]),
        ({"givenName": "Ada", "familyName": "King"}, ["Ada King"]),
        ({"familyName": "King"}, ["King"]),
        ({"name": "Ada King", "familyName": "Other"}, ["Ada King"]),
        ([{}, "", None, 3], []),
    ],
)
def test_authors_in_linked_data_are_texts_or_objects(
    lay_out: LayOut, author: object, names: list[str]
) -> None:
    found = said(lay_out, linked=article(author=author, headline="On tea"))
    assert [person.tag.text for person in found.persons] == names


@pytest.mark.parametrize(
    "affiliation",
    ["Tea School", {"name": "Tea School"}, [{"name": "Tea School"}], [3, {}, "Tea School"]],
)
def test_affiliations_in_linked_data_are_texts_or_objects(
    lay_out: LayOut, affiliation: object
) -> None:
    author = {
        "name": "Ada King",
        "affiliation": affiliation,
        "sameAs": f"https://orcid.org/{ORCID}",
    }
    person = said(lay_out, linked=article(author=author)).persons[0]
    assert [place.text for place in person.places] == ["Tea School"]
    assert person.orcid is not None
    assert person.orcid.text == ORCID


@pytest.mark.parametrize("key", ["sameAs", "identifier", "@id"])
def test_a_doi_in_linked_data_has_one_of_three_keys(lay_out: LayOut, key: str) -> None:
    found = said(lay_out, linked=article(**{key: "https://doi.org/10.1000/tea.1"}))
    assert set(texts(found, "doi")) == {"10.1000/tea.1"}


def test_volume_and_issue_are_those_of_what_an_article_is_part_of(lay_out: LayOut) -> None:
    volume = {"@type": "PublicationVolume", "volumeNumber": 12, "isPartOf": {
        "@type": "Periodical", "name": "Journal of Tea"}}  # fmt: skip
    found = said(lay_out, linked=article(isPartOf=volume, pageStart="3", pageEnd=7))
    assert (texts(found, "volume"), texts(found, "journal")) == (["12"], ["Journal of Tea"])
    assert (texts(found, "first page"), texts(found, "last page")) == (["3"], [])
