"""Articles of many sources: for people, for programs, and for bibliographies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from rich.text import Text

from pagesight.cli.options import ReadingOptions, WrongUse
from pagesight.cli.output import json_line, printable, say, say_bytes, say_error, say_lines
from pagesight.cli.readings.article import article_lines
from pagesight.cli.saving import Names, make_folder, write_over_own
from pagesight.cli.work import failure_fields, work_through
from pagesight.document import Document, Failure
from pagesight.errors import PagesightError
from pagesight.output.bibtex import Keys, bibtex
from pagesight.output.csl import csl
from pagesight.output.jats import jats
from pagesight.output.markdown import markdown
from pagesight.output.ris import ris
from pagesight.output.tei import tei
from pagesight.readers.article import ArticleReading
from pagesight.readers.article.reader import read_article

Readings = Sequence[ArticleReading]


def _bibtex(readings: Readings) -> str:
    keys = Keys()
    return "\n".join(bibtex(reading, keys.new(reading)) for reading in readings)


BIBLIOGRAPHIES: dict[str, Callable[[Readings], str]] = {
    "bibtex": _bibtex,
    "ris": lambda readings: "".join(map(ris, readings)),
    "csl": csl,
    "tei": lambda readings: "".join(map(tei, readings)),
    "jats": lambda readings: "".join(map(jats, readings)),
    "markdown": lambda readings: "\n---\n\n".join(map(markdown, readings)),
}
"""By format what makes one file of readings."""

DOCUMENTS = ("tei", "jats")
"""Formats of which several cannot stand in one file."""

SUFFIXES = {"text": ".txt", "json": ".jsonl", "bibtex": ".bib", "ris": ".ris", "csl": ".json",
            "tei": ".tei.xml", "jats": ".jats.xml", "markdown": ".md"}  # fmt: skip


class Read(NamedTuple):
    """An article, and where it was read."""

    source: str
    reading: ArticleReading


@dataclass(frozen=True)
class Job:
    """What to make of articles, and where to."""

    format: str
    model: str
    metadata: str
    output: Path | None = None
    every: bool = False  # also what is no article

    def read(self, document: Document) -> Read | None:
        """The article of a document; None, and a word about it, for what is left out."""
        reading = read_article(document.page, model=self.model, metadata=self.metadata)
        if reading.is_article or self.every or self.format not in BIBLIOGRAPHIES:
            return Read(document.source, reading)
        chance = f"{reading.confidence:.0%}"
        say(f"{document.source}: no article ({chance}), left out; see --all", "yellow")
        return None

    def written(self, read: Sequence[Read | Failure]) -> bytes:
        """Sources and their readings as one file; failures are told in JSON only."""
        if self.format == "json":
            return b"".join(map(_json, read))
        articles = [one for one in read if not isinstance(one, Failure)]
        if self.format == "text":
            lines = [line.plain for one in articles for line in self.lines(one)]
            return "".join(f"{line}\n" for line in lines).encode(errors="replace")
        return BIBLIOGRAPHIES[self.format]([one.reading for one in articles]).encode(
            errors="replace"
        )

    def lines(self, article: Read) -> list[Text]:
        """An article for a person, and an empty line."""
        return [*article_lines(article.source, article.reading, every=self.every), Text()]


def write_articles(options: ReadingOptions, job: Job) -> int:
    """Read the article of each source, write or print it, and tell how many sources failed."""
    if job.output is None:
        return _print_all(options, job)
    told = replace(options, as_json=False)  # the files are for programs, what is said is not
    if job.output.is_dir() or not (job.output.suffix or job.output.exists()):
        return _write_each(told, job, job.output)
    if job.output.exists():
        raise WrongUse(f"{job.output} is there already")
    return _write_together(told, job, job.output)


def _print_all(options: ReadingOptions, job: Job) -> int:
    """Everything to standard output; a bibliography when all of it is known."""
    _check_one_document(options, job)
    read: list[Read | Failure] = []

    def use(document: Document) -> None:
        article = job.read(document)
        if article is None:
            return
        if job.format == "json":
            say_bytes(_json(article))
        elif job.format == "text":
            say_lines(job.lines(article))
        else:
            read.append(article)

    failures = work_through(replace(options, as_json=job.format == "json"), use)
    if read or job.format == "csl":  # of nothing, CSL has an empty list
        say_bytes(job.written(read))
    return failures


def _write_together(options: ReadingOptions, job: Job, path: Path) -> int:
    _check_one_document(options, job)
    make_folder(path.parent)
    read: list[Read | Failure] = []

    def use(document: Document) -> None:
        if article := job.read(document):
            read.append(article)

    failures = work_through(options, use, read.append)
    count = sum(not isinstance(one, Failure) for one in read)
    if not count:
        say(f"nothing to write: there is no {path}", "yellow")
        return failures
    try:
        _write(path, job.written(read))
    except PagesightError as error:
        say_error(str(error), error.hint)
        return failures + 1
    say_lines([printable(f"{path}: {count:,} written")])
    return failures


def _write_each(options: ReadingOptions, job: Job, folder: Path) -> int:
    make_folder(folder)
    names = Names(SUFFIXES[job.format])

    def use(document: Document) -> None:
        if article := job.read(document):
            path = folder / names.new(document.source)
            _write(path, job.written([article]))
            say_lines([printable(f"{path}: from {document.source}")])

    return work_through(options, use)


def _check_one_document(options: ReadingOptions, job: Job) -> None:
    if options.count != 1 and job.format in DOCUMENTS:
        raise WrongUse(f"--format {job.format} of several sources needs a folder: -o DIR")


def _json(one: Read | Failure) -> bytes:
    if isinstance(one, Failure):
        return json_line(failure_fields(one))
    return json_line({"source": one.source, **one.reading.to_json()})


def _write(path: Path, data: bytes) -> None:
    write_over_own(path, data, lambda _: False, "may be something that you need")
