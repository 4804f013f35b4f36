"""What the tags of a document say of its article: citation_*, Dublin Core, PRISM, JSON-LD."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pagesight.page import Page
from pagesight.page.head import LINKED_DATA
from pagesight.readers.article.names.persons import Name, name_of, same_person
from pagesight.readers.article.text import DOI, EMAIL, ORCID, YEAR, plain
from pagesight.readers.article.vocabulary import GENERAL, listed

FIELDS = {field: listed(names) for field, names in GENERAL["tags"].items()}
"""By field the tags that say it, the more trustworthy first."""

ARTICLES = frozenset({"ScholarlyArticle", "MedicalScholarlyArticle"})
SHORTEST_ABSTRACT = 25  # words; shorter descriptions are teasers
CUT_OFF = re.compile(r"(?:\.\.\.|…)\W*$")
ABSTRACT_HEADING = re.compile(r"^(?:abstract|summary)\b[\s:.]*(?=[A-Z0-9])", re.IGNORECASE)
MOST_LINKED = 2_000  # pieces of JSON-LD that are looked at
_PARTS = {"volumeNumber": "volume", "issueNumber": "issue"}
_SIMPLE = {"headline": "title", "abstract": "abstract", "datePublished": "year",
           "pageStart": "first page", "pageEnd": "last page"}  # fmt: skip
_LISTED = (("doi", "sameAs"), ("doi", "identifier"), ("doi", "@id"), ("keywords", "keywords"))
_FIELD_OF = {name: field for field, names in FIELDS.items() for name in names}
_RANK = {name: rank for names in FIELDS.values() for rank, name in enumerate(names)}
_SHAPES = {"doi": DOI, "year": YEAR, "orcid": ORCID, "email": EMAIL}


@dataclass(frozen=True, slots=True)
class DocumentTag:
    """One thing that the document says of itself."""

    field: str
    text: str
    name: str  # of the tag, as documents have it; "JSON-LD …" for a key of linked data
    node: int

    @property
    def family(self) -> str:
        """The vocabulary, citation or dc or JSON-LD: tags of one list share it."""
        return re.split(r"[._ ]", _usual(self.name))[0]


@dataclass(slots=True)
class StatedPerson:
    """An author as tags have them, with what is stated of them."""

    tag: DocumentTag
    orcid: DocumentTag | None = None
    email: DocumentTag | None = None
    places: list[DocumentTag] = field(default_factory=list)

    @property
    def name(self) -> Name:
        return name_of(self.tag.text)


@dataclass(frozen=True, slots=True)
class Stated:
    """All that the tags of a document say."""

    tags: tuple[DocumentTag, ...]
    persons: tuple[StatedPerson, ...]

    @property
    def scholarly(self) -> bool:
        """Whether only articles and the like have such tags; Dublin Core is for all pages."""
        return any(tag.family in ("citation", "JSON-LD") for tag in self.tags)

    def first(self, field: str) -> DocumentTag | None:
        """What the most trustworthy tag says of a field."""
        return next(iter(self.all(field)), None)

    def all(self, field: str) -> list[DocumentTag]:
        """What tags say of a field, the more trustworthy first."""
        tags = (tag for tag in self.tags if tag.field == field)
        return sorted(tags, key=lambda tag: _RANK.get(_usual(tag.name), len(FIELDS)))


def stated(page: Page) -> Stated:
    """What the tags of a page say."""
    tags = [*_meta(page), *_linked(page)]
    return Stated(tuple(tags), tuple(_persons(tags)))


def _meta(page: Page) -> Iterator[DocumentTag]:
    of_document = set(page.head.meta)  # and not those of frames
    for node in page.find("meta"):
        attributes = node.attributes
        name = (attributes.get("name") or attributes.get("property") or "").strip().lower()
        content = attributes.get("content", "").strip()
        meaning = _FIELD_OF.get(_usual(name))
        if meaning and (name, content) in of_document:
            yield from _tag(meaning, content, name, node.id)


def _usual(name: str) -> str:
    """The name of a tag without what some put in front of it."""
    return name.removeprefix("bepress_").replace("dcterms.", "dc.")


def _tag(field: str, text: str, name: str, node: int) -> Iterator[DocumentTag]:
    """A tag, if its text is what the field needs; lists of authors one by one."""
    text = plain(text)
    if field in _SHAPES:
        match = _SHAPES[field].search(text)
        text = (match[0][:4] if field == "year" else match[0]) if match else ""
    parts = text.split(";") if _usual(name) == "citation_authors" else [text]
    for part in parts:
        # There are dashes for nothing, and templates that nobody has filled.
        if any(map(str.isalnum, part)) and "$" not in part:
            yield DocumentTag(field, part.strip(), name, node)


def _persons(tags: list[DocumentTag]) -> list[StatedPerson]:
    """The longest list of authors, completed by what the other lists say of the same persons."""
    lists: dict[str, list[StatedPerson]] = {}
    for tag in tags:
        people = lists.setdefault(tag.family, [])
        if tag.field == "author":
            people.append(StatedPerson(tag))
        elif people and tag.field == "institution":
            people[-1].places.append(tag)
        elif people and tag.field in ("orcid", "email"):
            setattr(people[-1], tag.field, tag)
    longest = max(lists.values(), key=len, default=[])
    for other in (
        person for people in lists.values() if people is not longest for person in people
    ):
        for person in longest:
            if same_person(person.name, other.name):
                person.orcid = person.orcid or other.orcid
                person.email = person.email or other.email
                person.places = person.places or other.places
    return longest


def _linked(page: Page) -> Iterator[DocumentTag]:
    scripts = [
        node
        for node in page.find("script")
        if node.attributes.get("type", "").strip().lower() == LINKED_DATA
    ]
    documents = page.head.linked_data
    if not documents or not scripts:
        return
    nodes = [node.id for node in scripts]
    if len(nodes) != len(documents):  # some are no JSON, and nobody knows which
        nodes = nodes[:1] * len(documents)
    for node, document in zip(nodes, documents, strict=True):
        for article in _dicts(document):
            if ARTICLES & set(_list(article.get("@type"))):
                for meaning, text, key in _said(article):
                    yield from _tag(meaning, text, f"JSON-LD {key}", node)
                return  # one page, one article


def _said(article: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Field, text and key of what linked data says of an article."""
    for key, meaning in _SIMPLE.items():
        if isinstance(text := article.get(key), str):
            yield meaning, text, key
    for person in filter(None, _list(article.get("author"))):
        yield from _said_of(person)
    for meaning, key in _LISTED:
        for text in _texts(_list(article.get(key))):
            yield meaning, text, key
    for part in _dicts(article.get("isPartOf")):
        if "Periodical" in _list(part.get("@type")) and isinstance(part.get("name"), str):
            yield "journal", part["name"], "isPartOf"
        for key, meaning in _PARTS.items():
            if isinstance(part.get(key), (str, int)):
                yield meaning, str(part[key]), key


def _said_of(person: Any) -> Iterator[tuple[str, str, str]]:
    if isinstance(person, str):
        yield "author", person, "author"
    if not isinstance(person, dict):
        return
    parts = " ".join(_texts([person.get("givenName"), person.get("familyName")]))
    yield "author", person["name"] if isinstance(person.get("name"), str) else parts, "author"
    if orcid := ORCID.search(str(person)):
        yield "orcid", orcid[0], "author"
    if isinstance(email := person.get("email"), str):
        yield "email", email, "author"
    for place in _list(person.get("affiliation")):
        name = place.get("name") if isinstance(place, dict) else place
        if isinstance(name, str):
            yield "institution", name, "affiliation"


def _dicts(data: Any) -> Iterator[dict[str, Any]]:
    """The objects in linked data, the outer ones first."""
    todo = [data]
    for value in todo:
        if isinstance(value, dict):
            yield value
            todo.extend(value.values())
        elif isinstance(value, list):
            todo.extend(value)
        if len(todo) > MOST_LINKED:
            return


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if isinstance(value, (str, dict)) else []


def _texts(values: list[Any]) -> list[str]:
    return [value for value in values if isinstance(value, str)]
