"""The letters of painted texts as the document has them.

A font may lack letters, which are painted as boxes then, or not at all; what is written from right
to left comes back in the order of painting, and Arabic in the forms that letters have inside of
words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import bidirectional, category, normalize

MISSING = "\ufffd"
LONGEST = 30_000  # characters of a text whose letters are compared
LONGEST_PATTERNS = 100_000  # characters, of all pieces of a text
ENOUGH = 0.6  # of the letters of a text that its only piece has to show, to be all of it
_FORWARDS = re.compile(r"[A-Za-z0-9]+(?:[.,:/-][A-Za-z0-9]+)*")  # inside of what is backwards
_MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")


def is_garbled(text: str) -> bool:
    """Whether a painted text may have other letters, or in another order, than the document."""
    return not text.isascii() and (MISSING in text or is_backwards(text))


def is_short(document: str, pieces: Sequence[str]) -> bool:
    """Whether letters of a text node that fonts may lack were not painted at all."""
    painted = "".join(pieces)
    if document.isascii() or _dense(document) <= _dense(painted):  # nearly always
        return False
    return len(_letters(document)) > len(_letters(painted))


def _dense(text: str) -> int:
    """How many characters a text has without white space."""
    return sum(map(len, text.split()))


def restored(document: str, pieces: Sequence[str]) -> list[str]:
    """The pieces of a text node, in the order of painting, with the letters of the document.

    A text that is longer than any paragraph stays as it was painted: each piece is looked for.
    """
    if len(document) > LONGEST:
        return list(pieces)
    letters = _Letters(document, pieces)
    only = sum(not piece.isspace() for piece in pieces) == 1
    short = not any(MISSING in piece for piece in pieces) and is_short(document, pieces)
    texts, position = [], 0
    for piece in pieces:
        backwards = is_backwards(piece) or (letters.backwards and not _is_strong(piece))
        text = _forwards(piece) if backwards else piece
        start = 0 if backwards else position
        if short and (span := letters.find_gapped(text, start)):
            text = letters.original(text, *span)
            position = span[1]
        elif is_garbled(piece) and (span := letters.find(text, start, only)):
            text = (letters.original if backwards else letters.filled)(text, *span)
            position = span[1]
        texts.append(text)
    return texts


class _Letters:
    """The letters of a text without case and white space, and where each is in it."""

    def __init__(self, document: str, pieces: Sequence[str]) -> None:
        self.text = " ".join(normalize("NFC", document.replace("\u00ad", "")).split())
        folded = [
            (letter, place) for place, char in enumerate(self.text) for letter in _letters(char)
        ]
        self.letters = "".join(letter for letter, _ in folded)
        self.places = [place for _, place in folded]
        forms = (form for piece in pieces for form in (piece, normalize("NFKC", piece)))
        painted = {*"".join(map(_letters, forms))} - {MISSING}
        self.missing = f"[^{re.escape(''.join(sorted(painted)))}]" if painted else "."
        self.left = LONGEST_PATTERNS
        strong = [bidirectional(char) for char in self.text]
        self.backwards = strong.count("R") + strong.count("AL") > strong.count("L")

    def find(self, text: str, start: int, only: bool) -> tuple[int, int] | None:
        """Where a painted text is; all of it if it is the only piece, and nearly as long."""
        wanted = _letters(text)
        pattern = re.escape(wanted).replace(MISSING, self.missing)
        if wanted and (match := self._search(pattern, start)):
            return match.span()
        if only and self.letters and len(wanted) >= ENOUGH * len(self.letters):
            return 0, len(self.letters)
        return None

    def find_gapped(self, text: str, start: int) -> tuple[int, int] | None:
        """Where a painted text is, with the letters in it and after it that were not painted."""
        if len(text) * len(self.missing) > self.left:
            return None
        wanted = "".join(f"{re.escape(letter)}{self.missing}*+" for letter in _letters(text))
        match = self._search(wanted, start) if wanted else None
        if match is None:
            return None
        leads = start == 0 and re.fullmatch(f"{self.missing}*+", self.letters[: match.start()])
        return (0 if leads else match.start()), match.end()

    def _search(self, pattern: str, start: int) -> re.Match[str] | None:
        """What a pattern matches, as long as all patterns together are not too long."""
        self.left -= len(pattern)
        fits = self.left >= 0
        return re.compile(pattern, re.DOTALL).search(self.letters, start) if fits else None

    def original(self, text: str, start: int, end: int) -> str:
        """The document's letters there, with the white space around the text."""
        inner = self.text[self.places[start] : self.places[end - 1] + 1]
        return f"{_edge(text)}{inner}{_edge(text[::-1])}"

    def filled(self, text: str, start: int, end: int) -> str:
        """The text with the document's letters where some are missing."""
        if len(_letters(text)) != end - start:
            return self.original(text, start, end)
        shown, at = [], start
        for char in text:
            shown.append(self.text[self.places[at]] if char == MISSING else char)
            at += len(_letters(char))
        return "".join(shown)


def _letters(text: str) -> str:
    """What is compared: no case, no white space, no signs without width."""
    folded = text.casefold()
    return "".join(char for char in folded if not char.isspace() and category(char) != "Cf")


def _edge(text: str) -> str:
    """The white space that a text begins with."""
    return text[: len(text) - len(text.lstrip())]


def is_backwards(text: str) -> bool:
    """Whether a text has letters that are written from right to left."""
    return not text.isascii() and any(bidirectional(letter) in ("R", "AL") for letter in text)


def _is_strong(text: str) -> bool:
    """Whether a text has letters or digits, which have a direction of their own."""
    return any(char.isalnum() or char == MISSING for char in text)


def _forwards(text: str) -> str:
    """What was painted from right to left, in the order of reading."""
    turned = normalize("NFKC", text[::-1].translate(_MIRRORED))
    return _FORWARDS.sub(lambda match: match[0][::-1], turned)
