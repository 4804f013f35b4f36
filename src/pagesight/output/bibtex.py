"""An article as a BibTeX entry."""

from __future__ import annotations

import re
import unicodedata

from pagesight.readers.article import ArticleReading, Author

# BibTeX counts braces even where LaTeX has them escaped, hence their names.
_SPECIAL = str.maketrans(
    {"\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}",
     "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "&": r"\&", "%": r"\%", "$": r"\$",
     "#": r"\#", "_": r"\_"}
)  # fmt: skip


def bibtex(reading: ArticleReading) -> str:
    """One ``@article`` in UTF-8, with LaTeX's own characters escaped."""
    fields = {
        "title": _title(reading.title.text) if reading.title else "",
        "author": " and ".join(_name(author) for author in reading.authors),
        "year": reading.year or "",
        "doi": escaped(reading.doi or ""),
        "url": reading.url or "",
        "keywords": escaped(", ".join(keyword.text for keyword in reading.keywords)),
        "abstract": escaped(reading.abstract.text) if reading.abstract else "",
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join((f"@article{{{key(reading)},", *lines, "}")) + "\n"


def key(reading: ArticleReading) -> str:
    """The first author, the year and the first long word of the title, in plain letters."""
    family = reading.authors[0].family if reading.authors else ""
    title = reading.title.text if reading.title else ""
    long_words = [word for word in re.findall(r"\w+", _ascii(title)) if len(word) > 3]
    parts = (_ascii(family), reading.year or "", long_words[0] if long_words else "")
    return re.sub(r"[^a-z0-9]", "", "".join(parts).lower()) or "article"


def escaped(text: str) -> str:
    """Text in which LaTeX sees nothing but text."""
    return " ".join(text.split()).translate(_SPECIAL)


def _title(title: str) -> str:
    """Braces keep BibTeX from writing ``dna`` for ``DNA``; it leaves the first letter alone."""
    return re.sub(r"[^\W_]+", _protected, escaped(title))


def _protected(word: re.Match[str]) -> str:
    risky = word[0][1:] if word.start() == 0 else word[0]
    return f"{{{word[0]}}}" if risky != risky.lower() else word[0]


def _name(author: Author) -> str:
    if not author.given:
        return f"{{{escaped(author.family or author.text)}}}"
    family = escaped(author.family)
    parts = (f"{{{family}}}" if _would_split(family) else family, author.suffix, author.given)
    return ", ".join(escaped(part) if part is not parts[0] else part for part in parts if part)


def _would_split(family: str) -> bool:
    return "," in family or " and " in f" {family.lower()} "


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
