"""Zones with their labels: what all values are made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.article.reading import LabelledZone
from pagesight.readers.article.zones import Zones
from pagesight.readers.value import ValueFields


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
        found: dict[str, list[int]] = {}
        for zone, label in enumerate(self.labels):
            found.setdefault(label, []).append(zone)
        return found

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
        runs: list[list[int]] = []
        for zone in self.of(label):
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
