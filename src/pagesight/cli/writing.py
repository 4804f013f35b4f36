"""What commands share that write readings in several formats: to the screen, a file or a folder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pagesight.cli.options import ReadingOptions, WrongUse
from pagesight.cli.output import (
    json_line,
    say,
    say_bytes,
    say_error,
    say_last,
    say_line,
    say_lines,
    undisturbed,
)
from pagesight.errors import PagesightError

if TYPE_CHECKING:
    from rich.text import Text

    from pagesight.cli.files import Target
    from pagesight.document import Document, Failure

    Results = Sequence["Found | Failure"]


class Found(NamedTuple):
    """What was read, and the document that it was read from."""

    document: Document
    reading: Any


def format_of(name: str, suffixes: Mapping[str, str]) -> str:
    """The format that the name of a file implies; `suffixes` are by format."""
    if name.lower().endswith(".json"):  # as --json; other formats of JSON must be asked for
        return "json"
    for format_, suffix in suffixes.items():
        if name.lower().endswith(suffix):
            return format_
    known = ", ".join(suffixes.values())
    raise WrongUse(f"the suffix of {name} is not one of {known}: name a format with --format")


@dataclass(frozen=True)
class Job:
    """What to make of readings, and where to. Each command has its own kind of job."""

    format: str
    target: Target | None = None

    suffixes: ClassVar[Mapping[str, str]]
    """What the files of each format are called."""

    together: ClassVar[Collection[str]]
    """The formats that are written when everything is read, and not page by page."""

    def read(self, document: Document) -> Found | None:
        """What is read from a document; None for what is left out."""
        raise NotImplementedError

    def lines(self, found: Found) -> Iterable[Text]:
        """What was read, for a person."""
        raise NotImplementedError

    def formatted(self, found: Sequence[Found]) -> bytes:
        """One file of all that was read, in a format that is neither text nor JSON."""
        raise NotImplementedError

    def run(self, options: ReadingOptions) -> int:
        """Read all sources, and write what comes of them; how many failed."""
        from pagesight.cli.sources import work_through

        # Files are for programs, messages are not.
        options = replace(options, as_json=self.format == "json" and self.target is None)
        if self.target.is_folder if self.target else self.format not in self.together:
            if self.target:
                self.target.prepare()
            return work_through(options, self.use)
        return self._collect(options)

    def use(self, document: Document) -> None:
        """Print what is read from a document, or write it into the folder."""
        if not (found := self.read(document)):
            return
        if self.target is None and self.format == "text":
            say_lines(self.lines(found))
        elif self.target is None:
            say_bytes(self.written([found]))
        else:
            data = self.written([found])
            path = self.target.save(document.source, self.suffixes[self.format], data)
            say_line(f"{path}: from {document.source}")

    def written(self, results: Results) -> bytes:
        """Sources and their readings as one file; failures are written in JSON only."""
        if self.format == "json":
            return b"".join(map(_json, results))
        found = [result for result in results if isinstance(result, Found)]
        if self.format == "text":
            lines = "".join(f"{line.plain}\n" for one in found for line in self.lines(one))
            return lines.encode(errors="replace")
        return self.formatted(found)

    def _collect(self, options: ReadingOptions) -> int:
        """Read all sources, then finish; after an interrupt, with what was read until then."""
        from pagesight.cli.sources import work_through

        if self.target:
            self.target.prepare()
        results: list[Found | Failure] = []

        def use(document: Document) -> None:
            if found := self.read(document):
                results.append(found)

        try:
            failures = work_through(options, use, results.append)
        except BaseException:
            if results:
                with suppress(OSError):  # whoever reads it may have been interrupted as well
                    self._finish(results, say)
            raise
        with undisturbed() if self.target else nullcontext():
            return failures + self._finish(results, say_line)

    def _finish(self, results: Results, report: Callable[[str], None]) -> int:
        """Print or write everything at once; how many errors there were."""
        if self.target is None:
            say_last(self.written(results))
            return 0
        path = self.target.path
        count = sum(isinstance(result, Found) for result in results)
        if not count:
            say(f"nothing to write: there is no {path}", "yellow")
            return 0
        try:
            self.target.write(path, self.written(results))
        except PagesightError as error:
            say_error(str(error), error.hint)
            return 1
        report(f"{path}: {count:,} written")
        return 0


def _json(result: Found | Failure) -> bytes:
    from pagesight.cli.sources import failure_fields

    if not isinstance(result, Found):
        return json_line(failure_fields(result))
    return json_line(result.document.json_of(result.reading))
