"""What is known of the references of an article: their parts, as tags or JATS files state them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from pagesight.readers.article.names.persons import Name, name_of
from pagesight.readers.article.tags import Stated
from pagesight.readers.article.text import plain

_KEY = re.compile(r"(?:^|;)\s*citation_(\w+)=")
_LISTED = re.compile(r"[^,]+, (?:[A-Z]\.[ -]?)+(?=,|$)")  # Corredig, M., Dalgleish, D.G.
_CITATIONS = ("mixed-citation", "element-citation", "citation", "nlm-citation")
_SOURCES = ("source", "conf-name")
_TITLES = ("article-title", "chapter-title", "part-title", "data-title")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """The parts of a reference; a container may be written in several ways."""

    persons: tuple[Name, ...] = ()
    groups: tuple[str, ...] = ()
    editors: tuple[Name, ...] = ()
    title: str = ""
    containers: tuple[str, ...] = ()
    volume: str = ""
    issue: str = ""
    pages: tuple[str, ...] = ()  # the first, and the last
    year: str = ""
    doi: str = ""
    publishers: tuple[str, ...] = ()  # and their towns
    whole: bool = False  # what is not stated is not there

    @property
    def text(self) -> str:
        """All parts, by which a reference is recognised."""
        families = [name.family for name in self.persons[:1]]
        titles = [self.title] if self.title else [*self.containers[:1], *self.pages[:1]]
        return " ".join((*families, *self.groups[:1], *titles, self.volume, self.year)).strip()


def cited_in_tags(meta: Mapping[str, Sequence[str]]) -> tuple[Cited, ...]:
    """The references that tags state part by part."""
    texts = (plain(text) for text in meta.get("citation_reference", ()))
    return tuple(_of_tag(text) for text in texts if _KEY.match(text))


def _of_tag(text: str) -> Cited:
    values = _KEY.split(text)[1:]
    pairs = [
        (key, value.strip(" ;"))
        for key, value in zip(values[::2], values[1::2], strict=True)
        if value.strip(" ;")
    ]
    fields: dict[str, list[str]] = {}
    for key, value in pairs:
        fields.setdefault(key, []).append(value)
    titles = fields.get("title", [])
    journals = titles[:1] if len(titles) > 1 else []  # some call that of the journal so, too
    for key in ("journal_title", "journal_abbrev", "inbook_title", "conference_title"):
        journals += fields.get(key, [])

    def first(*keys: str) -> str:
        return next((fields[key][0] for key in keys if key in fields), "")

    pages = re.split(r"\s*[-–]+\s*", first("pages")) if "pages" in fields else []
    pages = pages or [first("firstpage", "first_page"), first("lastpage", "last_page")]
    return Cited(
        persons=tuple(name for part in fields.get("author", []) for name in _names(part)),
        title=titles[-1] if titles and titles[-1] not in journals else "",
        containers=tuple(journals),
        volume=first("volume"),
        issue=first("issue"),
        pages=tuple(filter(None, pages))[:2],
        year=first("year", "publication_date", "date")[:4],
        doi=first("doi"),
        publishers=tuple(fields.get("publisher", [])),
    )


def _names(text: str) -> list[Name]:
    """The authors in a tag: some have one each, some have all."""
    listed = _LISTED.findall(text)
    parts = listed if listed and len(listed) == text.count(",") // 2 + 1 else text.split(", ")
    return [name_of(part.strip(" ,").replace("et al", "")) for part in parts if part.strip(" ,.")]


def cited_in_jats(root: ET.Element) -> tuple[Cited, ...]:
    """The references of a JATS file that state their parts; those of two works are left out."""
    works = (
        [child for child in ref.iter() if child.tag in _CITATIONS]
        for ref in root.findall(".//ref-list//ref")
    )
    cited = (_of_work(found[0]) for found in works if len(found) == 1)
    return tuple(one for one in cited if one.title or one.containers)


def _of_work(work: ET.Element) -> Cited:
    def texts(*tags: str) -> list[str]:
        return [text for tag in tags for part in work.iter(tag) if (text := _plain(part))]

    def first(*tags: str) -> str:
        return next(iter(texts(*tags)), "")

    journal = work.get("publication-type", work.get("citation-type")) == "journal"
    titles, sources = texts(*_TITLES), texts(*_SOURCES)
    if not titles and sources and not journal:
        titles, sources = sources[:1], sources[1:]
    editors = {
        id(name) for group in work.iter("person-group") for name in group.iter()
        if group.get("person-group-type", "author") != "author"
    }  # fmt: skip
    names = [name for name in work.iter() if name.tag in ("name", "string-name")]
    dois = [id_.text or "" for id_ in work.iter("pub-id") if id_.get("pub-id-type") == "doi"]
    return Cited(
        persons=tuple(name_in_jats(name) for name in names if id(name) not in editors),
        groups=tuple(texts("collab")),
        editors=tuple(name_in_jats(name) for name in names if id(name) in editors),
        title=titles[0] if titles else "",
        containers=tuple(sources[:1]),
        volume=first("volume"),
        issue=first("issue"),
        pages=tuple(filter(None, (first("fpage", "elocation-id"), first("lpage")))),
        year=first("year")[:4],
        doi=dois[0].strip() if dois else "",
        publishers=tuple(texts("publisher-name", "publisher-loc")),
        whole=True,
    )


def _plain(element: ET.Element) -> str:
    return plain("".join(element.itertext()).replace("<", "&lt;"))


def name_in_jats(name: ET.Element) -> Name:
    """A name as it is divided there."""
    given, family = name.find("given-names"), name.find("surname")
    if family is None:
        return name_of(_plain(name))
    return Name("" if given is None else _plain(given), _plain(family))


# Where an article itself appeared


def appeared_in_tags(stated: Stated) -> Cited:
    """What the tags of a document say of it."""

    def first(field: str) -> str:
        tag = stated.first(field)
        return tag.text if tag else ""

    return Cited(
        containers=tuple(tag.text for tag in stated.all("journal")),
        volume=first("volume"),
        issue=first("issue"),
        pages=tuple(filter(None, (first("first page"), first("last page")))),
        year=first("year"),
    )


def appeared_in_jats(root: ET.Element, meta: ET.Element) -> Cited:
    """What a JATS file says of it."""
    titles = ("journal-title", "abbrev-journal-title", "journal-id")
    names = [_plain(name) for title in titles for name in root.iterfind(f"./front//{title}")]

    def first(*tags: str) -> str:
        found = (meta.find(tag) for tag in tags)
        return next((_plain(part) for part in found if part is not None), "")

    return Cited(
        containers=tuple(names),
        volume=first("volume"),
        issue=first("issue"),
        pages=tuple(filter(None, (first("fpage", "elocation-id"), first("lpage")))),
        year=first("pub-date/year"),
    )
