"""A reading and the tags of the same document: agreement is evidence, and gaps are filled.

What is seen stays what is read. Where tags and page agree, labels are more likely (`by_tags`), and
values name the tag. What only a tag says has no box.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.models.logistic import chance_of, odds_of
from pagesight.page import Page
from pagesight.readers.article.labelling.labels import AFFILIATIONS, LABELS, LabelledZones
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
from pagesight.readers.article.zones import Zones
from pagesight.segment.text import dice, dice_of_pairs, pairs, words

TRUST = 0.95  # the confidence in what only a tag says
SAME = 0.9  # Dice of two texts that say the same
SAME_PLACE = 0.8  # of the words of an institution that the page has, too
MOSTLY = 0.8  # of the words of a zone that are names; of those of an institution that a zone has
MOST = 0.8  # of the authors that were read: if tags know so many, tags know them all
AGREEMENT = 3.0  # log-odds: of twenty tags, nineteen say what the page says
STEEPEST = 28.0  # log-odds that a page is an article, as far as tags may change them
LONGEST_ZONE = {"author": 4_000, "affiliation": 600}  # characters of such zones
SHORTEST_ZONE = {"affiliation": 15, "abstract": 60}
PROBE = 90  # characters from the middle of a zone that are looked for in the abstract


def with_tags(
    reading: ArticleReading, labelled: LabelledZones, stated_tags: Stated
) -> ArticleReading:
    """The reading with the tags that agree, and with what only tags say."""
    if not stated_tags.first("title") and not stated_tags.persons:
        return reading
    page = labelled.zones.page
    authors, affiliations = _completed(reading, stated_tags.persons, page)
    chance = reading.confidence
    if stated_tags.scholarly:
        chance = chance_of(odds_of(chance, STEEPEST) + AGREEMENT)
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
        journal=_seen(labelled, stated_tags.first("journal"), reading.journal),
        volume=_seen(labelled, stated_tags.first("volume"), reading.volume),
        issue=_seen(labelled, stated_tags.first("issue"), reading.issue),
        pages=_seen(labelled, _pages(stated_tags), reading.pages),
    )


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
    person_of = {id(author): person for author, person in matched if author}
    authors = list(reading.authors)
    if len(person_of) >= MOST * len(authors):  # these tags are about these persons
        others = [author for author in authors if id(author) not in person_of]
        authors = [author or _stated_author(person, page) for author, person in matched]
        person_of = {
            id(author): tagged for author, (_, tagged) in zip(authors, matched, strict=True)
        }
        authors += others
    done = [_with_details(author, person_of.get(id(author)), places, page) for author in authors]
    named = [tag for person in stated for tag in person.places]
    for at, place in enumerate(places):
        if same := next((tag for tag in named if _is_same_place(tag, place)), None):
            places[at] = replace(place, tag=same.name)
    return tuple(done), tuple(places)


def _matched(
    authors: Sequence[Author], stated: Sequence[StatedPerson]
) -> list[tuple[Author | None, StatedPerson]]:
    """For each person of the tags the author who was read, or None."""
    free = list(authors)
    matched: list[tuple[Author | None, StatedPerson]] = []
    for person in stated:
        names = (Name(author.given, author.family) for author in free)
        at = next((at for at, name in enumerate(names) if same_person(name, person.name)), None)
        matched.append((free.pop(at) if at is not None else None, person))
    return matched


def _stated_author(person: StatedPerson, page: Page) -> Author:
    name = person.name
    text = name.whole
    place = _place(person.tag, page) | {"text": text}
    if is_group(text):
        return Author(**place, family=text, group=True)
    return Author(**place, given=name.given, family=name.family)


def _with_details(
    author: Author, person: StatedPerson | None, places: list[Affiliation], page: Page
) -> Author:
    """An author with what tags say of them and the page does not; new places join `places`."""
    if person is None:
        return author
    details: dict[str, Any] = {
        name: tag.text
        for name, tag in (("orcid", person.orcid), ("email", person.email))
        if tag and not getattr(author, name)
    }
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


# Labels that tags make likelier


def by_tags(zones: Zones, stated_tags: Stated) -> NDArray[np.float64] | None:
    """What tags add to the scores of labels, zones × labels; None if they say nothing."""
    if not stated_tags.tags:
        return None
    tag_texts = _TagTexts(stated_tags)
    added = np.zeros((len(zones), len(LABELS)))
    for zone, text in enumerate(zones.unmarked):
        for label in tag_texts.labels(text):
            added[zone, LABELS.index(label)] = AGREEMENT
    return added


class _TagTexts:
    """What tags say, ready to be compared with many zones."""

    def __init__(self, stated_tags: Stated) -> None:
        persons = stated_tags.persons
        titles = {tag.text for tag in stated_tags.all("title")}
        self.titles = [(len(title), pairs(title)) for title in sorted(titles)]
        self.names = {word for person in persons for word in words(person.tag.text)}
        self.families = {person.name.family for person in persons if person.name.family}
        places = {tag.text for person in persons for tag in person.places}
        self.places = [
            words_of_place
            for place in sorted(places)
            if len(words_of_place := set(words(place))) > 1
        ]
        self.landmarks = {max(place.split(), key=len).strip(",;.") for place in places}
        self.abstract = " ".join(
            word for tag in stated_tags.all("abstract") for word in words(tag.text)
        )

    def labels(self, text: str) -> list[str]:
        """The labels that a zone with this text would have by the tags."""
        if self._is_title(text):
            return ["title"]
        if self._is_author(text):
            return ["author"]
        if self._is_place(text):
            return list(AFFILIATIONS)
        return ["abstract"] if self._is_abstract(text) else []

    def _is_title(self, text: str) -> bool:
        near = (known for size, known in self.titles if 0.7 * size <= len(text) <= 1.4 * size)
        return any(dice_of_pairs(pairs(text), known) >= SAME for known in near)

    def _is_author(self, text: str) -> bool:
        if len(text) > LONGEST_ZONE["author"] or not any(map(text.__contains__, self.families)):
            return False
        names = [word for word in words(text) if len(word) > 1 and word.isalpha() and word != "and"]
        return sum(word in self.names for word in names) >= MOSTLY * len(names) > 0

    def _is_place(self, text: str) -> bool:
        if not SHORTEST_ZONE["affiliation"] <= len(text) <= LONGEST_ZONE["affiliation"]:
            return False
        if not any(map(text.__contains__, self.landmarks)):  # most zones end here
            return False
        word_set = set(words(text))
        shared = ((len(word_set & place), len(place)) for place in self.places)
        return any(both >= MOSTLY * size and both >= len(word_set) / 3 for both, size in shared)

    def _is_abstract(self, text: str) -> bool:
        if not self.abstract or len(text) < SHORTEST_ZONE["abstract"]:
            return False
        middle = max((len(text) - PROBE) // 2, 0)
        probe = words(text[middle : middle + PROBE])[1:-1]  # the outer words may be cut
        return len(probe) > 2 and " ".join(probe) in self.abstract
