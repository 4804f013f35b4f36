"""How often words occur in titles, names, affiliations, abstracts and references.

The counts come from some thirty thousand citations; `pack` makes the shipped table from lists of
``word<TAB>count`` lines, and keeps the words that tell something.
"""

from __future__ import annotations

import io
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.article.text import folded

FIELDS = ("title", "surname", "given", "affiliation", "abstract", "reference")
SOURCES = {"title": "title", "surname": "author_surname", "given": "author_given",
           "affiliation": "affil", "abstract": "abstract", "reference": "reference"}  # fmt: skip
TABLE = "words.npz"
FEWEST = 6  # a word that occurs less often in all fields together is not shipped, but for
FEWEST_NAMES = 2  # names that occur as often


class WordTable:
    """Counts of each word in each field. Words are folded; row 0 is for all words not listed."""

    def __init__(self, rows: dict[str, int], counts: NDArray[np.float64]) -> None:
        self.rows = rows
        self.counts = counts  # (words + 1, fields)
        self.totals = counts.sum(axis=0)

    def log_likelihoods(self, smoothing: float = 1.0) -> NDArray[np.float64]:
        """The logarithm of each word's share in each field; what is unlisted has a little."""
        smooth = self.counts + smoothing
        logs: NDArray[np.float64] = np.log(smooth / smooth.sum(axis=0))
        return logs

    def indices(self, words: list[str]) -> NDArray[np.intp]:
        """The row of each word."""
        rows = self.rows
        return np.array([rows.get(word, 0) for word in words], dtype=np.intp)


@cache
def word_table() -> WordTable:
    """The table that is shipped."""
    with np.load(io.BytesIO((files("pagesight") / "data" / TABLE).read_bytes())) as arrays:
        listed = arrays["words"].tobytes().decode().split("\n")
        counts = arrays["counts"].astype(np.float64)
    rows = {word: row for row, word in enumerate(listed, start=1)}
    return WordTable(rows, np.vstack([np.zeros((1, len(FIELDS))), counts]))


@cache
def log_table() -> NDArray[np.float64]:
    """The logarithm of each word's share in each field of the shipped table."""
    return word_table().log_likelihoods()


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
    """Names are rare each, and tell most; other words have to occur more often."""
    return row[1] + row[2] >= FEWEST_NAMES or sum(row) >= FEWEST


# A hyphen before these stands for a word that comes later: "short- and long-term".
_SUSPENDING = "and|or|und|oder|et|ou|y|o|to|vs|versus|bzw"
_PERHAPS_SUSPENDING = frozenset(("than", "but", "as", "en", "e"))  # or ends of words: "tak- en"
_DIVIDED = re.compile(rf"(?<![^\W\d_])([^\W\d_]+)-\s(?!(?:{_SUSPENDING})\b)([^\W\d_]+)")
_RANGE = re.compile(r"(?<=\d)([-–])\s(?=\d)|(?<=[^\W\d_])(-)\s(?=\d)")  # 194–203, HLA-27
_ADDRESS = re.compile(r"https?://|\b10\.\d{4,9}/")
_PREFIX = re.compile(r"\b10\.\d{4,9}/$")  # of an identifier, of which the rest has to follow
_DATE = re.compile(r"\W*\d{1,4}(?:[./-]\d{1,4})*\W*")


def rejoined(text: str) -> str:
    """A text of lines without what their ends did to it: divided words, ranges and addresses."""
    if "/" in text:
        text = _whole_addresses(text)
    if "- " in text or "– " in text:
        text = _RANGE.sub(r"\1\2", _DIVIDED.sub(_whole_word, text))
    return text


def _whole_addresses(text: str) -> str:
    """A text whose addresses have no spaces within."""
    parts: list[str] = []
    before, is_address = "", False
    for part in text.split(" "):
        goes_on = is_address and _goes_on(before, part)
        is_address = goes_on or bool(_ADDRESS.search(part))
        parts += [part] if goes_on or not parts else [" ", part]
        before = part
    return "".join(parts)


def _goes_on(before: str, part: str) -> bool:
    """Whether a part ends an address that begins with the one before it."""
    if before.endswith("/") and not _PREFIX.search(before):
        return any(map(str.isdigit, part)) and not _DATE.fullmatch(part)
    return before.endswith("-") or (
        before.endswith(("/", "_", "=")) and any(map(str.isdigit, part))
    )


def _whole_word(found: re.Match[str]) -> str:
    """A word that was divided; with its hyphen if it has one, as far as the table knows."""
    first, second = found.groups()
    rows = word_table().rows
    whole, *parts = (folded(each) for each in (first + second, first, second))
    if second in _PERHAPS_SUSPENDING and whole not in rows and parts[0] in rows:
        return found[0]
    capital = first[-1].isupper() or not second[0].islower()
    hyphened = capital or (whole not in rows and all(part in rows for part in parts))
    return f"{first}-{second}" if hyphened else first + second
