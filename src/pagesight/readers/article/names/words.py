"""How often words occur in titles, names, affiliations, abstracts and references.

The counts come from some thirty thousand citations; `pack` makes the shipped table from lists of
``word<TAB>count`` lines, and keeps the words that tell something.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.segment.text import WORD_LIST, folded, known_words

FIELDS = ("title", "surname", "given", "affiliation", "abstract", "reference")
COLUMN = {field: column for column, field in enumerate(FIELDS)}
CEILING = 3.0  # of what one word can say
SOURCES = {"title": "title", "surname": "author_surname", "given": "author_given",
           "affiliation": "affil", "abstract": "abstract", "reference": "reference"}  # fmt: skip
FEWEST = 6  # a word that occurs less often in all fields together is not shipped, except
FEWEST_NAMES = 2  # names that occur as often


class WordTable:
    """Counts of each word in each field. Words are folded; row 0 is for all words not listed."""

    def __init__(self, rows: Mapping[str, int], counts: NDArray[np.float64]) -> None:
        self.rows = rows
        self.counts = counts  # (words + 1, fields)
        self.totals = counts.sum(axis=0)

    def log_likelihoods(self, smoothing: float = 1.0) -> NDArray[np.float64]:
        """The logarithm of each word's share in each field; what is unlisted has a little."""
        smooth = self.counts + smoothing
        logs: NDArray[np.float64] = np.log(smooth / smooth.sum(axis=0))
        return logs

    def indices(self, words: Sequence[str]) -> NDArray[np.intp]:
        """The row of each word."""
        rows = self.rows
        return np.array([rows.get(word, 0) for word in words], dtype=np.intp)


@cache
def word_table() -> WordTable:
    """The table that is shipped."""
    with np.load(io.BytesIO((files("pagesight") / "data" / WORD_LIST).read_bytes())) as arrays:
        counts = arrays["counts"].astype(np.float64)
    return WordTable(known_words(), np.vstack([np.zeros((1, len(FIELDS))), counts]))


@cache
def log_table() -> NDArray[np.float64]:
    """The logarithm of each word's share in each field of the shipped table."""
    return word_table().log_likelihoods()


def log_odds(tokens: Sequence[str], fields: Sequence[str], others: Sequence[str]) -> float:
    """How much likelier words are in some fields than in others, per word."""
    logs = log_table()[word_table().indices(tokens)]
    likely, other = (logs[:, [COLUMN[name] for name in names]] for names in (fields, others))
    odds = np.clip(likely.max(axis=1) - other.max(axis=1), -CEILING, CEILING)
    return float(odds.sum()) / max(len(odds), 1)


def pack(folder: Path, target: Path) -> None:
    """Make the table from the lists in `folder`: words folded, rare ones left out."""
    counts: dict[str, list[int]] = {}
    for column, field in enumerate(FIELDS):
        for line in (folder / f"{SOURCES[field]}.tsv").read_text(encoding="utf-8").splitlines():
            word, _, count = line.partition("\t")
            counts.setdefault(folded(word), [0] * len(FIELDS))[column] += int(count)
    kept = sorted(word for word, row in counts.items() if _is_telling(row) and word.strip())
    np.savez_compressed(
        target,
        words=np.frombuffer("\n".join(kept).encode(), dtype=np.uint8),
        counts=np.array([counts[word] for word in kept], dtype=np.int32),
    )


def _is_telling(row: list[int]) -> bool:
    """Each name is rare, and tells most; other words have to occur more often."""
    return row[1] + row[2] >= FEWEST_NAMES or sum(row) >= FEWEST
