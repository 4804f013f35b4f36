"""The tokens of citations, and what is seen of each: its letters, its look, what is around it.

A token is a word, a number or an address; the signs and spaces between two tokens are a gap. What
is seen of a token is a number in each slot of a `Vocabulary`: features are indicators of these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.article.vocabulary import COLUMN, Known, log_table, word_table
from pagesight.segment.text import folded

Ints = NDArray[np.int64]
LONGEST, MOST = 3_000, 300  # characters and tokens of a citation that are looked at
PADDING = 2  # places between two citations, of which nothing is seen

ADDRESS = re.compile(r"(?:https?:/|www\.|10\.\d{4,9}/)\S*[^\s.,;:)\]}>”\"']", re.IGNORECASE)
_TOKEN = re.compile(
    rf"({ADDRESS.pattern}|[^\W\d_]{{2,}}(?=(?:19|20)\d\d(?!\d))|\w+(?:['’]\w+)*)",
    re.IGNORECASE,
)
_QUOTE = dict.fromkeys("“”„‟«»″＂「」『』", '"')
_DASH = dict.fromkeys("‐‑‒–—―−", "-")
_WIDE = {"，": ", ", "．": ". ", "：": ": ", "；": "; ", "。": ". ", "（": " (", "）": ") "}
_SIGNS = str.maketrans({**_QUOTE, **_DASH, **_WIDE, "’": "'", "‘": "'"})

SHAPES = (
    "", "address", "year", "year a", "1 digit", "2 digits", "3 digits", "4 digits", "digits",
    "letter digits", "digits letter", "mixed digits", "A", "AB", "ABC", "ABCD", "Ab", "Abcd",
    "Abcdefg", "AbCd", "ab", "abcd", "abcdefg", "other letters",
)  # fmt: skip
_SHAPE = {name: number for number, name in enumerate(SHAPES)}
_DIGITS = {1: "1 digit", 2: "2 digits", 3: "3 digits", 4: "4 digits"}
BINS = 6  # of odds; 0 is for words that are not listed
POSITIONS, FIRST, SENTENCES, LOOKS = 10, 6, 7, 4
TELLING = 60  # of the words, those that are looked at together with the gap before them
ORDERS = ("", "initials first", "initials second")
FIELDS = ("surname", "given", "reference", "affiliation")
_UNKNOWN = (0,) * len(FIELDS)


@dataclass(frozen=True, eq=False)
class Citation:
    """A text in tokens; `gaps` has one entry more. `looks` are 1 if italic, plus 2 if bold."""

    text: str
    tokens: tuple[str, ...]
    gaps: tuple[str, ...]
    looks: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.tokens)

    @classmethod
    def of(cls, text: str, looks: Sequence[int] = ()) -> Citation:
        """The tokens of a text: ``Tea 12(3)`` has three, with a space and a bracket between."""
        parts = _TOKEN.split(text[:LONGEST])
        return cls(text, tuple(parts[1::2][:MOST]), tuple(parts[::2][: MOST + 1]), tuple(looks))

    def looking(self, looks: Sequence[int]) -> Citation:
        """The same with these looks."""
        same = Citation(self.text, self.tokens, self.gaps, tuple(looks))
        same.__dict__["spans"] = self.spans
        return same

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each token is in the text."""
        parts = chain.from_iterable(zip(self.gaps, self.tokens, strict=False))
        ends = list(accumulate(map(len, parts)))
        return list(zip(ends[::2], ends[1::2], strict=True))


def shape_of(token: str) -> str:
    """What kind of characters a token has, and how many: ``Abcd`` for ``Geol``."""
    if not token.isalnum():
        return "address" if "/" in token or "www." in token else _letters(token)
    if token.isdigit():
        if len(token) == 4 and "1500" <= token <= "2039":
            return "year"
        return _DIGITS.get(len(token), "digits")
    if token.isalpha():
        return _letters(token)
    if len(token) == 5 and "1800" <= token[:4] <= "2039":
        return "year a"
    if token[1:].isdigit():
        return "letter digits"
    return "digits letter" if token[:-1].isdigit() else "mixed digits"


def _letters(token: str) -> str:
    length = len(token)
    if token.isupper():
        return "ABCD"[: min(length, 4)]
    if token.islower():
        return "ab" if length < 4 else "abcd" if length < 7 else "abcdefg"
    if token[0].isupper() and token[1:].islower():
        return "Ab" if length < 4 else "Abcd" if length < 7 else "Abcdefg"
    return "AbCd" if token[0].isascii() else "other letters"


def normal_gap(gap: str) -> str:
    """A gap with one kind of quotes, dashes and spaces."""
    signs = gap if gap.isascii() else gap.translate(_SIGNS)
    return re.sub(r"\s+", " ", signs)


class Vocabulary:
    """The words and gaps that have features of their own; 0 and 1 are for all others."""

    def __init__(self, words: Sequence[str], gaps: Sequence[str]) -> None:
        self.words = {word: number for number, word in enumerate(words, 2)}
        self.gaps = {gap: number for number, gap in enumerate(gaps, 2)}
        self.tokens = Known(self._token, 2 + len(FIELDS))
        self.between = Known(self._gap, 6)

    @property
    def sizes(self) -> dict[str, int]:
        """How many numbers each slot has."""
        shapes, gaps, words = len(SHAPES), len(self.gaps) + 2, len(self.words) + 2
        return {
            **{f"shape {at:+d}": shapes for at in (-2, -1, 0, 1, 2)},
            **{f"word {at:+d}": words for at in (-1, 0, 1)},
            **{f"gap {at:+d}": gaps for at in (-1, 0, 1, 2)},
            "gap and shape": gaps * shapes,
            "shape and gap": shapes * gaps,
            "gap and word": gaps * (TELLING + 2),
            "shapes": shapes * shapes,
            "order of names": len(ORDERS) * 2 * shapes,
            **{f"{name} {at:+d}": BINS + 1 for name in FIELDS for at in (-1, 0, 1)},
            "position": POSITIONS,
            "from start": FIRST,
            "sentence": SENTENCES * 3,
            "enclosed": 4,
            "look": LOOKS * LOOKS,
            "look ahead": LOOKS * LOOKS,
        }

    def _token(self, token: str) -> tuple[int, ...]:
        """Shape, word, and how likely it is in each of `FIELDS`."""
        shape = _SHAPE[shape_of(token)]
        if not token[0].isalpha():
            return shape, self.words.get(token, 1), *_UNKNOWN
        word = folded(token)
        row = word_table().rows.get(word.rpartition("'")[2], 0)
        return shape, self.words.get(word, 1), *_odds(row)

    def _gap(self, gap: str) -> tuple[int, ...]:
        """Number, end of a sentence, quotes, brackets (open less closed), comma, dash of a range.

        Gaps at the ends are marked by ``^`` and ``$``.
        """
        signs = normal_gap(gap)
        nesting = sum(map(signs.count, "([")) - sum(map(signs.count, ")]"))
        sentence, comma = ". " in signs or "? " in signs, any(map(signs.__contains__, ",;&"))
        number, range_ = self.gaps.get(signs, 1), signs.strip() == "-"
        return number, sentence, signs.count('"'), nesting, comma, range_


def _order(tokens: Sequence[str]) -> int:
    """Whether a citation begins with initials, or with a word before some."""
    initials = [len(token) <= 3 and token.isupper() for token in tokens[:2]]
    return 1 if initials[:1] == [True] else 2 if initials[1:] == [True] else 0


def _odds(row: int) -> tuple[int, ...]:
    """How much likelier a word is in each of `FIELDS` than in titles, in bins; 0 if unknown."""
    if not row:
        return _UNKNOWN
    logs = log_table()[row].tolist()
    odds = [(logs[COLUMN[name]] - logs[COLUMN["title"]]) / 2 + BINS / 2 for name in FIELDS]
    return tuple(1 + min(max(int(odd), 0), BINS - 1) for odd in odds)


def features(citations: Sequence[Citation], vocabulary: Vocabulary) -> Ints:
    """What is seen of each token of all citations, tokens × slots, counted through all slots."""
    lengths = np.array([len(one) for one in citations], dtype=np.int64)
    if not lengths.sum():
        return np.zeros((0, len(vocabulary.sizes)), dtype=np.int64)
    starts = np.cumsum(np.r_[0, lengths[:-1]])
    of = np.repeat(np.arange(len(lengths)), lengths)  # by token its citation
    rank = np.arange(lengths.sum()) - starts[of]
    at = np.arange(lengths.sum()) + PADDING * (of + 1)  # places with padding between citations
    size = int(at[-1]) + 1 + PADDING

    def padded(values: Ints) -> Ints:
        spread = np.zeros((size, *values.shape[1:]), dtype=np.int64)
        spread[at] = values
        return spread

    seen = padded(vocabulary.tokens.rows([token for one in citations for token in one.tokens]))
    shape, word, odds = seen[:, 0], seen[:, 1], seen[:, 2:]
    filled = [one for one in citations if len(one)]
    inner = (gap for one in filled for gap in (f"^{one.gaps[0]}", *one.gaps[1:-1]))
    before = vocabulary.between.rows(list(inner))
    gap = padded(before[:, 0])
    ends = vocabulary.between.rows([f"{one.gaps[-1]}$" for one in filled])
    gap[at[(starts + lengths - 1)[lengths > 0]] + 1] = ends[:, 0]
    look = padded(
        np.array([*chain.from_iterable(one.looks or (0,) * len(one) for one in citations)])
    )

    def so_far(values: Ints) -> Ints:
        total = np.cumsum(values)
        return np.asarray(total - (total - values)[starts.clip(max=len(values) - 1)][of])

    ranges = padded(before[:, 5])  # a year of one is none
    years = so_far((shape[at] == _SHAPE["year"]) & ~(ranges[at] | ranges[at + 1]).astype(np.bool_))
    sentence = so_far(before[:, 1]).clip(max=SENTENCES - 1)
    enclosed = so_far(before[:, 2]) % 2 + 2 * (so_far(before[:, 3]) > 0)
    apart = before[:, 4]
    order = np.array([_order(one.tokens) for one in citations])
    gaps, shapes = len(vocabulary.gaps) + 2, len(SHAPES)
    columns = [
        *(shape[at + step] for step in (-2, -1, 0, 1, 2)),
        *(word[at + step] for step in (-1, 0, 1)),
        *(gap[at + step] for step in (-1, 0, 1, 2)),
        gap[at] * shapes + shape[at],
        shape[at] * gaps + gap[at + 1],
        gap[at] * (TELLING + 2) + np.where(word[at] < TELLING + 2, word[at], 1),
        shape[at] * shapes + shape[at + 1],
        (order[of] * 2 + apart) * shapes + shape[at],
        *(odds[at + step, number] for number in range(len(FIELDS)) for step in (-1, 0, 1)),
        rank * POSITIONS // lengths[of],
        rank.clip(max=FIRST - 1),
        sentence * 3 + years.clip(max=2),
        enclosed,
        look[at - 1] * LOOKS + look[at],
        look[at] * LOOKS + look[at + 1],
    ]
    offsets = np.cumsum([0, *list(vocabulary.sizes.values())[:-1]])
    return np.asarray(np.array(columns).T + offsets, np.int64)
