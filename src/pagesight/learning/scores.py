"""Precision, recall and F."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np


class HasRates(Protocol):
    """Something with a precision and a recall."""

    @property
    def precision(self) -> float: ...

    @property
    def recall(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Prf:
    """How many values are right, how many that were read are wrong, and how many are missing.

    What is right in part counts in part.
    """

    right: float = 0
    wrong: float = 0
    missing: float = 0

    @classmethod
    def of(cls, *, wanted: float, found: float, right: float) -> Prf:
        """By how many values there are, how many were found, and how many of these are right."""
        return cls(right, found - right, wanted - right)

    def __add__(self, other: Prf) -> Prf:
        return Prf(self.right + other.right, self.wrong + other.wrong, self.missing + other.missing)

    @property
    def wanted(self) -> float:
        return self.right + self.missing

    @property
    def found(self) -> float:
        return self.right + self.wrong

    @property
    def precision(self) -> float:
        """The share of what was found that is right; of nothing it is 1 if nothing is wanted."""
        return self.right / self.found if self.found else float(not self.wanted)

    @property
    def recall(self) -> float:
        """The share of what is wanted that was found; of nothing it is 1 if nothing was found."""
        return self.right / self.wanted if self.wanted else float(not self.found)

    @property
    def f(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.wanted + self.found
        return 2 * self.right / both if both else 1.0


@dataclass(frozen=True, slots=True)
class MeanPrf:
    """Precision and recall averaged over pages, so that long pages count no more than others."""

    precision: float
    recall: float

    @classmethod
    def over(cls, pages: Iterable[HasRates]) -> MeanPrf:
        rates = [(page.precision, page.recall) for page in pages]
        return cls(*np.mean(rates, axis=0).tolist()) if rates else cls(0.0, 0.0)

    @property
    def f(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def means(pages: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each score over the pages that have it, in the order of appearance."""
    values: dict[str, list[float]] = {}
    for page in pages:
        for name, score in page.items():
            values.setdefault(name, []).append(score)
    return {name: float(np.mean(scores)) for name, scores in values.items()}
