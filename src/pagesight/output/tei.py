"""An article as TEI: the header, and the list of references."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from pagesight.output.text import text_of
from pagesight.output.xml import XML_ID, add, add_text, clean, document
from pagesight.readers.article import Abstract, ArticleReading, Author, Reference, Section

NAMESPACE = "http://www.tei-c.org/ns/1.0"


def tei(reading: ArticleReading) -> str:
    """A TEI document of the article, in the form that GROBID made common."""
    root = ET.Element("TEI", {"xmlns": NAMESPACE})
    header = add(root, "teiHeader")
    _file_description(header, reading)
    if reading.keywords or reading.abstract:
        _profile(add(header, "profileDesc"), reading)
    text = add(root, "text")
    add(add(add(text, "body"), "div"), "p")
    if reading.references:
        _references(add(add(text, "back"), "div", type="references"), reading)
    return document(root)


def _file_description(header: ET.Element, reading: ArticleReading) -> None:
    description = add(header, "fileDesc")
    title = text_of(reading.title)
    add(add(description, "titleStmt"), "title", title, level="a", type="main")
    add(add(description, "publicationStmt"), "p", "read from a page by Pagesight")
    source = add(add(description, "sourceDesc"), "biblStruct")
    analytic = add(source, "analytic")
    for author in reading.authors:
        _author(add(analytic, "author"), author, reading)
    add(analytic, "title", title, level="a", type="main")
    add_text(analytic, "idno", text_of(reading.doi), type="DOI")
    _journal(add(source, "monogr"), reading)
    add_text(source, "idno", reading.url, type="URL")


def _journal(element: ET.Element, reading: ArticleReading) -> None:
    add_text(element, "title", text_of(reading.journal), level="j")
    imprint = add(element, "imprint")
    units = {"volume": reading.volume, "issue": reading.issue, "page": reading.pages}
    for unit, value in units.items():
        add_text(imprint, "biblScope", text_of(value), unit=unit)
    if reading.year:
        add(imprint, "date", reading.year.text, type="published", when=reading.year.text)
    else:
        add(imprint, "date")


def _author(element: ET.Element, author: Author, reading: ArticleReading) -> None:
    if author.corresponding:
        element.set("role", "corresp")
    if author.group:
        add(element, "orgName", author.text)
    else:
        _name(add(element, "persName"), author)
    add_text(element, "email", author.email)
    add_text(element, "idno", author.orcid, type="ORCID")
    for affiliation in reading.affiliations_of(author):
        note = add(add(element, "affiliation", key=affiliation.id), "note", affiliation.text)
        note.set("type", "raw_affiliation")


def _name(name: ET.Element, author: Author) -> None:
    add_text(name, "forename", author.given, type="first")
    add(name, "surname", author.family or author.text)
    add_text(name, "genName", author.suffix)
    for degree in author.degrees:
        add(name, "roleName", degree)


def _profile(profile: ET.Element, reading: ArticleReading) -> None:
    if reading.abstract:
        _abstract(add(profile, "abstract"), reading.abstract)
    if reading.keywords:
        keywords = add(add(profile, "textClass"), "keywords")
        for keyword in reading.keywords:
            add(keywords, "term", keyword.text)


def _abstract(element: ET.Element, abstract: Abstract) -> None:
    """TEI has no divisions in an abstract: a heading is the label of its paragraph."""
    for section in abstract.sections or (Section(heading="", text=abstract.text),):
        for rank, text in enumerate(section.text.split("\n")):
            paragraph = add(element, "p")
            if section.heading and rank == 0:
                label = add(paragraph, "label", section.heading)
                label.tail = f" {clean(text)}"
            else:
                paragraph.text = clean(text)


def _references(division: ET.Element, reading: ArticleReading) -> None:
    """Each reference in parts, and as it is printed."""
    items = add(division, "listBibl")
    for rank, reference in enumerate(reading.references):
        item = add(items, "biblStruct", **{XML_ID: f"b{rank}"})
        within = text_of(reference.container)
        if within:
            _work(add(item, "analytic"), reference, "a")
        book = add(item, "monogr")
        if within:
            add(book, "title", within, level="j")
        else:
            _work(book, reference, "m")
        imprint = add(book, "imprint")
        units = {"volume": reference.volume, "issue": reference.issue, "page": reference.pages}
        for unit, value in units.items():
            add_text(imprint, "biblScope", text_of(value), unit=unit)
        date = add(imprint, "date")
        if reference.year:
            date.text = reference.year
            date.attrib |= {"type": "published", "when": reference.year}
        add(item, "note", reference.text, type="raw_reference")


def _work(element: ET.Element, reference: Reference, level: str) -> None:
    """What is cited; TEI has authors before titles."""
    for author in reference.authors:
        who = add(element, "author")
        if author.group:
            add(who, "orgName", author.text)
        else:
            name = add(who, "persName")
            add_text(name, "forename", author.given, type="first")
            add(name, "surname", author.family or author.text)
    add(element, "title", text_of(reference.title), level=level)
    add_text(element, "idno", reference.doi, type="DOI")
