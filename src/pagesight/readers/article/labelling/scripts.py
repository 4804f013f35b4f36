"""Evidence for the labels of zones in other letters than Latin ones: the corpus has none.

Zones that say of themselves what they are; it is added to what the model says of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.article.labelling.labels import LABELS
from pagesight.readers.article.names.persons import NameText, bare_name, persons
from pagesight.readers.article.text import is_other_script
from pagesight.readers.article.vocabulary import CUES, names_institution
from pagesight.readers.article.zones import Zones

NOTHING_ELSE = 10.0  # log-odds: nothing else is known of such zones
MOST_ABOVE = 200  # zones in which the abstract of an article begins
MOST_BETWEEN = 4  # zones from the abstract to its keywords
LONGEST_NAMES, LONGEST_PLACES = 120, 100  # words
FEWEST_WORDS = 20  # of an abstract
_CUES = {"dates": "dates", "correspondence": "correspondence", "citation": "front"}
_LETTERS = re.compile(r"[^\W\d_]")
_IN_BRACKETS = re.compile(r"[（(][^（）()]*[)）]")


def by_script(zones: Zones) -> NDArray[np.float64]:
    """What is added to the scores of labels, zones × labels."""
    added = np.zeros((len(zones), len(LABELS)))
    for zone, label in _front(zones):
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
    headed = "abstract" in zones.kinds[zone] or "abstract" in zones.cues[zone]
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
        elif (
            zone - start <= MOST_BETWEEN and "keywords" in zones.cues[zone] | zones.kinds[zone - 1]
        ):
            yield zone, "keywords"
        elif zones.words[zone] >= FEWEST_WORDS:
            yield zone, label
            front &= label == "abstract"
            label = "body"


def _is_other(zones: Zones, zone: int) -> bool:
    return is_other_script(zones.texts[zone])


def _label(zones: Zones, zone: int) -> str | None:
    """What a zone between title and abstract is, if it says so or names authors or places."""
    text, size = zones.texts[zone], zones.words[zone]
    for cue, label in _CUES.items():
        if CUES[cue].match(text):
            return label
    bare = bare_name(_IN_BRACKETS.sub(" ", zones.unmarked[zone]))
    if size <= LONGEST_NAMES and not names_institution(bare):
        names = "".join(person.name for person in persons([NameText(bare, 0)]))
        if 0.8 * len(_LETTERS.findall(bare)) <= len(_LETTERS.findall(names)) > 0:
            return "author"
    return "affiliation" if names_institution(text) and size <= LONGEST_PLACES else None
