"""An article as a BibTeX entry."""

from __future__ import annotations

import re
import unicodedata

from pagesight.output.text import one_line, text_of
from pagesight.readers.article import ArticleReading, Author

# BibTeX counts braces even if they are escaped for LaTeX, hence their names.
_SPECIAL = str.maketrans(
    {"\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}",
     "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "&": r"\&", "%": r"\%", "$": r"\$",
     "#": r"\#", "_": r"\_"}
)  # fmt: skip


def bibtex(reading: ArticleReading, key: str | None = None) -> str:
    """One ``@article`` in UTF-8, with LaTeX's own characters escaped; ``@misc`` for other works."""
    fields = {
        "title": _title(text_of(reading.title)),
        "author": " and ".join(_name(author) for author in reading.authors),
        "journal": escaped(text_of(reading.journal)),
        "volume": escaped(text_of(reading.volume)),
        "number": escaped(text_of(reading.issue)),
        "pages": escaped(text_of(reading.pages)).replace("–", "--"),
        "year": text_of(reading.year),
        "doi": _address(text_of(reading.doi)),
        "url": _address(reading.url or ""),
        "keywords": escaped(", ".join(keyword.text for keyword in reading.keywords)),
        "abstract": escaped(text_of(reading.abstract)),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    kind = "article" if reading.is_article else "misc"
    return "\n".join((f"@{kind}{{{key or key_of(reading)},", *lines, "}")) + "\n"


def key_of(reading: ArticleReading) -> str:
    """The first author, the year and the first long word of the title, in plain letters."""
    family = reading.authors[0].family if reading.authors else ""
    words = re.findall(r"\w+", _ascii(text_of(reading.title)))
    parts = (_ascii(family), text_of(reading.year), *[w for w in words if len(w) > 3][:1])
    return re.sub(r"[^a-z0-9]", "", "".join(parts).lower()) or "article"


class Keys:
    """Distinct keys: the second of two equal ones gets an ``a``."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def new(self, reading: ArticleReading) -> str:
        """The key for the next reading."""
        key = plain = key_of(reading)
        number = 0
        while key in self._taken:
            key = plain + _letters(number)
            number += 1
        self._taken.add(key)
        return key


def _letters(number: int) -> str:
    """A, b, …, z, aa, ab, … as BibTeX users count."""
    letters = ""
    while number >= 0:
        letters = chr(ord("a") + number % 26) + letters
        number = number // 26 - 1
    return letters


def _address(url: str) -> str:
    """An address that cannot end the field it is in."""
    return one_line(url).replace("{", "%7B").replace("}", "%7D")


def escaped(text: str) -> str:
    """Text that LaTeX takes for nothing but text."""
    return one_line(text).translate(_SPECIAL)


def _title(title: str) -> str:
    """Braces keep BibTeX from writing ``dna`` for ``DNA``; it leaves the first letter alone."""
    return re.sub(r"[^\W_]+", _protected, escaped(title))


def _protected(word: re.Match[str]) -> str:
    risky = word[0][1:] if word.start() == 0 else word[0]
    return f"{{{word[0]}}}" if risky != risky.lower() else word[0]


def _name(author: Author) -> str:
    if not author.given:
        return f"{{{escaped(author.family or author.text)}}}"
    return ", ".join(map(_held, filter(None, (author.family, author.suffix, author.given))))


def _held(part: str) -> str:
    """A part of a name, in braces where it would be taken for several."""
    splits = "," in part or " and " in f" {part.lower()} "
    return f"{{{escaped(part)}}}" if splits else escaped(part)


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
