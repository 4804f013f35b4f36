"""An article as JATS: the front matter, and the list of references."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from pagesight.output.text import text_of
from pagesight.output.xml import add, add_text, document
from pagesight.readers.article import Abstract, ArticleReading, Author, Reference, Section

XLINK = "http://www.w3.org/1999/xlink"


def jats(reading: ArticleReading) -> str:
    """A JATS 1.3 document of the Archiving tag set."""
    root = ET.Element("article", {"dtd-version": "1.3", "article-type": "research-article"})
    if reading.url:
        root.set("xmlns:xlink", XLINK)
    front = add(root, "front")
    if reading.journal:
        titles = add(add(front, "journal-meta"), "journal-title-group")
        add(titles, "journal-title", reading.journal.text)
    _meta(add(front, "article-meta"), reading)
    if reading.references:
        _references(add(add(root, "back"), "ref-list"), reading)
    return document(root)


def _meta(meta: ET.Element, reading: ArticleReading) -> None:
    # The order of these elements is part of the format.
    add_text(meta, "article-id", text_of(reading.doi), **{"pub-id-type": "doi"})
    if reading.title:
        add(add(meta, "title-group"), "article-title", reading.title.text)
    if reading.authors:
        contributors = add(meta, "contrib-group", **{"content-type": "authors"})
        for author in reading.authors:
            _contributor(contributors, author, reading)
    for affiliation in reading.affiliations:
        add(meta, "aff", affiliation.text, id=affiliation.id)
    _publication(meta, reading)
    if reading.abstract:
        _abstract(add(meta, "abstract"), reading.abstract)
    if reading.keywords:
        keywords = add(meta, "kwd-group", **{"kwd-group-type": "author"})
        for keyword in reading.keywords:
            add(keywords, "kwd", keyword.text)


def _publication(meta: ET.Element, reading: ArticleReading) -> None:
    if reading.year:
        add(add(meta, "pub-date"), "year", reading.year.text)
    add_text(meta, "volume", text_of(reading.volume))
    add_text(meta, "issue", text_of(reading.issue))
    first, _, last = text_of(reading.pages).partition("–")
    add_text(meta, "fpage", first)
    add_text(meta, "lpage", last)
    if reading.dates:
        history = add(meta, "history")
        for one in reading.dates:
            day = add(history, "date", **{"date-type": one.kind, "iso-8601-date": one.date})
            for tag, text in zip(("year", "month", "day"), one.date.split("-"), strict=True):
                add(day, tag, text)
    if reading.url:
        add(meta, "self-uri", **{"xlink:href": reading.url})


def _contributor(group: ET.Element, author: Author, reading: ArticleReading) -> None:
    contributor = add(group, "contrib", **{"contrib-type": "author"})
    if author.corresponding:
        contributor.set("corresp", "yes")
    if author.orcid:
        address = f"https://orcid.org/{author.orcid}"
        add(contributor, "contrib-id", address, **{"contrib-id-type": "orcid"})
    if author.group:
        add(contributor, "collab", author.text)
    else:
        _name(add(contributor, "name"), author)
    add_text(contributor, "degrees", ", ".join(author.degrees))
    add_text(contributor, "email", author.email)
    for affiliation in reading.affiliations_of(author):
        add(contributor, "xref", **{"ref-type": "aff", "rid": affiliation.id})


def _name(name: ET.Element, author: Author) -> None:
    add(name, "surname", author.family or author.text)
    add_text(name, "given-names", author.given)
    add_text(name, "suffix", author.suffix)


def _abstract(element: ET.Element, abstract: Abstract) -> None:
    inside = element
    for section in abstract.sections or (Section(heading="", text=abstract.text),):
        if section.heading or inside is not element:  # no paragraph may follow a section
            inside = add(element, "sec")
        add_text(inside, "title", section.heading)
        for paragraph in section.text.split("\n"):
            add(inside, "p", paragraph)


def _references(items: ET.Element, reading: ArticleReading) -> None:
    """Each reference as it is printed, and in parts."""
    add(items, "title", "References")
    for rank, reference in enumerate(reading.references, start=1):
        item = add(items, "ref", id=f"ref{rank}")
        add_text(item, "label", reference.number)
        both = add(item, "citation-alternatives")
        add(both, "mixed-citation", reference.text)
        kind = "journal" if reference.container else "other"
        _parts(add(both, "element-citation", **{"publication-type": kind}), reference)


def _parts(citation: ET.Element, reference: Reference) -> None:
    if reference.authors:
        people = add(citation, "person-group", **{"person-group-type": "author"})
        for author in reference.authors:
            if author.group:
                add(people, "collab", author.text)
            else:
                name = add(people, "name")
                add(name, "surname", author.family or author.text)
                add_text(name, "given-names", author.given)
    first, _, last = text_of(reference.pages).partition("–")
    parts = {
        "article-title": text_of(reference.title), "source": text_of(reference.container),
        "year": reference.year, "volume": text_of(reference.volume),
        "issue": text_of(reference.issue), "fpage": first, "lpage": last,
    }  # fmt: skip
    for tag, text in parts.items():
        add_text(citation, tag, text)
    add_text(citation, "pub-id", reference.doi, **{"pub-id-type": "doi"})
