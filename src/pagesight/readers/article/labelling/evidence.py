"""Evidence for the labels of zones that is added to what the model says of them.

By tags: where the page says what the tags of the document say. By script: in other letters than
Latin ones, which the pages to learn from do not teach, zones that say of themselves what they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.article.labelling.labels import AFFILIATIONS, LABELS
from pagesight.readers.article.names.persons import NameText, bare_name, persons
from pagesight.readers.article.rules import rule
from pagesight.readers.article.tags import Stated
from pagesight.readers.article.text import is_other_script
from pagesight.readers.article.vocabulary import CUES, INSTITUTION
from pagesight.readers.article.zones import Zones
from pagesight.segment.text import dice_of_pairs, pairs, words

AGREEMENT = 3.0  # log-odds: of twenty tags, nineteen say what the page says
SAME = 0.9  # Dice of a title and its tag
MOSTLY = 0.8  # of the words: of a zone that are names, of an institution that a zone has
LONGEST_ZONE = {"author": 4_000, "affiliation": 600}  # characters of such zones
SHORTEST_ZONE = {"affiliation": 15, "abstract": 60}
PROBE = 90  # characters from the middle of a zone that are looked for in the abstract


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
        near = [known for size, known in self.titles if 0.7 * size <= len(text) <= 1.4 * size]
        text_pairs = pairs(text) if near else None
        return text_pairs is not None and any(
            dice_of_pairs(text_pairs, known) >= SAME for known in near
        )

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


# Other scripts

NOTHING_ELSE = 10.0  # log-odds: nothing else is known of such zones
MOST_ABOVE = 200  # zones in which the abstract of an article begins
MOST_BETWEEN = 4  # zones from the abstract to its keywords
LONGEST_NAMES, LONGEST_PLACES = 120, 100  # words
FEWEST_WORDS = 20  # of an abstract
_CUES = {"dates": "dates", "correspondence": "correspondence", "citation": "front"}
_LETTERS = re.compile(r"[^\W\d_]")
_IN_BRACKETS = re.compile(r"[（(][^（）()]*[)）]")


@rule(lambda *_: None)
def by_script(zones: Zones) -> NDArray[np.float64] | None:
    """What is added to the scores of labels, zones × labels; None if nothing is."""
    stated_labels = list(_front(zones))
    if not stated_labels:
        return None
    added = np.zeros((len(zones), len(LABELS)))
    for zone, label in stated_labels:
        added[zone, LABELS.index(label)] = NOTHING_ELSE
    return added


def _front(zones: Zones) -> Iterator[tuple[int, str]]:
    """Title, authors, places, abstract and keywords in other letters than Latin ones."""
    abstract = next((zone for zone in range(len(zones)) if _is_abstract(zones, zone)), None)
    if abstract is None or abstract > MOST_ABOVE:
        return
    wordy = [zone for zone in range(abstract) if zones.words[zone] >= 3 and _is_other(zones, zone)]
    title = max(wordy, key=lambda zone: (zones.font_size[zone], -zone), default=None)
    if title is None:
        return
    yield title, "title"
    for zone in range(title + 1, abstract):
        if _is_other(zones, zone) and (label := _label(zones, zone)):
            yield zone, label
    yield from _below(zones, abstract)


def _is_abstract(zones: Zones, zone: int) -> bool:
    """Whether an abstract begins here: with its heading, or in the line that its heading begins."""
    headed = "abstract" in zones.kinds[zone] or CUES["abstract"].match(zones.texts[zone])
    return bool(headed) and _is_other(zones, zone)


def _below(zones: Zones, abstract: int) -> Iterator[tuple[int, str]]:
    """Abstract, keywords, the same in English, and the text up to its references."""
    start, label, front = abstract, "abstract", True
    if "abstract" in zones.kinds[abstract]:
        yield abstract, "abstract heading"
        start += 1
    for zone in range(start, len(zones)):
        if "references" in zones.kinds[zone]:
            yield zone, "reference heading"
            return
        front &= "body" not in zones.kinds[zone]
        if not _is_other(zones, zone):
            if front:
                yield zone, "front"
        elif zone - start <= MOST_BETWEEN and _is_about_keywords(zones, zone):
            yield zone, "keywords"
        elif zones.words[zone] >= FEWEST_WORDS:
            yield zone, label
            front &= label == "abstract"
            label = "body"


def _is_about_keywords(zones: Zones, zone: int) -> bool:
    """Whether a zone begins with the heading of keywords, or is right below it."""
    return bool(CUES["keywords"].match(zones.texts[zone])) or "keywords" in zones.kinds[zone - 1]


def _is_other(zones: Zones, zone: int) -> bool:
    return is_other_script(zones.texts[zone])


def _label(zones: Zones, zone: int) -> str | None:
    """What a zone between title and abstract is, if it says so or names authors or places."""
    text, size = zones.texts[zone], zones.words[zone]
    for cue, label in _CUES.items():
        if CUES[cue].match(text):
            return label
    bare = bare_name(_IN_BRACKETS.sub(" ", zones.unmarked[zone]))
    if size <= LONGEST_NAMES and not INSTITUTION.search(bare):
        names = "".join(person.name for person in persons([NameText(bare, 0)]))
        if 0.8 * len(_LETTERS.findall(bare)) <= len(_LETTERS.findall(names)) > 0:
            return "author"
    return "affiliation" if INSTITUTION.search(text) and size <= LONGEST_PLACES else None
