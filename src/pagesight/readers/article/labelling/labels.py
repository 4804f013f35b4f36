"""The labels of zones, and zones with their labels: what all values are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.article.reading import LabelledZone
from pagesight.readers.article.zones import Zones
from pagesight.readers.value import ValueFields

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


IN_FRONT, WITH_TEXT, AT_END = 2, 3, 5  # the stages in which authors may be named


def possible_transitions(signature: int = IN_FRONT) -> NDArray[np.bool_]:
    """Which label may follow which: articles go from the title to the references, never back.

    Authors and the like are in one stage, in any order: `signature` says in which.
    """
    stage = _STAGES | dict.fromkeys(SIGNATURE, signature)
    stages = np.array([stage.get(label, 2) for label in LABELS])
    possible: NDArray[np.bool_] = stages[None, :] >= stages[:, None]
    early = (stages < 3) | (np.array(LABELS) == "reference heading")
    possible[np.ix_(early, stages == 5)] = False  # a text or its references come first
    possible[LABELS.index("before"), stages >= 2] = False  # nothing comes before the title
    return possible


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
    confidence: NDArray[np.float64]

    def of(self, *labels: str) -> list[int]:
        """The zones that have one of these labels."""
        return sorted(zone for label in labels for zone in self._by_label.get(label, ()))

    @cached_property
    def _by_label(self) -> dict[str, list[int]]:
        zones: dict[str, list[int]] = {}
        for zone, label in enumerate(self.labels):
            zones.setdefault(label, []).append(zone)
        return zones

    def value(self, text: str, zones: list[int]) -> ValueFields:
        """What every value has, of these zones."""
        return {
            "text": text,
            "confidence": float(self.confidence[zones].sum()) / len(zones),
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
        LabelledZone(**labelled.value(labelled.zones.texts[zone], [zone]), label=label)
        for zone, label in enumerate(labelled.labels)
        if label not in dull
    )
