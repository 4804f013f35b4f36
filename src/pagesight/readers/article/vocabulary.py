"""The words by which articles are read: lists by language, and how often words occur in fields."""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.segment.text import WORD_LIST, known_words, words

LONGEST_HEADING = 60  # characters

_TABLE: dict[str, dict[str, Any]] = tomllib.loads(
    (files("pagesight") / "data" / "vocabulary.toml").read_text(encoding="utf-8")
)
GENERAL = _TABLE["general"]
LANGUAGES = {name: block for name, block in _TABLE.items() if name != "general"}


def listed(text: str) -> list[str]:
    """The entries of a list that is divided by semicolons."""
    return [" ".join(entry.split()) for entry in text.split(";") if entry.strip()]


def unwrapped(pattern: str) -> str:
    """A pattern that is written on several lines, on one."""
    return pattern.replace("\n", "")


def of_languages(key: str, *, unspaced: bool | None = None) -> list[str]:
    """The entries of the lists that languages have under a key; of all if `unspaced` is None."""
    blocks = _blocks(unspaced)
    return [entry for block in blocks if key in block for entry in listed(block[key])]


def _blocks(unspaced: bool | None) -> list[dict[str, Any]]:
    blocks = LANGUAGES.values()
    return [block for block in blocks if unspaced in (None, block.get("unspaced", False))]


def pattern_of(key: str, *, unspaced: bool | None = None) -> str:
    """A pattern for what the patterns of languages under a key match."""
    patterns = (block[key] for block in _blocks(unspaced) if key in block)
    return "|".join(map(unwrapped, patterns))


def _branches(pattern: str) -> list[str]:
    """The alternatives of a pattern: ``(?:a|b)c`` and ``d`` of ``(?:a|b)c|d``."""
    return re.findall(r"(?:[^|()]|\([^()]*\))+", pattern)


def _by_letter(branches: Iterable[str]) -> str:
    """A pattern for any of these, in which each first letter is looked for once."""
    rest: dict[str, list[str]] = {}
    for branch in branches:
        rest.setdefault(branch[0], []).append(branch[1:])
    return "|".join(f"{letter}(?:{'|'.join(ends)})" for letter, ends in rest.items())


def alternatives(entries: Iterable[str]) -> str:
    """A pattern for any of these, the longest first."""
    longest_first = sorted(set(entries), key=lambda entry: (-len(entry), entry))
    return "|".join(re.escape(entry).replace(r"\ ", r"[\s.-]") for entry in longest_first)


# Headings


def _headings_in(block: dict[str, Any], kind: str) -> list[str]:
    return listed(block.get("headings", {}).get(kind, ""))


HEADINGS: dict[str, frozenset[str]] = {
    kind: frozenset(
        " ".join(words(heading))
        for block in LANGUAGES.values()
        for heading in _headings_in(block, kind)
    )
    for kind in LANGUAGES["en"]["headings"]
}
"""By kind, folded."""

_NO_KIND = frozenset[str]()
_KINDS: dict[str, frozenset[str]] = {}
for _kind, _headings in HEADINGS.items():
    for _heading in {*_headings, *(heading.replace(" ", "") for heading in _headings)}:
        _KINDS[_heading] = _KINDS.get(_heading, frozenset()) | {_kind}
_START = 3  # letters
_STARTS = frozenset(heading[:_START] for heading in _KINDS)


def heading_kinds(text: str) -> frozenset[str]:
    """Which headings a text may be, numbers and punctuation aside; none for any other text."""
    return _NO_KIND if len(text) > LONGEST_HEADING or _begins_otherwise(text) else _kinds_of(text)


def _begins_otherwise(text: str) -> bool:
    """Whether a text begins with plain letters with which no heading begins, as most do."""
    start = text[:_START]
    return start.isascii() and start.isalpha() and start.lower() not in _STARTS


@lru_cache(maxsize=1 << 14)
def _kinds_of(text: str) -> frozenset[str]:
    bare = [word for word in words(text) if not word.isdigit()]
    return _KINDS.get(" ".join(bare)) or _KINDS.get("".join(bare)) or _NO_KIND


def _any_of(*keys: str) -> Callable[[str], bool]:
    """Whether a text is an entry of these lists, in any language; but for signs and capitals."""
    entries = frozenset(" ".join(words(entry)) for key in keys for entry in of_languages(key))
    return lambda text: len(text) <= LONGEST_HEADING and " ".join(words(text)) in entries


is_article_kind = _any_of("kinds", "short_kinds")
"""Whether a text is what journals write above articles of a kind: ``Letter to the Editor``."""

is_author_caption = _any_of("by")
"""Whether a text is what records write above the names of authors: ``Author(s):``."""


SHORT_PIECES = re.compile(
    rf"(?:{alternatives(of_languages('short_kinds'))})\W*(?:$|:|\bto\b)", re.IGNORECASE
)
"""How kinds of articles are called, and their titles begin, that have no abstract as a rule."""


# Cues

_FRAMES = {
    "abstract": r"(?:{})\b\W",
    "correspondence": r"\W*(?:(?:\d|\w\s)\W*)?(?:address\s)?(?:for\s)?(?:{})",
    "keywords": r"(?:{})\b.{{0,25}}[:：—–-]|key\s?words?\b|ключевые\sслова\b",
}
_IN_BRACKETS = r"[\[【〔]?\s*(?:{})\s*[\s:：\]】〕]"


def _cue(name: str) -> re.Pattern[str]:
    """How texts begin; where a language does not say it, with a heading of the same name."""
    begins = "|".join(filter(None, (_begins(block, name) for block in LANGUAGES.values())))
    frame = _FRAMES.get(name, "(?:{})").format(begins)
    if name in HEADINGS:
        frame += "|" + _IN_BRACKETS.format("|".join(_spread(name)))
    return re.compile(frame, re.IGNORECASE)


def _begins(block: dict[str, Any], name: str) -> str:
    pattern: str = block.get("begins", {}).get(name, "")
    headings = [] if block.get("unspaced") else _headings_in(block, name)
    return unwrapped(pattern) or alternatives(headings)


def _spread(kind: str) -> list[str]:
    """Patterns for headings without spaces between words, which may have some within: 摘 要."""
    blocks = _blocks(unspaced=True)
    return [r"\s*".join(heading) for block in blocks for heading in _headings_in(block, kind)]


CUES = {name: _cue(name) for name in ("abstract", "keywords", *LANGUAGES["en"]["begins"])}
"""How zones begin that say of themselves what they are."""
_ANY_CUE = re.compile("|".join(f"(?:{cue.pattern})" for cue in CUES.values()))
LONGEST_CUE = 200  # characters


def cues_of(text: str) -> frozenset[str]:
    """What a text says of itself that it is."""
    names = CUES if _ANY_CUE.match(text[:LONGEST_CUE].lower()) else ()
    return frozenset(name for name in names if CUES[name].match(text))


# Names

DEGREES = frozenset(listed(GENERAL["degrees"]))
MORE_DEGREES = DEGREES | frozenset(listed(GENERAL["more_degrees"]))
SUFFIXES = frozenset(listed(GENERAL["suffixes"]))
PARTICLES = frozenset(listed(GENERAL["particles"]))
NOT_IN_NAMES = frozenset(words(GENERAL["not_names"]))

AND = alternatives(of_languages("and"))
PERHAPS_AND = alternatives(of_languages("perhaps_and"))
BY = alternatives(of_languages("by", unspaced=False))
BY_UNSPACED = alternatives(of_languages("by", unspaced=True))

UNSPACED_INSTITUTIONS = pattern_of("institutions", unspaced=True)
_SPACED_INSTITUTION = re.compile(rf"\b(?:{pattern_of('institutions', unspaced=False)})")
_INSTITUTION = re.compile(f"{_SPACED_INSTITUTION.pattern}|{UNSPACED_INSTITUTIONS}")
_NOT_ASCII = "".join(sorted(set(re.findall(r"[^\0-\x7f]", pattern_of("institutions")))))
_OTHER_LETTER = re.compile(f"[{_NOT_ASCII}]")  # that any of these words has
_ASCII = [branch for branch in _branches(pattern_of("institutions")) if branch.isascii()]
_COMPOUNDS = [branch for branch in _ASCII if branch.startswith(r"\w*")]
_IN_COMPOUND = re.compile("|".join(branch.removeprefix(r"\w*") for branch in _COMPOUNDS))
_BEGINNING = re.compile(rf"\b(?:{_by_letter(b for b in _ASCII if b not in _COMPOUNDS)})")
GROUP = re.compile(
    rf"\b(?:(?:{pattern_of('groups')})\b|(?:{pattern_of('groups_at_end')})$)", re.IGNORECASE
)
"""What groups of authors are called."""


def institutions_in(text: str) -> list[str]:
    """The words of a text by which institutions are known, in small letters."""
    lowered = _lowered(text)
    return _institution_in(lowered).findall(lowered)


def names_institution(text: str) -> bool:
    """Whether a text has such a word."""
    lowered = _lowered(text)
    return bool(_institution_in(lowered).search(lowered))


def is_institution_caption(text: str) -> bool:
    """Whether a text is nothing but such words, as captions are: ``Department / Institute``."""
    lowered = _lowered(text)
    return not any(map(str.isalpha, _institution_in(lowered).sub("", lowered)))


def _lowered(text: str) -> str:
    return text.replace("İ", "i").lower()  # which would become two characters


def _institution_in(text: str) -> re.Pattern[str]:
    """The pattern for such words: most texts have English letters only, and no compounds.

    There few words need to be looked for, and these by their first letters.
    """
    if not text.isascii() and _OTHER_LETTER.search(text):
        return _INSTITUTION
    return _SPACED_INSTITUTION if _IN_COMPOUND.search(text) else _BEGINNING


def ends_with_group(text: str) -> bool:
    """Whether the last name of a list is that of a group of authors."""
    return bool(GROUP.search(re.split(r",|;|\band\b", text.rstrip(" .,;"))[-1]))


# How often words occur in titles, names, affiliations, abstracts and references of some thirty
# thousand citations: the table has the names that occur twice, and words that occur six times.

WORD_FIELDS = ("title", "surname", "given", "affiliation", "abstract", "reference")
COLUMN = {field: column for column, field in enumerate(WORD_FIELDS)}
CEILING = 3.0  # of what one word can say
MOST_KNOWN = 150_000  # words that are remembered from one page to the next


class Known(dict[str, int]):
    """What is seen of strings, each described once: by string the row of a table."""

    def __init__(self, describe: Callable[[str], tuple[int, ...]], width: int) -> None:
        super().__init__()
        self.describe = describe
        self.table = np.zeros((0, width), dtype=np.int64)

    def rows(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """What is seen of each; all is forgotten when it gets too much."""
        if len(self) > MOST_KNOWN:
            self.clear()
        if None in (seen := list(map(self.get, texts))):
            new = list({text for text, row in zip(texts, seen, strict=True) if row is None})
            first, end = len(self), len(self) + len(new)
            if end > len(self.table):  # with room for more, so that it is seldom copied
                larger = np.zeros((2 * end, self.table.shape[1]), np.int64)
                larger[:first] = self.table[:first]
                self.table = larger
            self.table[first:end] = [self.describe(text) for text in new]
            self.update(zip(new, range(first, end), strict=True))
        rows = np.fromiter(map(self.__getitem__, texts), np.int64, len(texts))
        return np.asarray(self.table[rows], np.int64)


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
    return WordTable(known_words(), np.vstack([np.zeros((1, len(WORD_FIELDS))), counts]))


@cache
def log_table() -> NDArray[np.float64]:
    """The logarithm of each word's share in each field of the shipped table."""
    return word_table().log_likelihoods()


def log_odds(tokens: Sequence[str], fields: tuple[str, ...], others: tuple[str, ...]) -> float:
    """How much likelier words are in some fields than in others, per word."""
    odds = _odds_table(fields, others)[word_table().indices(tokens)]
    return float(odds.sum()) / max(len(odds), 1)


@cache
def _odds_table(fields: tuple[str, ...], others: tuple[str, ...]) -> NDArray[np.float64]:
    """The same of each word of the table."""
    columns = log_table().T
    likely, other = (
        np.maximum.reduce([columns[COLUMN[name]] for name in names]) for names in (fields, others)
    )
    return np.asarray(np.clip(likely - other, -CEILING, CEILING))
