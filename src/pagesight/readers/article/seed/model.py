"""The model of the layout paper: naive Bayes emissions, and an HMM of 16 states.

States go from left to right as the parts of an article do; only references and what is between
them may alternate (figure 4). What the figure does not link has probability zero, and the first
state is always ``PreTitle``. Emissions are products over independent features: normalised left and
top, height, number of words (normal distributions), and the words themselves, by the shares that
they have in titles, names, affiliations and abstracts. References use title and name words merged,
all other zones the words of abstracts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pagesight.models.hmm import Hmm, count_transitions
from pagesight.readers.article.labelling.features import body_size
from pagesight.readers.article.labelling.weights import PAPER_STATES as STATES
from pagesight.readers.article.labelling.weights import PaperWeights
from pagesight.readers.article.vocabulary import DEGREES, WORD_FIELDS, heading_kinds, word_table
from pagesight.readers.article.zones import Zones
from pagesight.segment.text import words

Floats = NDArray[np.float64]

# Table 4: the headings of abstracts in MEDLINE.
ABSTRACT_HEADINGS = frozenset(
    ("abstract", "aim", "background", "contents", "objective", "objectives", "presentation",
     "summary", "purpose", "study objective", "study objectives", "synopsis")
)  # fmt: skip
LABEL_OF = {
    "Title": "title", "Author": "author", "Affiliation": "affiliation", "Abstract": "abstract",
    "Abstract Heading": "abstract heading", "Reference Heading": "reference heading",
    "Reference": "reference", "PreTitle": "before", "AR": "after", "BARH": "body",
}  # fmt: skip
_NUMBER = {state: number for number, state in enumerate(STATES)}
_SMALL = 1e-3  # the probability of a degree, heading or large share that a state does not have
_MOST_WORDS = 40  # words of a zone that count: a naive product of more drowns all other evidence


def allowed_transitions() -> NDArray[np.bool_]:
    """Figure 4: a state may stay, or lead to the next ones; the states between may be skipped."""
    allowed = np.eye(len(STATES), dtype=np.bool_)
    for state, following in _FOLLOWING.items():
        for other in following.split(", "):
            allowed[_NUMBER[state], _NUMBER[other]] = True
    return allowed


_FOLLOWING = {
    "PreTitle": "Title",
    "Title": "BTA, Author",
    "BTA": "Author",
    "Author": "BAA, Affiliation, BAAH, Abstract Heading, Abstract",
    "BAA": "Affiliation",
    "Affiliation": "BAAH, Abstract Heading, Abstract",
    "BAAH": "Abstract Heading, Abstract",
    "Abstract Heading": "BAHA, Abstract",
    "BAHA": "Abstract",
    "Abstract": "BARH, Reference Heading",
    "BARH": "Reference Heading",
    "Reference Heading": "BRHR, Reference",
    "BRHR": "Reference",
    "Reference": "BR, AR",
    "BR": "Reference",
    "AR": "AR",
}


def geometry(zones: Zones) -> Floats:
    """Normalised left and top, logarithms of height and number of words: T × 4."""
    if not len(zones):
        return np.zeros((0, 4))
    left, top, width, height = zones.box.T
    right, bottom = float((left + width).max()), float((top + height).max())
    counts = np.array([len(text.split()) for text in zones.texts])
    usual = body_size(zones)
    columns = (
        left / max(right, 1),
        top / max(bottom, 1),
        np.log1p(height / usual),
        np.log1p(counts),
    )
    return np.stack(columns, axis=1)


def linguistic(zones: Zones) -> Floats:
    """The log-likelihood of the words of each zone in each state, T × 16."""
    logs = _state_logs()
    scores = np.zeros((len(zones), len(STATES)))
    table = word_table()
    for zone, text in enumerate(zones.unmarked):
        zone_words = words(text)[:_MOST_WORDS]
        if zone_words:
            scores[zone] = logs[table.indices(zone_words)].sum(axis=0)
        scores[zone] += _landmarks(zones.texts[zone], zone_words)
    return scores


@cache
def _state_logs() -> Floats:
    """Log shares of words by state: words + 1 × 16."""
    counts = word_table().counts
    column = dict(zip(WORD_FIELDS, counts.T, strict=True))
    names = column["surname"] + column["given"]
    by_kind = {
        "Title": column["title"],
        "Author": names,
        "Affiliation": column["affiliation"],
        "Reference": column["title"] + names,
    }
    shares = []
    for state in STATES:
        smooth = by_kind.get(state, column["abstract"]) + 1.0
        shares.append(np.log(smooth / smooth.sum()))
    return np.stack(shares, axis=1)


def _landmarks(text: str, zone_words: Sequence[str]) -> Floats:
    """Degrees (table 2) speak for authors; headings (table 4) for themselves."""
    has_degree = not DEGREES.isdisjoint(zone_words)
    others_too = has_degree & ~np.isin(STATES, ("Author", "Reference"))
    scores: Floats = np.log(_SMALL) * others_too
    headings = {
        "Abstract Heading": " ".join(zone_words) in ABSTRACT_HEADINGS,
        "Reference Heading": "references" in heading_kinds(text),
    }
    for state, is_heading in headings.items():
        others = np.arange(len(STATES)) != _NUMBER[state]
        if is_heading:
            scores[others & ~_is_other()] += np.log(_SMALL)
        else:
            scores[_NUMBER[state]] += 4 * np.log(_SMALL)
    return scores


@cache
def _is_other() -> NDArray[np.bool_]:
    return np.array([state.startswith("B") or state in ("PreTitle", "AR") for state in STATES])


def emissions(zones: Zones, weights: PaperWeights) -> Floats:
    """Log P(zone | state), all features independent: T × 16."""
    values = geometry(zones)[:, None, :]
    distance = (values - weights.mean) / weights.deviation
    normal = -0.5 * distance**2 - np.log(weights.deviation)
    total: Floats = normal.sum(axis=2) + linguistic(zones)
    return total


def label(zones: Zones, weights: PaperWeights) -> tuple[list[str], Floats]:
    """The label of each zone by Viterbi, and the posterior of its state."""
    if not len(zones):
        return [], np.zeros(0)
    initial = np.zeros(len(STATES))
    initial[0] = 1.0
    hmm = Hmm(initial, weights.transition)
    likelihood = emissions(zones, weights)
    states = hmm.viterbi(likelihood).states
    posterior = hmm.posterior(likelihood).states
    labels = [LABEL_OF.get(STATES[state], "front") for state in states.tolist()]
    return labels, posterior[np.arange(len(states)), states]


def states_of(labels: Sequence[str]) -> list[int]:
    """The path of states that labels describe: what is between is named by its neighbours."""
    states = []
    current = _NUMBER["PreTitle"]
    stages = {LABEL_OF[STATES[state]]: state for state in np.flatnonzero(~_is_other()).tolist()}
    last = max((zone for zone, name in enumerate(labels) if name == "reference"), default=-1)
    for zone, label_of_zone in enumerate(labels):
        target = stages.get(label_of_zone, -1)
        forward = target >= current or (target == _NUMBER["Reference"] and current == _NUMBER["BR"])
        if target >= 0 and forward and zone <= max(last, 0) | (last < 0) * len(labels):
            current = target
        elif zone > last >= 0:
            current = _NUMBER["AR"]
        elif not _is_other()[current]:
            current += 1  # what is between it and the next part
        states.append(current)
    return states


def fit(pages: Sequence[tuple[Floats, Sequence[str]]]) -> PaperWeights:
    """The weights for pages with known labels: geometry of each zone, and its label."""
    paths = [states_of(labels) for _, labels in pages]
    values, states = np.concatenate([rows for rows, _ in pages]), np.concatenate(paths)
    rows_of = [values[states == state] for state in range(len(STATES))]
    mean = [np.mean(rows if len(rows) else values, axis=0) for rows in rows_of]
    spread = [np.std(rows if len(rows) > 2 else values, axis=0) for rows in rows_of]
    deviation = np.maximum(np.array(spread), 0.05)
    shares = count_transitions(paths, len(STATES), smoothing=0.5) * allowed_transitions()
    return PaperWeights(np.array(mean), deviation, shares / shares.sum(axis=1, keepdims=True))
