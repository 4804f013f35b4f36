"""Articles of many sources: for people, for programs, and for bibliographies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from pagesight.cli.options import ReadingOptions, WrongUse
from pagesight.cli.output import (
    json_line,
    printable,
    say,
    say_bytes,
    say_error,
    say_last,
    say_lines,
    undisturbed,
)
from pagesight.cli.saving import Target
from pagesight.cli.work import failure_fields, work_through
from pagesight.document import Document, Failure
from pagesight.errors import PagesightError
from pagesight.lazy import imported
from pagesight.readers.article.reader import read_article
from pagesight.readers.article.reading import ArticleReading

if TYPE_CHECKING:
    from rich.text import Text

Readings = Sequence[ArticleReading]
BIBLIOGRAPHIES = ("bibtex", "ris", "csl", "tei", "jats", "markdown")
"""The formats that `pagesight.output` has for articles, one module each."""

DOCUMENTS = ("tei", "jats")
"""Formats of which several cannot stand in one file."""

SUFFIXES = {"text": ".txt", "json": ".jsonl", "bibtex": ".bib", "ris": ".ris", "csl": ".json",
            "tei": ".tei.xml", "jats": ".jats.xml", "markdown": ".md"}  # fmt: skip


def _bibliography(name: str, readings: Readings) -> str:
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


def format_of(target: Target) -> str | None:
    """The format that the name of a file implies."""
    name = target.path.name.lower()
    if target.is_folder:
        return None
    if name.endswith(".json"):  # as --json; CSL must be asked for
        return "json"
    return next((format_ for format_, suffix in SUFFIXES.items() if name.endswith(suffix)), None)


class FoundArticle(NamedTuple):
    """An article, and the document that it was read from."""

    document: Document
    reading: ArticleReading


@dataclass(frozen=True)
class Job:
    """What to make of articles, and where to."""

    format: str
    model: str
    metadata: str
    output: Target | None = None
    every: bool = False  # also what is not an article

    def read(self, document: Document) -> FoundArticle | None:
        """The article of a document; None, and a word about it, for what is left out."""
        reading = read_article(document.page, model=self.model, metadata=self.metadata)
        unread = next((n.detail for n in document.page.info.notes if n.kind == "no text"), "")
        if unread:
            say(f"{document.source}: {unread}; only text recognition (OCR) can read them", "yellow")
        if reading.is_article or self.every or self.format not in BIBLIOGRAPHIES:
            return FoundArticle(document, reading)
        chance = f"{reading.confidence:.0%}"
        say(f"{document.source}: not an article ({chance}), left out; see --all", "yellow")
        return None

    def written(self, read: Sequence[FoundArticle | Failure]) -> bytes:
        """Sources and their readings as one file; failures are written in JSON only."""
        if self.format == "json":
            return b"".join(map(_json, read))
        articles = [one for one in read if not isinstance(one, Failure)]
        if self.format == "text":
            lines = [line.plain for one in articles for line in self.lines(one)]
            return "".join(f"{line}\n" for line in lines).encode(errors="replace")
        readings = [one.reading for one in articles]
        return _bibliography(self.format, readings).encode(errors="replace")

    def lines(self, article: FoundArticle) -> list[Text]:
        """An article for a person, and an empty line."""
        from rich.text import Text

        from pagesight.cli.readings.article import article_lines

        return [*article_lines(article.document.source, article.reading, every=self.every), Text()]


def write_articles(options: ReadingOptions, job: Job) -> int:
    """Read the article of each source, write or print it, and return how many sources failed."""
    if job.output is None:
        return _print_all(options, job)
    for_people = replace(options, as_json=False)  # the files are for programs, messages are not
    write = _write_each if job.output.is_folder else _write_together
    return write(for_people, job, job.output)


def _print_all(options: ReadingOptions, job: Job) -> int:
    """Everything to standard output; a bibliography when all of it is known."""
    _check_one_document(options, job)
    read: list[FoundArticle | Failure] = []

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

    try:
        failures = work_through(replace(options, as_json=job.format == "json"), use)
    except BaseException:  # an interrupt: what was read is not lost
        if read:
            with suppress(OSError):  # the reader may have been interrupted as well
                say_last(job.written(read))
        raise
    if read or job.format == "csl":  # of nothing, CSL has an empty list
        say_last(job.written(read))
    return failures


def _write_together(options: ReadingOptions, job: Job, target: Target) -> int:
    _check_one_document(options, job)
    target.prepare()
    read: list[FoundArticle | Failure] = []

    def use(document: Document) -> None:
        if article := job.read(document):
            read.append(article)

    try:
        failures = work_through(options, use, read.append)
    except BaseException:  # an interrupt: what was read is not lost
        if read:
            _write_read(job, target, read, say)
        raise
    with undisturbed():
        return failures + _write_read(job, target, read, lambda line: say_lines([printable(line)]))


def _write_read(
    job: Job, target: Target, read: Sequence[FoundArticle | Failure], tell: Callable[[str], None]
) -> int:
    """Write what was read into one file, `tell` so, and return how many errors that made."""
    path = target.path
    count = sum(not isinstance(one, Failure) for one in read)
    if not count:
        say(f"nothing to write: there is no {path}", "yellow")
        return 0
    try:
        target.write(path, job.written(read))
    except PagesightError as error:
        say_error(str(error), error.hint)
        return 1
    tell(f"{path}: {count:,} written")
    return 0


def _write_each(options: ReadingOptions, job: Job, target: Target) -> int:
    target.prepare()

    def use(document: Document) -> None:
        if article := job.read(document):
            path = target.path_for(document.source, SUFFIXES[job.format])
            target.write(path, job.written([article]))
            say_lines([printable(f"{path}: from {document.source}")])

    return work_through(options, use)


def _check_one_document(options: ReadingOptions, job: Job) -> None:
    if options.count != 1 and job.format in DOCUMENTS:
        raise WrongUse(f"--format {job.format} of several sources needs a folder: -o DIR")


def _json(one: FoundArticle | Failure) -> bytes:
    if isinstance(one, Failure):
        return json_line(failure_fields(one))
    return json_line(one.document.state() | one.reading.to_json())
