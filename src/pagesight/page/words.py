"""Words that are looked for in many strings at once."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

_BETWEEN = "\n"  # which no word has


class Searched:
    """Strings in small letters, in which words can be looked for."""

    def __init__(self, strings: Sequence[str]) -> None:
        together = _BETWEEN.join(strings)
        self._text = together.lower()
        if len(self._text) != len(together):  # small letters are longer, as of İ
            strings = [string.lower() for string in strings]
        self._starts = list(accumulate([len(string) + 1 for string in strings], initial=0))

    def holding(self, words: Iterable[str]) -> NDArray[np.bool_]:
        """Which strings hold one of these words, which are in small letters."""
        text, starts, holding = self._text, self._starts, []
        for word in words:
            at = text.find(word)
            while at >= 0:
                after = bisect_right(starts, at)  # the string after the one that has it
                holding.append(after - 1)
                at = text.find(word, starts[after])
        return self._flags(holding)

    def matching(self, pattern: re.Pattern[str]) -> NDArray[np.bool_]:
        """Which strings in small letters have something that matches, in no two of them."""
        matches = [match.start() for match in pattern.finditer(self._text)]
        return self._flags([bisect_right(self._starts, at) - 1 for at in matches])

    def _flags(self, strings: list[int]) -> NDArray[np.bool_]:
        flags = np.zeros(len(self._starts) - 1, dtype=np.bool_)
        flags[strings] = True
        return flags
