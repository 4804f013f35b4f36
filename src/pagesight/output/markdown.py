"""An article's front matter and references as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pagesight.output.text import in_journal, one_line

if TYPE_CHECKING:
    from pagesight.readers.article import Abstract, ArticleReading, Author

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
_LINE_START = re.compile(r"^(\d+)([.)])(?=\s|$)|^([-+=])")


def markdown(reading: ArticleReading) -> str:
    """CommonMark; affiliations are numbered, and authors point to the numbers."""
    return "\n\n".join(_parts(reading)) + "\n"


def escaped(text: str) -> str:
    """Text that Markdown leaves unchanged, on one line."""
    return _LINE_START.sub(_escaped_start, _SPECIAL.sub(r"\\\1", one_line(text)))


def _escaped_start(start: re.Match[str]) -> str:
    return f"{start[1]}\\{start[2]}" if start[1] else f"\\{start[3]}"


def _parts(reading: ArticleReading) -> Iterator[str]:
    if reading.title:
        yield f"# {escaped(reading.title.text)}"
    if reading.authors:
        yield ", ".join(_author(author, reading) for author in reading.authors)
    if reading.affiliations:
        numbered = enumerate(reading.affiliations, start=1)
        yield "\n".join(f"{rank}. {escaped(one.text)}" for rank, one in numbered)
    if published := in_journal(reading):
        yield escaped(published)
    if reading.doi:
        doi = reading.doi.text
        yield f"DOI: [{escaped(doi)}](<https://doi.org/{doi}>)"
    if reading.abstract:
        yield "## Abstract"
        yield from _abstract(reading.abstract)
    if reading.keywords:
        yield "Keywords: " + "; ".join(escaped(keyword.text) for keyword in reading.keywords)
    if reading.references:
        yield "## References"
        ranked = enumerate(reading.references, start=1)
        yield "\n".join(f"{rank}. {escaped(one.text)}" for rank, one in ranked)


def _author(author: Author, reading: ArticleReading) -> str:
    ranks = {one.id: rank for rank, one in enumerate(reading.affiliations, start=1)}
    numbers = ",".join(str(ranks[one]) for one in author.affiliations if one in ranks)
    return escaped(author.text) + (f" ({numbers})" if numbers else "")


def _abstract(abstract: Abstract) -> Iterator[str]:
    for section in abstract.sections:
        if section.heading:
            yield f"### {escaped(section.heading)}"
        yield from map(escaped, section.text.split("\n"))
    if not abstract.sections:
        yield escaped(abstract.text)
