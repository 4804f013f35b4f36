"""The tags of a document: what they say, and what they add to what is seen."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from small_article import ABSTRACT, BODY, HTML, TITLE

from pagesight.page import Page
from pagesight.readers.article import ArticleReading
from pagesight.readers.article.fields.metadata import by_tags
from pagesight.readers.article.labelling.labels import AFFILIATIONS, LABELS
from pagesight.readers.article.reader import may_be_article, read_article
from pagesight.readers.article.tags import Stated, stated
from pagesight.readers.article.zones import article_zones

LayOut = Callable[[str], Page]

TAGS = {
    "citation_title": TITLE,
    "citation_journal_title": "Journal of Tea",
    "citation_volume": "12",
    "citation_firstpage": "3",
    "citation_lastpage": "14",
    "citation_publication_date": "2019/07/09",
    "citation_doi": "doi:10.1000/tea.2019",
}
AUTHORS = (
    ("citation_author", "King, Ada B."),
    ("citation_author_orcid", "https://orcid.org/0000-0002-1825-0097"),
    ("citation_author", "Lindqvist, Bo"),
    ("citation_author", "Okafor, Chinua"),
    ("citation_author", "Xu, Li-Hua"),
    ("citation_author_institution", "Institute of Leaves, University of Lund"),
)
LINKED = {
    "@context": "https://schema.org",
    "@graph": [
        {"@type": "WebSite", "name": "Tea"},
        {
            "@type": ["ScholarlyArticle"],
            "headline": TITLE,
            "author": [
                {"@type": "Person", "name": "Ada B. King", "email": "ada@tea.example"},
                {"@type": "Person", "givenName": "Li-Hua", "familyName": "Xu",
                 "identifier": "https://orcid.org/0000-0002-1825-0097",
                 "affiliation": {"@type": "Organization", "name": "Institute of Leaves"}},
            ],
            "sameAs": ["https://doi.org/10.1000/tea.2019"],
            "datePublished": "2019-07-09",
            "keywords": ["tea", "kindness"],
            "isPartOf": {"@type": "PublicationIssue", "issueNumber": 3, "isPartOf": {
                "@type": ["PublicationVolume", "Periodical"], "name": "Journal of Tea",
                "volumeNumber": "12"}},
        },
    ],
}  # fmt: skip


def page_with(
    lay_out: LayOut, *tags: tuple[str, str], body: str = HTML, linked: object = None
) -> Page:
    metas = "".join(f'<meta name="{name}" content="{text}">' for name, text in tags)
    script = f'<script type="application/ld+json">{json.dumps(linked)}</script>' if linked else ""
    return lay_out(body.replace("<head>", f"<head>{metas}{script}"))


def read_with(lay_out: LayOut, *tags: tuple[str, str], body: str = HTML) -> ArticleReading:
    return read_article(page_with(lay_out, *tags, body=body))


def told(said: Stated, field: str) -> list[str]:
    return [tag.text for tag in said.all(field)]


def test_tags_are_read(lay_out: LayOut) -> None:
    said = stated(page_with(lay_out, *TAGS.items(), *AUTHORS))
    assert told(said, "title") == [TITLE]
    assert told(said, "doi") == ["10.1000/tea.2019"]
    assert told(said, "year") == ["2019"]
    assert [person.name.family for person in said.persons] == ["King", "Lindqvist", "Okafor", "Xu"]
    assert said.persons[0].orcid is not None
    assert said.persons[0].orcid.text == "0000-0002-1825-0097"
    assert [len(person.places) for person in said.persons] == [0, 0, 0, 1]


def test_linked_data_is_read(lay_out: LayOut) -> None:
    said = stated(page_with(lay_out, linked=LINKED))
    assert told(said, "title") == [TITLE]
    assert told(said, "doi") == ["10.1000/tea.2019"]
    assert (told(said, "journal"), told(said, "volume"), told(said, "issue")) == (
        ["Journal of Tea"], ["12"], ["3"]
    )  # fmt: skip
    assert [person.tag.text for person in said.persons] == ["Ada B. King", "Li-Hua Xu"]
    assert [person.tag.name for person in said.persons] == ["JSON-LD author"] * 2
    assert said.persons[1].orcid is not None
    assert said.persons[1].places[0].text == "Institute of Leaves"


@pytest.mark.parametrize(
    "linked",
    [
        [],
        "tea",
        {"@type": "Product", "name": "Tea"},
        {"@type": "ScholarlyArticle", "author": [None, 3, {}, {"name": 3}], "isPartOf": "tea"},
        {"@type": "ScholarlyArticle", "author": "Ada King", "headline": ["a"], "keywords": 7},
        {"@type": "ScholarlyArticle", "identifier": {"value": "no DOI"}, "sameAs": None},
    ],
)
def test_linked_data_of_any_shape_does_no_harm(lay_out: LayOut, linked: object) -> None:
    page = page_with(lay_out, linked=linked)
    assert len(stated(page).persons) <= 1
    assert read_article(page).title is not None


def test_several_vocabularies_are_one_list(lay_out: LayOut) -> None:
    creators = [("dc.creator", "Ada King"), ("DC.Creator", "Bo Lindqvist")]
    said = stated(page_with(lay_out, *AUTHORS, *creators, linked=LINKED))
    assert len(said.persons) == 4
    assert said.persons[0].email is not None  # from the linked data
    assert said.persons[0].email.text == "ada@tea.example"


def test_templates_that_nobody_filled_say_nothing(lay_out: LayOut) -> None:
    said = stated(page_with(lay_out, ("citation_author", "${author}"), ("citation_doi", "none")))
    assert not said.tags


def test_zones_that_say_what_tags_say_are_hinted_at(lay_out: LayOut) -> None:
    page = page_with(lay_out, *TAGS.items(), *AUTHORS, ("citation_abstract", ABSTRACT))
    zones = article_zones(page)
    found = by_tags(zones, stated(page))
    assert found is not None
    told: dict[str, set[str]] = {}
    for zone, label in zip(*found.nonzero(), strict=True):
        told.setdefault(LABELS[label], set()).add(zones.texts[zone])
    assert told.keys() == {"title", "author", "abstract", *AFFILIATIONS}
    assert told["title"] == {f"{TITLE}†"} or told["title"] == {f"{TITLE} †"}
    assert told["abstract"] == {ABSTRACT}
    assert all("Institute of Leaves" in text for text in told["affiliation"])
    assert all("King" in text or "Xu" in text or "Lindqvist" in text for text in told["author"])


def test_no_tags_give_no_by_tags(lay_out: LayOut) -> None:
    page = lay_out(HTML)
    assert by_tags(article_zones(page), stated(page)) is None


def test_what_agrees_is_surer_and_says_so(lay_out: LayOut) -> None:
    plain, tagged = read_with(lay_out), read_with(lay_out, *TAGS.items(), *AUTHORS)
    assert plain.title is not None
    assert tagged.title is not None
    assert (tagged.title.text, tagged.title.tag, tagged.title.seen) == (
        plain.title.text, "citation_title", True
    )  # fmt: skip
    assert tagged.title.confidence >= plain.title.confidence
    assert tagged.confidence >= plain.confidence
    assert [author.tag for author in tagged.authors] == ["citation_author"] * 4


def test_what_only_tags_say_has_no_box(lay_out: LayOut) -> None:
    reading = read_with(lay_out, *TAGS.items(), *AUTHORS)
    assert reading.journal is not None
    assert (reading.journal.text, reading.journal.seen) == ("Journal of Tea", True)
    assert reading.doi is not None
    assert (reading.doi.text, reading.doi.seen, reading.doi.tag) == (
        "10.1000/tea.2019", False, "citation_doi"
    )  # fmt: skip
    assert reading.pages is not None
    assert reading.pages.text == "3–14"
    assert reading.authors[0].orcid == "0000-0002-1825-0097"
    assert reading.authors[0].from_tags == ("orcid",)
    assert reading.to_json()["doi"]["box"] is None
    assert reading.to_json()["doi"]["xpath"].startswith("/html/head/meta")


def test_a_list_of_authors_that_the_page_cuts_off_is_completed(lay_out: LayOut) -> None:
    more = [("citation_author", f"{family}, Zoe") for family in ("Ngata", "Ono", "Perez")]
    reading = read_with(lay_out, *AUTHORS, *more)
    families = [author.family for author in reading.authors]
    assert families == ["King", "Lindqvist", "Okafor", "Xu", "Ngata", "Ono", "Perez"]
    assert [author.seen for author in reading.authors] == [True] * 4 + [False] * 3
    assert reading.authors[-1].text == "Zoe Perez"


def test_tags_about_other_persons_add_nobody(lay_out: LayOut) -> None:
    strangers = [("citation_author", f"{family}, Zoe") for family in ("Ngata", "Ono", "Perez")]
    families = [author.family for author in read_with(lay_out, *strangers).authors]
    assert families == ["King", "Lindqvist", "Okafor", "Xu"]


def test_tags_that_any_page_may_have_make_no_article(lay_out: LayOut) -> None:
    body = "<head></head><h1>Tea</h1><p>Buy tea."
    plain = read_article(lay_out(body))
    dublin = read_article(
        page_with(lay_out, ("dc.title", "Tea"), ("dc.creator", "Ada King"), body=body)
    )
    cited = read_article(page_with(lay_out, ("citation_title", "Tea"), body=body))
    assert dublin.confidence == pytest.approx(plain.confidence, abs=0.05)
    assert cited.confidence > plain.confidence


def test_names_of_tags_are_as_the_document_has_them(lay_out: LayOut) -> None:
    tags = [("bepress_citation_title", TITLE), ("DCTERMS.creator", "Ada King")]
    said = stated(page_with(lay_out, *tags))
    assert [tag.name for tag in said.tags] == ["bepress_citation_title", "dcterms.creator"]
    assert [tag.family for tag in said.tags] == ["citation", "dc"]


ABSTRACT_TAG = "We asked whether tea helps. " * 6


@pytest.mark.parametrize(
    ("text", "found"),
    [(ABSTRACT_TAG.strip(), True), (f"{ABSTRACT_TAG}...", False), ("Tea.", False)],
)
def test_an_abstract_that_only_a_tag_has(lay_out: LayOut, text: str, found: bool) -> None:
    shown = HTML.replace("<h2>Abstract</h2>", "").replace(f"<p>{ABSTRACT}</p>", "")
    body = shown.replace(BODY, "Short.").replace(BODY[::-1], "Short.")
    reading = read_with(lay_out, ("citation_title", TITLE), ("citation_abstract", text), body=body)
    assert (reading.abstract is not None and reading.abstract.text == text) is found
    assert reading.abstract is None or not reading.abstract.seen


def test_a_tag_that_lies_does_not_replace_what_is_seen(lay_out: LayOut) -> None:
    lies = [("citation_title", "A lie"), ("citation_publication_date", "1950")]
    reading = read_with(lay_out, *lies)
    assert reading.title is not None
    assert (reading.title.text, reading.title.tag) == (TITLE, None)
    assert reading.year is not None
    assert reading.year.text == "2019"


def test_an_author_without_affiliation_gets_the_one_of_the_tags(lay_out: LayOut) -> None:
    bare = HTML.replace("Li-Hua Xu</a><sup>2</sup>", "Li-Hua Xu</a>")
    assert bare != HTML
    xu = read_with(lay_out, *AUTHORS, body=bare).authors[-1]
    assert (xu.family, xu.affiliations) == ("Xu", ("aff2",))  # the page has that place
    assert xu.from_tags == ("affiliations",)


def test_ignored_tags_are_not_looked_at(lay_out: LayOut) -> None:
    tagged = read_article(page_with(lay_out, *TAGS.items(), *AUTHORS), metadata="ignore")
    assert tagged.to_json() == read_article(lay_out(HTML), metadata="ignore").to_json()


def test_few_pages_are_worth_reading_as_articles(lay_out: LayOut) -> None:
    assert may_be_article(lay_out(HTML))
    assert may_be_article(page_with(lay_out, *TAGS.items(), body="<head></head><p>tea"))
    assert not may_be_article(lay_out("<h1>Teapots</h1><p>Buy one. Abstract art on all of them."))
