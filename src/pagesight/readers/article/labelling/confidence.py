"""How far a value can be trusted: by how sure the labels of its zones are, and by how it looks.

The chain is sure of most labels, right or wrong. What else tells wrong values from right ones is
learned from readings of models that know only a few publishers, and so make many mistakes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log1p

import numpy as np
from numpy.typing import NDArray

from pagesight.models.logistic import odds_of, sigmoid
from pagesight.models.ranking import Ranker
from pagesight.readers.article.names.persons import is_sure_name
from pagesight.readers.article.names.places import ends_in_country, goes_on_after_country
from pagesight.readers.article.text import YEAR
from pagesight.readers.article.vocabulary import WORD_FIELDS, institutions_in, log_odds
from pagesight.readers.article.zones import Zones
from pagesight.segment.text import words

Floats = NDArray[np.float64]
Trust = Callable[[str, Floats], Sequence[float]]
"""From the label of values and the clues to each of them to the confidences."""

ALONE = (
    "sure", "least sure", "softly sure", "least softly sure", "less sure", "otherwise", "above",
    "below", "page sure", "title sure", "words", "usual words", "given names", "family names",
    "surely a name", "year", "digits", "commas", "sentences", "punctuation", "institutions",
    "after a country", "size", "links", "share", "several", "labelled", "alike", "headed",
    "otherwise headed", "in a section", "below title", "down the page", "said again",
)  # fmt: skip
AMONG = (
    "listed", "list sure", "list least sure", "longer", "linked", "others linked", "others marked",
    "of its zone", "ends alike",
)  # fmt: skip
CLUES = ALONE + AMONG
"""What is seen of a value itself, and of it among the others of its list."""

MOST_WORDS = 80  # of a value that are looked at
LONGEST_PLACE = 400  # characters of a value that are searched for institutions
SOFTLY = ALONE.index("softly sure")
_HEADED_BY = {
    "abstract": frozenset({"abstract", "abstract part"}),
    "affiliation": frozenset({"affiliations"}),
    "reference": frozenset({"references"}),
}  # by label: the headings that its zones are below
_WORDS_OF = {"author": ("surname", "given")}  # by label: whose words are usual
_UNNAMED = -3.0  # log odds of no name at all


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value as it was read: its text, its zones, and what points to it or from it."""

    text: str
    zones: Sequence[int]
    marked: bool = False
    linked: bool = False
    given: str = ""
    family: str = ""


@dataclass(frozen=True)
class LabelSight:
    """What is known of a label on a page."""

    chances: Floats  # 2 × zones: that each has the label, by the chain and by a softer one
    otherwise: Floats  # by zone: that it has the likeliest other label, by the softer chain
    labelled: frozenset[int]  # the zones that have it
    title: int  # the zone of the title, or of the beginning of the page
    title_sure: float
    page_sure: float  # the mean chance of all labels, by the softer chain

    @cached_property
    def surest(self) -> float:
        """The log odds of the surest zone."""
        return odds_of(float(self.chances[0].max()))

    def beside(self, zone: int) -> float:
        """The log odds of a zone that may be beyond the page."""
        return odds_of(float(self.chances[1, zone])) if 0 <= zone < len(self.otherwise) else -8.0


def clues(label: str, values: Sequence[StatedValue], zones: Zones, sight: LabelSight) -> Floats:
    """What speaks for each of the values of a label, and against it: values × clues."""
    alone = np.array([_alone(label, value, zones, sight) for value in values])
    return np.hstack((alone.reshape(-1, len(ALONE)), _among(values, alone)))


def _alone(label: str, value: StatedValue, zones: Zones, sight: LabelSight) -> list[float]:
    text, members, first = value.text, value.zones, value.zones[0]
    tokens = words(text[: 10 * MOST_WORDS])[:MOST_WORDS]
    chances = sight.chances[:, members].tolist()
    size = max(len(tokens), 1)
    return [
        *(odds_of(of(row)) / 2 for row in chances for of in (_mean, min)),
        (sight.surest - odds_of(chances[0][0])) / 4,
        float(sight.otherwise[first]),
        sight.beside(first - 1),
        sight.beside(members[-1] + 1),
        sight.page_sure,
        sight.title_sure,
        log1p(len(tokens)),
        _usual(tokens, _WORDS_OF.get(label, (label,))),
        _usual(words(value.given), ("given",)) if value.given else _UNNAMED,
        _usual(words(value.family), ("surname",)) if value.family else _UNNAMED,
        label == "author" and is_sure_name(text),
        bool(YEAR.search(text[:1000])),
        sum(map(str.isdigit, text)) / max(len(text), 1),
        text.count(",") / size,
        text.count(". ") / size,
        text[-1:] in tuple(".,;:"),
        len(institutions_in(text[:LONGEST_PLACE])),
        goes_on_after_country(text[:LONGEST_PLACE]),
        zones.font_size[first] / zones.median_size - 1,
        zones.link_share[first],
        min(len(text) / max(sum(len(zones.texts[zone]) for zone in members), 1), 1.5),
        len(members) > 1,
        first in sight.labelled,
        log1p(len(sight.labelled)),
        bool(zones.under[first] & _HEADED_BY.get(label, frozenset())),
        bool(zones.under[first] - _HEADED_BY.get(label, frozenset())),
        any(zones.kinds[sight.title + 1 : first]),
        log1p(max(first - sight.title, 0)),
        first / len(zones),
        0 if len(members) > 1 else min(zones.whole.count(text) - 1, 3),
    ]


def _among(values: Sequence[StatedValue], alone: Floats) -> Floats:
    """What is seen of each value when it is compared with the others."""
    softly, lengths = alone[:, SOFTLY], np.exp(alone[:, ALONE.index("words")])
    marked = np.array([value.marked for value in values], dtype=np.float64)
    linked = np.array([value.linked for value in values], dtype=np.float64)
    counts = Counter(value.zones[0] for value in values)
    of_zone = np.array([counts[value.zones[0]] for value in values])
    lasts = ["".join(value.text.split()[-1:]) for value in values]
    ends = Counter(lasts)
    alike = [ends[last] > 1 or ends_in_country(last) for last in lasts]
    every = np.ones(len(values))
    columns = (
        every * log1p(len(values)),
        every * softly.mean(),
        every * softly.min(),
        np.log(lengths / np.median(lengths)),
        linked,
        linked.mean() - linked,
        marked.mean() - marked,
        of_zone - np.median(of_zone),
        alike,
    )
    return np.stack(columns, axis=1)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _usual(tokens: Sequence[str], own: tuple[str, ...]) -> float:
    """How much likelier the words are in such values than in others, per word."""
    if not tokens or not set(own) <= set(WORD_FIELDS):
        return 0.0
    return log_odds(tokens, own, tuple(field for field in WORD_FIELDS if field not in own))


def by_label(judges: Mapping[str, Ranker]) -> Trust:
    """The trust by which these trees weigh the clues; without any, the chain is believed."""

    def trust(label: str, rows: Floats) -> Sequence[float]:
        scores = judges[label].scores_of(rows) if label in judges else 2 * rows[:, 0]
        confidences: list[float] = sigmoid(scores).tolist()
        return confidences

    return trust
