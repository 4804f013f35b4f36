"""What was learned from drawn pages: where zones are divided, and what blocks are.

The blocks of a page are the zones whose choice is expected to agree best with what people draw.
A model tells how probable it is that a zone is divided, given that all zones around it are.
From that follows for any two leaves how probable it is that they belong together. A block is worth
what its leaves gain by it: extended BCubed precision (how much of the block belongs to a leaf) and
recall (how much of what belongs to a leaf is in the block). Since that adds up over blocks, the
best of all choices is found from the leaves upwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.models.softmax import Softmax
from pagesight.models.weights import load_weights
from pagesight.readers.zones.candidates import Candidates
from pagesight.readers.zones.features import AROUND, HINTS, PARTS, VERSION, Features, weights
from pagesight.readers.zones.likeness import LIKENESSES, LOOKS, PIECE, Likeness, shares
from pagesight.readers.zones.surroundings import SURROUNDINGS
from pagesight.segment.nodes import before, inside, outermost

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TASK = "zones"
KINDS = ("header", "navigation", "main", "aside", "footer", "list", "form", "advert", "media")
DIALOG = "dialog"  # which is not learned: dialogs are found by what they ask
_DIVISIONS = ("coarse", "fine")
KEEP, DIVIDE = "keep", "divide"
MEDIA = "media"
COARSE, MEDIUM, FINE = 0.35, 0.5, 0.8  # granularities
LEVEL_1, LEVEL_2 = 0.45, 0.85  # those at which people drew

DIVISION_FEATURES = (
    *("width", "height", "height_share", "top", "bottom", "characters", "share", "share_of_parent"),
    *("links", "pictures", "headings", "gap", "gap_around", "gap_ratio", "children", "leaves"),
    *("grounds", "depth", "whole", "is list", "is part", "parts", "text length", "bold", "tables"),
)
KIND_FEATURES = (
    *("width", "left", "right", "height", "height_share"),
    *("top", "bottom", "top_share", "bottom_share"),
    *("characters", "share", "links", "pictures", "density", "headings", "heading_first"),
    *("leaves", "changes", "beside", "aspect", "picture count"),
    *("prose", "bold", "tables", "font", "no links", "copyright"),
    *(f"is {name}" for name in HINTS),
    *(f"has {name}" for name in (*PARTS, "form", "list", "advert", "heading", "paragraph")),
    *(f"in {name}" for name in AROUND),
    *SURROUNDINGS,
)
PLAIN_DIVIDED = ((0, LEVEL_1, LEVEL_2, 1), (0, 0.1, 0.35, 1))
"""By granularity, how probable it is at most that plain text is divided: about as people do it."""

APART = ("navigation", "aside", "advert")
"""Kinds that are blocks of their own, though text around them stays whole."""

WHOLE, SURELY = ("header", "footer"), 0.9  # what keeps its menus, if it is that probable
APART_GAIN = ((0, LEVEL_1, MEDIUM, 1), (0, 0, 1, 1))  # by granularity
LARGEST_APART = 0.5  # of the weight of a page
ALL = 0.8  # of the characters of a page, from which on a zone is not a part beside others
FEW = 3  # texts that are not a list yet
HALF = 0.5  # of the characters, from which on a zone is a table
UNLIKELY = 0.1  # of the probability is left
TRUST = 0.15  # in likeness to the parts of other pages, beyond what drawn pages teach: as a power
LEAST_LIKE = 0.05  # added to the share of each look, so that none is excluded
LANDMARK = (
    30.0  # how much the word of the author counts; the drawn pages have no landmarks to learn from
)

LEAST_GAIN = 1e-9  # for which a zone is divided: rounding is not a reason


@dataclass(frozen=True, eq=False)
class ZonesModel:
    """Everything that `read_zones` has learned."""

    coarse: Softmax  # whether a zone is divided, where people draw few blocks
    fine: Softmax  # and where they draw many
    likeness: Likeness  # of zones to what the authors of other pages name
    kind: Softmax
    balance: float  # what precision counts against recall
    sets_apart: bool = True  # whether menus, sidebars and adverts are blocks of their own

    def divided(self, seen: Features, granularity: float) -> Floats:
        """The probability that each zone is divided, if all zones around it are."""
        share = (granularity - LEVEL_1) / (LEVEL_2 - LEVEL_1)
        odds = (1 - share) * log_odds(self.coarse, seen) + share * log_odds(self.fine, seen)
        chance = 1 / (1 + np.exp(-np.clip(odds, -50, 50)))
        most = np.interp(granularity, *PLAIN_DIVIDED)
        chance = np.where(seen["plain"], np.minimum(chance, most), chance)
        for name in ("in dialog", "running"):  # what is apart from all else, as a share of a zone
            chance = np.where(seen[name] > 0, seen[name] < 1, chance)
        return np.asarray(chance, np.float64)

    def blocks(self, zones: Candidates, seen: Features, granularity: float) -> Ints:
        """The zones that are blocks, in document order."""
        of_leaf = weights(zones.leaves)
        gain = float(np.interp(granularity, *APART_GAIN)) if self.sets_apart else 0.0
        apart = gain * self._apart(zones, seen, of_leaf) if gain else 0.0
        return choose(zones, self.divided(seen, granularity), of_leaf, self.balance, apart)

    def _apart(self, zones: Candidates, seen: Features, of_leaf: Floats) -> Floats:
        """What each zone gains as a block of its own for being a menu, a sidebar or an advert.

        That is its weight, the more the surer its kind is; of zones of one kind in each other, the
        outermost counts. What is surely a header or a footer stays whole.
        """
        size, several = _sizes(zones, of_leaf), zones.last - zones.first > 1
        asked = np.flatnonzero(zones.whole & several & (size < LARGEST_APART * size[0]))
        chances = np.zeros((len(zones), len(KINDS) + 1))
        chances[asked] = self.kinds(seen, asked)
        of_kind = chances[:, [KINDS.index(kind) for kind in APART]]
        sure = np.maximum(2 * of_kind.max(axis=1) - 1, 0)
        kind = np.where(sure > 0, of_kind.argmax(axis=1), -1)
        again = (zones.parent >= 0) & (kind == kind[zones.parent])
        whole = chances[:, [KINDS.index(kind) for kind in WHOLE]].max(axis=1) > SURELY
        again |= inside(np.flatnonzero(whole), zones.end)
        return np.where(again, 0, sure * size)

    def kinds(self, seen: Features, zones: Ints) -> Floats:
        """The probabilities of all kinds of these zones, the last that it is a dialog.

        Without a picture, it is not media; running heads and feet are headers and footers.
        """
        seen = seen.of(zones)
        likeness = self.likeness.of(seen)
        chances = self.kind.probabilities(seen.table(self.kind.features, likeness))
        chances *= _trusted(np.column_stack([likeness[name] for name in LIKENESSES]))
        for kind, unlikely in _unlikely(seen).items():
            chances[unlikely, self.kind.labels.index(kind)] *= UNLIKELY
        for part in PARTS:
            chances[seen[f"landmark {part}"], self.kind.labels.index(part)] *= LANDMARK
        chances[~seen["has picture"], self.kind.labels.index(MEDIA)] = 0
        for part, where in (("header", "running"), ("footer", "in foot")):
            ends = seen[where] == 1
            chances[ends] = UNLIKELY / len(KINDS)
            chances[ends, self.kind.labels.index(part)] = 1
        chances /= chances.sum(axis=1, keepdims=True)
        asks = seen["in dialog"][:, None] == 1
        return np.hstack((np.where(asks, 0, chances), asks))

    def to_json(self) -> dict[str, Any]:
        """As it is kept in a file."""
        parts = {name: getattr(self, name).to_json() for name in (*_DIVISIONS, "kind", "likeness")}
        return {"balance": self.balance, **parts}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> ZonesModel:
        """What `to_json` wrote."""
        coarse, fine, kind = (Softmax.from_json(fields[name]) for name in (*_DIVISIONS, "kind"))
        return cls(coarse, fine, Likeness.from_json(fields["likeness"]), kind, fields["balance"])


def _trusted(likeness: Floats) -> Floats:
    """What each kind gains by likeness; kinds that are not parts of pages are pieces of them."""
    look_of_kind = [LOOKS.index(kind if kind in LOOKS else PIECE) for kind in KINDS]
    return np.asarray((shares(likeness)[:, look_of_kind] + LEAST_LIKE) ** TRUST)


def _unlikely(seen: Features) -> dict[str, NDArray[np.bool_]]:
    """By kind the zones that lack what makes that kind, which few drawn pages can teach."""
    leads_nowhere = seen["no links"] & (seen["is form"] + seen["has form"] == 0)
    listed = seen["is list"] + seen["has list"] + seen["in list"] > 0
    named = seen["is advert"] + seen["has advert"] > 0
    everything = seen["share"] > np.log(ALL)  # and no part beside others
    return {
        "header": everything,
        "navigation": everything | leads_nowhere,
        "main": seen["texts"] == 0,
        "aside": everything,
        "footer": everything,
        "list": leads_nowhere & ~listed & ((seen["texts"] < FEW) | (seen["tables"] > HALF)),
        "advert": everything | (leads_nowhere & ~seen["has picture"] & ~named),
    }


def log_odds(model: Softmax, seen: Features) -> Floats:
    """Of the second of two labels."""
    scores = model.scores(seen.table(model.features))
    odds: Floats = scores[:, 1] - scores[:, 0]
    return odds


@cache
def shipped_model() -> ZonesModel:
    """The model that comes with the package."""
    return ZonesModel.from_json(load_weights(TASK, VERSION).model)


def choose(
    zones: Candidates,
    divided: Floats,
    weights: Floats,
    balance: float,
    gain: Floats | float = 0.0,
) -> Ints:
    """The blocks, in document order; every leaf is in one of them.

    `divided` are the probabilities by zone, `weights` say what each leaf counts, and `balance` what
    precision counts against recall (0 to 1): the more, the smaller the blocks. `gain` is what each
    zone is worth as a block besides.
    """
    return best_cut(zones, worth(zones, divided, weights, balance) + gain)


def worth(zones: Candidates, divided: Floats, weights: Floats, balance: float) -> Floats:
    """What each zone is worth as a block: expected precision and recall of its leaves."""
    size = _sizes(zones, weights)
    outside = _related_outside(zones, _together(zones, divided), size)
    leaf = np.flatnonzero(zones.is_leaf)
    related = np.ones(len(weights))  # the weight that belongs to a leaf, itself among it
    if len(weights):
        related[zones.first[leaf]] = size[leaf] + outside[leaf]
    products, quotients = before(weights * related), before(weights / related)
    inside = products[zones.last] - products[zones.first] - outside * size
    precision = inside / np.maximum(size, 1e-9)
    recall = size - outside * (quotients[zones.last] - quotients[zones.first])
    return np.asarray(balance * precision + (1 - balance) * recall)


def _sizes(zones: Candidates, weights: Floats) -> Floats:
    """The weight of all leaves in each zone."""
    sums = before(weights)
    return np.asarray(sums[zones.last] - sums[zones.first])


def _together(zones: Candidates, divided: Floats) -> Floats:
    """How probable it is that leaves of which this is the innermost common zone are together."""
    apart = np.where(zones.is_leaf, 0.0, divided).tolist()
    for zone, above in enumerate(zones.parent.tolist()):
        if above >= 0:
            apart[zone] *= apart[above]
    return 1 - np.array(apart)


def _related_outside(zones: Candidates, together: Floats, size: Floats) -> Floats:
    """The weight outside of each zone that is expected to belong to its leaves."""
    outside = [0.0] * len(zones)
    bonds, sizes = together.tolist(), size.tolist()
    for zone, above in enumerate(zones.parent.tolist()):
        if above >= 0:
            outside[zone] = outside[above] + (sizes[above] - sizes[zone]) * bonds[above]
    return np.array(outside)


def best_cut(zones: Candidates, worth: Floats) -> Ints:
    """The zones, none in another and every leaf in one, that are worth most together."""
    parents, values = zones.parent.tolist(), worth.tolist()
    is_leaf = zones.is_leaf.tolist()
    inside = [0.0] * len(zones)
    divides = [False] * len(zones)
    for zone in range(len(zones) - 1, 0, -1):
        divides[zone] = not is_leaf[zone] and inside[zone] > values[zone] + LEAST_GAIN
        inside[parents[zone]] += inside[zone] if divides[zone] else values[zone]
    divides[0] = not is_leaf[0] and inside[0] > values[0] + LEAST_GAIN
    return outermost(~np.array(divides), zones.parent, zones.end)
