"""`pagesight article`: what pages say of the journal articles that they show."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from pagesight.cli.options import (
    Overwrite,
    ReadingOptions,
    WrongUse,
    chosen_format,
    flag,
    name_option,
    output_option,
    reads_pages,
    target_of,
)
from pagesight.cli.output import (
    USUAL_WIDTH,
    counted,
    headed,
    headline,
    labelled,
    say,
    styled,
    width,
)
from pagesight.cli.writing import Found, Job, format_of
from pagesight.lazy import imported

if TYPE_CHECKING:
    from rich.text import Text

    from pagesight.document import Document
    from pagesight.readers.article.reading import ArticleReading, ArticleValue, Author

EXAMPLES = """\
  pagesight article page.html
  pagesight article --json *.html *.pdf > articles.jsonl
  pagesight article -o reading-list.bib *.pdf
  pagesight article --format tei -o headers *.html
  pagesight article --cited -o cited.bib paper.pdf
  pagesight article --metadata ignore page.html
"""
BIBLIOGRAPHIES = ("bibtex", "ris", "csl", "tei", "jats", "markdown")
"""The formats that `pagesight.output` has for articles, one module each."""

CITATIONS = ("bibtex", "ris", "csl")
"""Those of one entry for one work."""

DOCUMENTS = ("tei", "jats")
"""Formats of which one file holds one article."""

SUFFIXES = {"text": ".txt", "json": ".jsonl", "bibtex": ".bib", "ris": ".ris", "csl": ".json",
            "tei": ".tei.xml", "jats": ".jats.xml", "markdown": ".md"}  # fmt: skip
INDENT = " " * 6  # a confidence and a space
MOST_PERSONS = 20
MOST_PLACES = 10
MOST_LINES = 4  # of an abstract
MOST_REFERENCES = 3
MOST_NAMES = 3  # that `pagesight read` shows

ArticleFormat = StrEnum(
    "ArticleFormat", ["TEXT", "JSON", "BIBTEX", "RIS", "CSL", "TEI", "JATS", "MARKDOWN"]
)
# As `MODELS` and `METADATA` of the reader have them, which would take long to load.
ModelName = StrEnum("ModelName", ["OURS", "SEED"])
MetadataUse = StrEnum("MetadataUse", ["AUTO", "IGNORE"])


@reads_pages
def article(
    options: ReadingOptions,
    format_: Annotated[
        ArticleFormat | None,
        name_option(
            "What to write: text, json (as --json), bibtex, ris, csl, tei, jats or markdown. If "
            "not given, what the suffix of a file after -o says, or text.",
            "--format",
        ),
    ] = None,
    output: Annotated[
        str | None,
        output_option("Where the articles go; several tei or jats need a folder."),
    ] = None,
    overwrite: Overwrite = False,
    model: Annotated[
        ModelName,
        name_option(
            "What labels the page: ours, or seed, the hidden Markov model of the layout paper."
        ),
    ] = ModelName.OURS,
    metadata: Annotated[
        MetadataUse,
        name_option(
            "Whether the citation tags of the page confirm and complete what is seen: auto, or "
            "ignore."
        ),
    ] = MetadataUse.AUTO,
    every: Annotated[
        bool, flag("--all", "Also write what was found on pages that are not articles.")
    ] = False,
    cited: Annotated[
        bool, flag("--cited", "Write the works that articles cite: bibtex, ris or csl only.")
    ] = False,
) -> int:
    """Read journal articles: title, authors, affiliations, abstract and references."""
    target = target_of(output, overwrite=overwrite)
    if target and not target.is_folder and not (format_ or options.as_json):
        format_ = ArticleFormat(format_of(target.path.name, SUFFIXES))
    chosen = chosen_format(options, format_, ArticleFormat).value
    if cited and chosen not in CITATIONS:
        raise WrongUse(f"--cited writes {', '.join(CITATIONS)}: name one with --format")
    if chosen in DOCUMENTS and options.count != 1 and not (target and target.is_folder):
        raise WrongUse(f"--format {chosen} of several sources needs a folder: -o DIR")
    return ArticleJob(chosen, target, model.value, metadata.value, every, cited).run(options)


@dataclass(frozen=True)
class ArticleJob(Job):
    """What to make of articles, and where to."""

    model: str = "ours"
    metadata: str = "auto"
    every: bool = False  # also what is not an article
    cited: bool = False  # the works that articles cite

    suffixes = SUFFIXES
    together = BIBLIOGRAPHIES

    def read(self, document: Document) -> Found | None:
        """The article of a document; None, and a word about it, for what is left out."""
        reading = document.reading("article", model=self.model, metadata=self.metadata)
        for note in document.page.info.notes:
            if note.kind == "no text":
                hint = "only text recognition (OCR) can read them"
                say(f"{document.source}: {note.detail}; {hint}", "yellow")
        if reading.is_article or self.every or self.format not in BIBLIOGRAPHIES:
            return Found(document, reading)
        chance = f"{reading.confidence:.0%}"
        say(f"{document.source}: not an article ({chance}), left out; see --all", "yellow")
        return None

    def formatted(self, found: Sequence[Found]) -> bytes:
        """A bibliography of articles, or of what they cite."""
        readings = [article.reading for article in found]
        if self.cited:
            works = imported("pagesight.output.cited:cited_works")
            readings = [work for reading in readings for work in works(reading)]
        return _bibliography(self.format, readings).encode(errors="replace")

    def lines(self, found: Found) -> list[Text]:
        """An article for a person, and an empty line."""
        source, reading = found.document.source, found.reading
        return [*article_lines(source, reading, every=self.every), styled()]


def _bibliography(name: str, readings: Sequence[ArticleReading]) -> str:
    """One file of readings, in one of the `BIBLIOGRAPHIES`."""
    module = f"pagesight.output.{name}"
    if name == "csl":
        return str(imported(f"{module}:csl")(readings))
    if name == "bibtex":
        keys = imported(f"{module}:Keys")()
        write = imported(f"{module}:bibtex")
        return "\n".join(write(reading, keys.new(reading)) for reading in readings)
    between = "\n---\n\n" if name == "markdown" else ""
    return between.join(map(imported(f"{module}:{name}"), readings))


def lines(reading: ArticleReading, _: int | None) -> Iterator[Text]:
    """An article in one line, for `pagesight read`."""
    if not reading.is_article:
        return
    names = ", ".join(author.family or author.text for author in reading.authors[:MOST_NAMES])
    names += " …" if len(reading.authors) > MOST_NAMES else ""
    by = f"by {names}  " if names else ""
    authors = counted(len(reading.authors), "author")
    references = counted(len(reading.references), "reference")
    yield labelled("article", f"{by}({reading.confidence:.0%}, {authors}, {references})")


def article_lines(source: str, reading: ArticleReading, *, every: bool = False) -> Iterator[Text]:
    """Everything about an article that fits on a screen, with how sure each part is.

    Of what is not an article only that it is not one, unless `every`.
    """
    yield from headline(reading.title.text if reading.title else None, source)
    yield styled()
    verdict = "an article" if reading.is_article else "probably not an article"
    yield labelled("this is", f"{verdict}  ({reading.confidence:.0%} that it is one)")
    if not (reading.is_article or every):
        return
    yield from _fact_lines(reading)
    ranks = {place.id: rank for rank, place in enumerate(reading.affiliations, start=1)}
    authors = [(author, f"{author.text}{_details(author, ranks)}") for author in reading.authors]
    yield from _listed("Authors", authors, MOST_PERSONS)
    places = [(place, f"{ranks[place.id]:>2}  {place.text}") for place in reading.affiliations]
    if places:
        yield from headed("Affiliations")
        yield from _values(places, MOST_PLACES)
    yield from _abstract_lines(reading)
    references = [(reference, reference.text) for reference in reading.references]
    yield from _listed("References", references, MOST_REFERENCES)


def _fact_lines(reading: ArticleReading) -> Iterator[Text]:
    from pagesight.output.text import in_journal

    if reading.title:
        yield labelled("title", f"{reading.title.confidence:.0%}{_tag(reading.title)}")
    if published := in_journal(reading):
        yield labelled("in", published)
    for name, value in (("DOI", reading.doi), ("year", reading.year)):
        if value and not (published and name == "year"):
            yield labelled(name, f"{value.text}{_tag(value)}")
    if reading.keywords:
        yield labelled("keywords", "; ".join(keyword.text for keyword in reading.keywords))


def _details(author: Author, ranks: dict[str, int]) -> str:
    """What is known of a person besides the name."""
    numbers = ", ".join(str(ranks[place]) for place in author.affiliations if place in ranks)
    details = (
        f"[{numbers}]" if numbers else "",
        ", ".join(author.degrees),
        "corresponding" if author.corresponding else "",
        author.email or "",
        f"ORCID {author.orcid}" if author.orcid else "",
    )
    return "".join(f"  {detail}" for detail in details if detail)


def _abstract_lines(reading: ArticleReading) -> Iterator[Text]:
    if reading.abstract is None:
        yield from headed("No abstract")
        return
    text = " ".join(reading.abstract.text.split())
    yield from headed(f"Abstract ({len(text.split())} words)")
    room = (width() or USUAL_WIDTH) - len(INDENT)
    shown = textwrap.wrap(text, room, max_lines=MOST_LINES, placeholder=" …")
    yield _value_line(reading.abstract, shown[0] if shown else "")
    for line in shown[1:]:
        yield styled(INDENT + line)


def _listed(name: str, values: Sequence[tuple[ArticleValue, str]], most: int) -> Iterator[Text]:
    """A section of values, also where there are none."""
    yield from headed(f"{name} ({len(values):,})" if values else f"No {name.lower()}")
    yield from _values(values, most)


def _values(values: Sequence[tuple[ArticleValue, str]], most: int) -> Iterator[Text]:
    for value, text in values[:most]:
        yield _value_line(value, text)
    if len(values) > most:
        yield styled(f"{INDENT}and {len(values) - most} more", style="dim")


def _value_line(value: ArticleValue, text: str) -> Text:
    return styled((f"{value.confidence:4.0%}  ", "dim"), text, (_only_tag(value), "yellow"))


def _tag(value: ArticleValue) -> str:
    """Which tag agrees, or is the only one to state it."""
    return _only_tag(value) or (f"  (as {value.tag} says)" if value.tag else "")


def _only_tag(value: ArticleValue) -> str:
    return "" if value.seen else f"  (only in {value.tag})"
