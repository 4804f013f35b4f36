"""Which changes of a part matter to somebody."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from price_parser import Price

from pagesight.portal.errors import Invalid
from pagesight.watch.changes import Changes
from pagesight.watch.values import Observation

LONGEST_WORDS = 200  # characters
LONGEST_READ = 1000  # characters in which a number is looked for
_MINUS = re.compile("(?<!\\w)[-\N{MINUS SIGN}]$")


class ConditionKind(StrEnum):
    """What has to be so."""

    NEW_ITEMS = "new items"
    ABOVE = "above"
    BELOW = "below"
    PRESENT = "present"
    ABSENT = "absent"


NUMBERS = (ConditionKind.ABOVE, ConditionKind.BELOW)
WORDS = (ConditionKind.PRESENT, ConditionKind.ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """New items only, a number above or below another one, words present or absent.

    A change matters if the condition holds after it, and did not before: one is told once.
    """

    kind: ConditionKind
    number: float | None = None
    words: str | None = None

    @classmethod
    def from_json(cls, fields: Mapping[str, Any] | None) -> Condition | None:
        """What `to_json` made, or somebody typed; raises `Invalid`."""
        if not fields:
            return None
        try:
            kind = ConditionKind(str(fields.get("kind")))
        except ValueError as error:
            raise Invalid("there is no such condition", field="condition") from error
        if kind in NUMBERS:
            return cls(kind=kind, number=_number(fields.get("number")))
        if kind in WORDS:
            return cls(kind=kind, words=_words(fields.get("words")))
        return cls(kind=kind)

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        fields = {"kind": self.kind.value, "number": self.number, "words": self.words}
        return {name: value for name, value in fields.items() if value is not None}

    def matters(self, changes: Changes) -> bool:
        """Whether somebody wants to know of changes."""
        if self.kind is ConditionKind.NEW_ITEMS:
            return bool(changes.new_items)
        return self._holds(changes.after) and not self._holds(changes.before)

    def _holds(self, seen: Observation) -> bool:
        if self.kind in NUMBERS:
            number = number_in(seen.text)
            if number is None or self.number is None:
                return False
            above = self.kind is ConditionKind.ABOVE
            return number > self.number if above else number < self.number
        is_there = (self.words or "").casefold() in " ".join(seen.text.split()).casefold()
        return is_there is (self.kind is ConditionKind.PRESENT)


def matters(condition: Mapping[str, Any] | None, changes: Changes) -> bool:
    """Whether somebody wants to know of changes, by what is kept of a condition.

    That a part is gone, unsure or found again is always worth knowing.
    """
    if changes.before.status.is_present != changes.after.status.is_present:
        return True
    known = Condition.from_json(condition)
    return known is None or known.matters(changes)


def number_in(text: str) -> float | None:
    """The first number in a text, however it is written.

    >>> number_in("Gold: 1.234,50 EUR")
    1234.5
    """
    found = Price.fromstring(text[:LONGEST_READ])
    amount = found.amount_float
    if amount is None or not math.isfinite(amount):
        return None
    before = text[:LONGEST_READ].partition(found.amount_text or "")[0]
    return -amount if _MINUS.search(before) else amount


def _number(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise Invalid("a number is needed", field="number") from error
    if not math.isfinite(number):
        raise Invalid("a number is needed", field="number")
    return number


def _words(value: Any) -> str:
    words = " ".join(str(value or "").split())
    if not words or len(words) > LONGEST_WORDS:
        raise Invalid("words to look for are needed, and not too many", field="words")
    return words
