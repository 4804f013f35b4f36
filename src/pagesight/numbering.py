"""Numbers for things, in the order in which they are first seen."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


class Numbering(dict[K, int]):
    """A number for each key that is looked up: 0, 1, 0 for "red", "blue", "red"."""

    def __missing__(self, key: K) -> int:
        number = self[key] = len(self)
        return number
