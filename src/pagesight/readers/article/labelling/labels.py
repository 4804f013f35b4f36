"""The labels of zones, the orders in which they may be, and zones with their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagesight.models.chain import Chain, best_labels, chain_sums
from pagesight.readers.article.labelling.confidence import (
    LabelSight,
    StatedValue,
    Trust,
    by_label,
    clues,
)
from pagesight.readers.article.reading import LabelledZone
from pagesight.readers.article.zones import Zones
from pagesight.readers.value import ValueFields

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

FIELDS = ("title", "author", "affiliation", "abstract", "reference")
LABELS = (
    "before", "title", "author", "affiliation", "front", "dates", "correspondence",
    "abstract heading", "abstract", "keywords", "body", "reference heading", "reference",
    "reference part", "late affiliation", "last affiliation", "citing", "after",
)  # fmt: skip
AFFILIATIONS = ("affiliation", "late affiliation", "last affiliation")
"""Above the text, in it or below it, and below the references."""
SIGNATURE = ("author", "affiliation", "correspondence")
_STAGES = {"before": 0, "title": 1, "body": 3, "reference heading": 4, "reference": 4,
           "reference part": 4, "late affiliation": 3, "last affiliation": 5, "citing": 5,
           "after": 5}  # fmt: skip


def field_of(label: str) -> str:
    """The label without regard to where affiliations are."""
    return "affiliation" if label in AFFILIATIONS else label


# The orders in which the parts of an article may be

ORDERS = ("article", "signed", "undersigned", "record", "margin")
"""As usual; authors below the text, as in letters, or below its references; no text and no
references; a margin with places and dates first."""
ON_SCREEN = 4  # of these are for pages without sheets: there, what comes first is navigation
SOFTNESS = 0.3  # by which scores are multiplied, to see what a less confident chain says
NEVER = -1000.0  # the score of a transition that there is not
_NUMBER = {label: number for number, label in enumerate(LABELS)}
_SIGNED_IN = {"signed": 3, "undersigned": 5}  # the stage in which authors are named
_MARGIN = ("affiliation", "front", "dates", "correspondence", "keywords")


@cache
def possible(order: str) -> tuple[Mask, Mask]:
    """Which label may follow which in an order, and which may come first.

    Articles continue from the title to the references, never back. Authors and the like are in one
    stage, in any order.
    """
    stage = _STAGES | dict.fromkeys(SIGNATURE, _SIGNED_IN.get(order, 2))
    stages = np.array([stage.get(label, 2) for label in LABELS])
    follows: Mask = stages[None, :] >= stages[:, None]
    early = (stages < 3) | (np.array(LABELS) == "reference heading")
    if order == "record":
        follows[:, (stages == 3) | (stages == 4)] = False
    else:
        follows[np.ix_(early, stages == 5)] = False  # a text or its references come first
    follows[_NUMBER["before"], stages >= 2] = False  # nothing comes before the title
    first = np.isin(LABELS, ("before", "title"))
    if order == "margin":
        margin = [_NUMBER[label] for label in _MARGIN]
        first[margin] = True
        follows[_NUMBER["before"], margin] = True
        follows[margin, _NUMBER["before"]] = True
        follows[margin, _NUMBER["title"]] = True
    return follows, first


def limited(chain: Chain, order: str) -> Chain:
    """The chain without what an order does not allow."""
    follows, first = possible(order)
    transition = np.where(follows, chain.transition, NEVER)
    begun = np.array(LABELS) != "before"  # every page has a title
    return Chain(
        transition, np.where(first, chain.start, NEVER), np.where(begun, chain.stop, NEVER)
    )


def order_of(labels: Sequence[str]) -> str:
    """The first order that allows these labels; the usual one if none does."""
    numbers = [_NUMBER[label] for label in labels]
    for order in ORDERS:
        follows, first = possible(order)
        if first[numbers[0]] and all(follows[one, other] for one, other in pairwise(numbers)):
            return order
    return ORDERS[0]


def shares_of_orders(labellings: Sequence[Sequence[str]]) -> Floats:
    """The logarithm of each order's share among labelled pages; none has no share at all."""
    counted = Counter(map(order_of, labellings))
    counts = np.array([1.0 + counted[order] for order in ORDERS])
    return np.asarray(np.log(counts / counts.sum()), dtype=np.float64)


def decode(
    chain: Chain, shares: Floats, scores: Floats, *, sheets: bool
) -> tuple[NDArray[np.int64], Floats]:
    """The labels by the likeliest order, and the chances of all; `scores` is T × labels.

    All orders share what was learned; they differ in which label may follow which, and in their
    `shares`. `sheets`: whether it is a PDF. Chances are 2 × T × labels: by the chain, and by one
    that believes its scores less.
    """
    if not len(scores):
        return np.zeros(0, dtype=np.int64), np.zeros((2, 0, len(LABELS)))
    family = [limited(chain, order) for order in (ORDERS if sheets else ORDERS[:ON_SCREEN])]
    count = len(family)
    both = np.repeat(np.stack((scores, _soft(scores)), axis=1), count, axis=1)
    sums = chain_sums([*family, *map(_softened, family)], both[:, :, None], pairs=False)
    best = int((shares[:count] + sums.log_total[:count, 0]).argmax())
    labels, _ = best_labels(family[best], scores)
    return labels, sums.labels[:, [best, best + count], 0].swapaxes(0, 1)


def certain(labels: Sequence[str], confidence: ArrayLike = 1.0) -> Floats:
    """Chances by which zones have these labels, as confidently; no others are known."""
    chances = np.zeros((2, len(labels), len(LABELS)))
    chances[:, np.arange(len(labels)), [_NUMBER[label] for label in labels]] = confidence
    return chances


def _softened(chain: Chain) -> Chain:
    return Chain(_soft(chain.transition), _soft(chain.start), _soft(chain.stop))


def _soft(scores: Floats) -> Floats:
    """Scores that differ less; what is never stays so."""
    return np.where(scores <= NEVER, scores, SOFTNESS * scores)


# Zones with their labels


@dataclass(frozen=True, slots=True)
class ElementAround:
    """The element around some zones, which is looked for when its address is asked for."""

    zones: Zones
    members: list[int]

    @property
    def xpath(self) -> str:
        return self.zones.element(self.members).xpath

    @property
    def css(self) -> str:
        return self.zones.element(self.members).css


@dataclass(frozen=True, eq=False)
class LabelledZones:
    """Zones with the label of each and how sure the model is of it."""

    zones: Zones
    labels: list[str]
    chances: Floats  # 2 × zones × labels: by the chain, and by a softer one
    trust: Trust = field(default_factory=lambda: by_label({}))

    @cached_property
    def confidence(self) -> Floats:
        """How sure the chain is of each label."""
        numbers = [_NUMBER[label] for label in self.labels]
        return np.asarray(self.chances[0, np.arange(len(numbers)), numbers])

    def of(self, *labels: str) -> list[int]:
        """The zones that have one of these labels."""
        return sorted(zone for label in labels for zone in self._by_label.get(label, ()))

    @cached_property
    def _by_label(self) -> dict[str, list[int]]:
        zones: dict[str, list[int]] = {}
        for zone, label in enumerate(self.labels):
            zones.setdefault(label, []).append(zone)
        return zones

    def value(self, text: str, zones: list[int], label: str = "") -> ValueFields:
        """What every value has, of these zones; of one that other zones may state, its label."""
        label = label or field_of(self.labels[zones[0]])
        return self.values(label, [StatedValue(text, zones)])[0]

    def values(self, label: str, stated: Sequence[StatedValue]) -> list[ValueFields]:
        """The same for all values of a list."""
        if not stated:
            return []
        sure = self.trust(label, self.clues(label, stated))
        return [
            self.placed(value.text, list(value.zones), confidence)
            for value, confidence in zip(stated, sure, strict=True)
        ]

    def clues(self, label: str, stated: Sequence[StatedValue]) -> Floats:
        """What speaks for each value of a list, and against it."""
        return clues(label, stated, self.zones, self._sight(label))

    def _sight(self, label: str) -> LabelSight:
        """What is known of a label on the whole page."""
        if label not in self._sights:
            names = AFFILIATIONS if label == "affiliation" else (label,)
            own = [_NUMBER[name] for name in names]
            softly = self.chances[1]
            of_labels = softly[np.arange(len(self.labels)), [_NUMBER[it] for it in self.labels]]
            titles = self.of("title")
            self._sights[label] = LabelSight(
                chances=self.chances[:, :, own].sum(axis=2),
                otherwise=np.delete(softly, own, axis=1).max(axis=1),
                labelled=frozenset(self.of(*names)),
                title=min(titles, default=0),
                title_sure=float(softly[titles, _NUMBER["title"]].max(initial=0.0)),
                page_sure=float(of_labels.mean()),
            )
        return self._sights[label]

    @cached_property
    def _sights(self) -> dict[str, LabelSight]:
        return {}

    def placed(self, text: str, zones: list[int], sure: float) -> ValueFields:
        """A text with its confidence, and where these zones are."""
        return {
            "text": text,
            "confidence": sure,
            "place": ElementAround(self.zones, zones),
            "box": self.zones.box_of(zones),
        }

    def runs(self, label: str, gap: int = 1) -> list[list[int]]:
        """The zones of a label, in runs with no more than `gap` - 1 others in between."""
        return runs_of(self.of(label), gap)


def runs_of(zones: Iterable[int], gap: int) -> list[list[int]]:
    """Zones in runs, each of them no more than `gap` behind the one before."""
    runs: list[list[int]] = []
    for zone in zones:
        if runs and zone - runs[-1][-1] <= gap:
            runs[-1].append(zone)
        else:
            runs.append([zone])
    return runs


def labelled_zones(labelled: LabelledZones) -> tuple[LabelledZone, ...]:
    """The zones that are more than text, navigation, links in references and the like."""
    dull = ("before", "body", "after", "front", "reference part")
    return tuple(
        LabelledZone(
            **labelled.placed(labelled.zones.texts[zone], [zone], float(labelled.confidence[zone])),
            label=label,
        )
        for zone, label in enumerate(labelled.labels)
        if label not in dull
    )
