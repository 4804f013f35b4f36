"""What is known of an article from elsewhere: its own citation tags, or the publisher's JATS.

Only training and evaluation use this; the reader never does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from pagesight.readers.article.learning.cited import (
    Cited,
    appeared_in_jats,
    cited_in_jats,
    cited_in_tags,
    name_in_jats,
)
from pagesight.readers.article.names.persons import Name, name_of
from pagesight.readers.article.tags import ABSTRACT_HEADING, CUT_OFF, SHORTEST_ABSTRACT
from pagesight.readers.article.text import plain, without_markup
from pagesight.segment.text import letters, squeeze, words

SHORTEST_REFERENCE = 3  # words; some tags hold just the volume
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_DAMAGE = re.compile("[ÃÂâÅÄÎÏÐÑ][\x80-\xbf\u20ac\u2122\u201a-\u2026\u0152\u0153\u0160\u0161\u017d"
                     "\u017e\u0178\u2018-\u201d\u02c6\u02dc]")  # fmt: skip
_INITIALS = re.compile(r"\b[A-Z]{1,3}\b\.?\s*")  # glued in tags


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """The fields of an article. None or empty where nothing is known, not where there is none."""

    titles: tuple[str, ...] = ()  # several ways to write the same title
    authors: tuple[Name, ...] = ()
    affiliations: tuple[str, ...] = ()
    held: tuple[str, ...] = ()  # what counts neither way: not shown, or cut off in tags
    abstract: str | None = None
    cut_off: bool = False  # only the beginning of the abstract is known
    references: tuple[str, ...] = ()
    cited: tuple[Cited, ...] = ()  # the parts of references, of those that state them
    appeared: Cited | None = None  # where the article itself appeared
    absent: frozenset[str] = frozenset()  # fields that the page does not show, for certain


def truth_of_tags(meta: Mapping[str, Sequence[str]]) -> Truth:
    """What the citation and Dublin Core tags of a page say, their usual damage repaired."""
    tags = {
        name: [text for value in values if (text := squeeze(repaired(without_markup(value))))]
        for name, values in meta.items()
    }
    names = max(tags.get("citation_author", []), tags.get("dc.creator", []), key=len)
    abstract, cut_off = _abstract(tags)
    return Truth(
        titles=tuple(distinct([*tags.get("citation_title", []), *tags.get("dc.title", [])])),
        authors=tuple(name_of(name) for name in distinct(names) if "$" not in name),
        affiliations=tuple(distinct(map(_unmarked, tags.get("citation_author_institution", [])))),
        abstract=abstract,
        cut_off=cut_off,
        references=tuple(
            text
            for text in map(_citation, tags.get("citation_reference", []))
            if len(words(text)) >= SHORTEST_REFERENCE
        ),
        cited=cited_in_tags(tags),
    )


def distinct(texts: Iterable[str]) -> list[str]:
    """Texts without those that were there before, as tags repeat them for each author."""
    return list({letters(text): text for text in texts if text.strip()}.values())


def repaired(text: str) -> str:
    """Text that was decoded with the wrong charset (``Ã¶`` for ``ö``), decoded with the right one.

    Each run of damaged characters is repaired by itself: a text may be half damaged.
    """
    return _NOT_ASCII.sub(_redecoded, text) if _DAMAGE.search(text) else text


def _redecoded(run: re.Match[str]) -> str:
    try:  # cp1252 with its five holes filled, as browsers have it
        parts = [char.encode("cp1252" if ord(char) > 0xFF else "latin-1") for char in run[0]]
        return b"".join(parts).decode()
    except UnicodeError:
        return run[0]


def _abstract(tags: Mapping[str, Sequence[str]]) -> tuple[str | None, bool]:
    """The first description that may be an abstract, and whether it ends in dots."""
    descriptions = [*tags.get("citation_abstract", []), *tags.get("dc.description", [])]
    long = [text for text in descriptions if len(words(text)) >= SHORTEST_ABSTRACT]
    if not long:
        return None, False
    text = ABSTRACT_HEADING.sub("", long[0])  # later ones are visual or lay abstracts
    return CUT_OFF.sub("", text), bool(CUT_OFF.search(text))


def _unmarked(text: str) -> str:
    """An institution without the mark that some tags put in front."""
    return re.sub(r"^(?:\d{1,2}|[a-z](?=[A-Z])|[*†‡§¶]+)\s*(?=\w)", "", text)


def _citation(text: str) -> str:
    """A reference as text; of ``citation_title=…;citation_author=…`` the parts that are seen."""
    if not text.startswith("citation_"):
        return re.sub(r"^\(?\[?\d{1,3}[\].)]\s*", "", text)
    parts = [part.partition("=") for part in text.split(";")]
    fields = [(key.strip().removeprefix("citation_"), value.strip()) for key, _, value in parts]
    keys = {key for key, _ in fields}
    if [key for key, _ in fields].count("title") > 1:
        fields.remove(next(field for field in fields if field[0] == "title"))  # that of the journal
    # Journals are printed in another form than tags have them, and further authors as "et al.".
    wanted = {"title", "author", "volume", "year", "publication_date"}
    wanted |= set() if keys & {"title", "author"} else {"journal_title", "inbook_title"}
    first = next((rank for rank, (key, _) in enumerate(fields) if key == "author"), 0)
    return " ".join(
        _INITIALS.sub("", re.split(r",\s", value)[0]) if key == "author" else value
        for rank, (key, value) in enumerate(fields)
        if key in wanted and (key != "author" or "title" not in keys or rank == first)
    )


def truth_of_jats(path: Path) -> Truth:
    """What a JATS file says."""
    root = ET.fromstring(path.read_bytes())  # noqa: S314 - from our own corpus
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
    meta = root.find(".//article-meta")
    if meta is None:
        return Truth()
    title = [
        _text(part, skip=("xref", "fn"))
        for name in ("article-title", "subtitle")
        if (part := meta.find(f"./title-group/{name}")) is not None
    ]
    abstracts = [part for part in meta.findall("abstract") if not part.get("abstract-type")]
    abstract = _text(abstracts[0], skip=("title",)) if abstracts else ""
    return Truth(
        titles=tuple(distinct([*title[:1], ": ".join(title)])),  # many PDFs show both
        authors=tuple(
            name_in_jats(name)
            for contributor in meta.findall("./contrib-group/contrib")
            if contributor.get("contrib-type", "author") == "author"
            and (name := contributor.find(".//name")) is not None
        ),
        affiliations=tuple(distinct(_jats_affiliations(root, meta))),
        abstract=abstract if len(words(abstract)) >= SHORTEST_ABSTRACT else None,
        references=tuple(
            text
            for ref in root.findall(".//ref-list//ref")
            if (text := _text(ref, skip=("label", "pub-id", "ext-link", "uri", "comment")))
        ),
        cited=cited_in_jats(root),
        appeared=appeared_in_jats(root, meta),
    )


def _jats_affiliations(root: ET.Element, meta: ET.Element) -> Iterator[str]:
    """The affiliations of the article, without those that only editors and the like point to."""
    pointed: dict[bool, set[str | None]] = {True: set(), False: set()}
    for contributor in root.iter("contrib"):
        is_author = contributor.get("contrib-type", "author") == "author"
        pointed[is_author] |= {xref.get("rid") for xref in contributor.iter("xref")}
    others = pointed[False] - pointed[True] - {None}
    for place in meta.iter("aff"):
        verbatim = place.find("./addr-line[@content-type='verbatim']")  # the rest says it again
        whole = place if verbatim is None else verbatim
        text = _text(whole, skip=("label", "sup", "email", "institution-id", "xref"))
        if text and place.get("id") not in others:
            yield text


def _text(element: ET.Element, skip: Sequence[str] = ()) -> str:
    """All text below an element but that of the skipped elements."""
    parts: list[str] = []
    todo: list[ET.Element | str] = [element]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        if item.tag in skip and item is not element:
            continue
        for child in reversed(item):
            todo += [child.tail or "", child]
        parts.append((" " if item.tag in _BLOCKS else "") + (item.text or ""))
    return plain(" ".join("".join(parts).split()).replace("<", "&lt;"))


_BLOCKS = frozenset(
    """p sec title institution country addr-line city state named-content surname given-names year
    source volume fpage lpage article-title name person-group pub-id postal-code""".split()
)
