"""How far a value can be trusted: by how sure the labels of its zones are, and by how it looks.

The chain is sure of most labels, right or wrong. What else tells wrong values from right ones is
learned from readings of models that know only a few publishers, and so make many mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log1p

import numpy as np
from numpy.typing import NDArray

from pagesight.models.logistic import chance_of, odds_of
from pagesight.readers.article.text import YEAR
from pagesight.readers.article.vocabulary import WORD_FIELDS, log_odds, names_institution
from pagesight.readers.article.zones import Zones
from pagesight.segment.text import words

Floats = NDArray[np.float64]
Trust = Callable[[str, Floats], float]
"""From the label of a value and its clues to the confidence in it."""

CLUES = (
    "bias", "sure", "least sure", "softly sure", "least softly", "words", "one word", "usual words",
    "year", "size", "bold", "capital", "punctuation", "several", "links", "labelled", "less sure",
    "institution", "digits", "headed", "otherwise headed", "alike", "below title",
)  # fmt: skip
MOST_WORDS = 80  # of a value that are looked at
LONGEST_PLACE = 400  # characters of a value that are searched for an institution
_HEADED_BY = {
    "abstract": frozenset({"abstract", "abstract part"}),
    "affiliation": frozenset({"affiliations"}),
    "reference": frozenset({"references"}),
}  # by label: the headings that its zones are below
_WORDS_OF = {"author": ("surname", "given")}  # by label: whose words are usual


@dataclass(frozen=True)
class LabelSight:
    """What is known of a label on a page."""

    chances: Floats  # 2 × zones: that each has the label, by the chain and by a softer one
    labelled: frozenset[int]  # the zones that have it
    title: int  # the zone of the title, or of the beginning of the page

    @cached_property
    def surest(self) -> float:
        """The log odds of the surest zone."""
        return odds_of(float(self.chances[0].max()))


def clues(label: str, text: str, zones: Zones, members: Sequence[int], sight: LabelSight) -> Floats:
    """What speaks for a value of a label, in these zones, and against it."""
    first, tokens = members[0], words(text[: 10 * MOST_WORDS])[:MOST_WORDS]
    chances = sight.chances[:, members].tolist()
    return np.array(
        [
            1.0,
            *(odds_of(of(row)) / 2 for row in chances for of in (_mean, min)),
            log1p(len(tokens)),
            len(tokens) == 1,
            _usual(label, tokens),
            bool(YEAR.search(text[:1000])),
            zones.font_size[first] / zones.median_size - 1,
            zones.bold[first],
            text[:1].isupper() or text[:1].isdigit(),
            text[-1:] in tuple(".,;:"),
            len(members) > 1,
            zones.link_share[first],
            first in sight.labelled,
            (sight.surest - odds_of(chances[0][0])) / 4,
            names_institution(text[:LONGEST_PLACE]),
            sum(map(str.isdigit, text)) / max(len(text), 1),
            bool(zones.under[first] & _HEADED_BY.get(label, frozenset())),
            bool(zones.under[first] - _HEADED_BY.get(label, frozenset())),
            log1p(len(sight.labelled)),
            log1p(max(first - sight.title, 0)),
        ],
        dtype=np.float64,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _usual(label: str, tokens: Sequence[str]) -> float:
    """How much likelier the words are in such values than in others, per word."""
    own = _WORDS_OF.get(label, (label,))
    if not tokens or not set(own) <= set(WORD_FIELDS):
        return 0.0
    return log_odds(tokens, own, tuple(field for field in WORD_FIELDS if field not in own))


def by_label(table: Mapping[str, Floats]) -> Trust:
    """The trust by which these coefficients weigh the clues; without any, the chain is believed."""

    def trust(label: str, row: Floats) -> float:
        coefficients = table.get(label)
        return chance_of(float(2 * row[1] if coefficients is None else row @ coefficients))

    return trust
