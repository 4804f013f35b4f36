"""A reading and the tags of the same document: agreement is evidence, and gaps are filled.

What is seen stays what is read. Where tags and page agree, labels are more likely (`hints`), and
values name the tag. What only a tag says has no box.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pagesight.page import Page
from pagesight.readers.article.labelling.evidence import AGREEMENT
from pagesight.readers.article.labelling.labels import LabelledZones
from pagesight.readers.article.names.persons import Name, is_group, same_person
from pagesight.readers.article.reading import (
    Abstract,
    Affiliation,
    ArticleReading,
    ArticleValue,
    Author,
    Section,
    StatedFields,
)
from pagesight.readers.article.tags import (
    ABSTRACT_HEADING,
    CUT_OFF,
    SHORTEST_ABSTRACT,
    DocumentTag,
    Stated,
    StatedPerson,
)
from pagesight.segment.text import dice, words

TRUST = 0.95  # the confidence in what only a tag says
SAME = 0.9  # Dice of two texts that say the same
SAME_PLACE = 0.8  # of the words of an institution that the page has, too
MOST = 0.8  # of the authors that were read: if tags know so many, tags know them all


def with_tags(
    reading: ArticleReading, labelled: LabelledZones, stated_tags: Stated
) -> ArticleReading:
    """The reading with the tags that agree, and with what only tags say."""
    if not stated_tags.first("title") and not stated_tags.persons:
        return reading
    page = labelled.zones.page
    authors, affiliations = _completed(reading, stated_tags.persons, page)
    chance = _likelier(reading.confidence) if stated_tags.scholarly else reading.confidence
    return replace(
        reading,
        is_article=chance >= 0.5,
        confidence=chance,
        title=_agreed(reading.title, stated_tags.all("title"), page),
        authors=authors,
        affiliations=affiliations,
        abstract=_abstract(reading.abstract, stated_tags.first("abstract"), page),
        keywords=reading.keywords or tuple(_keywords(stated_tags.all("keywords"), page)),
        doi=_seen(labelled, stated_tags.first("doi"), reading.doi),
        year=_seen(labelled, stated_tags.first("year"), reading.year),
        journal=_seen(labelled, stated_tags.first("journal")),
        volume=_seen(labelled, stated_tags.first("volume")),
        issue=_seen(labelled, stated_tags.first("issue")),
        pages=_seen(labelled, _pages(stated_tags)),
    )


def _likelier(confidence: float) -> float:
    odds = np.log(max(confidence, 1e-12) / max(1 - confidence, 1e-12)) + AGREEMENT
    return float(1 / (1 + np.exp(-odds)))


def _place(tag: DocumentTag, page: Page) -> StatedFields:
    """What every value has, of one that only a tag states."""
    return {
        "text": tag.text,
        "confidence": TRUST,
        "place": page[tag.node],
        "box": None,
        "tag": tag.name,
    }


def _agreed(
    value: ArticleValue | None, tags: Sequence[DocumentTag], page: Page
) -> ArticleValue | None:
    """A value, with the tag that says the same; what a tag says where nothing was read."""
    if value is None:
        return ArticleValue(**_place(tags[0], page)) if tags else None
    same = next((tag for tag in tags if dice(tag.text, value.text) >= SAME), None)
    return replace(value, tag=same.name) if same else value


def _seen(
    labelled: LabelledZones, tag: DocumentTag | None, read: ArticleValue | None = None
) -> ArticleValue | None:
    """What was read if the tag says the same, otherwise where the page says what the tag says."""
    if tag is None or (read and read.text.casefold() == tag.text.casefold()):
        return replace(read, tag=tag.name) if read and tag else read
    zones = labelled.zones
    written = re.escape(tag.text).replace("–", "[–—-]")
    whole = re.compile(rf"(?<!\w){written}(?!\w)", re.IGNORECASE)
    end = min(labelled.of("body", "reference", "citing"), default=len(zones))
    saying = [zone for zone in range(end) if whole.search(zones.texts[zone])]
    if saying and len(tag.text) > 3:  # "18" is everywhere
        return ArticleValue(**labelled.value(tag.text, saying[:1]), tag=tag.name)
    return read or ArticleValue(**_place(tag, zones.page))


def _pages(stated_tags: Stated) -> DocumentTag | None:
    first, last = stated_tags.first("first page"), stated_tags.first("last page")
    if first is None or last is None or first.text == last.text:
        return first
    return replace(first, text=f"{first.text}–{last.text}")


def _abstract(read: Abstract | None, tag: DocumentTag | None, page: Page) -> Abstract | None:
    """What was read, with the tag if that says the same; what a tag says that is not a teaser."""
    if tag is None:
        return read
    text = ABSTRACT_HEADING.sub("", tag.text)
    whole = len(text.split()) >= SHORTEST_ABSTRACT and not CUT_OFF.search(text)
    if read is None:
        placed = _place(replace(tag, text=text), page)
        section = Section(heading="", text=text)
        return Abstract(**placed, sections=(section,)) if whole else None
    beginning = read.text if whole else read.text[: len(text)]
    return replace(read, tag=tag.name) if dice(beginning, text) >= SAME else read


def _keywords(tags: Iterable[DocumentTag], page: Page) -> Iterable[ArticleValue]:
    for tag in tags:
        divider = ";" if ";" in tag.text else ","
        for text in filter(None, map(str.strip, tag.text.split(divider))):
            yield ArticleValue(**_place(replace(tag, text=text), page))


def _completed(
    reading: ArticleReading, stated: Sequence[StatedPerson], page: Page
) -> tuple[tuple[Author, ...], tuple[Affiliation, ...]]:
    """The authors as read, each with what tags say of them; the whole list where tags have it."""
    places = list(reading.affiliations)
    matched = _matched(reading.authors, stated)
    matched_authors = {id(author): person for author, person in matched if author}
    if len(matched_authors) >= MOST * len(reading.authors):  # these tags are about these persons
        authors = [author or _stated_author(person, page) for author, person in matched]
        authors += [author for author in reading.authors if id(author) not in matched_authors]
        matched_authors |= {
            id(author): person for author, (_, person) in zip(authors, matched, strict=False)
        }
    else:
        authors = list(reading.authors)
    done = tuple(
        _with_details(author, matched_authors[id(author)], places, page)
        if id(author) in matched_authors
        else author
        for author in authors
    )
    named = [tag for person in stated for tag in person.places]
    return done, tuple(_agreed_place(place, named) for place in places)


def _agreed_place(place: Affiliation, tags: Sequence[DocumentTag]) -> Affiliation:
    same = next((tag for tag in tags if _is_same_place(tag, place)), None)
    return replace(place, tag=same.name) if same else place


def _matched(
    authors: Sequence[Author], stated: Sequence[StatedPerson]
) -> list[tuple[Author | None, StatedPerson]]:
    """For each person of the tags the author who was read, or None."""
    free = list(authors)
    pairs: list[tuple[Author | None, StatedPerson]] = []
    for person in stated:
        names = (Name(author.given, author.family) for author in free)
        at = next((at for at, name in enumerate(names) if same_person(name, person.name)), None)
        pairs.append((free.pop(at) if at is not None else None, person))
    return pairs


def _stated_author(person: StatedPerson, page: Page) -> Author:
    name = person.name
    text = name.whole
    place = _place(person.tag, page) | {"text": text}
    if is_group(text):
        return Author(**place, family=text, group=True)
    return Author(**place, given=name.given, family=name.family)


def _with_details(
    author: Author, person: StatedPerson, places: list[Affiliation], page: Page
) -> Author:
    """An author with what tags say of them and the page does not; new places join `places`."""
    details: dict[str, Any] = {}
    if not author.orcid and person.orcid:
        details["orcid"] = person.orcid.text
    if not author.email and person.email:
        details["email"] = person.email.text
    if not author.affiliations and person.places:
        ids = (_affiliation(tag, places, page).id for tag in person.places)
        details["affiliations"] = tuple(dict.fromkeys(ids))
    return replace(author, **details, tag=person.tag.name, from_tags=tuple(details))


def _affiliation(tag: DocumentTag, places: list[Affiliation], page: Page) -> Affiliation:
    """The place that a tag names: one that was read, or a new one."""
    known = next((place for place in places if _is_same_place(tag, place)), None)
    if known is None:
        known = Affiliation(**_place(tag, page), id=f"aff{len(places) + 1}")
        places.append(known)
    return known


def _is_same_place(tag: DocumentTag, place: Affiliation) -> bool:
    wanted = Counter(words(tag.text))
    return (wanted & Counter(words(place.text))).total() >= SAME_PLACE * wanted.total()
