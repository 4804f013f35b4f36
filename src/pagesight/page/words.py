"""Words that are looked for in many strings at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

_BETWEEN = "\n"  # which no word has


class Searched:
    """Strings in small letters, in which words can be looked for."""

    def __init__(self, strings: Sequence[str]) -> None:
        lowered = [string.lower() for string in strings]
        self._text = _BETWEEN.join(lowered)
        self._starts = np.zeros(len(lowered) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, lowered), np.int64) + 1, out=self._starts[1:])

    def holding(self, words: Iterable[str]) -> NDArray[np.bool_]:
        """Which strings hold one of these words, which are in small letters."""
        text, starts = self._text, self._starts
        found = np.zeros(len(starts) - 1, dtype=np.bool_)
        for word in words:
            at = text.find(word)
            while at >= 0:
                string = int(starts.searchsorted(at, side="right")) - 1
                found[string] = True
                at = text.find(word, int(starts[string + 1]))
        return found

    def matching(self, pattern: re.Pattern[str]) -> NDArray[np.bool_]:
        """Which strings in small letters have something that matches, in no two of them."""
        found = np.zeros(len(self._starts) - 1, dtype=np.bool_)
        matches = [match.start() for match in pattern.finditer(self._text)]
        found[self._starts.searchsorted(matches, side="right") - 1] = True
        return found
