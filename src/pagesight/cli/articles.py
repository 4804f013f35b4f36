"""Articles of many sources: for people, for programs, and for bibliographies."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pagesight.cli.options import ReadingOptions, WrongUse
from pagesight.cli.output import json_line, printable, say, say_error, say_json, say_lines
from pagesight.cli.readings.article import article_lines
from pagesight.cli.saving import Names, write_over_own
from pagesight.cli.work import work_through
from pagesight.document import Document
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


@dataclass(frozen=True)
class Job:
    """What to make of articles, and where to."""

    format: str
    model: str
    metadata: str
    output: Path | None = None
    every: bool = False  # also what is no article

    def read(self, document: Document) -> ArticleReading | None:
        """The article of a document; None, and a word about it, for what is left out."""
        reading = read_article(document.page, model=self.model, metadata=self.metadata)
        if reading.is_article or self.every or self.format not in BIBLIOGRAPHIES:
            return reading
        chance = f"{reading.confidence:.0%}"
        say(f"{document.source}: no article ({chance}), left out; see --all", "yellow")
        return None

    def written(self, read: Sequence[tuple[str, ArticleReading]]) -> bytes:
        """Sources and their readings as one file."""
        if self.format == "json":
            return b"".join(_json(source, reading) for source, reading in read)
        if self.format == "text":
            return "".join(_plain(source, reading) for source, reading in read).encode()
        return BIBLIOGRAPHIES[self.format]([each for _, each in read]).encode(errors="replace")


def write_articles(options: ReadingOptions, job: Job) -> int:
    """Read the article of each source, write or print it, and tell how many sources failed."""
    several = options.count != 1
    if job.output is None:
        if several and job.format in DOCUMENTS:
            raise WrongUse(f"--format {job.format} of several sources needs a folder: -o DIR")
        return _print_all(options, job)
    if job.output.is_dir() or (several and job.format in DOCUMENTS):
        return _write_each(options, job, job.output)
    if job.output.exists():
        raise WrongUse(f"{job.output} is there already")
    return _write_together(options, job, job.output)


def _print_all(options: ReadingOptions, job: Job) -> int:
    """Everything to standard output; a bibliography when all of it is known."""
    read: list[tuple[str, ArticleReading]] = []

    def use(document: Document) -> None:
        reading = job.read(document)
        if reading is None:
            return
        if job.format == "json":
            say_json({"source": document.source, **reading.to_json()})
        elif job.format == "text":
            say_lines([*article_lines(document.source, reading), ""])
        else:
            read.append((document.source, reading))

    failures = work_through(replace(options, as_json=job.format == "json"), use)
    if read or job.format == "csl":  # of nothing, CSL has an empty list
        _say_bytes(job.written(read))
    return failures


def _write_together(options: ReadingOptions, job: Job, path: Path) -> int:
    read: list[tuple[str, ArticleReading]] = []

    def use(document: Document) -> None:
        if reading := job.read(document):
            read.append((document.source, reading))

    failures = work_through(options, use)
    try:
        _write(path, job.written(read))
    except PagesightError as error:
        say_error(str(error), error.hint)
        return failures + 1
    say_lines([printable(f"{path}: {len(read):,} written")])
    return failures


def _write_each(options: ReadingOptions, job: Job, folder: Path) -> int:
    names = Names(SUFFIXES[job.format])

    def use(document: Document) -> None:
        if reading := job.read(document):
            path = folder / names.new(document.source)
            _write(path, job.written([(document.source, reading)]))
            say_lines([printable(f"{path}: from {document.source}")])

    return work_through(options, use)


def _json(source: str, reading: ArticleReading) -> bytes:
    return json_line({"source": source, **reading.to_json()})


def _plain(source: str, reading: ArticleReading) -> str:
    return "".join(f"{line.plain}\n" for line in article_lines(source, reading)) + "\n"


def _write(path: Path, data: bytes) -> None:
    write_over_own(path, data, lambda _: False, "may be something that you need")


def _say_bytes(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
