"""What pages were like, in numbers that can be added up: errors, kinds, times, confidence."""

from __future__ import annotations

import bisect
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pagesight.batch.rows import Row

MORE_LIKELY = 0.5  # than not
BINS = 10  # of a confidence from 0 to 1
TIMES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)  # seconds, the upper ends of bins


@dataclass
class Summary:
    """Counts over pages."""

    rows: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    """What pages are: articles, lists, single things, PDFs, pages that are not there."""

    seconds: float = 0.0
    times: Counter[str] = field(default_factory=Counter)
    """How many pages took how long, by the number of the bin."""

    confidence: Counter[str] = field(default_factory=Counter)
    """By the name of the reading and the number of the bin: ``title 9``."""

    def add(self, row: Row, seconds: float) -> None:
        """Count one more page."""
        self.rows += 1
        self.seconds += seconds
        self.times[str(bisect.bisect_left(TIMES, seconds))] += 1
        if row["error"]:
            self.errors[row["error"]["kind"]] += 1
            return
        self.kinds[kind_of(row)] += 1
        for name, reading in row["readings"].items():
            confidence = confidence_of(reading)
            if confidence is not None:
                self.confidence[f"{name} {min(BINS - 1, int(confidence * BINS))}"] += 1

    def __add__(self, other: Summary) -> Summary:
        return Summary(
            self.rows + other.rows,
            self.errors + other.errors,
            self.kinds + other.kinds,
            self.seconds + other.seconds,
            self.times + other.times,
            self.confidence + other.confidence,
        )

    def to_json(self) -> dict[str, Any]:
        """As plain JSON types."""
        counts = {name: dict(getattr(self, name)) for name in _COUNTS}
        return {"rows": self.rows, "seconds": round(self.seconds, 3), **counts}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Summary:
        """The summary that `to_json` wrote."""
        counts = {name: Counter(fields[name]) for name in _COUNTS}
        return cls(rows=fields["rows"], seconds=fields["seconds"], **counts)


_COUNTS = ("errors", "kinds", "times", "confidence")


def kind_of(row: Row) -> str:
    """What a page is, in a word, as far as the readings that were asked for tell."""
    readings: dict[str, Any] = row["readings"]
    if row["problem"]:
        return f"problem: {row['problem']}"
    if (readings.get("article") or {}).get("confidence", 0) > MORE_LIKELY:
        return "article"
    kind = (readings.get("records") or {}).get("kind")
    if kind in ("list", "detail"):
        return f"records: {kind}"
    return "PDF" if row["media"] == "pdf" else "other page"


def confidence_of(reading: dict[str, Any]) -> float | None:
    """How sure a reading is as a whole: as it says, or the mean over what it has found."""
    stated = reading.get("confidence")
    if isinstance(stated, int | float):
        return float(stated)
    for values in reading.values():
        if isinstance(values, list) and values and isinstance(values[0], dict):
            found = [value.get("confidence") for value in values]
            numbers = [number for number in found if number is not None]
            if numbers:
                return float(sum(numbers) / len(numbers))
    return None
